"""Compute hexagonal fields: cells by a small letter and a number, lines in six directions.

A field of side n has the cells with letter and number 1 to 2n - 1 whose difference is less than n.
Its centre has letter and number n. A step is ±(1, 0), ±(0, 1) or ±(1, 1) in (letter, number).
"""

from __future__ import annotations

from companion.core.placement import Cell

HEX_STEPS: tuple[tuple[int, int], ...] = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))
"""The six directions in turn; the opposite one is three further."""


def hex_name(letter: int, number: int) -> Cell:
    """Return a cell's name from letter and number, counted from 1: (4, 4) is "d4"."""
    return Cell(f"{chr(ord('a') + letter - 1)}{number}")


class Hexgrid:
    """A hexagonal field.

    rows: the cells as they are drawn, from the top and from the left; `cells`: the same in a tuple
    rays: for each cell and each of the six `HEX_STEPS` the cells from there to the border
    neighbours: the first cell of each ray
    """

    def __init__(self, side: int) -> None:
        self.side = side
        self.rows = tuple(_row(side, row) for row in range(1, 2 * side))
        self.cells = tuple(cell for row in self.rows for cell in row)
        self.centre = hex_name(side, side)
        self.rays: dict[Cell, tuple[tuple[Cell, ...], ...]] = {
            cell: tuple(self._ray(cell, step) for step in HEX_STEPS) for cell in self.cells
        }
        self.neighbours: dict[Cell, tuple[Cell, ...]] = {
            cell: tuple(ray[0] for ray in rays if ray) for cell, rays in self.rays.items()
        }

    def _ray(self, cell: Cell, step: tuple[int, int]) -> tuple[Cell, ...]:
        letter, number = ord(cell[0]) - ord("a") + 1, int(cell[1:])
        ray: list[Cell] = []
        while True:
            letter, number = letter + step[0], number + step[1]
            inside = (
                1 <= letter < 2 * self.side
                and 1 <= number < 2 * self.side
                and abs(letter - number) < self.side
            )
            if not inside:
                return tuple(ray)
            ray.append(hex_name(letter, number))


def _row(side: int, row: int) -> tuple[Cell, ...]:
    length = 2 * side - 1 - abs(row - side)
    letter, number = max(0, row - side), max(0, side - row)
    return tuple(hex_name(letter + column, number + column) for column in range(1, length + 1))
