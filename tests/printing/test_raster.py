"""The print kit as a printer and a camera see it: rasterised, measured in millimetres, its codes
decoded.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy
import pytest
import zxingcpp
from numpy.typing import NDArray
from PIL import Image

from companion.app import printed_kit
from companion.core.grid import Direction
from companion.core.placement import Cell, Tile
from companion.games.nosferatu.options import FIELD
from companion.games.vampireradar.layout import HOUSE_FIELD
from companion.games.vampireradar.print_kit.tiles import TILE, WHITE, face
from companion.games.vampireradar.tiles import CATALOGUE, Printed, layout_of_tiles
from companion.i18n import read_printed
from companion.printing.page import DISPLAY, PAPERS, TEXT, TITLE, Sheet
from companion.sensors.vision.lattice import HALF_CODE
from tests.printing.glyphs import has_glyphs

pytestmark = pytest.mark.slow

KITS = ("vampireradar", "nosferatu")
ADDRESS = "http://192.168.1.20:8080/join"
DPI = 150
MM = DPI / 25.4
"""Pixels in a millimetre."""
Raster = NDArray[numpy.uint8]
"""A page as grey pixels, row by row."""
TILE_PAGES, BOARD_PAGES = range(2, 6), range(10, 15)


class PrintedCode(NamedTuple):
    """A decoded code: the page, its middle and width in mm, its clockwise turn in degrees, its
    level.
    """

    page: int
    text: str
    x: float
    y: float
    width: float
    turn: int
    level: str


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Mapping[int, Raster]:
    """The pages of the English kit on A4, as a printer's raster."""
    folder = tmp_path_factory.mktemp("kit")
    (folder / "kit.pdf").write_bytes(printed_kit("vampireradar", "A4", "en", ADDRESS))
    subprocess.run(
        ["pdftoppm", "-r", str(DPI), "-gray", folder / "kit.pdf", folder / "page"],
        check=True,
        timeout=120,
    )
    return {int(path.stem.split("-")[1]): raster(path) for path in sorted(folder.glob("*.pgm"))}


@pytest.fixture(scope="module")
def codes(pages: Mapping[int, Raster]) -> list[PrintedCode]:
    """Every QR code in the kit."""
    return [
        located(page, code)
        for page, image in pages.items()
        for code in zxingcpp.read_barcodes(
            image, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
        )
    ]


def raster(path: Path) -> Raster:
    """Return a picture's pixels."""
    return numpy.asarray(Image.open(path).convert("L"))


def part(page: Raster, left: float, top: float, right: float, bottom: float) -> Raster:
    """Return the pixels of a part given in mm."""
    return page[round(top * MM) : round(bottom * MM), round(left * MM) : round(right * MM)]


def dark_edges(page: Raster, x: float, y: float) -> list[str]:
    """Return the edges along which the tile with its middle at (x, y) is dark."""
    edges = {
        "N": (-12, -29, 12, -27),
        "E": (27, -12, 29, 12),
        "S": (-12, 27, 12, 29),
        "W": (-29, -12, -27, 12),
    }
    bands = {edge: part(page, x + a, y + b, x + c, y + d) for edge, (a, b, c, d) in edges.items()}
    return [edge for edge, band in bands.items() if band.mean() < 170]


def located(page: int, code: zxingcpp.Barcode) -> PrintedCode:
    """Return a decoded code in millimetres."""
    corners = [
        code.position.top_left,
        code.position.top_right,
        code.position.bottom_right,
        code.position.bottom_left,
    ]
    x, y = (sum(getattr(corner, axis) for corner in corners) / 4 / MM for axis in "xy")
    width = ((corners[1].x - corners[0].x) ** 2 + (corners[1].y - corners[0].y) ** 2) ** 0.5 / MM
    return PrintedCode(
        page, code.text, x, y, width, round(code.orientation / 90) % 4 * 90, code.ec_level
    )


def of_tiles(codes: list[PrintedCode], numbers: range) -> list[PrintedCode]:
    """Return the codes of tiles on these pages."""
    return [code for code in codes if code.page in numbers and code.text.startswith("VRT")]


def words_on(pdf: bytes, folder: Path) -> list[tuple[int, str, float, float, float, float]]:
    """Return every word of a PDF with its page and its box in mm: left, top, right, bottom."""
    (folder / "k.pdf").write_bytes(pdf)
    result = subprocess.run(
        ["pdftotext", "-bbox", folder / "k.pdf", "-"], check=True, capture_output=True, timeout=60
    )
    words, page = [], 0
    word = r'<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)</word>'
    for line in result.stdout.decode().splitlines():
        page += "<page " in line
        if match := re.search(word, line):
            left, top, right, bottom = (float(number) * 25.4 / 72 for number in match.groups()[:4])
            words.append((page, match[5], left, top, right, bottom))
    return words


def test_every_tile_is_printed_once_and_read(codes: list[PrintedCode]) -> None:
    """38 of 38 codes decode, each printed once, upright and with level H, and so does the corner
    card.
    """
    single = of_tiles(codes, TILE_PAGES)

    assert [f"VRT{number:02}" for number in range(1, 39)] == sorted(code.text for code in single)
    assert {(0, "H")} == {(code.turn, code.level) for code in single}
    assert 1 == Counter(code.text for code in codes)["VRC00"]


def test_codes_are_30_mm_on_tiles_of_60_mm(codes: list[PrintedCode]) -> None:
    """A code is 30 mm wide, as the reader of photos expects it, and neighbouring ones are 60 mm
    apart: the tile's true size.
    """
    first = sorted((code for code in codes if code.page == 2), key=lambda code: code.text)

    assert 12 == len(first)
    assert [] == [code for code in of_tiles(codes, TILE_PAGES) if abs(code.width - 30) > 0.4]
    assert 30 == 2 * HALF_CODE * TILE
    for number, code in enumerate(first):
        assert number % 3 * 60 == pytest.approx(code.x - first[0].x, abs=0.25)
        assert number // 3 * 60 == pytest.approx(code.y - first[0].y, abs=0.25)


def test_the_codes_have_four_modules_of_quiet(
    pages: Mapping[int, Raster], codes: list[PrintedCode]
) -> None:
    """Around each code lies nothing but white for four modules, 5.7 mm."""
    inner, outer = 15.4, 15 + 4 * 30 / 21 - 0.3
    for code in of_tiles(codes, TILE_PAGES):
        sides = (
            part(pages[code.page], code.x - outer, code.y - outer, code.x + outer, code.y - inner),
            part(pages[code.page], code.x - outer, code.y + inner, code.x + outer, code.y + outer),
            part(pages[code.page], code.x - outer, code.y - outer, code.x - inner, code.y + outer),
            part(pages[code.page], code.x + inner, code.y - outer, code.x + outer, code.y + outer),
        )

        assert [255] * 4 == [int(numpy.min(side)) for side in sides], code.text


@pytest.mark.parametrize(("paper", "across", "down"), [("A4", 210, 297), ("Letter", 215.9, 279.4)])
def test_the_ruler_is_50_mm_long(paper: str, across: float, down: float, tmp_path: Path) -> None:
    """Each of both papers has its true size, and the ruler at its foot is 50 mm from edge to edge,
    as rasterised.
    """
    dpi = 600
    (tmp_path / "kit.pdf").write_bytes(printed_kit("vampireradar", paper, "en", ADDRESS))
    result = subprocess.run(
        ["pdfinfo", tmp_path / "kit.pdf"], check=True, capture_output=True, text=True, timeout=60
    )
    size = re.search(r"Page size: +([\d.]+) x ([\d.]+) pts", result.stdout)
    top = round((min(24.0, (down - 240) / 2) + 240 + 9) * dpi / 25.4)
    strip = [
        "-x",
        "0",
        "-y",
        str(top - 20),
        "-W",
        str(round(((across - 180) / 2 + 53) * dpi / 25.4)),
        "-H",
        "40",
    ]
    looked = [
        "pdftoppm",
        "-r",
        str(dpi),
        "-gray",
        "-f",
        "2",
        "-l",
        "2",
        *strip,
        "kit.pdf",
        "p",
    ]
    subprocess.run(looked, cwd=tmp_path, check=True, timeout=60)
    dark = numpy.flatnonzero(raster(next(tmp_path.glob("p-*.pgm")))[20] < 128)

    assert size is not None
    assert across == pytest.approx(float(size[1]) * 25.4 / 72, abs=0.1)
    assert down == pytest.approx(float(size[2]) * 25.4 / 72, abs=0.1)
    assert 50 == pytest.approx((dark[-1] + 1 - dark[0]) * 25.4 / dpi, abs=0.1)


def test_a_tiles_wall_stands_on_the_edge_of_the_catalogue(
    pages: Mapping[int, Raster], codes: list[PrintedCode]
) -> None:
    """A wall tile is dark along the edge that the catalogue names, and along no other; other tiles
    along none.
    """
    for code in of_tiles(codes, TILE_PAGES):
        tile = next(tile for tile in CATALOGUE.values() if tile.code == code.text)

        assert ([tile.wall] if tile.wall else []) == dark_edges(pages[code.page], code.x, code.y), (
            code.text
        )


def test_half_of_a_tiles_face_is_its_picture(
    pages: Mapping[int, Raster], codes: list[PrintedCode]
) -> None:
    """The code and the white around it take less than a half of a tile. In the rest, each kind's
    picture has its own share of ink, also in grey.
    """
    shares: dict[str, set[float]] = {}
    white = WHITE / 2
    for code in of_tiles(codes, TILE_PAGES):
        tile = part(pages[code.page], code.x - 30, code.y - 30, code.x + 30, code.y + 30)
        inner = part(
            pages[code.page], code.x - white, code.y - white, code.x + white, code.y + white
        )
        dark = int((tile < 130).sum()) - int((inner < 130).sum())
        shares.setdefault(CATALOGUE[int(code.text[3:])].kind, set()).add(dark / tile.size)

    assert WHITE**2 < TILE**2 / 2
    assert [] == [kind for kind, share in shares.items() if max(share) - min(share) > 0.02]
    assert min(shares["bat"] | shares["radar"] | shares["bullet"]) > 0.06
    assert max(shares["blank"]) < 0.05


def test_a_wall_is_drawn_on_any_edge(tmp_path: Path) -> None:
    """A catalogue may put a wall on each edge; turned clockwise, it goes round with the tile."""
    sheet = Sheet(PAPERS["A4"], "walls", "en")
    directions: tuple[Direction, ...] = ("N", "E", "S", "W")
    for row, edge in enumerate(directions):
        face(sheet, Printed(1, "VRT01", "wall", edge), 20, 10 + 62 * row)
        face(sheet, Printed(1, "VRT01", "wall", edge), 90, 10 + 62 * row, 90)
    (tmp_path / "walls.pdf").write_bytes(sheet.finish())
    subprocess.run(
        ["pdftoppm", "-r", str(DPI), "-gray", "walls.pdf", "p"],
        cwd=tmp_path,
        check=True,
        timeout=60,
    )
    page = raster(next(tmp_path.glob("p-*.pgm")))

    assert [["N"], ["E"], ["S"], ["W"]] == [dark_edges(page, 50, 40 + 62 * row) for row in range(4)]
    assert [["E"], ["S"], ["W"], ["N"]] == [
        dark_edges(page, 120, 40 + 62 * row) for row in range(4)
    ]


def test_the_notch_is_at_the_top(pages: Mapping[int, Raster], codes: list[PrintedCode]) -> None:
    """Every tile has a black notch in the middle of its upper band, and none elsewhere."""
    for code in of_tiles(codes, TILE_PAGES):
        top = -24.6 if CATALOGUE[int(code.text[3:])].kind == "wall" else -29
        bands = {"N": (-3, top, 3, top + 4.4), "E": (18, -3, 28, 3), "W": (-28, -3, -18, 3)}
        darkest = {
            edge: int(
                numpy.min(part(pages[code.page], code.x + a, code.y + b, code.x + c, code.y + d))
            )
            for edge, (a, b, c, d) in bands.items()
        }

        assert darkest["N"] < 40 < min(darkest["E"], darkest["W"]), code.text


def test_the_marks_of_pawns_and_tokens_are_read(pages: Mapping[int, Raster]) -> None:
    """The twelve caps have the ArUco 4X4_100 marks 38 to 49, 9 mm wide, in order, and each kind of
    token its own, 8 mm wide; an independent decoder reads them.
    """
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100))
    corners, numbers, _ = detector.detectMarkers(pages[5])
    markers = [
        (int(number), quad[0]) for number, quad in zip(numbers.ravel(), corners, strict=True)
    ]
    pawn_quads = {number: quad for number, quad in markers if number < 50}
    tokens = [(number, quad) for number, quad in markers if number >= 50]
    # Two rows of six, 28 mm apart.
    order = sorted(
        pawn_quads,
        key=lambda number: (pawn_quads[number][0][1] > 110 * MM, float(pawn_quads[number][0][0])),
    )

    assert list(range(38, 50)) == order
    for quad in pawn_quads.values():
        assert 9 == pytest.approx(float(quad[1][0] - quad[0][0]) / MM, abs=0.35)
    assert {50: 14, 51: 8} == Counter(number for number, _ in tokens)
    for _, quad in tokens:
        assert 8 == pytest.approx(float(quad[1][0] - quad[0][0]) / MM, abs=0.35)


def test_the_boards_laid_upright_are_the_first_field(codes: list[PrintedCode]) -> None:
    """The nine 2×2 boards, laid upright in their order, make the field of a first game, walls and
    turns included.
    """
    laid: dict[Cell, Tile] = {}
    for number in range(9):
        page, place = BOARD_PAGES[number // 2], number % 2
        left, top = (210 - 120) / 2, 24 + 120 * place
        for code in of_tiles(codes, BOARD_PAGES):
            column, row = int((code.x - left) // 60), int((code.y - top) // 60)
            if code.page == page and 0 <= row < 2:
                cell = f"{'ABCDEF'[number % 3 * 2 + column]}{number // 3 * 2 + row + 1}"
                laid[Cell(cell)] = Tile(int(code.text[3:]), code.turn)

    assert HOUSE_FIELD == layout_of_tiles(laid)


def test_the_joining_card_leads_to_the_table(codes: list[PrintedCode]) -> None:
    """The joining card has the table's address and no code or key; without a network it is
    empty.
    """
    assert [ADDRESS] == [code.text for code in codes if code.page == 7]

    assert b"127.0.0.1" not in printed_kit("vampireradar", "A4", "en", "http://127.0.0.1:8080/join")


def test_nosferatus_board_is_a_hexagon_of_37_named_cells(tmp_path: Path) -> None:
    """Each cell stands once on the board for the table, 25 mm from the next in its row, and once
    for the sensor board, 60 mm from the next.
    """
    words = words_on(printed_kit("nosferatu", "A4", "en", ADDRESS), tmp_path)
    small = {
        word: (left + right) / 2
        for page, word, left, _, right, _ in words
        if page == 1 and word in FIELD.cells
    }
    down = {word: bottom for page, word, *_, bottom in words if page == 1 and word in FIELD.cells}
    large = [(page, word) for page, word, *_ in words if page > 2 and word in FIELD.cells]

    assert set(FIELD.cells) == set(small)
    assert sorted(FIELD.cells) == sorted(word for _, word in large)
    assert 25 == pytest.approx(small["b5"] - small["a4"], abs=0.05)
    assert 150 == pytest.approx(small["g7"] - small["a1"], abs=0.05)
    assert 6 * 25 * 3**0.5 / 2 == pytest.approx(down["d1"] - down["a4"], abs=0.05)
    first = {word: (left + right) / 2 for page, word, left, _, right, _ in words if page == 3}
    assert 60 == pytest.approx(first["b5"] - first["a4"], abs=0.05)


def test_nosferatus_board_is_drawn_true(tmp_path: Path) -> None:
    """As rasterised, the board is seven cells of 25 mm wide, and a large cell 60 mm."""
    (tmp_path / "kit.pdf").write_bytes(printed_kit("nosferatu", "Letter", "en", ADDRESS))
    looked = ["pdftoppm", "-r", "300", "-gray", "-f", "1", "-l", "3", "kit.pdf", "p"]
    subprocess.run(looked, cwd=tmp_path, check=True, timeout=120)
    board, _, cells = (raster(path) for path in sorted(tmp_path.glob("p-*.pgm")))
    mm = 300 / 25.4
    top = (279.4 - 240) / 2
    middle = round((top + 25 / 3**0.5 + 3 * 25 * 3**0.5 / 2) * mm)
    across = numpy.flatnonzero(board[middle] < 250)
    large = numpy.flatnonzero(cells[round((top + 60 / 3**0.5) * mm)] < 250)

    assert 7 * 25 == pytest.approx((across[-1] + 1 - across[0]) / mm, abs=0.5)
    assert 3 * 60 == pytest.approx((large[-1] + 1 - large[0]) / mm, abs=0.5)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", ["en", "ja", "nl"])
def test_nosferatus_kit_is_whole(paper: str, language: str, tmp_path: Path) -> None:
    """Six pages, no word within 6 mm of an edge, and none on another."""
    page = PAPERS[paper]
    words = words_on(printed_kit("nosferatu", paper, language, ADDRESS), tmp_path)
    outside = [
        w for w in words if min(w[2], w[3]) < 6 or w[4] > page.width - 6 or w[5] > page.height - 6
    ]
    rulers = [w[3] for w in words if w[0] == 1 and w[1] == "50"]
    rules = [w[5] for w in words if w[0] == 1 and w[2] > 20 and w[5] < page.height - 45]

    assert 6 == words[-1][0]
    assert [] == outside
    assert max(rules) < min(rulers) - 4


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", ["en", "ja", "nl"])
def test_no_text_is_cut_off(paper: str, language: str, tmp_path: Path) -> None:
    """Every word lies 6 mm inside the page, and on the page of cards none lies across a line that
    is cut.
    """
    page = PAPERS[paper]
    pdf = printed_kit("vampireradar", paper, language, ADDRESS)
    words = words_on(pdf, tmp_path)
    outside = [
        w for w in words if min(w[2], w[3]) < 6 or w[4] > page.width - 6 or w[5] > page.height - 6
    ]
    middle, top = page.width / 2, min(24.0, (page.height - 240) / 2)
    cards = [w for w in words if w[0] == 7 and top < w[3] < top + 240]

    assert 14 == words[-1][0]
    assert [] == outside
    assert [] == [w for w in cards if w[2] < middle - 1 < w[4] or w[2] < middle + 1 < w[4]]
    assert [] == [w for w in cards for line in (top + 120, top + 240) if w[3] < line < w[5] + 1]


def test_japanese_is_embedded_and_known(tmp_path: Path) -> None:
    """Each font can draw the letters of each language, the fonts are in the file, and the text can
    be searched.
    """
    missing = {
        (language, font, letter)
        for game in KITS
        for language, texts in read_printed(game).items()
        for key, words in texts.items()
        for font in (TEXT, DISPLAY, *([TITLE] if key in ("card.title", "nosferatu.title") else []))
        for letter in set(words)
        if not has_glyphs(font, letter)
    }
    pdf = printed_kit("vampireradar", "A4", "en", ADDRESS)
    text = " ".join(word for _, word, *_ in words_on(pdf, tmp_path))
    fonts = subprocess.run(
        ["pdffonts", tmp_path / "k.pdf"], check=True, capture_output=True, text=True, timeout=60
    )

    assert set() == missing
    assert "ヴァンパイアレーダー" in text
    assert {"yes"} == {line.split()[-5] for line in fonts.stdout.splitlines()[2:]}
