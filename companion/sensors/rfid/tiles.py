"""Assign tiles to cells: every cell holds one tile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.core.placement import Cell
from companion.sensors.observation import Ambiguity, Tile
from companion.sensors.rfid.locate import TagPlace


def assign_tiles(places: Mapping[int, TagPlace]) -> tuple[dict[Cell, Tile], tuple[Ambiguity, ...]]:
    """Return the tiles by cell, and the ambiguities, from each tile's tag place.

    A tile with several possible cells takes the only one without another tile. Two tiles on one
    cell are both ambiguous.
    """
    cells = {number: place.cell for number, place in places.items() if place.cell is not None}
    crowded = {cell for cell, count in Counter(cells.values()).items() if count > 1}
    open_ = {number: place.near for number, place in places.items() if place.cell is None}
    while found := _only_left(open_, set(cells.values())):
        cells |= found
        for number in found:
            del open_[number]
    tiles, doubts = {}, []
    for number, cell in cells.items():
        if cell in crowded:
            doubts.append(Ambiguity("tile", str(number), (cell,), "crowd"))
        else:
            turn = _turn(places[number], cell)
            tiles[cell] = Tile(number, turn)
            if turn is None:
                doubts.append(Ambiguity("tile", str(number), (cell,), "turn"))
    doubts += [Ambiguity("tile", str(number), near, "cell") for number, near in open_.items()]
    return tiles, tuple(sorted(doubts, key=lambda doubt: doubt.cells))


def _turn(place: TagPlace, cell: Cell) -> int | None:
    """Return the turn of a tile on this cell, also if the cell was its likeliest."""
    if place.cell is not None or place.near[0] != cell or len(place.turns) != 1:
        return place.turn
    return place.turns[0]


def _only_left(open_: Mapping[int, tuple[Cell, ...]], taken: set[Cell]) -> dict[int, Cell]:
    """Return the undecided tiles with one possible cell left, which no other tile may have."""
    left = {number: [cell for cell in near if cell not in taken] for number, near in open_.items()}
    single = {number: cells[0] for number, cells in left.items() if len(cells) == 1}
    wanted = Counter(single.values())
    return {number: cell for number, cell in single.items() if wanted[cell] == 1}
