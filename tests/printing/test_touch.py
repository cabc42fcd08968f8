"""The kit to read by touch: its braille is read back from the printed dots by another table, its
corners are counted, and its codes are read as before.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import numpy
import pytest
import zxingcpp
from click.testing import CliRunner
from PIL import Image

from companion.app import printed_kit
from companion.cli import main
from companion.games.vampireradar.print_kit.tiles import WALL, WHITE
from companion.games.vampireradar.print_kit.touch import CORNER, KIND_SIGNS, NOTCH_DEPTH, cuts
from companion.games.vampireradar.tiles import CATALOGUE
from companion.printing.braille import braille
from tests.server.client import GameTable

ADDRESS = "http://192.168.1.20:8080/join"
DPI = 200
MM = DPI / 25.4
LEFT, TOP = 15.0, 24.0
"""Of the first tile on A4, in mm."""
DOTS = {
    "a": "1", "b": "12", "c": "14", "d": "145", "e": "15", "f": "124", "g": "1245", "h": "125",
    "i": "24", "j": "245", "k": "13", "l": "123", "m": "134", "n": "1345", "o": "135",
    "p": "1234", "q": "12345", "r": "1235", "s": "234", "t": "2345", "u": "136", "v": "1236",
    "w": "2456", "x": "1346", "y": "13456", "z": "1356", "#": "3456",
}  # fmt: skip
"""The standard's table: the numbered dots of each letter, and of the number sign."""
LETTERS = {frozenset(dots): letter for letter, dots in DOTS.items()}
DIGITS = dict(zip("abcdefghij", "1234567890", strict=True))


def decoded(dots: list[frozenset[str]]) -> str:
    """Return the text of cells by their numbered dots; a number sign makes digits of letters."""
    letters = [LETTERS[cell] for cell in dots]
    if letters[0] == "#":
        return "".join(DIGITS[letter] for letter in letters[1:])
    return "".join(letters)


def felt(page: numpy.ndarray, x: float, y: float, most: int) -> str:
    """Return the braille whose first cell's first dot is at (x, y) in mm: up to `most` cells."""
    cells: list[frozenset[str]] = []
    for index in range(most):
        raised = set()
        for dot in "123456":
            column, row = divmod(int(dot) - 1, 3)
            across, down = x + index * 6.1 + column * 2.5, y + row * 2.5
            spot = page[
                round((down - 0.4) * MM) : round((down + 0.4) * MM),
                round((across - 0.4) * MM) : round((across + 0.4) * MM),
            ]
            if spot.mean() < 60:
                raised.add(dot)
        if not raised:
            break
        cells.append(frozenset(raised))
    return decoded(cells)


def rasters(pdf: bytes, folder: Path) -> Mapping[int, numpy.ndarray]:
    """Return the pages of a PDF by their numbers, grey."""
    (folder / "kit.pdf").write_bytes(pdf)
    files = [str(folder / name) for name in ("kit.pdf", "page")]
    command = ["pdftoppm", "-r", str(DPI), "-gray", *files]
    subprocess.run(command, check=True, timeout=120)
    return {
        int(path.stem.split("-")[1]): numpy.asarray(Image.open(path).convert("L"))
        for path in sorted(folder.glob("*.pgm"))
    }


def test_braille_is_that_of_the_standard() -> None:
    """Each letter and number has the dots of the standard's table, by the names of Unicode."""
    for letter, dots in DOTS.items():
        if letter != "#":
            bits = sum(1 << int(dot) - 1 for dot in dots)
            assert chr(0x2800 + bits) == braille(letter)
    assert "⠼⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚" == braille("1234567890")


@pytest.mark.parametrize("text", ["", "A1", "1a", "é", "a b"])
def test_other_signs_have_no_braille(text: str) -> None:
    """Nothing else is printed as a wrong sign."""
    with pytest.raises(ValueError, match="neither"):
        braille(text)


def test_cuts_tell_the_kind_and_leave_the_code() -> None:
    """The number of cut corners, or a notch in the walled edge, differs for each kind; no cut
    reaches the white around a code, nor does a notch go through the wall.
    """
    counts = {tile.kind: [len(line) for line in cuts(tile)] for tile in CATALOGUE.values()}
    assert {"blank": [], "bat": [2], "bullet": [2, 2], "radar": [2, 2, 2, 2], "wall": [3]} == counts
    for tile in CATALOGUE.values():
        for line in cuts(tile):
            for one, other in pairwise(line):
                for part in range(11):
                    x, y = (a + (b - a) * part / 10 for a, b in zip(one, other, strict=True))
                    assert max(abs(x), abs(y)) > WHITE / 2 + 2
    assert NOTCH_DEPTH < WALL
    assert WHITE / 2 + CORNER < 30


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "nl", "ja"])
def test_the_printed_dots_are_read_back(language: str, tmp_path: Path) -> None:
    """Each tile has its number and its kind in braille of true size, and its code is read: all 38
    of them, with the corner card; the frame has its letters and numbers.
    """
    kit = rasters(printed_kit("vampireradar", "A4", language, ADDRESS, True), tmp_path)
    kinds = KIND_SIGNS[language]
    seen = set()
    for index, tile in enumerate(CATALOGUE.values()):
        page, place = kit[2 + index // 12], index % 12
        x, y = LEFT + 60 * (place % 3), TOP + 60 * (place // 3)
        # Above the code, if a wall stands below it.
        top = y + (1.2 if tile.wall == "S" else 52.2) + 0.8
        assert str(tile.number) == felt(page, x + 6.8, top, 3)
        if kinds:
            assert kinds[tile.kind] == felt(page, x + 54 - 8.4 - 0.8, top, 2)
            seen.add(tile.kind)
    assert set(kinds) == seen

    codes = [
        code.text
        for number in range(2, 6)
        for code in zxingcpp.read_barcodes(
            kit[number], formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
        )
    ]
    assert [f"VRT{number:02}" for number in range(1, 39)] == sorted(set(codes) - {"VRC00"})
    assert "VRC00" in codes

    strips = kit[6]
    letters = [felt(strips, LEFT + 38.8 + 60 * step, TOP + 6.5, 1) for step in range(3)]
    assert ["a", "b", "c"] == letters
    turned = numpy.rot90(strips, -1)
    # Turned clockwise, the page's y becomes x from the right edge.
    right = strips.shape[0] / MM
    middle = TOP + 4 * 19 + 9
    numbers = [
        felt(turned, right - middle - 5.1 + 0.8, LEFT + 38.8 + 60 * step, 2) for step in range(3)
    ]
    assert ["1", "2", "3"] == numbers


@pytest.mark.slow
def test_the_command_and_the_host_page_give_it(tmp_path: Path) -> None:
    """`--tactile` writes another file; games without such a kit say so in one sentence, and the
    table has no page for theirs.
    """
    path = tmp_path / "kit.pdf"
    done = CliRunner().invoke(main, ["print", "--tactile", "-o", str(path)])
    refused = CliRunner().invoke(main, ["print", "nosferatu", "--tactile"])
    assert (0, b"%PDF-") == (done.exit_code, path.read_bytes()[:5])
    assert (1, "Only vampireradar has a kit with --tactile.") == (
        refused.exit_code,
        refused.output.strip().removeprefix("companion: "),
    )

    client = GameTable(tmp_path / "data").app.test_client()
    reply = client.get("/kit/vampireradar/tactile/A4-en.pdf")
    assert (200, "application/pdf") == (reply.status_code, reply.mimetype)
    assert "vampireradar-tactile-A4-en.pdf" in reply.headers["Content-Disposition"]
    assert reply.data != client.get("/kit/vampireradar/A4-en.pdf").data
    assert 404 == client.get("/kit/nosferatu/tactile/A4-en.pdf").status_code
