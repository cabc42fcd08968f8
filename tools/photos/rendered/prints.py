"""The printed pieces as pictures: the pages of the real print kit, cut along their lines."""

from __future__ import annotations

import subprocess
from pathlib import Path

from PIL import Image

from companion.games.vampireradar.print_kit.pieces import (
    CAP_RADIUS,
    CORNER_CARD,
    TOKEN_RADIUS,
    piece_page,
)
from companion.games.vampireradar.print_kit.tiles import TILE, tile_page
from companion.games.vampireradar.tiles import CATALOGUE
from companion.printing.layout import origin
from companion.printing.page import PAPERS, Sheet
from companion.sensors.vision.codes import MARKED_PAWNS

DPI = 300
TILE_PAGES, TILES_A_PAGE = 3, 12


def cut_prints(folder: Path) -> None:
    """Write each tile, the corner card, each cap and a token of each kind as PNG, named by code,
    pawn and kind.
    """
    folder.mkdir(parents=True, exist_ok=True)
    sheet = Sheet(PAPERS["A4"], "kit", "en")
    for number in range(TILE_PAGES):
        tile_page(sheet, str, number, None)
        sheet.next_page()
    piece_page(sheet, str, None)
    (folder / "kit.pdf").write_bytes(sheet.finish())
    subprocess.run(["pdftoppm", "-r", str(DPI), "-png", "kit.pdf", "page"], cwd=folder, check=True)
    pages = [Image.open(page).convert("RGB") for page in sorted(folder.glob("page-*.png"))]
    left, top = origin(PAPERS["A4"])
    for index, tile in enumerate(CATALOGUE.values()):
        page, place = divmod(index, TILES_A_PAGE)
        x, y = left + place % 3 * TILE, top + place // 3 * TILE
        _cut(pages[page], x, y, TILE).save(folder / f"{tile.code}.png")
    _cut(pages[-1], left + 2 * TILE, top, TILE).save(folder / f"{CORNER_CARD}.png")
    for index, pawn in enumerate(MARKED_PAWNS):
        x, y = left + 15 + index % 6 * 30, top + 76 + index // 6 * 28
        cap = _cut(pages[-1], x - CAP_RADIUS, y - CAP_RADIUS, 2 * CAP_RADIUS)
        cap.save(folder / f"{pawn}.png")
    for kind, row in (("bullet", 0), ("bat", 2)):
        # The middle one of seven, or the one right of the middle of eight.
        x, y = left + (90 if kind == "bullet" else 101), top + 128 + 20 * row
        token = _cut(pages[-1], x - TOKEN_RADIUS, y - TOKEN_RADIUS, 2 * TOKEN_RADIUS)
        token.save(folder / f"{kind}.png")


def _cut(page: Image.Image, x: float, y: float, side: float) -> Image.Image:
    scale = DPI / 25.4
    box = [round(value * scale) for value in (x, y, x + side, y + side)]
    return page.crop((box[0], box[1], box[2], box[3]))
