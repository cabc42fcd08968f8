"""What to ask a board next, and what its answers show: one kind of sight for each kind of board."""

from __future__ import annotations

import math
import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from companion.board.answers import CellEvent, Heartbeat, HelloReply, Presence, ScanEnd, TagPart
from companion.board.link import Timing
from companion.board.message import CELL_LOOPS, LOOPS, PAWN_TAGS, TILE_TAGS, TOKEN_TAGS, Caps, Message, Uid
from companion.board.observation import Observation
from companion.board.presence_picture import BITS, PresencePicture
from companion.board.quarantine import Quarantine
from companion.board.requests import GetPresence, Scan
from companion.board.scans import ScanParts
from companion.board.settle import same_facts
from companion.board.tag_picture import TagPicture
from companion.board.tags import CELLS_A_SIDE, Thing

Progress = Literal["more", "again", "done"]
"""How far a request is answered: wait for more, ask again because something was lost, or done."""


class Sight(ABC):
    """One life of a board. Without I/O; time is handed in, in seconds. `fresh` is when the last snapshot came."""

    def __init__(self, now: float) -> None:
        self.fresh = now

    @abstractmethod
    def wanted(self, now: float) -> Message | None:
        """Return what to ask now, None if nothing is due."""

    @abstractmethod
    def take(self, answer: Message, now: float) -> tuple[Progress, Observation | None]:
        """Take an answer to what was asked last; return how far it is answered and what is seen, if anything."""

    def due(self) -> float:
        """Return the moment at which something is to be asked though nothing is heard. May override."""
        return math.inf

    @abstractmethod
    def stale(self, now: float) -> bool:
        """Return whether no snapshot has come for too long."""

    @abstractmethod
    def hurry(self, now: float) -> None:
        """Something was lost or has changed: ask at once."""

    @abstractmethod
    def hint(self, event: CellEvent, now: float) -> None:
        """Take an event as a hint."""

    def differs(self, heartbeat: Heartbeat) -> bool:
        """Return whether the board says that it sees something else than the last snapshot. May override."""
        return False


class PresenceSight(Sight):
    """Asks a presence board for snapshots: regularly, at once after each hint, and when a change has rested."""

    def __init__(self, picture: PresencePicture, timing: Timing, now: float) -> None:
        super().__init__(now)
        self.picture = picture
        self._timing = timing
        self._next = now
        self._rested = now
        self._last: Observation | None = None

    def wanted(self, now: float) -> Message | None:
        return GetPresence() if now >= self._next else None

    def due(self) -> float:
        return self._next

    def take(self, answer: Message, now: float) -> tuple[Progress, Observation | None]:
        if not isinstance(answer, Presence):
            return "more", None
        seen = self.picture.snapshot(answer.bits, now)
        self.fresh = now
        self._next = now if seen is None else self._after(seen, now)
        return "done", seen

    def stale(self, now: float) -> bool:
        return now - self.fresh >= self._timing.presence_stale

    def hurry(self, now: float) -> None:
        self._next = now

    def _after(self, seen: Observation, now: float) -> float:
        """Return when to ask again: a change is believed with the first snapshot after its rest, so no later."""
        if self._last is None or not same_facts(self._last, seen):
            self._rested = now + self._timing.rest
        self._last = seen
        regular = now + self._timing.presence_every
        return min(regular, self._rested) if now < self._rested else regular

    def hint(self, event: CellEvent, now: float) -> None:
        self.picture.hint(event.cell, bool(event.on), now)
        self.hurry(now)

    def differs(self, heartbeat: Heartbeat) -> bool:
        return self.picture.bits is not None and zlib.crc32(self.picture.bits) != heartbeat.state_crc


class TagSight(Sight):
    """Asks an RFID board for scans: pawns again and again, tokens now and then while the pawns rest, tiles once
    and whenever `look_at_tiles` is called. After each slower scan the pawns come first again."""

    def __init__(self, picture: TagPicture, timing: Timing, now: float) -> None:
        super().__init__(now)
        self.picture = picture
        self.last_end: ScanEnd | None = None
        self._timing = timing
        self._parts = ScanParts()
        self._asked = PAWN_TAGS
        self._tokens_at = now
        self._tiles_wanted = True

    def look_at_tiles(self) -> None:
        """Scan the tiles once more."""
        self._tiles_wanted = True

    def wanted(self, now: float) -> Message | None:
        self._asked = self._next_class(now)
        return Scan(self._asked, CELL_LOOPS) if self._asked == PAWN_TAGS else Scan(self._asked)

    def take(self, answer: Message, now: float) -> tuple[Progress, Observation | None]:
        if isinstance(answer, TagPart):
            self._parts.add(answer)
        if not isinstance(answer, ScanEnd):
            return "more", None
        records = self._parts.finish(answer)
        if records is None or answer.afi != self._asked:
            return "again", None
        self.fresh, self.last_end = now, answer
        seen = self.picture.scanned(records, answer.afi, now)
        self._plan(answer.afi, now)
        return "done", seen

    def stale(self, now: float) -> bool:
        return now - self.fresh >= self._timing.scan_stale

    def hurry(self, now: float) -> None:
        """Nothing to do: it never stops scanning."""

    def hint(self, event: CellEvent, now: float) -> None:
        """Nothing to do: contacts beside the tags are not asked for."""

    def _next_class(self, now: float) -> int:
        if self._asked != PAWN_TAGS or not self.picture.resting:
            return PAWN_TAGS
        if now >= self._tokens_at:
            return TOKEN_TAGS
        return TILE_TAGS if self._tiles_wanted else PAWN_TAGS

    def _plan(self, afi: int, now: float) -> None:
        if afi == TOKEN_TAGS:
            self._tokens_at = now if self.picture.missing(TOKEN_TAGS) else now + self._timing.tokens_every
        elif afi == TILE_TAGS:
            self._tiles_wanted = self.picture.missing(TILE_TAGS)


@dataclass(frozen=True)
class Pictures:
    """What every life of a board needs to be understood: whose tags they are, and which cells not to believe."""

    source: str
    registry: Mapping[Uid, Thing]
    gains: Sequence[float]
    quarantine: Quarantine


def understood(reply: HelloReply) -> bool:
    """Return whether the board's field is one that we can name the cells of."""
    if reply.geometry != 0 or not 0 < reply.rows * reply.columns <= BITS:
        return False
    square = (reply.rows, reply.columns, reply.loops) == (CELLS_A_SIDE, CELLS_A_SIDE, LOOPS)
    return square or not reply.caps & Caps.UID


def sight_for(reply: HelloReply, pictures: Pictures, timing: Timing, now: float) -> Sight | None:
    """Return how to look through a board that can do this, None if it sees nothing (its reader is silent)."""
    if reply.caps & Caps.UID:
        return TagSight(TagPicture(pictures.source, pictures.registry, pictures.gains), timing, now)
    if reply.caps & Caps.PRESENCE:
        picture = PresencePicture(pictures.source, reply.rows, reply.columns, pictures.quarantine)
        return PresenceSight(picture, timing, now)
    return None
