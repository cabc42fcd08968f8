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
from companion.sim.page import listen
from companion.sim.run import default_world, port_path, run_board_sim
from companion.sim.table_model import InvalidMove
from companion.sim.terminal import PseudoTerminal
from companion.sim.virtual_board import VirtualBoard


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
def board_sim_command(
    kind: Any, link: Path | None, page_port: int | None, field: str, new_box: str
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
    board = VirtualBoard(kind, world)
    with listening, port_path(link) as path:
        try:
            with PseudoTerminal(board, SystemClock().monotonic, path) as terminal:
                run_board_sim(terminal, sys.stdin, click.echo, listening)
        except InvalidMove as wrong:
            fail(str(wrong))
