"""The virtual board as a program: a port to open, commands on a stream of lines, and a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.sim.commands import run_command
from companion.sim.page import PageServer
from companion.sim.senses import Kind
from companion.sim.terminal import PseudoTerminal
from companion.sim.virtual_board import VirtualBoard
from companion.sim.world import World, default_pawns


def default_world() -> World:
    """Return a table with eight pawns on the corners, as at the start of a game of three."""
    world = World()
    for pawn, cell in default_pawns().items():
        world.put(pawn, cell)
    return world


def run_board_sim(
    kind: Kind,
    lines: Iterable[str],
    say: Callable[[str], None],
    *,
    monotonic: Callable[[], float],
    world: World | None = None,
    path: Path | None = None,
    page_port: int | None = 0,
) -> None:
    """Play a board until the lines end or one says "quit".

    Says "PORT …" and, unless `page_port` is None, "PAGE …" first, then an answer to each line. `path` is the
    link under which the port is found; by default it lies in a folder of its own that goes with the program.
    """
    with ExitStack() as stack:
        where = path or Path(stack.enter_context(TemporaryDirectory(prefix="board-sim-"))) / "board"
        terminal = stack.enter_context(PseudoTerminal(VirtualBoard(kind, world or default_world()), monotonic, where))
        say(f"PORT {where}")
        if page_port is not None:
            page = PageServer(terminal, page_port)
            stack.callback(page.close)
            say(f"PAGE {page.url}")
        for line in lines:
            if line.strip() == "quit":
                return
            say(run_command(terminal, line))
