"""Places of cells and loops, in millimetres."""

from __future__ import annotations

import pytest

from companion.sensors.rfid.geometries import GEOMETRIES, HEXAGONAL, SQUARE
from companion.sensors.rfid.geometry import Geometry


def test_cells_lie_where_the_boards_are_drawn() -> None:
    """On the square A1 is upper left; on the hexagon rows of 60 mm cells lie 52 mm apart, d4 in the
    middle.
    """
    assert ((-150, -150), (150, 150)) == (
        SQUARE.centres[SQUARE.cells[0]],
        SQUARE.centres[SQUARE.cells[-1]],
    )
    assert pytest.approx((-90, -155.885), abs=0.01) == HEXAGONAL.centres[HEXAGONAL.cells[0]]
    assert pytest.approx((0, 0)) == HEXAGONAL.centres[HEXAGONAL.cells[18]]


@pytest.mark.parametrize("geometry", GEOMETRIES, ids=lambda geometry: geometry.name)
def test_every_axis_agrees_where_a_cell_lies(geometry: Geometry) -> None:
    """Each cell's centre is on its strip's centre line on every axis, the hexagon's third
    included.
    """
    for i, cell in enumerate(geometry.cells):
        for axis in geometry.axes:
            line = axis.lines()[axis.centred[axis.cells[i]]]
            assert pytest.approx(line, abs=0.01) == axis.across(*geometry.centres[cell])


def test_border_loops_lie_half_a_pitch_off() -> None:
    """The loops on the borders of the square run 30 mm beside the centred ones, one before and one
    behind each.
    """
    row = SQUARE.axes[0].lines()

    assert [-150.0, 150.0, -180.0, 180.0] == [row[loop] for loop in (0, 5, 6, 12)]
