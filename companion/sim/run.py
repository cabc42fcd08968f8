"""Run a simulated board: a port, commands on lines, and a page."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.sensors.board_field import parse_field
from companion.sim.board_protocol import SimulatedPort
from companion.sim.commands import run_command
from companion.sim.page import PageServer
from companion.sim.table_model import SQUARE, World, default_pawns


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
