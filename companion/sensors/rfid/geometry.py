"""A board's field: its cells in the board's order, and the loops of each axis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from math import cos, radians, sin

from msgspec import Struct

from companion.core.placement import Cell


class Axis(Struct, frozen=True):
    """Parallel loops.

    `centred`: the loop over each place. `border`: the loop before each place and, last, behind the
    last one; empty without border loops. `normal`: direction across the loops, in degrees from the
    x axis with y pointing down. `pitch`: mm between centre lines. `cells`: each cell's place on
    this axis, from 0.
    """

    name: str
    centred: range
    border: range
    normal: float
    pitch: float
    cells: tuple[int, ...]

    def lines(self) -> Mapping[int, float]:
        """Return each loop's centre line in mm from the board's centre, along the normal."""
        strips = (self.centred, self.border)
        return {
            n: (i - (len(loops) - 1) / 2) * self.pitch
            for loops in strips
            for i, n in enumerate(loops)
        }

    def across(self, x: float, y: float) -> float:
        """Return the coordinate along the normal of a point in mm from the board's centre."""
        return x * cos(radians(self.normal)) + y * sin(radians(self.normal))


class Geometry(Struct, frozen=True, dict=True):
    """One kind of field; `code`, `rows`, `columns` as in `HelloReply`.

    `cells`: in the board's order.
    """

    name: str
    code: int
    rows: int
    columns: int
    cells: tuple[Cell, ...]
    axes: tuple[Axis, ...]

    @property
    def loops(self) -> int:
        """Number of loops on a board of this kind, on all axes."""
        return sum(len(axis.centred) + len(axis.border) for axis in self.axes)

    def by_places(self) -> Mapping[tuple[int, ...], Cell]:
        """Return each cell by its places on the axes. Most triples of places are no cell."""
        return {
            tuple(axis.cells[i] for axis in self.axes): cell for i, cell in enumerate(self.cells)
        }

    @property
    def centred(self) -> frozenset[int]:
        """The loops that are centred on cells."""
        return frozenset(loop for axis in self.axes for loop in axis.centred)

    def blind(self, broken: Iterable[int]) -> frozenset[Cell]:
        """Return the cells under the strips of broken loops; border loops have none."""
        broken = frozenset(broken)
        return frozenset(
            cell
            for i, cell in enumerate(self.cells)
            if any(axis.centred[axis.cells[i]] in broken for axis in self.axes)
        )

    @cached_property
    def centres(self) -> Mapping[Cell, tuple[float, float]]:
        """Each cell's centre in mm from the board's, y pointing down."""
        first, second = self.axes[:2]
        (a, b), (c, d) = (
            (axis.across(1.0, 0.0), axis.across(0.0, 1.0)) for axis in (first, second)
        )
        area = a * d - b * c
        centres = {}
        for i, cell in enumerate(self.cells):
            u, v = (axis.lines()[axis.centred[axis.cells[i]]] for axis in (first, second))
            centres[cell] = ((u * d - v * b) / area, (v * a - u * c) / area)
        return centres
