"""`companion board-sim`: a port, commands on lines, and a page."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from companion.clock import SystemClock
from companion.command_errors import fail, fail_to_listen
from companion.sensors.board_field import parse_field
from companion.server.http.addresses import listen_failure
from companion.server.http.network import LOOPBACK
from companion.sim.commands import SimulatedPort, run_command
from companion.sim.page import PageServer, listen
from companion.sim.table_model import SQUARE, InvalidMove, World, default_pawns
from companion.sim.terminal import PseudoTerminal
from companion.sim.virtual_board import VirtualBoard


def default_world(field: str = SQUARE.name, box: str = "") -> World:
    """Return a table with eight pawns on the corners, or beside it with a new `box`.

    Raises ValueError for a `field` that is none.
    """
    parsed = parse_field(field)
    if parsed is None:
        raise ValueError(f"{field!r} is no field such as 6x6 or hex4")
    world = World(field=parsed, box=box)
    for pawn, cell in default_pawns().items() if parsed == SQUARE else ():
        world.put(pawn, None if box else cell)
    return world


@contextmanager
def port_path(link: Path | None) -> Iterator[Path]:
    """Yield the path of a port: `link`, or one in a folder that goes with the port."""
    with TemporaryDirectory(prefix="board-sim-") as folder:
        yield link or Path(folder) / "board"


def run_board_sim(
    terminal: SimulatedPort,
    lines: Iterable[str],
    print_line: Callable[[str], None],
    listening: socket.socket | None = None,
) -> None:
    """Run the board of a plugged terminal until the lines end or "quit".

    Prints "PORT …" and, with a socket, "PAGE …", then an answer to each line.
    """
    with ExitStack() as stack:
        print_line(f"PORT {terminal.address}")
        if listening is not None:
            page = PageServer(terminal, listening)
            stack.callback(page.close)
            print_line(f"PAGE {page.url}")
        for line in lines:
            if line.strip() == "quit":
                return
            print_line(run_command(terminal, line))


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
