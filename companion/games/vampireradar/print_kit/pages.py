"""The whole kit, page by page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from companion.games.vampireradar.print_kit.cards import card_page, front_page, pad_page
from companion.games.vampireradar.print_kit.pictures import picture_page
from companion.games.vampireradar.print_kit.pieces import frame_page, piece_page
from companion.games.vampireradar.print_kit.tiles import board_page, tile_page
from companion.games.vampireradar.print_kit.touch import KIND_SIGNS, touch_page
from companion.games.vampireradar.tiles import CATALOGUE
from companion.printing.layout import Translate, foot
from companion.printing.page import PAPERS, Sheet

CONTENTS = (
    ("kit.tiles", 2),
    ("kit.pieces", 5),
    ("kit.frame", 6),
    ("kit.cards", 7),
    ("pad.title", 8),
    ("kit.pictures", 9),
)
"""The page number of each part of the kit but the last."""


Page = Callable[[], None]


def print_kit(
    paper: str,
    language: str,
    catalogues: Mapping[str, Mapping[str, str]],
    address: str | None,
    is_tactile: bool,
) -> bytes:
    """Return the kit as a PDF on "A4" or "Letter" paper, in a language of the catalogues
    of printed texts.

    There is a summary card in every language of `catalogues`. The joining card shows `address`;
    without one it has room to write. With `is_tactile` single tiles and the frame can be read by
    touch, and the last page says how, in the place of the boards, whose corners cannot be cut.
    Raises KeyError for an unknown paper or language.
    """
    spoken: dict[str, Translate] = {name: texts.__getitem__ for name, texts in catalogues.items()}
    words = spoken[language]
    sheet = Sheet(PAPERS[paper], f"Vampire Radar: {words('kit.title')}", language)
    kinds = KIND_SIGNS[language] if is_tactile else None
    last = "touch.title" if is_tactile else "kit.boards"
    hint = words("touch.how" if is_tactile else "kit.hurry")
    front_page(sheet, words, [*CONTENTS, (last, 10)], hint)
    first_of_kind = {tile.kind: tile for tile in reversed([*CATALOGUE.values()])}
    ends: tuple[Page, ...] = (
        (partial(touch_page, sheet, words, kinds, [*first_of_kind.values()]),)
        if kinds is not None
        else tuple(partial(board_page, sheet, words, number) for number in range(5))
    )
    pages: tuple[Page, ...] = (
        *(partial(tile_page, sheet, words, number, kinds) for number in range(3)),
        partial(piece_page, sheet, words, kinds),
        partial(frame_page, sheet, words, is_tactile),
        partial(card_page, sheet, words, spoken, address),
        partial(pad_page, sheet, words),
        partial(picture_page, sheet, words),
        *ends,
    )
    for number, draw in enumerate(pages, start=2):
        sheet.next_page()
        foot(sheet, words, number)
        draw()
    return sheet.finish()
