"""The whole kits, page by page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from companion.printing.cards import card_page, front_page, pad_page
from companion.printing.hexagons import SENSED_PAGES, pawn_page, sensed_page, table_page
from companion.printing.layout import Words, foot
from companion.printing.page import PAPERS, Sheet
from companion.printing.pieces import frame_page, piece_page
from companion.printing.tiles import board_page, tile_page

CONTENTS = (
    ("kit.tiles", 2),
    ("kit.pieces", 5),
    ("kit.frame", 6),
    ("kit.cards", 7),
    ("pad.title", 8),
    ("kit.boards", 9),
)
"""What is on which page."""


Page = Callable[[], None]


def print_kit(
    paper: str, language: str, catalogues: Mapping[str, Mapping[str, str]], address: str | None
) -> bytes:
    """Return VampireRader's kit as a PDF on "A4" or "Letter" paper, in a language of the catalogues
    of printed texts.

    Summary cards are there in every language of `catalogues`. `address` is what the joining card
    says; without one it has room to write. Raises KeyError for a paper or language that there is
    none of.
    """
    spoken: dict[str, Words] = {name: texts.__getitem__ for name, texts in catalogues.items()}
    words = spoken[language]
    sheet = Sheet(PAPERS[paper], f"Vampire Radar: {words('kit.title')}", language)
    front_page(sheet, words, CONTENTS)
    pages: tuple[Page, ...] = (
        *(partial(tile_page, sheet, words, number) for number in range(3)),
        partial(piece_page, sheet, words),
        partial(frame_page, sheet, words),
        partial(card_page, sheet, words, spoken, address),
        partial(pad_page, sheet, words),
        *(partial(board_page, sheet, words, number) for number in range(5)),
    )
    for number, draw in enumerate(pages, start=2):
        sheet.next_page()
        foot(sheet, words, number)
        draw()
    return sheet.finish()


def print_hexagons(paper: str, language: str, catalogues: Mapping[str, Mapping[str, str]]) -> bytes:
    """Return Nosferatu's kit: the board with its rules, the pieces, and the cells for a sensor
    board.

    Raises KeyError for a paper or language that there is none of.
    """
    words: Words = catalogues[language].__getitem__
    sheet = Sheet(PAPERS[paper], f"{words('hex.title')}: {words('kit.title')}", language)
    pages: tuple[Page, ...] = (
        partial(table_page, sheet, words),
        partial(pawn_page, sheet, words),
        *(partial(sensed_page, sheet, words, number) for number in range(SENSED_PAGES)),
    )
    for number, draw in enumerate(pages, start=1):
        if number > 1:
            sheet.next_page()
        foot(sheet, words, number)
        draw()
    return sheet.finish()
