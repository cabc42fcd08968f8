"""The grid: names, walls, lines and distances."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.grid import (
    DIRECTIONS,
    Grid,
    Wall,
    cell_name,
    manhattan_distance,
    parse_cell,
    parse_wall,
    reach,
    wall_name,
)
from companion.core.placement import Cell

CELLS = st.builds(cell_name, st.integers(0, 25), st.integers(0, 98))


@given(st.integers(0, 25), st.integers(0, 98))
def test_cell_names_round_trip(column: int, row: int) -> None:
    """A cell's name reads back as its column and row."""
    assert (column, row) == parse_cell(cell_name(column, row))


@pytest.mark.parametrize("name", ["", "A", "1A", "a1", "A0", "AA1", "A1 ", "A-1", "A¹", "A01"])
def test_what_is_no_cell(name: str) -> None:
    """Anything but a capital letter and a number from 1 is refused, naming it."""
    with pytest.raises(ValueError, match="is not a cell's name"):
        parse_cell(name)


@given(CELLS, CELLS)
def test_distance_is_symmetric(a: Cell, b: Cell) -> None:
    """The distance is the same both ways, and 0 only from a cell to itself."""
    assert manhattan_distance(a, b) == manhattan_distance(b, a)
    assert (a == b) == (manhattan_distance(a, b) == 0)


def test_walls_have_one_name() -> None:
    """A wall's name does not depend on the order of its cells; cells that are apart have none."""
    assert "A4-A5" == wall_name(Cell("A5"), Cell("A4"))
    assert ("A4", "A5") == parse_wall("A4-A5")
    with pytest.raises(ValueError, match="not neighbours"):
        wall_name(Cell("A1"), Cell("B2"))
    with pytest.raises(ValueError, match="not a wall's name"):
        parse_wall("A4A5")


def test_walls_stand_inside() -> None:
    """A grid refuses a wall that does not stand between two of its cells."""
    for wall in ("F1-G1", "A1-B2"):
        with pytest.raises(ValueError, match="does not stand between"):
            Grid(6, 6, [Wall(wall)])


def test_walls_stop_steps_and_lines_but_not_distances() -> None:
    """A wall stops a step and a line both ways; the distance ignores it."""
    grid = Grid(6, 6, [Wall("A4-A5")])

    assert (False, False) == (
        "A5" in grid.neighbours[Cell("A4")],
        "A4" in grid.neighbours[Cell("A5")],
    )
    assert ("A1", "A2", "A3", "A4") == grid.line(Cell("A1"), "S")
    assert 1 == grid.distances[Cell("A4")][Cell("A5")]


def test_every_line_starts_at_its_cell() -> None:
    """A line covers the shooter's own cell first, in every direction."""
    grid = Grid(6, 6)

    assert {cell: {cell} for cell in grid.cells} == {
        cell: {grid.line(cell, direction)[0] for direction in DIRECTIONS} for cell in grid.cells
    }


def test_diagonals_are_adjacent_only_if_asked() -> None:
    """A cell in the middle has 4 adjacent cells, 8 with diagonals; a corner 2 and 3."""
    grid = Grid(6, 6)

    assert (4, 8) == (
        len(grid.adjacent(Cell("C3"))),
        len(grid.adjacent(Cell("C3"), diagonals=True)),
    )
    assert (2, 3) == (
        len(grid.adjacent(Cell("A1"))),
        len(grid.adjacent(Cell("A1"), diagonals=True)),
    )


def test_what_cannot_be_reached_is_missing() -> None:
    """Each place that can be reached has its fewest steps from the nearest start."""
    near = {"a": ["b"], "b": ["a", "c"], "c": ["d"], "d": [], "e": ["a"]}

    assert {"a": 0, "b": 1, "c": 2, "d": 3} == reach(near, ["a"])
    assert {"a": 0, "c": 0, "b": 1, "d": 1} == reach(near, ["a", "c"])
