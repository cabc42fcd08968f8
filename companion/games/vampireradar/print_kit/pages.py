"""The whole kit, page by page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from companion.games.vampireradar.print_kit.cards import card_page, front_page, pad_page
from companion.games.vampireradar.print_kit.pictures import picture_page
from companion.games.vampireradar.print_kit.pieces import frame_page, piece_page
from companion.games.vampireradar.print_kit.tiles import board_page, tile_page
from companion.printing.layout import Translate, foot
from companion.printing.page import PAPERS, Sheet

CONTENTS = (
    ("kit.tiles", 2),
    ("kit.pieces", 5),
    ("kit.frame", 6),
    ("kit.cards", 7),
    ("pad.title", 8),
    ("kit.pictures", 9),
    ("kit.boards", 10),
)
"""The page number of each part of the kit."""


Page = Callable[[], None]


def print_kit(
    paper: str, language: str, catalogues: Mapping[str, Mapping[str, str]], address: str | None
) -> bytes:
    """Return the kit as a PDF on "A4" or "Letter" paper, in a language of the catalogues
    of printed texts.

    There is a summary card in every language of `catalogues`. The joining card shows `address`;
    without one it has room to write. Raises KeyError for an unknown paper or language.
    """
    spoken: dict[str, Translate] = {name: texts.__getitem__ for name, texts in catalogues.items()}
    words = spoken[language]
    sheet = Sheet(PAPERS[paper], f"Vampire Radar: {words('kit.title')}", language)
    front_page(sheet, words, CONTENTS)
    pages: tuple[Page, ...] = (
        *(partial(tile_page, sheet, words, number) for number in range(3)),
        partial(piece_page, sheet, words),
        partial(frame_page, sheet, words),
        partial(card_page, sheet, words, spoken, address),
        partial(pad_page, sheet, words),
        partial(picture_page, sheet, words),
        *(partial(board_page, sheet, words, number) for number in range(5)),
    )
    for number, draw in enumerate(pages, start=2):
        sheet.next_page()
        foot(sheet, words, number)
        draw()
    return sheet.finish()
