"""Pawns, tokens, the corner card and the frame."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.vampireradar.layout import PARTS
from companion.games.vampireradar.print_kit.style import PAWN_STYLES, TILE_COLOURS
from companion.games.vampireradar.print_kit.tiles import CODE, TILE, WHITE, lay
from companion.games.vampireradar.print_kit.touch import CUT_CORNERS
from companion.games.vampireradar.tiles import CATALOGUE
from companion.printing.codes import PAWN_MARKS, TOKEN_MARKS, aruco_mark, tile_code
from companion.printing.layout import Translate, cut_box, cut_marks, head
from companion.printing.page import HAIR, INK, MUTED, Sheet, polar
from companion.printing.symbols import draw
from companion.printing.touch import HEIGHT, braille, draw_braille, draw_flat_sides, width

CORNER_CARD = "VRC00"
"""The text in the code of the card beside A1."""
CAP_RADIUS = 13.0
MARK = 9.0
"""Width of a pawn's ArUco mark: 1.5 mm a module."""
TOKEN_RADIUS, TOKEN_MARK = 9.5, 8.0
BULLETS, BATS = PARTS.tokens["bullet"], PARTS.tokens["bat"]
FLAT_SIDES = {kind: CUT_CORNERS[kind] for kind in PARTS.tokens}
"""Flat sides that are cut off a token: as many as corners of a tile with the same picture."""
STRIP = 18.0
"""Width of the frame."""
PALE, DARK = "#E7DDF2", "#2B2138"
_LETTERS = {"triangle": (5.4, 4.6), "square": (7.2, 3.1), "circle": (7.2, 3.1)}
"""Height and base line of the letter in a paper pawn's shape, in mm."""


def piece_page(sheet: Sheet, words: Translate, kinds: Mapping[str, str] | None) -> None:
    """Draw the last two tiles, the corner card, twelve caps, the tokens and twelve paper pawns."""
    x, y = head(sheet, words("kit.pieces"), words("kit.pieces.note"))
    lay(sheet, list(CATALOGUE.values())[36:], x, y, kinds)
    _corner_card(sheet, words, x + 2 * TILE, y)
    pawns = [f"{human}{letter}" for human in PAWN_STYLES for letter in "abcd"]
    for index, (pawn, mark) in enumerate(zip(pawns, PAWN_MARKS, strict=True)):
        _cap(sheet, x + 15 + index % 6 * 30, y + 76 + index // 6 * 28, pawn, mark)
        _paper_pawn(sheet, x + index * 15, y + 180, pawn)
    rows = (("bullet", BULLETS // 2), ("bullet", BULLETS // 2), ("bat", BATS))
    for row, (kind, count) in enumerate(rows):
        for column in range(count):
            left, down = x + 90 + (column - (count - 1) / 2) * 22, y + 128 + row * 20
            _token(sheet, left, down, kind)
            if kinds is not None:
                draw_flat_sides(sheet, left, down, TOKEN_RADIUS, FLAT_SIDES[kind])
    cut_marks(sheet, x, y, (0, 60, 120, 180), (0, 60, 180, 240))


def _corner_card(sheet: Sheet, words: Translate, x: float, y: float) -> None:
    sheet.box(x, y, TILE, TILE, fill=INK)
    sheet.box(x + 1.1, y + 1.1, TILE - 2.2, TILE - 2.2, line="#FFC020", thick=0.4, round=2.2)
    for corner in range(4):
        right, down = polar(33.2, 45 + 90 * corner)
        draw(sheet, "moon", x + 30 + right, y + 30 + down, 9, "#FFC020")
    sheet.box(x + 30 - WHITE / 2, y + 30 - WHITE / 2, WHITE, WHITE, fill="#FFFFFF")
    sheet.cells(x + 30 - CODE / 2, y + 30 - CODE / 2, CODE, tile_code(CORNER_CARD))
    sheet.label(x + 30, y + 11, "A1", 6.6, "#FFC020")
    sheet.text(x + 30, y + 54.4, words("kit.corner"), 3.0, ink="#F4EFE6", align="centre")
    cut_box(sheet, x, y, TILE, TILE)


def _cap(sheet: Sheet, x: float, y: float, pawn: str, mark: int) -> None:
    """Draw a cap for a pawn's top: its mark in the middle, its shape and letter twice around it."""
    side = PAWN_STYLES[pawn[:2]]
    sheet.disc(x, y, CAP_RADIUS, fill=side.colour, line=INK, thick=0.3)
    for quarter in range(4):
        with sheet.at(x, y, turn=90 * quarter):
            if quarter % 2:
                sheet.label(0, -7.5, pawn[2], 4.6, side.ink)
            else:
                draw(sheet, side.shape, 0, -9.5, 5.8, side.ink)
    _mark(sheet, x, y, MARK, mark)


def _mark(sheet: Sheet, x: float, y: float, side: float, mark: int) -> None:
    """Draw an ArUco mark on white."""
    white = side * 8 / 6
    sheet.box(x - white / 2, y - white / 2, white, white, fill="#FFFFFF", round=0.6)
    sheet.cells(x - side / 2, y - side / 2, side, aruco_mark(mark))


def _token(sheet: Sheet, x: float, y: float, kind: str) -> None:
    dress = TILE_COLOURS[kind]
    sheet.disc(x, y, TOKEN_RADIUS - 0.3, fill=dress.ground, line=dress.ink, thick=0.5)
    for quarter in range(4):
        with sheet.at(x, y, turn=90 * quarter):
            draw(sheet, kind, 0, -7.2, 3.6 if kind == "bat" else 3.2, dress.ink)
    _mark(sheet, x, y, TOKEN_MARK, TOKEN_MARKS[list(PARTS.tokens).index(kind)])


def _paper_pawn(sheet: Sheet, x: float, y: float, pawn: str) -> None:
    """Draw a strip of 15 × 60 mm that is folded to a standing pawn: flap, front, foot, back."""
    side = PAWN_STYLES[pawn[:2]]
    for top, turn in ((5.0, 0), (40.0, 180)):
        sheet.box(x, y + top, 15, 20, fill=side.colour)
        with sheet.at(x + 7.5, y + top + 10, turn=turn):
            draw(sheet, side.shape, 0, 0, 15.6, side.ink)
            size, base = _LETTERS[side.shape]
            sheet.label(0, base, pawn[2], size, side.colour)
    sheet.box(x, y + 25, 15, 15, fill=side.colour)
    draw(sheet, side.shape, x + 7.5, y + 32.5, 10, side.ink)
    for fold in (5, 25, 40):
        sheet.line(x, y + fold, x + 15, y + fold, ink=MUTED, thick=0.15, dash=(0.4, 0.8))
    cut_box(sheet, x, y, 15, 60)


def frame_page(sheet: Sheet, words: Translate, is_tactile: bool) -> None:
    """Draw the frame: eight strips of three tiles' length and four corners, with the
    coordinates, to read by touch too if `is_tactile`.
    """
    x, y = head(sheet, words("kit.frame"), words("kit.frame.note"))
    strips = [
        ("ABC", 0),
        ("DEF", 0),
        ("ABC", 0),
        ("DEF", 0),
        ("123", -90),
        ("456", -90),
        ("123", -90),
        ("456", -90),
    ]
    for index, (names, turn) in enumerate(strips):
        _strip(sheet, x, y + index * (STRIP + 1), names, turn, is_tactile)
    corners = y + 8 * (STRIP + 1) + 4
    for index in range(4):
        _frame_corner(sheet, x + index * (STRIP + 4), corners, index)
    _frame_picture(sheet, x + 112, corners - 1)
    sheet.paragraph(x, corners + 28, words("kit.frame.how"), 2.6, 98, ink=MUTED)


def _strip(sheet: Sheet, x: float, y: float, names: str, turn: int, is_tactile: bool) -> None:
    sheet.box(x, y, 180, STRIP, fill=PALE)
    for index, name in enumerate(names):
        middle = x + 30 + index * TILE
        with sheet.at(middle, y + STRIP / 2, turn=turn):
            sheet.label(0, 3.9, name, 7.8, DARK)
            if is_tactile:
                signs = braille(name.lower())
                # Beside a letter along its strip, below a number along its own.
                right, down = (-width(signs) / 2, 8.0) if turn else (8.0, -HEIGHT / 2)
                draw_braille(sheet, right, down, signs, PALE)
        for far in (-21, 21):
            draw(sheet, "blank", middle + far, y + STRIP / 2, 2.6, "#8E7DB0")
        if index:
            sheet.line(
                x + index * TILE, y + 2, x + index * TILE, y + STRIP - 2, ink="#8E7DB0", thick=0.3
            )
    cut_box(sheet, x, y, 180, STRIP)


def _frame_corner(sheet: Sheet, x: float, y: float, index: int) -> None:
    sheet.box(x, y, STRIP, STRIP, fill=PALE)
    sign, size = ("bat", 11) if index % 2 else ("moon", 9)
    draw(sheet, sign, x + STRIP / 2, y + STRIP / 2, size, DARK)
    cut_box(sheet, x, y, STRIP, STRIP)


def _frame_picture(sheet: Sheet, x: float, y: float) -> None:
    """Draw a small picture of the frame around the field, with the corner card."""
    step = 7.2
    left, top = x + 22, y + 9
    sheet.box(
        left - 3, top - 3, 6 * step + 6, 6 * step + 6, fill=PALE, line=DARK, thick=0.2, round=0.6
    )
    for row in range(6):
        down = top + row * step
        for column in range(6):
            right = left + column * step
            sheet.box(right, down, step, step, fill="#F8F4EB", line=HAIR, thick=0.15)
        sheet.label(left - 1.5, down + 4.3, str(row + 1), 1.6, DARK)
    for column, name in enumerate("ABCDEF"):
        sheet.label(left + (column + 0.5) * step, top - 0.8, name, 1.6, DARK)
    sheet.label(left + step / 2, top + 4.4, "A1", 1.9)
    sheet.box(left - 12, top, step, step, fill=INK, line="#FFC020", thick=0.3)
    sheet.label(left - 12 + step / 2, top + 4.3, "A1", 1.7, "#FFC020")
