"""Simulate a sensor board."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from companion.clock import SystemClock
from companion.command_errors import fail, fail_to_listen
from companion.server.http.addresses import listen_failure
from companion.server.http.network import LOOPBACK
from companion.sim.emulator import EmulatorMissing
from companion.sim.page import listen
from companion.sim.run import default_world, run_board_sim
from companion.sim.table_model import InvalidMove


@click.command("board-sim")
@click.option(
    "--kind",
    type=click.Choice(["presence", "tags"]),
    default="presence",
    show_default=True,
    help="What the board reads: which cells are occupied, or tags too.",
)
@click.option(
    "--link", type=click.Path(path_type=Path), help="The path under which the port is found."
)
@click.option("--page-port", type=int, help="The page's port (8081, or a free one).")
@click.option(
    "--field", default="6x6", show_default=True, help="The board's field, such as 8x8 or hex4."
)
@click.option(
    "--new-box",
    metavar="NAME",
    default="",
    help="Pieces with new tags, which have to be registered first.",
)
@click.option(
    "--firmware",
    is_flag=True,
    help="Run the board's real firmware in its emulator (`make emulator`).",
)
def board_sim_command(
    kind: Any, link: Path | None, page_port: int | None, field: str, new_box: str, firmware: bool
) -> None:
    """Simulate a sensor board on a pseudo-terminal, on Windows on a socket.

    `companion serve --board PATH` reads it like a real one. Pawns are moved on its page, or by
    lines on standard input; `help` lists them, the faults included.
    """
    try:
        world = default_world(field, new_box)
    except ValueError as wrong:
        fail(f"{wrong}.")
    try:
        listening = listen(page_port)
    except OSError as failed:
        fail_to_listen(listen_failure(LOOPBACK, page_port or 0, failed, "--page-port"))
    with listening:
        try:
            run_board_sim(
                kind,
                sys.stdin,
                click.echo,
                monotonic=SystemClock().monotonic,
                world=world,
                path=link,
                listening=listening,
                firmware=firmware,
            )
        except (EmulatorMissing, InvalidMove) as missing:
            fail(str(missing))
