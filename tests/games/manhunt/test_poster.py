"""The print kit: posters of overlapping sheets, and pawns."""

from __future__ import annotations

import math
import subprocess
from itertools import combinations
from pathlib import Path

import pytest

from companion.games.manhunt.print_kit import HEIGHT, OVERLAP, PAWN, WIDTH, poster, print_kit
from companion.i18n import read_printed
from companion.printing.page import DISPLAY, TEXT
from tests.games.manhunt.own_maps import NAMES, own_map
from tests.printing.glyphs import has_glyphs

MM = 72 / 25.4
"""Points in a millimetre."""
LEFT, TOP = 12.0, 24.0
"""Where a sheet's part of the map begins on A4, in mm."""


@pytest.mark.parametrize("name", NAMES)
def test_a_poster_has_room_for_pawns(name: str) -> None:
    """On paper no two places are closer than a pawn, and the sheets hold the whole map."""
    content, plan = own_map(name), poster(own_map(name))
    closest = min(math.dist((a.x, a.y), (b.x, b.y)) for a, b in combinations(content.places, 2))

    assert closest * plan.scale >= PAWN
    assert content.size.width * plan.scale <= WIDTH + (plan.across - 1) * (WIDTH - OVERLAP) + 1e-6
    assert content.size.height * plan.scale <= HEIGHT + (plan.down - 1) * (HEIGHT - OVERLAP) + 1e-6


@pytest.mark.slow
def test_every_place_is_printed_where_its_sheet_says(tmp_path: Path) -> None:
    """On the sheets of the town every number stands at its place, whole at least once."""
    content = own_map("town")
    plan = poster(content)
    pdf = tmp_path / "kit.pdf"
    pdf.write_bytes(print_kit("A4", "en", read_printed("manhunt"), None, False))
    printed: set[int] = set()
    for page in range(plan.sheets):
        result = subprocess.run(
            ["pdftotext", "-bbox", "-f", str(page + 2), "-l", str(page + 2), pdf, "-"],
            check=True,
            capture_output=True,
            text=True,
            timeout=60,
        )
        column, row = page % plan.across, page // plan.across
        for place in content.places:
            x = LEFT + place.x * plan.scale - column * (WIDTH - OVERLAP)
            y = TOP + place.y * plan.scale - row * (HEIGHT - OVERLAP)
            if any(_is_at(line, str(place.number), x, y) for line in result.stdout.splitlines()):
                printed.add(place.number)

    assert {place.number for place in content.places} == printed


def _is_at(line: str, words: str, x: float, y: float) -> bool:
    if f">{words}</word>" not in line or not (LEFT <= x <= LEFT + WIDTH):
        return False
    left, top, right, bottom = (float(part) / MM for part in line.split('"')[1::2])
    return abs((left + right) / 2 - x) < 1 and abs((top + bottom) / 2 - y) < 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("paper", "language"),
    [
        ("A4", "en"),
        ("Letter", "ja"),
        pytest.param("A4", "nl", marks=pytest.mark.soak),
        pytest.param("A4", "ja", marks=pytest.mark.soak),
        pytest.param("Letter", "en", marks=pytest.mark.soak),
        pytest.param("Letter", "nl", marks=pytest.mark.soak),
    ],
)
def test_the_kit_is_printed_in_every_language(paper: str, language: str, tmp_path: Path) -> None:
    """The kit has a page in front, all maps, the pawns and the pad; the fonts have every
    letter.
    """
    maps = [own_map(name) for name in NAMES]
    texts = read_printed("manhunt")
    pdf = tmp_path / "kit.pdf"
    pdf.write_bytes(print_kit(paper, language, texts, None, False))
    result = subprocess.run(
        ["pdfinfo", pdf], check=True, capture_output=True, text=True, timeout=60
    )

    assert f"Pages:           {3 + sum(poster(each).sheets for each in maps)}" in result.stdout
    assert [] == [
        letter
        for letter in "".join(texts[language].values())
        if not (has_glyphs(TEXT, letter) and has_glyphs(DISPLAY, letter))
    ]
