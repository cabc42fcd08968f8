"""What a camera sees: from each picture's glimpse to a whole observation.

Nothing that is covered is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.core.grid import cell_name
from companion.core.placement import Cell, Pawn
from companion.sensors.observation import Doubt, Observation, Tile
from companion.sensors.vision.frame import Glimpse
from companion.sensors.vision.homography import Point

MISSES = 3
"""A pawn whose mark is not read is still named for so many pictures less one, unless its cell is
seen empty.
"""
SIDE = 6
BORDER = 0.1
"""How near to a border, in tiles, a pawn stands between two cells: how high it is may be known
badly.
"""
CELLS = tuple(cell_name(column, row) for row in range(SIDE) for column in range(SIDE))


@dataclass
class Track:
    """Where a pawn was last seen, in columns and rows, and how many pictures have missed it
    since.
    """

    at: Point
    misses: int = 0


class CameraPicture:
    """The pictures of one camera. Time is handed in."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._tracks: dict[Pawn, Track] = {}
        self._tiles: dict[Cell, Tile] = {}

    def taken(self, glimpse: Glimpse, now: float) -> Observation:
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
                doubts.append(Doubt("pawn", pawn, near))
        covered = {cell for cell in CELLS if cell not in pawns and cell not in glimpse.clear}
        return Observation(
            self._source,
            now,
            pawns=pawns,
            tiles=self._lying(glimpse.tiles, pawns),
            unknown=frozenset(covered | between),
            partly=frozenset(cell for cell in pawns if cell not in glimpse.clear),
            doubts=tuple(doubts),
        )

    def _follow(self, glimpse: Glimpse) -> None:
        for pawn, at in glimpse.pawns.items():
            self._tracks[pawn] = Track(at)
        for pawn, track in list(self._tracks.items()):
            if pawn in glimpse.pawns:
                continue
            track.misses += 1
            near = cells_near(track.at)
            if track.misses >= MISSES or not near or glimpse.clear.issuperset(near):
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
        for row in range(SIDE)
        for column in range(SIDE)
        if abs(at[0] - column) < 0.5 + BORDER and abs(at[1] - row) < 0.5 + BORDER
    ]
    return tuple(cell for off, cell in sorted(found))
