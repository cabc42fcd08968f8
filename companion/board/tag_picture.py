"""What an RFID board sees: each tag's last scans, and from them pawns, tiles and tokens by cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.board.message import ALL_TAGS, PAWN_TAGS, TILE_TAGS, TOKEN_TAGS, TagRecord, Uid
from companion.board.observation import Observation, Tile
from companion.board.tags import PawnTag, TagPlace, Thing, TileTag, TokenTag, loop_cells, place_of
from companion.core.placement import Cell, Pawn

MISSES = 3
"""A tag is gone after so many scans without it: a hand over the board is a miss, not a removal."""
CLASSES = (PAWN_TAGS, TOKEN_TAGS, TILE_TAGS)
_KIND = {PAWN_TAGS: PawnTag, TILE_TAGS: TileTag, TOKEN_TAGS: TokenTag}


@dataclass
class Track:
    """One tag's last two sightings, by scans for class `afi`, and how many scans have missed it since."""

    afi: int
    latest: tuple[int, ...]
    previous: tuple[int, ...] | None = None
    misses: int = 0

    def place(self, gains: Sequence[float]) -> TagPlace:
        """Return where the tag is by its last two scans."""
        return place_of(self.latest, self.previous, gains)


class TagPicture:
    """The tags of one board. `registry` says which tag is which thing; a tag not in it is a stranger.

    Of a kind of thing that nobody registered nothing is claimed: untagged tokens are not missing tokens.
    """

    def __init__(self, source: str, registry: Mapping[Uid, Thing], gains: Sequence[float] = ()) -> None:
        self.broken_loops: set[int] = set()
        self._source = source
        self._registry = registry
        self._known = {type(thing) for thing in registry.values()}
        self._gains = gains
        self._tracks: dict[Uid, Track] = {}
        self._scanned: set[int] = set()
        self._pawn_base: Mapping[Cell, frozenset[Pawn]] | None = None
        self._based = False
        self._resting = False

    @property
    def based(self) -> bool:
        """Whether two pawn scans have agreed since the start."""
        return self._based

    @property
    def resting(self) -> bool:
        """Whether the last two pawn scans agreed, so that there is time to look for slower things."""
        return self._resting

    def sightings(self) -> Iterator[tuple[Uid, Track, Thing | None, TagPlace]]:
        """The tags seen lately with what they are (None for a stranger) and where, for diagnostics."""
        for uid, track in self._tracks.items():
            yield uid, track, self._registry.get(uid), track.place(self._gains)

    def scanned(self, records: Iterable[TagRecord], afi: int, now: float) -> Observation | None:
        """Take a whole scan of one class of tags (or of all); return what is seen, None until two agree."""
        seen = {record.uid: record.strengths for record in records}
        for uid, strengths in seen.items():
            track = self._tracks.get(uid)
            self._tracks[uid] = Track(afi, strengths, track.latest if track else None)
        self._miss(afi, seen)
        self._scanned |= set(CLASSES) if afi == ALL_TAGS else {afi}
        if afi in (ALL_TAGS, PAWN_TAGS):
            self._compare_pawns()
        return self._observation(now) if self._based else None

    def missing(self, afi: int) -> bool:
        """Return whether a thing of this class was missed lately, so that a further scan should tell."""
        return any(track.misses for _, track in self._of_class(afi))

    def strangers(self) -> dict[Uid, Cell | None]:
        """Return the tags that nobody registered, each with its cell if it is decided."""
        unknown = {uid: track for uid, track in self._tracks.items() if uid not in self._registry}
        return {uid: track.place(self._gains).cell for uid, track in unknown.items()}

    def _miss(self, afi: int, seen: Mapping[Uid, tuple[int, ...]]) -> None:
        for uid, track in list(self._of_class(afi)):
            if uid not in seen:
                track.misses += 1
                if track.misses >= MISSES:
                    del self._tracks[uid]

    def _of_class(self, afi: int) -> Iterator[tuple[Uid, Track]]:
        """The tracks that a scan of this class should find; a stranger is of the class that found it."""
        kind = _KIND.get(afi)
        for uid, track in self._tracks.items():
            thing = self._registry.get(uid)
            if kind is None or isinstance(thing, kind) or (thing is None and track.afi == afi):
                yield uid, track

    def _compare_pawns(self) -> None:
        pawns, _ = self._pawns()
        self._resting = pawns == self._pawn_base
        self._based = self._based or self._resting
        self._pawn_base = pawns

    def _observation(self, now: float) -> Observation:
        pawns, unknown = self._pawns()
        tokens, token_unknown = self._tokens()
        broken = frozenset(cell for loop in self.broken_loops for cell in loop_cells(loop))
        return Observation(
            self._source,
            now,
            pawns=pawns if PawnTag in self._known else None,
            tiles=self._tiles() if TILE_TAGS in self._scanned else None,
            tokens=tokens if TokenTag in self._known and TOKEN_TAGS in self._scanned else None,
            unknown=unknown | token_unknown | broken,
        )

    def _placed(self, afi: int) -> Iterator[tuple[Thing, TagPlace]]:
        for uid, track in self._of_class(afi):
            thing = self._registry.get(uid)
            if thing is not None:
                yield thing, track.place(self._gains)

    def _pawns(self) -> tuple[dict[Cell, frozenset[Pawn]], frozenset[Cell]]:
        pawns: dict[Cell, frozenset[Pawn]] = {}
        unknown: frozenset[Cell] = frozenset()
        for thing, place in self._placed(PAWN_TAGS):
            if place.cell is None:
                unknown |= place.near
            elif isinstance(thing, PawnTag):
                pawns[place.cell] = pawns.get(place.cell, frozenset()) | {thing.pawn}
        return pawns, unknown

    def _tokens(self) -> tuple[dict[Cell, Counter[str]], frozenset[Cell]]:
        tokens: dict[Cell, Counter[str]] = {}
        unknown: frozenset[Cell] = frozenset()
        for thing, place in self._placed(TOKEN_TAGS):
            if place.cell is None:
                unknown |= place.near
            elif isinstance(thing, TokenTag):
                tokens.setdefault(place.cell, Counter())[thing.kind] += 1
        return tokens, unknown

    def _tiles(self) -> dict[Cell, Tile]:
        """The tiles whose cell is decided. An undecided tile is not named, and hides no pawn that stands there."""
        tiles: dict[Cell, Tile] = {}
        for thing, place in self._placed(TILE_TAGS):
            if place.cell is not None and isinstance(thing, TileTag):
                tiles[place.cell] = Tile(thing.number, place.turn)
        return tiles
