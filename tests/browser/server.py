"""`companion serve` in a process of its own, with a virtual board on a pseudo-terminal."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol, TypeVar

from companion.cli import main
from companion.core.placement import Cell, Pawn, Placement, Tile
from companion.server.auth.access import DISPLAY_FILE
from companion.sim.table_model import World, apply_placement
from companion.sim.terminal import PseudoTerminal
from companion.sim.virtual_board import BoardKind, VirtualBoard
from tests.helpers.join_code import KEY_LENGTH, join_fragment
from tests.helpers.ports import free_port
from tests.helpers.served import start_companion, start_process

Json = dict[str, Any]
T = TypeVar("T")

PHONE_HOST = "table.test"
"""A name that is not this machine's own: what phones get over plain http is got here too."""
TIMEOUT = 180.0
"""Seconds that anything may take before a test gives up; nothing is ever asserted about time."""
SETTINGS = """\
host = "127.0.0.1"
hosts = ["{host}", ".{host}"]
port = {port}
night_floor = 0
{more}
[settle]
rest = 0.3
"""


class NeverCame(AssertionError):
    """Error raised when something was waited for in vain."""


def until(
    condition: Callable[[], T], what: str, pause: Callable[[float], object] = time.sleep
) -> T:
    """Return the first thing but None and False that `condition` gives; raise `NeverCame`.

    The pauses between two looks grow with the wait: each look costs the server an answer.
    """
    begun = time.monotonic()
    while (waited := time.monotonic() - begun) < TIMEOUT:
        value = condition()
        if value is not None and value is not False:
            return value
        pause(min(0.03 + waited / 5, 0.5))
    raise NeverCame(what)


def command(*words: str | Path) -> list[str]:
    """Return the command line of a `companion` subcommand in this very environment."""
    return [sys.executable, "-m", "companion", *map(str, words)]


def run(*words: str | Path) -> str:
    """Run a `companion` subcommand to its end and return what it printed; it must end well."""
    with TemporaryDirectory() as folder:
        out, errors = Path(folder) / "out", Path(folder) / "errors"
        process = start_process(_run, [*map(str, words)], errors, log=out)
        process.join(TIMEOUT)
        assert (0, "") == (process.exitcode, errors.read_text(encoding="utf-8"))
        return out.read_text(encoding="utf-8")


def _run(words: list[str], errors: Path) -> None:
    file = os.open(errors, os.O_WRONLY | os.O_CREAT)
    os.dup2(file, 2)
    os.close(file)
    sys.argv = ["companion", *words]
    sys.exit(main())


class ServerProcess(Protocol):
    """The process of a server."""

    @property
    def pid(self) -> int | None: ...
    def is_alive(self) -> bool: ...
    def kill(self) -> None: ...
    def terminate(self) -> None: ...
    def join(self, timeout: float | None = None) -> None: ...


class BoardPieces:
    """Move the pieces of a virtual board, which sends the lines of each move."""

    def __init__(self, kind: BoardKind, path: Path | None, world: World | None = None) -> None:
        self.terminal = PseudoTerminal(VirtualBoard(kind, world or World()), time.monotonic, path)

    def put(self, pawn: str, cell: str | None) -> None:
        """Set a pawn on a cell, or take it off the table."""
        self.terminal.do(
            lambda board, now: board.world.put(Pawn(pawn), None if cell is None else Cell(cell))
        )

    def put_tile(self, cell: str, number: int, turn: int = 0) -> None:
        """Lay a tile on a cell."""
        self.terminal.do(lambda board, now: board.world.put_tile(Cell(cell), Tile(number, turn)))

    def put_token(self, cell: str, kind: str) -> None:
        """Lay a token on a cell."""
        self.terminal.do(lambda board, now: board.world.put_token(Cell(cell), kind))

    def take_token(self, cell: str) -> None:
        """Take the token off a cell."""
        self.terminal.do(lambda board, now: board.world.take_token(Cell(cell)))

    def lay(self, view: Json) -> None:
        """Set up the table as a view shows it: every pawn, bullet and bat, and nothing else."""
        pawns: dict[Cell, frozenset[Pawn]] = {}
        for pawn, cell in view["pawns"].items():
            pawns[cell] = pawns.get(cell, frozenset()) | {pawn}
        kinds = {"bullet": view["tokens"]["bullets"], "bat": view["tokens"]["bats"]}
        tokens = {cell: kind for kind, cells in kinds.items() for cell in cells}
        self.terminal.do(
            lambda board, now: apply_placement(board.world, Placement(pawns=pawns, tokens=tokens))
        )


class TableServer:
    """One data folder, the server over it and the board beside it.

    `kind` None is a table without a board. Dawns are quick unless a test looks between what they
    tell.
    """

    def __init__(
        self,
        folder: Path,
        kind: BoardKind | None = "tags",
        more: str = "",
        world: World | None = None,
        *,
        has_quick_dawns: bool = True,
    ) -> None:
        self.folder = folder
        self._has_quick_dawns = has_quick_dawns
        self.data = folder / "data"
        self.port = free_port()
        self.pieces = BoardPieces(kind, self.port_path(), world) if kind else None
        self.config = folder / "table.toml"
        self.config.write_text(
            SETTINGS.format(host=PHONE_HOST, port=self.port, more=more), encoding="utf-8"
        )
        self.log_path = folder / "server.log"
        self._server: ServerProcess | None = None

    @property
    def board(self) -> BoardPieces:
        """The pieces of the board; raise `AssertionError` without one."""
        assert self.pieces is not None
        return self.pieces

    def open(self) -> None:
        """Connect the board and serve."""
        if self.pieces:
            self.pieces.terminal.start()
        self.start()

    def start(self) -> None:
        """Serve; returns when the pages can be had."""
        self._server = self.launch(self.pieces.terminal.address if self.pieces else "none")
        until(self._answers, f"the server did not come up:\n{self.log}")

    def port_path(self) -> Path | None:
        """Return where the board's port lies, None for a socket."""
        return self.folder / "board"

    def launch(self, board: str) -> ServerProcess:
        """Start the program that serves, with a board at an address."""
        words = ["serve", "--data", self.data, "--config", self.config, "--board", board]
        return start_companion(
            [str(word) for word in words], self.log_path, has_quick_dawns=self._has_quick_dawns
        )

    def kill(self) -> None:
        """Pull the plug: the process gets no chance to do anything more."""
        assert self._server is not None
        self._server.kill()
        self._server.join()

    def hang(self, *, hangs: bool = True) -> None:
        """Let the process hang: its connections stay, and nothing answers; or let it go on."""
        assert self._server is not None
        assert self._server.pid is not None
        os.kill(self._server.pid, signal.SIGSTOP if hangs else signal.SIGCONT)

    def close(self) -> None:
        """Stop the server as a person would, and put the board away."""
        if self._server is not None:
            self._server.terminate()
            self._server.join(TIMEOUT)
            if self._server.is_alive():
                self.kill()
        if self.pieces:
            self.pieces.terminal.close()

    def held(self) -> tuple[int, int]:
        """Return how many descriptors and threads the server has."""
        assert self._server is not None
        return len(os.listdir(f"/proc/{self._server.pid}/fd")), len(
            os.listdir(f"/proc/{self._server.pid}/task")
        )

    @property
    def log(self) -> str:
        """What the server has logged."""
        return self.log_path.read_text(encoding="utf-8") if self.log_path.exists() else ""

    @property
    def display_address(self) -> str:
        """The address that makes a browser the table display, once."""
        secret = (self.data / DISPLAY_FILE).read_text("ascii").strip()
        return f"http://127.0.0.1:{self.port}/table#{secret}"

    @property
    def invitation(self) -> Json:
        """The join code as the QR code on the display holds it, for phones that use the table's
        name.
        """
        fragment = join_fragment(self.data)
        if self.snapshot["phase"] != "lobby":
            fragment = fragment[:KEY_LENGTH]
        return self.get("/join.json") | {
            "url": f"{self.phone('/join')}#{fragment}",
            "code": fragment[KEY_LENGTH:] or None,
        }

    def phone(self, path: str) -> str:
        """The address of a page as a phone opens it."""
        return f"http://{PHONE_HOST}:{self.port}{path}"

    def get(self, path: str) -> Json:
        """Return what everybody may ask for, as JSON."""
        with urllib.request.urlopen(
            f"http://127.0.0.1:{self.port}{path}", timeout=TIMEOUT
        ) as reply:
            value: Json = json.load(reply)
        return value

    @property
    def snapshot(self) -> Json:
        """The public snapshot."""
        return self.get("/snapshot")

    def _answers(self) -> bool:
        assert self._server is not None and self._server.is_alive(), (
            f"the server ended:\n{self.log}"
        )
        try:
            return bool(self.get("/healthz")["ok"])
        except OSError:
            return False
