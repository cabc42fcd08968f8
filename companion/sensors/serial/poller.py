"""Choose a board's next request and interpret its answers: one poller for each kind of board."""

from __future__ import annotations

import math
import zlib
from abc import ABC, abstractmethod
from typing import Literal

from msgspec import Struct

from companion.core.grid import cell_name
from companion.core.placement import Cell
from companion.sensors.debounce import EARLY_SHARE, same_facts
from companion.sensors.link import Timing
from companion.sensors.observation import Observation
from companion.sensors.presence import BITS, FlickerFilter, PresenceDecoder
from companion.sensors.rfid.geometries import GEOMETRIES, SQUARE
from companion.sensors.rfid.geometry import Geometry
from companion.sensors.rfid.locate import Locator
from companion.sensors.rfid.registry import TagRegistry
from companion.sensors.rfid.tracker import TagTracker
from companion.sensors.serial.messages import (
    ALL_LOOPS,
    CELL_LOOPS,
    FOLLOWED_LOOPS,
    PAWN_TAGS,
    TILE_TAGS,
    TOKEN_TAGS,
    UNFINISHED_LOOPS,
    Calibrate,
    Caps,
    CellEvent,
    GetPresence,
    Heartbeat,
    HelloReply,
    Presence,
    Scan,
    ScanEnd,
    TagPart,
    TagRecord,
    WireMessage,
)
from companion.sensors.serial.procedure import Procedure


def records_crc(records: tuple[TagRecord, ...], before: bytes = b"") -> int:
    """Return the CRC-32 of `before` and the records in order."""
    return zlib.crc32(b"".join(record.pack() for record in records), zlib.crc32(before))


class ScanAssembler:
    """Assembles a scan from its parts; a part of another scan starts again."""

    def __init__(self) -> None:
        self._scan: tuple[int, int] | None = None
        self._parts: dict[int, tuple[TagRecord, ...]] = {}

    def add(self, part: TagPart) -> None:
        """Store a part; repeated parts count once."""
        if self._scan != (part.boot, part.scan):
            self._scan, self._parts = (part.boot, part.scan), {}
        self._parts[part.part] = part.records

    def finish(self, end: ScanEnd) -> tuple[TagRecord, ...] | None:
        """Return the scan's records in order, None unless all its parts have arrived."""
        if end.parts and self._scan != (end.boot, end.scan):
            return None
        parts = [self._parts.get(number) for number in range(end.parts)]
        records = tuple(record for part in parts for record in part or ())
        whole = (
            None not in parts and len(records) == end.count and records_crc(records) == end.scan_crc
        )
        return records if whole else None


Progress = Literal["more", "again", "done"]
"""State of a request: wait for more, retry because data was lost, or done."""


class Poller(ABC):
    """Polls a board from its start to its next restart, without I/O.

    `fresh`: when the last snapshot came, in seconds.
    """

    def __init__(self, now: float) -> None:
        self.fresh = now

    @abstractmethod
    def next_request(self, now: float) -> WireMessage | None:
        """Return the request to send now, None if none is due."""

    @abstractmethod
    def take(self, answer: WireMessage, now: float) -> tuple[Progress, Observation | None]:
        """Take a response; return the request's progress and the observation, if any."""

    def due(self) -> float:
        """Return when a request is due without input. May override."""
        return math.inf

    @abstractmethod
    def stale(self, now: float) -> bool:
        """Return whether the last snapshot is too old."""

    @abstractmethod
    def poll_now(self, now: float) -> None:
        """Poll at once: data was lost or has changed."""

    @abstractmethod
    def take_cell_event(self, event: CellEvent, now: float) -> None:
        """Take a cell event; only a snapshot counts."""

    @abstractmethod
    def request_refused(self) -> None:
        """Handle a request that was refused or not answered."""

    def differs(self, heartbeat: Heartbeat) -> bool:
        """Return whether the board's state differs from the last snapshot. May override."""
        return False


class PresencePoller(Poller):
    """Polls snapshots regularly, after each cell event, and when a change has rested."""

    def __init__(self, decoder: PresenceDecoder, timing: Timing, now: float) -> None:
        super().__init__(now)
        self.decoder = decoder
        self._timing = timing
        self._next = now
        self._changed = now
        self._last: Observation | None = None

    def next_request(self, now: float) -> WireMessage | None:
        return GetPresence() if now >= self._next else None

    def due(self) -> float:
        return self._next

    def take(self, answer: WireMessage, now: float) -> tuple[Progress, Observation | None]:
        if not isinstance(answer, Presence):
            return "more", None
        seen = self.decoder.snapshot(answer.bits, now)
        self.fresh = now
        self._next = now if seen is None else self._after(seen, now)
        return "done", seen

    def stale(self, now: float) -> bool:
        return now - self.fresh >= self._timing.presence_stale

    def poll_now(self, now: float) -> None:
        self._next = now

    def request_refused(self) -> None:
        """No-op: the next poll repeats the request."""

    def _after(self, seen: Observation, now: float) -> float:
        """Return when to poll again: at the latest when a change has rested, early or long."""
        if self._last is None or not same_facts(self._last, seen):
            self._changed = now
        self._last = seen
        rested = (self._changed + share * self._timing.rest for share in (EARLY_SHARE, 1))
        return min([now + self._timing.presence_every, *(at for at in rested if now < at)])

    def take_cell_event(self, event: CellEvent, now: float) -> None:
        self.decoder.take_cell_event(event.cell, bool(event.on), now)
        self.poll_now(now)

    def differs(self, heartbeat: Heartbeat) -> bool:
        return (
            self.decoder.bits is not None and zlib.crc32(self.decoder.bits) != heartbeat.state_crc
        )


class TagPoller(Poller):
    """Polls an identity board.

    Pawns are scanned continuously, on all loops if the centred ones leave a pawn undecided. Tokens
    follow now and then while the pawns rest. Tiles are scanned once, on `rescan_tiles`, and while
    one is ambiguous. `procedure` replaces all these scans. `follows`: the board can follow resting
    pawns. An unfinished scan is dropped and continued at once.
    """

    def __init__(
        self, decoder: TagTracker, timing: Timing, now: float, follows: bool = False
    ) -> None:
        super().__init__(now)
        self.decoder = decoder
        self.procedure: Procedure | None = None
        self.last_end: ScanEnd | None = None
        self._timing = timing
        self._parts = ScanAssembler()
        self._over_cells = FOLLOWED_LOOPS if follows else CELL_LOOPS
        self._asked: WireMessage = Scan(PAWN_TAGS, self._over_cells)
        self._requester: Procedure | None = None
        self._unfinished = False
        self._began = now
        self._pawns_at = now
        self._tokens_at = now
        self._tiles_at = now
        self._wide = False
        self._look = False
        self._again = False

    def rescan(self) -> None:
        """Scan pawns and tokens again; a scan under way may have missed a change."""
        self._again = True

    def rescan_tiles(self) -> None:
        """Scan the tiles again; a scan under way may have missed a change."""
        self._look = True

    def reload_registry(self, registry: TagRegistry, board: str) -> None:
        """Use the registry's items and this board's gains."""
        self.decoder.set_registry(
            registry.tags(board), Locator(self.decoder.locator.geometry, registry.gains(board))
        )
        self.rescan_tiles()

    def next_request(self, now: float) -> WireMessage | None:
        if self.procedure is None and now < self._pawns_at:
            return None
        self._requester = self.procedure
        self._asked = self._next(now) if self.procedure is None else self.procedure.next_request()
        if isinstance(self._asked, Scan) and self._asked.loops == FOLLOWED_LOOPS:
            self._began = self._began if self._unfinished else now
            self._pawns_at = self._began + self._timing.pawns_every
        return self._asked

    def due(self) -> float:
        return self._pawns_at

    def take(self, answer: WireMessage, now: float) -> tuple[Progress, Observation | None]:
        asked, requester = self._asked, self._requester
        if not isinstance(asked, Scan | Calibrate):
            if requester is not None:
                requester.request_done(asked)
            return "done", None
        if isinstance(answer, TagPart):
            self._parts.add(answer)
        if not isinstance(answer, ScanEnd):
            return "more", None
        records = self._parts.finish(answer)
        if records is None or (isinstance(asked, Scan) and answer.afi != asked.afi):
            return "again", None
        self._unfinished = answer.loops == UNFINISHED_LOOPS
        if self._unfinished:
            self._pawns_at = now
            return "done", None
        self.fresh, self.last_end = now, answer
        if requester is not None:
            requester.take_scan(asked, records)
        if requester is not None or self.procedure is not None or not isinstance(asked, Scan):
            return "done", None
        seen = self.decoder.take_scan(records, asked.afi, now, self._loops_of(asked))
        if asked.afi == TILE_TAGS:
            self.decoder.calibrate_by_tiles()
        self._plan(asked.afi, now)
        return "done", seen

    def request_refused(self) -> None:
        if self._requester is not None:
            self._requester.request_refused(self._asked)

    def stale(self, now: float) -> bool:
        return now - self.fresh >= self._timing.scan_stale

    def poll_now(self, now: float) -> None:
        """No-op: tag boards scan continuously."""

    def take_cell_event(self, event: CellEvent, now: float) -> None:
        """No-op: contacts are not read."""

    def _next(self, now: float) -> Scan:
        pawns = Scan(PAWN_TAGS, ALL_LOOPS if self._wide else self._over_cells)
        self._wide = False
        resting = (
            isinstance(self._asked, Scan) and self._asked.afi == PAWN_TAGS and self.decoder.resting
        )
        if self._unfinished or not resting:
            return pawns
        if self._again or now >= self._tokens_at:
            self._again = False
            return Scan(TOKEN_TAGS)
        if not self._look and now < self._tiles_at:
            return pawns
        self._look = False
        return Scan(TILE_TAGS)

    def _loops_of(self, scan: Scan) -> frozenset[int]:
        geometry = self.decoder.locator.geometry
        return frozenset(range(geometry.loops)) if scan.loops == ALL_LOOPS else geometry.centred

    def _plan(self, afi: int, now: float) -> None:
        if afi == TOKEN_TAGS:
            self._tokens_at = (
                now if self.decoder.missing(TOKEN_TAGS) else now + self._timing.tokens_every
            )
        elif afi == TILE_TAGS:
            doubtful = (
                now + self._timing.tokens_every if self.decoder.doubtful_tiles() else math.inf
            )
            self._tiles_at = now if self.decoder.missing(TILE_TAGS) else doubtful
        else:
            self._wide = self.decoder.resting and self.decoder.wants_all_loops()


class PollerDeps(Struct, frozen=True):
    """Dependencies shared by all pollers: tag registry, loop gains, ignored cells."""

    source: str
    registry: TagRegistry
    flicker_filter: FlickerFilter


def is_supported(reply: HelloReply) -> bool:
    """Return whether the cells of the board's field are known."""
    return cells_of(reply) is not None


def cells_of(reply: HelloReply) -> tuple[Cell, ...] | None:
    """Return the field's cells in the board's order, None if the field is unknown."""
    geometry = _geometry(reply)
    if geometry is not None:
        return geometry.cells
    if (
        reply.caps & Caps.UID
        or reply.geometry != SQUARE.code
        or not 0 < reply.rows * reply.columns <= BITS
    ):
        return None
    return tuple(
        cell_name(column, row) for row in range(reply.rows) for column in range(reply.columns)
    )


def make_poller(reply: HelloReply, deps: PollerDeps, timing: Timing, now: float) -> Poller | None:
    """Return the poller for a board, None if its reader is silent."""
    geometry, cells = _geometry(reply), cells_of(reply)
    if reply.caps & Caps.UID and geometry is not None:
        board = reply.board_id.hex()
        locator = Locator(geometry, deps.registry.gains(board))
        decoder = TagTracker(deps.source, deps.registry.tags(board), locator)
        return TagPoller(decoder, timing, now, follows=bool(reply.caps & Caps.FOLLOW))
    if reply.caps & Caps.PRESENCE and cells is not None:
        return PresencePoller(PresenceDecoder(deps.source, cells, deps.flicker_filter), timing, now)
    return None


def _geometry(reply: HelloReply) -> Geometry | None:
    """Return the board's geometry; a presence board has it without the loops."""
    for geometry in GEOMETRIES:
        same = (geometry.code, geometry.rows, geometry.columns) == (
            reply.geometry,
            reply.rows,
            reply.columns,
        )
        if same and (geometry.loops == reply.loops or not reply.caps & Caps.UID):
            return geometry
    return None
