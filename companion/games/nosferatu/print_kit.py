"""The pages of the print kit: a board for the table, its pieces, and cells of 60 mm for the
hexagonal sensor board.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial

from companion.core.capabilities import PrintCatalogues
from companion.core.placement import Cell
from companion.games.nosferatu.options import DEAL, FIELD, LETTERS, VAMPIRES, VILLAGERS
from companion.printing.layout import GRID_WIDTH, Page, Translate, draw_pages, head
from companion.printing.page import HAIR, INK, MUTED, PAPERS, TITLE, Sheet, polar
from companion.printing.symbols import draw
from companion.printing.touch import (
    braille,
    draw_braille,
    draw_centred,
    draw_flat_sides,
    legend_line,
)

CELL = 25.0
"""Width of a cell of the board for the table, from flat side to flat side."""
SENSED = 60.0
"""Width of a cell that lies on a sensor board."""
PIECE = 19.0
"""Width of a piece; the cell's name stays visible above it."""
RULES = 7
SENSED_PAGES = 4
"""Ten cells a page."""
_DRESS = {
    "s": ("moon", "#8F1D2C", "#F4EFE6", INK),
    "x": ("bat", "#2B2138", "#FFC020", INK),
    "w": ("house", "#FFF0D2", "#7A4A00", "#7A4A00"),
}
"""Sign, ground, ink and edge of a piece, by its letter."""
FLAT_SIDES = {"s": 2, "x": 1, "w": 0}
"""Flat sides that are cut off a piece to be told by touch, by its letter."""
KIND_SIGNS: Mapping[str, Mapping[str, str]] = {
    "en": {"s": "no", "x": "va", "w": "vi"},
    "nl": {"s": "no", "x": "va", "w": "do"},
    "ja": {},
}
"""Two letters in braille for a piece, by language and its letter. Japanese braille has no Latin
letters of its own: there the flat sides alone tell the kind.
"""
_KINDS = {"s": "nosferatu", "x": "vampire", "w": "villager"}
_BRAILLE_BELOW = 3.4
"""Mm from a piece's middle to the middle of its braille."""
_NAME_BELOW = 18.0
"""Mm from a large cell's middle to the middle of its name in braille: below the piece."""
_GROUNDS = ("#F8F4EB", "#E7DDF2", "#DDF2F1")
"""Three grounds, so that adjacent cells differ."""


def hexagon(width: float) -> str:
    """Return the outline of a cell around the origin, a corner at the top."""
    corners = [polar(width / math.sqrt(3), 60 * corner) for corner in range(6)]
    return "M " + " L ".join(f"{x:.4f} {y:.4f}" for x, y in corners) + " Z"


def table_page(sheet: Sheet, words: Translate) -> None:
    """Draw the board of 37 cells and the rules below it."""
    x, y = head(sheet, words("nosferatu.title"), words("nosferatu.board.note"), font=TITLE)
    high = CELL * math.sqrt(3) / 2
    top = y + CELL / math.sqrt(3)
    for row, cells in enumerate(FIELD.rows):
        left = sheet.paper.width / 2 - (len(cells) - 1) / 2 * CELL
        for column, cell in enumerate(cells):
            _cell(sheet, left + column * CELL, top + row * high, CELL, cell)
    down = top + 6 * high + CELL / math.sqrt(3) + 9
    for number in range(1, RULES + 1):
        sheet.disc(x + 3, down - 1, 2.6, fill=INK)
        sheet.label(x + 3, down, str(number), 2, "#FFC020")
        down = (
            sheet.paragraph(
                x + 8, down, words(f"nosferatu.rule.{number}"), 2.4, GRID_WIDTH - 8, leading=1.6
            )
            + 1.6
        )
    sheet.paragraph(x + 8, down, words("card.usual"), 2, GRID_WIDTH - 8, ink=MUTED)


def _cell(sheet: Sheet, x: float, y: float, width: float, cell: Cell) -> None:
    letter, number = ord(cell[0]) - ord("a"), int(cell[1:])
    with sheet.at(x, y):
        ground = "#FFE9B0" if cell == FIELD.centre else _GROUNDS[(letter + number) % 3]
        sheet.shape(hexagon(width), fill=ground, line="#8E7DB0", thick=0.3)
    # The part above a piece that lies in the middle.
    sheet.label(x, y - width * 0.418, cell, width * 0.088)


def pawn_page(sheet: Sheet, words: Translate, kinds: Mapping[str, str] | None) -> None:
    """Draw Nosferatu, as many vampires as there can ever be, and the villagers; with `kinds`, the
    letters of their kinds in braille, to be read by touch.
    """
    x, y = head(sheet, words("nosferatu.pieces"), words("nosferatu.pieces.note"))
    men = len(DEAL[VILLAGERS])
    letters = (
        [LETTERS[pawn[0]] for pawn in DEAL[VAMPIRES]] + [LETTERS["v"]] * men + [LETTERS["m"]] * men
    )
    across, step = 6, 30.0
    for index, letter in enumerate(letters):
        _piece(
            sheet, x + (index % across + 0.5) * step, y + 12 + index // across * 24, letter, kinds
        )
    down = y + 12 + -(-len(letters) // across) * 24
    sheet.paragraph(x, down, words("nosferatu.pieces.how"), 2.9, GRID_WIDTH)


def _piece(sheet: Sheet, x: float, y: float, letter: str, kinds: Mapping[str, str] | None) -> None:
    sign, ground, ink, edge = _DRESS[letter]
    sheet.disc(x, y, PIECE / 2, fill=ground, line=HAIR, thick=0.2)
    if kinds is None:
        sheet.disc(x, y, PIECE / 2 - 1.3, line=ink if letter == "s" else edge, thick=0.5)
        draw(sheet, sign, x, y, PIECE * 0.64, ink)
        return
    # An edge would rise on swell paper and touch the dots.
    draw(sheet, sign, x, y - 3.8, PIECE * 0.34, ink)
    if letter in kinds:
        draw_centred(sheet, x, y + _BRAILLE_BELOW, braille(kinds[letter]))
    draw_flat_sides(sheet, x, y, PIECE / 2, FLAT_SIDES[letter])


def sensed_page(sheet: Sheet, words: Translate, number: int, is_tactile: bool) -> None:
    """Draw sheet `number` (from 0) of the large cells: ten per page, seven on the last one; with
    their names in braille if `is_tactile`.
    """
    x, y = head(sheet, words("nosferatu.cells"), words("nosferatu.cells.note"))
    radius, high = SENSED / math.sqrt(3), SENSED * math.sqrt(3) / 2
    for index, cell in enumerate(FIELD.cells[10 * number : 10 * number + 10]):
        # Rows of three and two in turn, as the cells lie.
        pair, rest = divmod(index, 5)
        row, column = 2 * pair + (rest > 2), rest % 3
        left = x + SENSED / 2 + column * SENSED + (SENSED / 2 if rest > 2 else 0)
        middle = y + radius + row * high
        _cell(sheet, left, middle, SENSED, cell)
        if is_tactile:
            name = braille(cell[0]) + braille(cell[1:])
            draw_centred(sheet, left, middle + _NAME_BELOW, name)
    if number == SENSED_PAGES - 1:
        sheet.paragraph(
            x, y + 3 * high + radius + 14, words("nosferatu.cells.how"), 2.9, GRID_WIDTH, ink=MUTED
        )


def touch_page(sheet: Sheet, words: Translate, kinds: Mapping[str, str]) -> None:
    """Draw what the flat sides and the braille mean."""
    x, y = head(sheet, words("touch.title"), words("touch.note"))
    y = sheet.paragraph(x, y + 4, words("touch.how"), 2.6, 176, ink=MUTED) + 14
    for letter, kind in _KINDS.items():
        _piece(sheet, x + 15, y, letter, kinds)
        name, cut = words(f"touch.{kind}"), words(f"touch.{kind}.cut")
        legend_line(sheet, x + 36, y - 2, name, cut, kinds.get(letter, ""))
        y += 28
    draw_braille(sheet, x + 6, y - 6, braille("d") + braille("4"), "#FFFFFF")
    sheet.text(x + 36, y - 1.6, f"d4: {words('touch.cell')}", 2.6)
    sheet.paragraph(x, y + 16, words("touch.raise"), 2.6, 176, ink=MUTED)


def print_kit(
    paper: str,
    language: str,
    catalogues: PrintCatalogues,
    address: str | None,
    is_tactile: bool,
) -> bytes:
    """Return the kit: the board with its rules, the pieces, and the cells for a sensor board; with
    `is_tactile` pieces and cells to be read by touch, and a page that says how.
    """
    words: Translate = catalogues[language].__getitem__
    sheet = Sheet(PAPERS[paper], f"{words('nosferatu.title')}: {words('kit.title')}", language)
    kinds = KIND_SIGNS[language] if is_tactile else None
    pages: list[Page] = [
        partial(table_page, sheet, words),
        partial(pawn_page, sheet, words, kinds),
        *(partial(sensed_page, sheet, words, number, is_tactile) for number in range(SENSED_PAGES)),
    ]
    if kinds is not None:
        pages.append(partial(touch_page, sheet, words, kinds))
    return draw_pages(sheet, words, 1, pages)
