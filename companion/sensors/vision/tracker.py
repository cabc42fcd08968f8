"""What a camera sees: from each picture's glimpse to a whole observation.

Nothing that is covered is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.core.grid import cell_name
from companion.core.placement import Cell, Pawn
from companion.sensors.observation import Ambiguity, Observation, Tile
from companion.sensors.vision.field import FIELD_SIDE
from companion.sensors.vision.frame import FrameResult
from companion.sensors.vision.homography import Point

MAX_MISSED_FRAMES = 3
"""A pawn whose mark is not read is still named for so many pictures less one, unless its cell is
seen empty.
"""
BORDER_MARGIN = 0.1
"""How near to a border, in tiles, a pawn stands between two cells: how high it is may be known
badly.
"""
FIELD_CELLS = tuple(
    cell_name(column, row) for row in range(FIELD_SIDE) for column in range(FIELD_SIDE)
)


@dataclass
class PawnTrack:
    """Where a pawn was last seen, in columns and rows, and how many pictures have missed it
    since.
    """

    at: Point
    misses: int = 0


class CameraTracker:
    """The pictures of one camera. Time is handed in."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._tracks: dict[Pawn, PawnTrack] = {}
        self._tiles: dict[Cell, Tile] = {}

    def taken(self, glimpse: FrameResult, now: float) -> Observation:
        """Take what one picture shows; return what is seen of the table."""
        self._follow(glimpse)
        pawns: dict[Cell, frozenset[Pawn]] = {}
        between: set[Cell] = set()
        doubts = []
        for pawn, track in sorted(self._tracks.items()):
            near = cells_near(track.at)
            if len(near) == 1:
                pawns[near[0]] = pawns.get(near[0], frozenset()) | {pawn}
            elif near:
                between |= set(near)
                doubts.append(Ambiguity("pawn", pawn, near))
        covered = {cell for cell in FIELD_CELLS if cell not in pawns and cell not in glimpse.clear}
        return Observation(
            self._source,
            now,
            pawns=pawns,
            tiles=self._lying(glimpse.tiles, pawns),
            unknown=frozenset(covered | between),
            partly=frozenset(cell for cell in pawns if cell not in glimpse.clear),
            doubts=tuple(doubts),
        )

    def _follow(self, glimpse: FrameResult) -> None:
        for pawn, at in glimpse.pawns.items():
            self._tracks[pawn] = PawnTrack(at)
        for pawn, track in list(self._tracks.items()):
            if pawn in glimpse.pawns:
                continue
            track.misses += 1
            near = cells_near(track.at)
            if track.misses >= MAX_MISSED_FRAMES or not near or glimpse.clear.issuperset(near):
                del self._tracks[pawn]

    def _lying(
        self, seen: Mapping[Cell, Tile], pawns: Mapping[Cell, frozenset[Pawn]]
    ) -> dict[Cell, Tile]:
        """Return the tiles with those that pawns were set on since they were seen."""
        numbers = {tile.number for tile in seen.values()}
        under = {
            cell: tile
            for cell, tile in self._tiles.items()
            if cell in pawns and cell not in seen and tile.number not in numbers
        }
        self._tiles = {**seen, **under}
        return dict(self._tiles)


def cells_near(at: Point) -> tuple[Cell, ...]:
    """Return the cells that a pawn stands on or, near a border, may stand on, the likeliest first;
    none beside the field.
    """
    found = [
        (max(abs(at[0] - column), abs(at[1] - row)), cell_name(column, row))
        for row in range(FIELD_SIDE)
        for column in range(FIELD_SIDE)
        if abs(at[0] - column) < 0.5 + BORDER_MARGIN and abs(at[1] - row) < 0.5 + BORDER_MARGIN
    ]
    return tuple(cell for off, cell in sorted(found))
