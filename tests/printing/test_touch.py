"""The kit to read by touch: its braille is read back from the printed dots by another table, its
corners are counted, and its codes are read as before.
"""

from __future__ import annotations

import math
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
from companion.cli.printing import PRINTED_GAMES
from companion.games.nosferatu.options import FIELD
from companion.games.nosferatu.print_kit import FLAT_SIDES
from companion.games.nosferatu.print_kit import KIND_SIGNS as KIND_LETTERS
from companion.games.vampireradar.print_kit.tiles import WALL, WHITE
from companion.games.vampireradar.print_kit.touch import CORNER, KIND_SIGNS, NOTCH_DEPTH, cuts
from companion.games.vampireradar.tiles import CATALOGUE
from companion.printing.touch import FLAT, braille
from tests.server.client import GameTable

ADDRESS = "http://192.168.1.20:8080/join"
DPI = 200
MM = DPI / 25.4
LEFT, TOP = 15.0, 24.0
"""Of the first tile on A4, in mm."""
PAWN_PAGE = 12
"""Of Manhunt's kit: after the front page and the sheets of its three maps."""
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


def rasters(pdf: bytes, folder: Path, *pages: int) -> Mapping[int, numpy.ndarray]:
    """Return the pages of a PDF by their numbers, grey; all from the first of `pages` to the last,
    where they are named.
    """
    (folder / "kit.pdf").write_bytes(pdf)
    files = [str(folder / name) for name in ("kit.pdf", "page")]
    part = ["-f", str(pages[0]), "-l", str(pages[-1])] if pages else []
    command = ["pdftoppm", "-r", str(DPI), "-gray", *part, *files]
    subprocess.run(command, check=True, timeout=120)
    return {
        int(path.stem.split("-")[1]): numpy.asarray(Image.open(path).convert("L"))
        for path in sorted(folder.glob("*.pgm"))
    }


def is_cut(page: numpy.ndarray, x: float, y: float, turn: int) -> bool:
    """Return whether a flat side is drawn at this turn from the top of a disc of 19 mm: its line,
    and white between the line and the disc's edge.
    """
    right, up = math.sin(math.radians(turn)), math.cos(math.radians(turn))

    def shade(distance: float) -> float:
        """Return the grey of a spot at so many mm from the middle."""
        across, down = (x + right * distance) * MM, (y - up * distance) * MM
        spot = page[round(down) - 1 : round(down) + 2, round(across) - 1 : round(across) + 2]
        return float(spot.min())

    return shade(FLAT * 9.5) < 120 and shade(8.9) > 240


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
@pytest.mark.parametrize("language", ["en", "nl", "ja"])
def test_pieces_of_nosferatu_are_told_by_touch(language: str, tmp_path: Path) -> None:
    """Each piece has the flat sides of its kind, and where the language has letters its kind in
    braille; each large cell has its name.
    """
    kit = rasters(printed_kit("nosferatu", "A4", language, ADDRESS, True), tmp_path, 2, 3)
    order = "s" + "x" * 17 + "w" * 12
    for index, letter in enumerate(order):
        x, y = LEFT + (index % 6 + 0.5) * 30, TOP + 12 + index // 6 * 24
        lines = [is_cut(kit[2], x, y, turn) for turn in (45, -45)]
        assert [True] * FLAT_SIDES[letter] == [each for each in lines if each]
        kinds = KIND_LETTERS[language]
        if kinds:
            assert kinds[letter] == felt(kit[2], x - 5.1 + 0.8, y + 3.4 - 3.3 + 0.8, 2)

    for index, cell in enumerate(FIELD.cells[:3]):
        x, y = LEFT + 30 + index * 60, TOP + 60 / math.sqrt(3) + 18.0
        letter = felt(kit[3], x - 8.15 + 0.8, y - 3.3 + 0.8, 1)
        number = felt(kit[3], x - 8.15 + 6.1 + 0.8, y - 3.3 + 0.8, 3)
        assert cell == letter + number


@pytest.mark.slow
def test_hunters_have_numbers_and_the_fugitive_cut_corners(tmp_path: Path) -> None:
    """Below the sign on the front of each hunter's pawn stands its number; the fugitive's has none,
    and its upper corners are white, to be cut off.
    """
    (page,) = rasters(
        printed_kit("manhunt", "A4", "ja", ADDRESS, True), tmp_path, PAWN_PAGE
    ).values()
    for index in range(12):
        x, y = LEFT + index % 6 * 30 + 6, TOP + index // 6 * 90
        fold = y + 9 + 32
        corners = [page[round((fold + 1.5) * MM), round(at * MM)] for at in (x + 1.5, x + 16.5)]
        if index % 6 == 5:
            assert [True, True] == [each > 240 for each in corners]
            continue
        assert [True, True] == [each < 200 for each in corners]
        front = fold + 16 + 11.4
        assert str(index % 6 + 1) == felt(page, x + 9 - 5.1 + 0.8, front - 3.3 + 0.8, 2)


@pytest.mark.slow
def test_tokens_have_flat_sides(tmp_path: Path) -> None:
    """A bat has one, a bullet two, as tiles have corners."""
    kit = rasters(printed_kit("vampireradar", "A4", "en", ADDRESS, True), tmp_path, 5)
    for row, (count, flats) in enumerate(((7, 2), (7, 2), (8, 1))):
        for column in range(count):
            x = LEFT + 90 + (column - (count - 1) / 2) * 22
            lines = [is_cut(kit[5], x, TOP + 128 + row * 20, turn) for turn in (45, -45)]
            assert flats == sum(lines)


@pytest.mark.slow
def test_the_command_and_the_host_page_give_it(tmp_path: Path) -> None:
    """`--tactile` writes another file, and so does the table's page, for every game with a kit."""
    client = GameTable(tmp_path / "data").app.test_client()
    for game in PRINTED_GAMES:
        path = tmp_path / f"{game}.pdf"
        done = CliRunner().invoke(main, ["print", game, "--tactile", "-o", str(path)])
        assert (0, b"%PDF-") == (done.exit_code, path.read_bytes()[:5])
        reply = client.get(f"/kit/{game}/tactile/A4-en.pdf")
        assert (200, "application/pdf") == (reply.status_code, reply.mimetype)
        assert f"{game}-tactile-A4-en.pdf" in reply.headers["Content-Disposition"]
        assert reply.data != client.get(f"/kit/{game}/A4-en.pdf").data
    assert 404 == client.get("/kit/vwars/tactile/A4-en.pdf").status_code
