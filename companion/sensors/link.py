"""The connection to a board as one value, its counters, events and time limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from companion.core.game import Message
from companion.core.placement import Cell
from companion.sensors.debounce import REST_TIME
from companion.sensors.serial.messages import Caps, Uid

LinkState = Literal["none", "searching", "up", "silent", "refused"]


class Counters(Struct, frozen=True):
    """Error counts of the connection since the program started."""

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


class Link(Struct, frozen=True):
    """The connection to a board or camera now; `source` names it.

    `generation`: how often the board was opened or restarted; after a change the next observation
    is only compared, never acted on. `message`: message for people. `cells`: the board's cells,
    empty before its answer. `unknown_tags`: unregistered tags, each with its cell if that is
    certain.
    """

    state: LinkState = "none"
    port: str | None = None
    firmware: str | None = None
    board_id: str | None = None
    caps: frozenset[str] = frozenset()
    cells: frozenset[Cell] = frozenset()
    generation: int = 0
    message: Message | None = None
    counters: Counters = Counters()
    unknown_tags: Mapping[Uid, Cell | None] = field(default_factory=dict)
    source: str = "serial"


class Trace(Struct, frozen=True):
    """One frame sent or received, for the diagnostics page. `at`: monotonic seconds."""

    at: float
    way: str
    seq: int
    name: str
    payload: str


class Timing(Struct, frozen=True):
    """Time limits of the protocol in seconds; tests shorten them.

    `silent` is a little less than the 3 s within which a dead board must be shown. `pawns_every`:
    interval of pawn scans on a board that follows pawns. `rest`: seconds a presence snapshot must
    stay unchanged; it is polled again then, and once after a share of them.
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
    """Return the names of a board's capabilities, such as "presence" and "uid"."""
    return frozenset(str(cap.name).lower() for cap in Caps if cap & caps)


def firmware_name(firmware: int) -> str:
    """Return a firmware's version as it is printed: 0x0102 is "1.2"."""
    return f"{firmware >> 8}.{firmware & 255}"
