"""Represent a field as bitboards: bit i of a 36-bit number is the i-th tile (A1, B1, …, F6).

The tables of a field for beliefs and searches are computed once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from companion.core.grid import DIRECTIONS, Direction, reach
from companion.core.placement import Cell
from companion.games.vampireradar.layout import HOUSE_FIELD, lay
from companion.games.vampireradar.options import STARTS
from companion.games.vampireradar.state import Field

CELLS: tuple[Cell, ...] = lay(HOUSE_FIELD).grid.cells
INDEX: dict[Cell, int] = {cell: index for index, cell in enumerate(CELLS)}
ALL = (1 << 36) - 1
CHUNK = 9
"""Bits of one table look-up: 36 bits need four tables of 512 entries."""


def mask(
    cells: Iterator[Cell] | frozenset[Cell] | tuple[Cell, ...] | list[Cell] | set[Cell],
) -> int:
    """Return the set of these tiles."""
    return sum(1 << INDEX[cell] for cell in set(cells))


def indices(tiles: int) -> Iterator[int]:
    """Yield the tiles of a set, in board order, as numbers."""
    while tiles:
        lowest = tiles & -tiles
        yield lowest.bit_length() - 1
        tiles ^= lowest


def tiles_of(numbers: Iterable[int]) -> int:
    """Return the set of these tiles; each may be named only once."""
    return sum(1 << number for number in numbers)


def cells_of(tiles: int) -> tuple[Cell, ...]:
    """Return the tiles of a set, in board order, by name."""
    return tuple(CELLS[index] for index in indices(tiles))


START = mask(STARTS)


class Bitboard:
    """Constants of a field. Tiles are numbers 0–35, sets 36-bit numbers.

    near[t]: t and its neighbours
    ball[t]: the tiles at most two steps from t
    within_one[t], within_two[t]: the same as tuples
    steps[t]: the neighbours as a tuple
    far[t][u]: the steps from t to u, 99 without a way
    to_radar[t]: the steps to the nearest radar
    rings[t][d]: the tiles at Manhattan distance d
    lines[t][k]: the tiles that a shot covers, k of N, E, S, W
    ways[t][k]: the same in order
    stars[t]: the four lines together
    aims[t][u]: the directions in which a shot from t covers u
    """

    def __init__(self, field: Field) -> None:
        grid = field.grid
        self.field = field
        self.steps = tuple(tuple(INDEX[to] for to in grid.neighbours[cell]) for cell in CELLS)
        self.near = tuple(
            1 << here | sum(1 << to for to in steps) for here, steps in enumerate(self.steps)
        )
        self.distances = tuple(tuple(grid.distances[a][b] for b in CELLS) for a in CELLS)
        self.rings = tuple(
            tuple(
                sum(1 << there for there, far in enumerate(row) if far == distance)
                for distance in range(11)
            )
            for row in self.distances
        )
        self.ways = tuple(
            tuple(tuple(INDEX[at] for at in grid.line(cell, direction)) for direction in DIRECTIONS)
            for cell in CELLS
        )
        self.aims = _aims(self.ways)
        self.lines = tuple(tuple(sum(1 << at for at in way) for way in ways) for ways in self.ways)
        self.stars = tuple(four[0] | four[1] | four[2] | four[3] for four in self.lines)
        self.radars = mask(field.cells_of("r"))
        self._one = _tables(self.near)
        self.ball = tuple(self.spread(near) for near in self.near)
        self.within_two = tuple(tuple(indices(ball)) for ball in self.ball)
        self._two = _tables(self.ball)
        self.within_one = tuple(tuple(indices(near)) for near in self.near)
        near = dict(enumerate(self.steps))
        walks = [reach(near, (start,)) for start in range(36)]
        self.far = tuple(tuple(walk.get(to, 99) for to in range(36)) for walk in walks)
        self.to_radar = tuple(
            min((row[radar] for radar in indices(self.radars)), default=99) for row in self.far
        )

    def spread(self, tiles: int) -> int:
        """Return the tiles at most one step away from a set."""
        a, b, c, d = self._one
        return a[tiles & 511] | b[tiles >> 9 & 511] | c[tiles >> 18 & 511] | d[tiles >> 27]

    def spread_twice(self, tiles: int) -> int:
        """Return the tiles at most two steps away: the ends of a silent night."""
        a, b, c, d = self._two
        return a[tiles & 511] | b[tiles >> 9 & 511] | c[tiles >> 18 & 511] | d[tiles >> 27]

    def line(self, tile: int, direction: int, blocking: int = 0) -> int:
        """Return the tiles that a shot covers.

        blocking: tiles that end the line, except the shooter's own
        """
        if not blocking & self.lines[tile][direction] & ~(1 << tile):
            return self.lines[tile][direction]
        covered = 1 << tile
        for at in self.ways[tile][direction][1:]:
            covered |= 1 << at
            if blocking >> at & 1:
                break
        return covered


def _tables(reached: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return, for each group of nine tiles, the tiles that each subset reaches."""
    tables = []
    for start in range(0, 36, CHUNK):
        table = [0]
        for bit in range(CHUNK):
            table += [other | reached[start + bit] for other in table]
        tables.append(tuple(table))
    return tuple(tables)


def _aims(ways: tuple[tuple[tuple[int, ...], ...], ...]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return the directions in which a shot from one tile covers another."""
    return tuple(
        tuple(
            tuple(direction for direction in range(4) if there in four[direction])
            for there in range(36)
        )
        for four in ways
    )


@lru_cache(maxsize=256)
def bitboard_of(field: Field) -> Bitboard:
    """Return the bitboards of a field, cached."""
    return Bitboard(field)


def direction_number(direction: Direction) -> int:
    """Return the index of a direction in N, E, S, W."""
    return DIRECTIONS.index(direction)
