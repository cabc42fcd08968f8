"""The connection to a board as one value, its counters, lines and time limits."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion.core.game import Message
from companion.core.placement import Cell
from companion.sensors.debounce import REST_TIME

LinkState = Literal["none", "searching", "up", "silent", "refused"]


class Counters(Struct, frozen=True):
    """Counts of lines since the program started.

    `states`: valid states. `damaged`: lines with a wrong checksum, without one from a board that
    sends it, with a cell that the board does not have, or too long. `foreign`: lines that are none
    of a board's. `resets`: restarts of the board. `silences`: how often it fell silent.
    """

    states: int = 0
    damaged: int = 0
    foreign: int = 0
    resets: int = 0
    silences: int = 0


class Link(Struct, frozen=True):
    """The connection to a board or camera now; `source` names it.

    `generation`: how often the board was opened or restarted; after a change the next observation
    is only compared, never acted on. `message`: message for people. `cells`: the board's cells,
    empty for a board that does not tell them. `faults`: what the board says is wrong with it now.
    """

    state: LinkState = "none"
    port: str | None = None
    firmware: str | None = None
    board_id: str | None = None
    name: str | None = None
    caps: frozenset[str] = frozenset()
    cells: frozenset[Cell] = frozenset()
    generation: int = 0
    message: Message | None = None
    faults: tuple[str, ...] = ()
    counters: Counters = Counters()
    source: str = "serial"


class Trace(Struct, frozen=True):
    """One line sent ("out") or received ("in"), for the diagnostics page. `at`: monotonic s."""

    at: float
    way: str
    line: str


class Timing(Struct, frozen=True):
    """Time limits in seconds; tests shorten them.

    `ask_every`, `ask_for`: how often and how long an opened port is asked for a board. `silent`:
    a little less than the second within which a silent board must be shown; boards send twice a
    second. `unreadable`: time without a valid state on a line that is not silent. `fault`: how
    long a fault lasts that is not repeated. `rest`: seconds a presence state must stay unchanged.
    `repeat`: least time between two equal observations. `read`: the wait of a port that cannot be
    selected.
    """

    ask_every: float = 0.5
    ask_for: float = 3.0
    silent: float = 0.9
    unreadable: float = 3.0
    fault: float = 2.0
    rest: float = REST_TIME
    repeat: float = 0.25
    reopen_first: float = 0.5
    reopen_most: float = 5.0
    read: float = 0.05
    write: float = 1.0
