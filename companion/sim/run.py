"""Run a simulated board: a port, commands on lines, and a page."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.sensors.board_field import parse_field
from companion.sim.board_protocol import SimulatedPort
from companion.sim.commands import run_command
from companion.sim.emulated import EmulatedBoard, EmulatedTerminal
from companion.sim.page import PageServer
from companion.sim.table_model import SQUARE, World, default_pawns
from companion.sim.terminal import PseudoTerminal
from companion.sim.virtual_board import BoardKind, VirtualBoard


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


def run_board_sim(
    kind: BoardKind,
    lines: Iterable[str],
    print_line: Callable[[str], None],
    *,
    monotonic: Callable[[], float],
    world: World | None = None,
    path: Path | None = None,
    listening: socket.socket | None = None,
    firmware: bool = False,
) -> None:
    """Run a board until the lines end or "quit": virtual, or the real `firmware` emulated.

    Prints "PORT …" and, with a socket, "PAGE …", then an answer to each line. `path`: the port's
    link, by default in a temporary folder. Raises `EmulatorMissing`.
    """
    with ExitStack() as stack:
        where = path or Path(stack.enter_context(TemporaryDirectory(prefix="board-sim-"))) / "board"
        terminal: SimulatedPort
        if firmware:
            terminal = stack.enter_context(
                EmulatedTerminal(EmulatedBoard(world or default_world()), where)
            )
        else:
            board = VirtualBoard(kind, world or default_world())
            terminal = stack.enter_context(PseudoTerminal(board, monotonic, where))
        print_line(f"PORT {terminal.address}")
        if listening is not None:
            page = PageServer(terminal, listening)
            stack.callback(page.close)
            print_line(f"PAGE {page.url}")
        for line in lines:
            if line.strip() == "quit":
                return
            print_line(run_command(terminal, line))
