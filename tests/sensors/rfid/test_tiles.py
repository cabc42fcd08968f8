"""Assigning tiles: each cell holds one, and uncertain ones are reported with a reason."""

from __future__ import annotations

from companion.core.placement import Cell
from companion.sensors.observation import Ambiguity, Tile
from companion.sensors.rfid.locate import TagPlace
from companion.sensors.rfid.tiles import assign_tiles

A1, B1, C1 = (Cell(name) for name in ("A1", "B1", "C1"))


def decided(cell: Cell, turn: int | None = 0) -> TagPlace:
    """Return a tile whose cell is decided."""
    return TagPlace(cell, (cell,), turn, (0, 90) if turn is None else (turn,))


def undecided(*near: Cell, turn: int | None = 0) -> TagPlace:
    """Return a tile that may be on several cells."""
    return TagPlace(None, near, None, (0,) if turn == 0 else (0, 90))


def test_tiles_lie_where_they_are_found() -> None:
    """A decided tile is laid with its turn."""
    assert ({A1: Tile(4, 90), B1: Tile(7, 0)}, ()) == assign_tiles(
        {4: decided(A1, 90), 7: decided(B1)}
    )


def test_the_last_free_cell() -> None:
    """A tile between two cells is assigned to the one without another tile, also after another such
    decision.
    """
    tiles, doubts = assign_tiles({1: decided(A1), 2: undecided(A1, B1), 3: undecided(B1, C1)})

    assert {A1: 1, B1: 2, C1: 3} == {cell: tile.number for cell, tile in tiles.items()}
    assert [("tile", "2", "turn"), ("tile", "3", "turn")] == [
        (doubt.what, doubt.name, doubt.why) for doubt in doubts
    ]


def test_the_last_free_cell_has_its_turn_too() -> None:
    """If the only cell left is the likeliest one, its turn counts; on another cell the turn is
    asked.
    """
    tiles, doubts = assign_tiles(
        {1: decided(A1), 2: undecided(B1, A1, turn=0), 3: undecided(C1, A1, turn=None)}
    )

    assert {A1: Tile(1, 0), B1: Tile(2, 0), C1: Tile(3)} == tiles
    assert [("3", "turn")] == [(doubt.name, doubt.why) for doubt in doubts]


def test_two_cells_left_are_asked() -> None:
    """With two cells left the tile is asked."""
    assert ({}, (Ambiguity("tile", "2", (A1, B1)),)) == assign_tiles({2: undecided(A1, B1)})


def test_two_tiles_for_one_cell_are_asked() -> None:
    """Two undecided tiles are not assigned to the one cell left to both."""
    tiles, doubts = assign_tiles({1: decided(A1), 2: undecided(A1, B1), 3: undecided(A1, B1)})

    assert {A1: Tile(1, 0)} == tiles
    assert {"2", "3"} == {doubt.name for doubt in doubts}


def test_a_crowd_is_asked() -> None:
    """Two tiles located on one cell are both asked, whatever their turns."""
    tiles, doubts = assign_tiles({1: decided(A1), 2: decided(A1, 180)})

    assert {} == tiles
    assert {Ambiguity("tile", "1", (A1,), "crowd"), Ambiguity("tile", "2", (A1,), "crowd")} == set(
        doubts
    )


def test_an_undecided_turn_is_asked() -> None:
    """A tile between two turns is assigned without one."""
    assert ({A1: Tile(5)}, (Ambiguity("tile", "5", (A1,), "turn"),)) == assign_tiles(
        {5: decided(A1, None)}
    )
