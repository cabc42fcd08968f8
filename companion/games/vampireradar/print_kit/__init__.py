"""The print kit, page by page."""

from __future__ import annotations

from functools import partial

from companion.core.capabilities import PrintCatalogues
from companion.games.vampireradar.print_kit.cards import card_page, front_page, pad_page
from companion.games.vampireradar.print_kit.pictures import picture_page
from companion.games.vampireradar.print_kit.pieces import frame_page, piece_page
from companion.games.vampireradar.print_kit.tiles import board_page, tile_page
from companion.games.vampireradar.print_kit.touch import KIND_SIGNS, touch_page
from companion.games.vampireradar.tiles import CATALOGUE
from companion.printing.layout import Page, Translate, draw_pages
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


def print_kit(
    paper: str,
    language: str,
    catalogues: PrintCatalogues,
    address: str | None,
    is_tactile: bool,
) -> bytes:
    """Return the kit, with a summary card in every language of `catalogues`.

    With `is_tactile` single tiles and the frame can be read by touch, and the last page says how,
    in the place of the boards, whose corners cannot be cut.
    """
    spoken: dict[str, Translate] = {name: texts.__getitem__ for name, texts in catalogues.items()}
    words = spoken[language]
    sheet = Sheet(PAPERS[paper], f"Vampire Radar: {words('kit.title')}", language)
    kinds = KIND_SIGNS[language] if is_tactile else None
    last = "touch.title" if is_tactile else "kit.boards"
    hint = words("touch.how" if is_tactile else "kit.hurry")
    front_page(sheet, words, [*CONTENTS, (last, 10)], hint)
    pages: list[Page] = [
        *(partial(tile_page, sheet, words, number, kinds) for number in range(3)),
        partial(piece_page, sheet, words, kinds),
        partial(frame_page, sheet, words, is_tactile),
        partial(card_page, sheet, words, spoken, address),
        partial(pad_page, sheet, words),
        partial(picture_page, sheet, words),
    ]
    if kinds is None:
        pages += [partial(board_page, sheet, words, number) for number in range(5)]
    else:
        first_of_kind = {tile.kind: tile for tile in reversed([*CATALOGUE.values()])}
        pages.append(partial(touch_page, sheet, words, kinds, [*first_of_kind.values()]))
    return draw_pages(sheet, words, 2, pages)
