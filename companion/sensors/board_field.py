"""The field of a board by its name: "6x6" (columns, rows) or "hex4" (a hexagon of side 4)."""

from __future__ import annotations

import re

from msgspec import Struct

from companion.core.hexgrid import Hexgrid
from companion.core.placement import Cell

MAX_COLUMNS, MAX_ROWS, MAX_SIDE = 26, 99, 13
_SQUARE = re.compile(r"(\d{1,2})x(\d{1,2})", re.ASCII)
_HEXAGON = re.compile(r"hex(\d{1,2})", re.ASCII)


class BoardField(Struct, frozen=True):
    """A field: its name, and its cells row by row; the letters of hexagons are small."""

    name: str
    cells: tuple[Cell, ...]


def parse_field(name: str) -> BoardField | None:
    """Return the field of this name, None if there is none."""
    if size := _SQUARE.fullmatch(name):
        columns, rows = map(int, size.groups())
        if not (1 <= columns <= MAX_COLUMNS and 1 <= rows <= MAX_ROWS):
            return None
        letters = [chr(ord("A") + column) for column in range(columns)]
        cells = (Cell(f"{letter}{row}") for row in range(1, rows + 1) for letter in letters)
        return BoardField(name, tuple(cells))
    if side := _HEXAGON.fullmatch(name):
        if not 1 <= int(side[1]) <= MAX_SIDE:
            return None
        named = Hexgrid(int(side[1])).cells
        return BoardField(name, tuple(sorted(named, key=lambda cell: (cell[0], int(cell[1:])))))
    return None
