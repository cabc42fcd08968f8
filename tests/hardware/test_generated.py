"""Files generated from hardware/pins.toml: equal to a fresh generation, and true of the boards."""

from __future__ import annotations

from math import cos, radians, sin
from pathlib import Path
from typing import Any

import pytest
from companion.sensors.rfid.geometries import GEOMETRIES, HEXAGONAL, SQUARE
from companion.sensors.rfid.geometry import Axis, Geometry

from firmware import generate

PINS = generate.read_pins()
FILES = generate.outputs()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_generated_files_are_fresh(path: Path) -> None:
    """Generated files equal what their generator writes now."""
    assert FILES[path] == path.read_text(encoding="utf-8"), "run `python firmware/generate.py`"


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ('ss = { pin = "PB2"', 'ss = { pin = "PB3"', "used twice among the pins of presence: PB3"),
        ('arduino = "44"', 'arduino = "45"', "used twice among the Arduino pins of identity: 45"),
        ("first = 6, count = 7", "first = 5, count = 7", "loops of square"),
        ("first = 14, count = 7", "first = 15, count = 7", "loops of hexagonal"),
        ('"A1 B1', '"A2 B1', "used twice among the cells of square: A2"),
    ],
)
def test_contradictions_are_refused(
    old: str, new: str, wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pin, an input, a loop or a cell that is used twice stops the generation and is named."""
    text = generate.SOURCE.read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "pins.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    monkeypatch.setattr(generate, "SOURCE", tmp_path / "pins.toml")

    with pytest.raises(generate.PinsError, match=wrong):
        generate.read_pins()


def test_square_board_is_the_protocols() -> None:
    """36 cells row by row, 26 loops in the order that firmware/README.md gives the strengths."""
    assert ("A1", "F1", "A2", "F6") == tuple(SQUARE.cells[i] for i in (0, 5, 6, 35))
    assert (0, 6, 6, 26) == (SQUARE.code, SQUARE.rows, SQUARE.columns, SQUARE.loops)
    assert [(range(0, 6), range(6, 13)), (range(13, 19), range(19, 26))] == [
        (a.centred, a.border) for a in SQUARE.axes
    ]
    assert "C5" == SQUARE.by_places()[4, 2]


def test_hexagonal_board_checks_itself() -> None:
    """37 cells on three axes of seven strips; letter, number and their difference agree in every
    cell.
    """
    assert (1, 7, 7, 37, 21) == (
        HEXAGONAL.code, HEXAGONAL.rows, HEXAGONAL.columns, len(HEXAGONAL.cells), HEXAGONAL.loops,
    )  # fmt: skip
    letters, numbers, differences = (axis.cells for axis in HEXAGONAL.axes)
    assert [n - l + 3 for l, n in zip(letters, numbers, strict=True)] == list(differences)  # noqa: E741
    assert "d4" == HEXAGONAL.by_places()[3, 3, 3]
    assert 37 == len(HEXAGONAL.by_places())


@pytest.mark.parametrize("geometry", GEOMETRIES, ids=lambda geometry: geometry.name)
def test_strips_run_over_the_centres_of_their_cells(geometry: Geometry) -> None:
    """Every cell's centre lies on the centre line of the strip that it names on each axis, and
    within its length.
    """
    table = PINS["geometries"][geometry.name]
    for i, cell in enumerate(geometry.cells):
        for axis, entry in zip(geometry.axes, table["axes"], strict=True):
            across, along = turned(centre(geometry, cell), entry["normal"])
            place = axis.cells[i]
            assert pytest.approx(strip_line(axis, entry, place), abs=0.01) == across
            assert length(entry["centred"], place) / 2 >= abs(along) + table["cell_mm"] / 2 - 0.01


def centre(geometry: Geometry, cell: str) -> tuple[float, float]:
    """Return a cell's centre in mm from the board's, from its name alone."""
    letter, number = ord(cell[0].lower()) - ord("a"), int(cell[1:]) - 1
    if geometry is SQUARE:
        return 60.0 * (letter - 2.5), 60.0 * (number - 2.5)
    return 60.0 * (number - 3) - 30.0 * (letter - 3), 60.0 * 0.75**0.5 * (letter - 3)


def turned(point: tuple[float, float], normal: float) -> tuple[float, float]:
    """Return how far a point lies along a direction, and beside it."""
    (x, y), angle = point, radians(normal)
    return x * cos(angle) + y * sin(angle), x * sin(angle) - y * cos(angle)


def strip_line(axis: Axis, entry: dict[str, Any], place: int) -> float:
    """Return where the strip over a place has its centre line, as pins.toml defines it."""
    return float((place - (len(axis.centred) - 1) / 2) * entry["centred"]["pitch_mm"])


def length(strips: dict[str, Any], place: int) -> float:
    """Return how long a strip is."""
    lengths = strips["length_mm"]
    return float(lengths[place] if isinstance(lengths, list) else lengths)
