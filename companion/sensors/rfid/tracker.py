"""Track tags over scans: pawns, tiles and tokens by cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from companion.core.placement import Cell, Pawn
from companion.sensors.observation import Ambiguity, Observation
from companion.sensors.rfid.calibration import calibrated_locator
from companion.sensors.rfid.locate import (
    PAWN_SPOTS,
    TILE_SPOTS,
    TOKEN_SPOTS,
    Locator,
    Spot,
    TagPlace,
    TagReading,
)
from companion.sensors.rfid.registry import PawnTag, TaggedItem, TileTag, TokenTag
from companion.sensors.rfid.tiles import assign_tiles
from companion.sensors.serial.messages import (
    ALL_TAGS,
    PAWN_TAGS,
    TILE_TAGS,
    TOKEN_TAGS,
    TagRecord,
    Uid,
)

MAX_MISSES = 3
"""Scans without a tag after which it is gone; a hand over the board causes misses."""
CLASSES = (PAWN_TAGS, TOKEN_TAGS, TILE_TAGS)
_KIND = {PAWN_TAGS: PawnTag, TILE_TAGS: TileTag, TOKEN_TAGS: TokenTag}
_SPOTS: Mapping[type[TaggedItem] | None, tuple[Spot, ...]] = {
    PawnTag: PAWN_SPOTS,
    TileTag: TILE_SPOTS,
    TokenTag: TOKEN_SPOTS,
    None: TOKEN_SPOTS,
}
_JITTER = 1
"""Difference of strength between two scans of a resting tag."""


class TagTrack(Struct):
    """A tag's last two readings for class `afi`, and how many scans have missed it since.

    `whole`: an earlier reading on all loops, while the tag rests.
    """

    afi: int
    latest: TagReading
    previous: TagReading | None = None
    whole: TagReading | None = None
    misses: int = 0

    def next(self, afi: int, seen: TagReading) -> TagTrack:
        """Return the track with one more reading."""
        whole = next(
            (old for old in (self.latest, self.whole) if old and len(old.loops) > len(seen.loops)),
            None,
        )
        return TagTrack(
            afi, seen, self.latest, whole if whole is not None and _may_rest(whole, seen) else None
        )

    def place(self, locator: Locator, spots: tuple[Spot, ...]) -> TagPlace:
        """Return the place by the latest reading and the earlier ones at rest."""
        before = [
            old
            for old in (self.previous, self.whole)
            if old is not None and _may_rest(old, self.latest)
        ]
        return locator.locate([self.latest, *before], spots)


class TagTracker:
    """Tracks the tags of one board.

    `registry`: items by tag. Kinds without any registered tag are not reported: untagged tokens are
    not missing.
    """

    def __init__(self, source: str, registry: Mapping[Uid, TaggedItem], locator: Locator) -> None:
        self.broken_loops: set[int] = set()
        self._source = source
        self._tracks: dict[Uid, TagTrack] = {}
        self._scanned: set[int] = set()
        self._pawn_base: object = None
        self._has_baseline = False
        self._resting = False
        self.set_registry(registry, locator)

    def set_registry(self, registry: Mapping[Uid, TaggedItem], locator: Locator) -> None:
        """Replace the registered items and the locator."""
        self.locator = self._uncalibrated = locator
        self._calibrated_by = 0
        self._registry = registry
        self._known = {type(thing) for thing in registry.values()}

    @property
    def resting(self) -> bool:
        """Whether the last two pawn scans agreed, so that there is time for slower scans."""
        return self._resting

    def calibrate_by_tiles(self) -> None:
        """Fit the response of the board and its tags to the tiles, and the loop gains unless it is
        calibrated or has too few tiles. Repeats the fit with more tiles than before.
        """
        loops = frozenset(range(self.locator.geometry.loops)) - self.broken_loops
        responses = {
            uid: track.latest.strengths
            for uid, track in self._of_class(TILE_TAGS)
            if track.latest.loops == loops and uid in self._registry
        }
        if responses and (len(responses) > self._calibrated_by or not self.locator.gains):
            self._calibrated_by = len(responses)
            self.locator = calibrated_locator(self._uncalibrated, self._registry, responses, loops)

    def sightings(self) -> Iterator[tuple[Uid, TagTrack, TaggedItem | None, TagPlace]]:
        """Yield each tracked tag with its track, item (None if unknown) and place."""
        for uid, track in self._tracks.items():
            yield uid, track, self._registry.get(uid), self._place(uid, track)

    def take_scan(
        self,
        records: Iterable[TagRecord],
        afi: int,
        now: float,
        loops: frozenset[int] | None = None,
    ) -> Observation | None:
        """Add a whole scan of one class (or all) by `loops`; return None until two agree."""
        listened = (
            frozenset(range(self.locator.geometry.loops)) if loops is None else loops
        ) - self.broken_loops
        seen = {record.uid: TagReading(record.strengths, listened) for record in records}
        for uid, reading in seen.items():
            track = self._tracks.get(uid)
            self._tracks[uid] = (
                TagTrack(afi, reading) if track is None else track.next(afi, reading)
            )
        self._miss(afi, seen)
        self._scanned |= set(CLASSES) if afi == ALL_TAGS else {afi}
        if afi in (ALL_TAGS, PAWN_TAGS):
            self._compare_pawns()
        return self._observation(now) if self._has_baseline else None

    def missing(self, afi: int) -> bool:
        """Return whether the last scans missed an item of this class."""
        return any(track.misses for _, track in self._of_class(afi))

    def wants_all_loops(self) -> bool:
        """Return whether an undecided pawn lacks a reading on all loops at its place."""
        every = frozenset(range(self.locator.geometry.loops)) - self.broken_loops
        return any(
            track.whole is None
            and track.latest.loops < every
            and self._place(uid, track).cell is None
            for uid, track in self._of_class(PAWN_TAGS)
            if uid in self._registry
        )

    def doubtful_tiles(self) -> bool:
        """Return whether a tile's cell or turn is ambiguous."""
        return bool(assign_tiles(self._tile_places())[1])

    def unknown_tags(self) -> dict[Uid, Cell | None]:
        """Return the unregistered tags, each with its cell if that is decided."""
        unknown = {uid: track for uid, track in self._tracks.items() if uid not in self._registry}
        return {uid: self._place(uid, track).cell for uid, track in unknown.items()}

    def _place(self, uid: Uid, track: TagTrack) -> TagPlace:
        thing = self._registry.get(uid)
        return track.place(self.locator, _SPOTS[None if thing is None else type(thing)])

    def _miss(self, afi: int, seen: Mapping[Uid, TagReading]) -> None:
        for uid, track in list(self._of_class(afi)):
            if uid not in seen:
                track.misses += 1
                if track.misses >= MAX_MISSES:
                    del self._tracks[uid]

    def _of_class(self, afi: int) -> Iterator[tuple[Uid, TagTrack]]:
        """Yield the tracks that a scan of this class should find."""
        kind = _KIND.get(afi)
        for uid, track in self._tracks.items():
            thing = self._registry.get(uid)
            if kind is None or isinstance(thing, kind) or (thing is None and track.afi == afi):
                yield uid, track

    def _compare_pawns(self) -> None:
        pawns, _, doubts = self._pawns()
        seen = pawns, [doubt.name for doubt in doubts]
        self._resting = seen == self._pawn_base
        self._has_baseline = self._has_baseline or self._resting
        self._pawn_base = seen

    def _observation(self, now: float) -> Observation:
        pawns, unknown, doubts = self._pawns()
        tokens, token_unknown, token_doubts = self._tokens()
        tiles, tile_doubts = assign_tiles(self._tile_places())
        broken = self.locator.geometry.blind(self.broken_loops)
        return Observation(
            self._source,
            now,
            pawns=pawns if PawnTag in self._known else None,
            tiles=tiles if TILE_TAGS in self._scanned else None,
            tokens=tokens if TokenTag in self._known and TOKEN_TAGS in self._scanned else None,
            unknown=unknown | token_unknown | broken,
            doubts=(*doubts, *token_doubts, *tile_doubts),
        )

    def _placed(self, afi: int) -> Iterator[tuple[TaggedItem, TagPlace]]:
        for uid, track in self._of_class(afi):
            thing = self._registry.get(uid)
            if thing is not None:
                yield thing, self._place(uid, track)

    def _pawns(self) -> tuple[dict[Cell, frozenset[Pawn]], frozenset[Cell], tuple[Ambiguity, ...]]:
        pawns: dict[Cell, frozenset[Pawn]] = {}
        unknown: frozenset[Cell] = frozenset()
        doubts = []
        for thing, place in self._placed(PAWN_TAGS):
            if not isinstance(thing, PawnTag):
                continue
            if place.cell is None:
                unknown |= set(place.near)
                doubts.append(Ambiguity("pawn", thing.pawn, place.near))
            else:
                pawns[place.cell] = pawns.get(place.cell, frozenset()) | {thing.pawn}
        return pawns, unknown, tuple(sorted(doubts, key=lambda doubt: doubt.name))

    def _tokens(self) -> tuple[dict[Cell, Counter[str]], frozenset[Cell], tuple[Ambiguity, ...]]:
        tokens: dict[Cell, Counter[str]] = {}
        unknown: frozenset[Cell] = frozenset()
        doubts = []
        for thing, place in self._placed(TOKEN_TAGS):
            if not isinstance(thing, TokenTag):
                continue
            if place.cell is None:
                unknown |= set(place.near)
                doubts.append(Ambiguity("token", thing.kind, place.near))
            else:
                tokens.setdefault(place.cell, Counter())[thing.kind] += 1
        return tokens, unknown, tuple(sorted(doubts, key=lambda doubt: doubt.cells))

    def _tile_places(self) -> dict[int, TagPlace]:
        """Return the tiles' places. An undecided tile hides no pawn."""
        return {
            thing.number: place
            for thing, place in self._placed(TILE_TAGS)
            if isinstance(thing, TileTag)
        }


def _may_rest(old: TagReading, new: TagReading) -> bool:
    """Return whether a tag may have rested between two readings.

    All common loops agree within a step, except one that missed it once. A tag that moves differs
    on at least two loops.
    """
    pairs = [(old.strengths[loop], new.strengths[loop]) for loop in old.loops & new.loops]
    others = [(a, b) for a, b in pairs if abs(a - b) > _JITTER]
    return not others or (len(others) == 1 and 0 in others[0])
