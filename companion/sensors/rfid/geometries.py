"""The kinds of field that a board can have.

Made by firmware/generate.py from hardware/pins.toml: change that and run it again.
"""

from __future__ import annotations

from companion.core.placement import Cell
from companion.sensors.rfid.geometry import Axis, Geometry

# fmt: off
SQUARE = Geometry(
    name="square", code=0, rows=6, columns=6,
    cells=tuple(Cell(name) for name in (
        "A1", "B1", "C1", "D1", "E1", "F1",
        "A2", "B2", "C2", "D2", "E2", "F2",
        "A3", "B3", "C3", "D3", "E3", "F3",
        "A4", "B4", "C4", "D4", "E4", "F4",
        "A5", "B5", "C5", "D5", "E5", "F5",
        "A6", "B6", "C6", "D6", "E6", "F6",
    )),
    axes=(
        Axis("row", range(0, 6), range(6, 13), 90.0, 60.0, (
            0, 0, 0, 0, 0, 0,
            1, 1, 1, 1, 1, 1,
            2, 2, 2, 2, 2, 2,
            3, 3, 3, 3, 3, 3,
            4, 4, 4, 4, 4, 4,
            5, 5, 5, 5, 5, 5,
        )),
        Axis("column", range(13, 19), range(19, 26), 0.0, 60.0, (
            0, 1, 2, 3, 4, 5,
            0, 1, 2, 3, 4, 5,
            0, 1, 2, 3, 4, 5,
            0, 1, 2, 3, 4, 5,
            0, 1, 2, 3, 4, 5,
            0, 1, 2, 3, 4, 5,
        )),
    ),
)

HEXAGONAL = Geometry(
    name="hexagonal", code=1, rows=7, columns=7,
    cells=tuple(Cell(name) for name in (
        "a1", "a2", "a3", "a4",
        "b1", "b2", "b3", "b4", "b5",
        "c1", "c2", "c3", "c4", "c5", "c6",
        "d1", "d2", "d3", "d4", "d5", "d6", "d7",
        "e2", "e3", "e4", "e5", "e6", "e7",
        "f3", "f4", "f5", "f6", "f7",
        "g4", "g5", "g6", "g7",
    )),
    axes=(
        Axis("letter", range(0, 7), range(0, 0), 90.0, 51.962, (
            0, 0, 0, 0,
            1, 1, 1, 1, 1,
            2, 2, 2, 2, 2, 2,
            3, 3, 3, 3, 3, 3, 3,
            4, 4, 4, 4, 4, 4,
            5, 5, 5, 5, 5,
            6, 6, 6, 6,
        )),
        Axis("number", range(7, 14), range(0, 0), 30.0, 51.962, (
            0, 1, 2, 3,
            0, 1, 2, 3, 4,
            0, 1, 2, 3, 4, 5,
            0, 1, 2, 3, 4, 5, 6,
            1, 2, 3, 4, 5, 6,
            2, 3, 4, 5, 6,
            3, 4, 5, 6,
        )),
        Axis("difference", range(14, 21), range(0, 0), -30.0, 51.962, (
            3, 4, 5, 6,
            2, 3, 4, 5, 6,
            1, 2, 3, 4, 5, 6,
            0, 1, 2, 3, 4, 5, 6,
            0, 1, 2, 3, 4, 5,
            0, 1, 2, 3, 4,
            0, 1, 2, 3,
        )),
    ),
)

GEOMETRIES = (SQUARE, HEXAGONAL)
