"""Compute square grids: cells by column letter and row number, walls between neighbours.

Row 1 is at the top, N is towards row 1. A cell is its name ("A1"), which logs and screens show.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Literal, NewType, TypeVar, get_args

from companion.core.placement import Cell

Direction = Literal["N", "E", "S", "W"]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
STEPS: Mapping[Direction, tuple[int, int]] = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}

Wall = NewType("Wall", str)
"""An edge between two orthogonal neighbours, the lower cell first: "A4-A5"."""


_Place = TypeVar("_Place")


def reach(near: Mapping[_Place, Iterable[_Place]], starts: Iterable[_Place]) -> dict[_Place, int]:
    """Return the places that can be reached from any of `starts`, each with the fewest steps.

    near: the places one step from each place
    """
    reached = dict.fromkeys(starts, 0)
    ahead = list(reached)
    for here in ahead:
        for to in near.get(here, ()):
            if to not in reached:
                reached[to] = reached[here] + 1
                ahead.append(to)
    return reached


def cell_name(column: int, row: int) -> Cell:
    """Return the name of the cell in a column and row, both counted from 0."""
    return Cell(f"{chr(ord('A') + column)}{row + 1}")


def parse_cell(name: str) -> tuple[int, int]:
    """Return column and row, counted from 0, of a cell's name; raise ValueError."""
    if (
        len(name) < 2
        or not "A" <= name[0] <= "Z"
        or not name[1:].isascii()
        or not name[1:].isdigit()
        or name[1] == "0"
    ):
        raise ValueError(f"{name!r} is not a cell's name such as A1")
    return ord(name[0]) - ord("A"), int(name[1:]) - 1


def manhattan_distance(a: Cell, b: Cell) -> int:
    """Return |dx| + |dy|, walls ignored: the radar's answer."""
    (ax, ay), (bx, by) = parse_cell(a), parse_cell(b)
    return abs(ax - bx) + abs(ay - by)


def wall_name(a: Cell, b: Cell) -> Wall:
    """Return the name of the wall between two orthogonal neighbours; raise ValueError."""
    if manhattan_distance(a, b) != 1:
        raise ValueError(f"{a} and {b} are not neighbours")
    first, second = sorted((a, b), key=parse_cell)
    return Wall(f"{first}-{second}")


def parse_wall(name: str) -> tuple[Cell, Cell]:
    """Return the two cells that a wall stands between, in either order; raise ValueError."""
    first, dash, second = name.partition("-")
    if not dash:
        raise ValueError(f"{name!r} is not a wall's name such as A4-A5")
    return Cell(first), Cell(second)


@cache
def _distances(columns: int, rows: int) -> Mapping[Cell, Mapping[Cell, int]]:
    """Return the Manhattan distances of a field; walls do not change them, so fields share them."""
    cells = [cell_name(column, row) for row in range(rows) for column in range(columns)]
    return {a: {b: manhattan_distance(a, b) for b in cells} for a in cells}


class Grid:
    """A field of `columns` × `rows` cells with walls.

    cells: row by row
    neighbours: for each cell those that one orthogonal step reaches
    distances: the Manhattan distance of each pair of cells
    Raises ValueError for a wall that does not stand between two cells of the field.
    """

    def __init__(self, columns: int, rows: int, walls: Iterable[Wall] = ()) -> None:
        self.columns = columns
        self.rows = rows
        self.distances = _distances(columns, rows)
        self.cells = tuple(self.distances)
        for wall in walls:
            a, b = parse_wall(wall)
            if a not in self.distances or b not in self.distances or self.distances[a][b] != 1:
                raise ValueError(
                    f"{wall} does not stand between two neighbouring tiles of the field"
                )
        self.walls = frozenset(wall_name(*parse_wall(wall)) for wall in walls)
        self._walled = {frozenset(parse_wall(wall)) for wall in self.walls}
        self._steps: dict[Cell, dict[Direction, Cell]] = {
            cell: {
                direction: to
                for direction in DIRECTIONS
                if (to := self._step(cell, direction)) is not None
            }
            for cell in self.cells
        }
        self.neighbours: dict[Cell, tuple[Cell, ...]] = {
            cell: tuple(steps.values()) for cell, steps in self._steps.items()
        }

    def adjacent(self, cell: Cell, *, diagonals: bool = False) -> tuple[Cell, ...]:
        """Return the cells of the field beside `cell`, walls ignored."""
        column, row = parse_cell(cell)
        return tuple(
            cell_name(column + dx, row + dy)
            for dy in (-1, 0, 1)
            for dx in (-1, 0, 1)
            if (dx or dy)
            and (diagonals or not (dx and dy))
            and 0 <= column + dx < self.columns
            and 0 <= row + dy < self.rows
        )

    def _step(self, cell: Cell, direction: Direction) -> Cell | None:
        column, row = parse_cell(cell)
        dx, dy = STEPS[direction]
        if not (0 <= column + dx < self.columns and 0 <= row + dy < self.rows):
            return None
        to = cell_name(column + dx, row + dy)
        return None if self._walled and frozenset((cell, to)) in self._walled else to

    def line(self, cell: Cell, direction: Direction) -> tuple[Cell, ...]:
        """Return the cells of a shot, from the shooter's to a wall or the border."""
        line = [cell]
        while (to := self._steps[line[-1]].get(direction)) is not None:
            line.append(to)
        return tuple(line)
