"""What is known of the wire to a board: one value, for screens and for whoever must know if the
board is heard.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from companion.core.game import Message
from companion.core.placement import Cell
from companion.sensors.debounce import REST_TIME
from companion.sensors.serial.messages import Caps, Uid

LinkState = Literal["none", "searching", "up", "silent", "refused"]


@dataclass(frozen=True)
class Counters:
    """How often what went wrong on the wire, since the program started."""

    frames: int = 0
    rejected: int = 0
    unknown: int = 0
    gaps: int = 0
    retries: int = 0
    unanswered: int = 0
    naks: int = 0
    resets: int = 0
    silences: int = 0
    board_crc_errors: int = 0
    board_overruns: int = 0


@dataclass(frozen=True)
class Link:
    """The wire to a board, or the sight of a camera, as it is now; `source` says which.

    `life` counts the board's lives as seen from here: whenever it differs, the board was opened
    anew or has started anew, and the next observation is to be compared with the game, never
    applied. `said` is what a person should be told. `cells` are the board's, none before it has
    answered. `strangers` are tags that nobody registered, each with its cell if it is decided.
    """

    state: LinkState = "none"
    port: str | None = None
    firmware: str | None = None
    board_id: str | None = None
    caps: frozenset[str] = frozenset()
    cells: frozenset[Cell] = frozenset()
    life: int = 0
    said: Message | None = None
    counters: Counters = Counters()
    strangers: Mapping[Uid, Cell | None] = field(default_factory=dict)
    source: str = "serial"


@dataclass(frozen=True)
class ButtonEvent:
    """Button `n` of the board went down or up. A lost one is never made up for."""

    n: int
    down: bool


@dataclass(frozen=True)
class Trace:
    """One frame that passed, for the diagnostics page. `at` is monotonic, in seconds."""

    at: float
    way: str
    seq: int
    name: str
    payload: str


@dataclass(frozen=True)
class Timing:
    """The wire's patience, in seconds. The defaults are the protocol's; tests shorten them.

    `silent` is a little less than the 3 s within which a dead board must be shown. `pawns_every` is
    how often a board that follows pawns is asked for them: it needs less time, hands do not. `rest`
    is for how long a presence board's picture must not change to be believed: it is asked for then.
    """

    hello_every: float = 0.5
    hello_for: float = 3.0
    answer: float = 0.25
    scan: float = 6.0
    silent: float = 2.9
    presence_every: float = 0.25
    rest: float = REST_TIME
    presence_stale: float = 3.0
    scan_stale: float = 20.0
    pawns_every: float = 0.3
    tokens_every: float = 5.0
    blind_every: float = 5.0
    reopen_first: float = 0.5
    reopen_most: float = 5.0
    read: float = 0.05
    write: float = 1.0


def cap_names(caps: int) -> frozenset[str]:
    """Return what a board can do in words: "presence", "uid", "rssi", "rotation", "led",
    "buttons".
    """
    return frozenset(str(cap.name).lower() for cap in Caps if cap & caps)


def firmware_name(firmware: int) -> str:
    """Return a firmware's version as it is printed: 0x0102 is "1.2"."""
    return f"{firmware >> 8}.{firmware & 255}"
