"""The presence board's table: its drawings fit the strip, and its orders the parts list."""

from __future__ import annotations

import re

import pytest

from tests.hardware.plans import HARDWARE, rows

PRESENCE = HARDWARE / "presence"


def test_the_orders_are_the_parts_list() -> None:
    """By shop and in all, the orders cost what the parts list does, and each shop has postage."""
    lines = rows(PRESENCE / "orders.csv")
    whole = next(line for line in lines if line["shop"] == "all")
    single = [line for line in lines if not line["what"].startswith("sum")]
    sums = {line["shop"]: float(line["eur"]) for line in lines if line["what"].startswith("sum")}
    (_, everything) = [line for line in rows(PRESENCE / "parts.csv") if line["refs"] == "total"]

    assert float(everything["eur_all"]) == pytest.approx(float(whole["eur"]))
    for shop in sums.keys() - {"all"}:
        here = [line for line in single if line["shop"] == shop]
        assert sums[shop] == pytest.approx(sum(float(line["eur"]) for line in here))
        assert "postage" in {line["what"] for line in here}


def test_the_plates_drawing_has_each_cell_over_its_switches() -> None:
    """Each cell's name stands within 9 mm of the middle of its four switches, as the strip has
    them, and every strip lies on the plate.
    """
    drawing = (PRESENCE / "plate.svg").read_text(encoding="utf-8")
    strips = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="370" height="30"', drawing)
    named = {
        name: (float(x), float(y))
        for x, y, name in re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>([A-F][1-6])<', drawing)
    }
    switches = {
        line["Designator"]: (float(line["Mid X"][:-2]), -float(line["Mid Y"][:-2]))
        for line in rows(PRESENCE / "strip" / "positions.csv")
        if line["Designator"].startswith("S")
    }

    assert (6, 36) == (len(strips), len(named))
    for row, (left, top) in enumerate(strips, 1):
        assert float(left) >= 0 and float(left) + 370 <= 420
        for place, column in enumerate("ABCDEF"):
            mine = [switches[f"S{4 * place + n}"] for n in range(1, 5)]
            x, y = (sum(spot[axis] for spot in mine) / 4 for axis in (0, 1))
            at = named[f"{column}{row}"]
            assert abs(float(left) + 24 + x - at[0]) < 9 and abs(float(top) + y - at[1]) < 9
