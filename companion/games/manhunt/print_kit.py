"""The pages of the print kit: each map as a poster over several sheets, the pawns, and a pad for a
fugitive who plays on paper.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from companion.core.capabilities import PrintCatalogues
from companion.games.manhunt.drawing import (
    HOUSE,
    INKS,
    STROKES,
    Disc,
    Drawn,
    Label,
    Lines,
    Shape,
    looks,
    map_shapes,
)
from companion.games.manhunt.map_file import MapFile
from companion.games.manhunt.rules import own_maps
from companion.printing.layout import (
    GRID_HEIGHT,
    Page,
    Translate,
    cut_box,
    draw_pages,
    head,
    origin,
)
from companion.printing.page import DISPLAY, HAIR, INK, MUTED, PAPERS, TEXT, TITLE, Sheet
from companion.printing.symbols import draw
from companion.printing.touch import braille, draw_centred, legend_line

PAWN = 25.0
"""The least distance between the middles of two places on paper, in mm: room for a pawn."""
WIDTH, HEIGHT = 186.0, float(GRID_HEIGHT)
"""The part of a sheet that shows the map, in mm."""
OVERLAP = 12.0
"""The overlap of neighbouring sheets, in mm."""
HUNTER_INKS = ("#2456B8", "#2F7A4D", "#C78A00", "#7A3E9D", "#1B7F8C")
SIGNS = ("circle", "square", "triangle", "house", "blank")
"""Each hunter's pawn has its own colour and sign."""
PAWN_WIDTH, PAWN_HEIGHT, PAWN_FOOT = 18.0, 32.0, 9.0
_CUT = 5.0
"""Mm that each upper corner of the tactile fugitive loses."""
_NUMBER_BELOW = 11.4
"""Mm from the middle of a pawn's side to that of its number in braille: below its sign."""
PAD_ROUNDS, PAD_COLUMNS, PAD_NIGHTS = 24, 2, 2
"""The rounds of a night on the pad, their columns, and the nights of a page."""


class Poster(NamedTuple):
    """The layout of a map on sheets: mm of paper per unit, and sheets across and down."""

    scale: float
    across: int
    down: int

    @property
    def sheets(self) -> int:
        """The number of sheets."""
        return self.across * self.down


def _extent(sheets: int, size: float) -> float:
    """Return the total length of overlapping sheets."""
    return size + (sheets - 1) * (size - OVERLAP)


def poster(content: MapFile) -> Poster:
    """Return the smallest poster on which no two places are closer than a pawn, at the largest
    scale that fits its sheets.
    """
    places = content.places
    closest = min(
        math.dist((one.x, one.y), (other.x, other.y))
        for index, one in enumerate(places)
        for other in places[:index]
    )
    least = PAWN / max(closest, 1)
    wide, high = content.size.width * least, content.size.height * least
    across = max(1, math.ceil((wide - OVERLAP) / (WIDTH - OVERLAP)))
    down = max(1, math.ceil((high - OVERLAP) / (HEIGHT - OVERLAP)))
    scale = min(
        _extent(across, WIDTH) / content.size.width, _extent(down, HEIGHT) / content.size.height
    )
    return Poster(scale, across, down)


def sheet_name(column: int, row: int) -> str:
    """Return a sheet's name: A1 is the upper left one."""
    return f"{chr(ord('A') + column)}{row + 1}"


def poster_page(
    sheet: Sheet, words: Translate, content: MapFile, plan: Poster, column: int, row: int
) -> None:
    """Draw one sheet of a poster, with marks for laying the next sheets over it."""
    x, y = origin(sheet.paper, WIDTH)
    name = sheet_name(column, row)
    head(sheet, f"{content.title} · {name}", words("map.poster.note"))
    left, top = column * (WIDTH - OVERLAP), row * (HEIGHT - OVERLAP)
    high = min(HEIGHT, content.size.height * plan.scale - top)
    wide = min(WIDTH, content.size.width * plan.scale - left)
    with sheet.clipped(x, y, wide, high):
        sheet.box(x, y, wide, high, fill=INKS["ground"])
        with sheet.at(x - left, y - top, scale=plan.scale):
            for shape in map_shapes(content):
                draw_shape(sheet, shape)
    sheet.box(x, y, wide, high, line=HAIR, thick=0.15)
    if column + 1 < plan.across:
        over = x + WIDTH - OVERLAP
        sheet.line(over, y, over, y + high, ink=MUTED, thick=0.2, dash=(1.6, 1.2))
        _overlap_note(sheet, words, x + WIDTH + 3.2, y + high / 2, column + 1, row, 90)
    if row + 1 < plan.down:
        over = y + HEIGHT - OVERLAP
        sheet.line(x, over, x + wide, over, ink=MUTED, thick=0.2, dash=(1.6, 1.2))
        _overlap_note(sheet, words, x + wide / 2, y + HEIGHT + 3.6, column, row + 1, 0)
    _crosses(sheet, x, y, plan, column, row)


def _overlap_note(
    sheet: Sheet, words: Translate, x: float, y: float, column: int, row: int, turn: float
) -> None:
    note = words("map.poster.over").replace("{sheet}", sheet_name(column, row))
    sheet.text(x, y, note, 1.9, ink=MUTED, align="centre", turn=turn)


def _crosses(sheet: Sheet, x: float, y: float, plan: Poster, column: int, row: int) -> None:
    """Draw crosses in the middle of each overlap; those of neighbouring sheets coincide."""
    rights = [OVERLAP / 2] * (column > 0) + [WIDTH - OVERLAP / 2] * (column + 1 < plan.across)
    downs = [OVERLAP / 2] * (row > 0) + [HEIGHT - OVERLAP / 2] * (row + 1 < plan.down)
    crosses = [(right, down) for right in rights for down in (20.0, 70.0, *downs)]
    crosses += [(right, down) for down in downs for right in (WIDTH / 4, WIDTH * 3 / 4)]
    for right, down in crosses:
        sheet.line(x + right - 3, y + down, x + right + 3, y + down, thick=0.2)
        sheet.line(x + right, y + down - 3, x + right, y + down + 3, thick=0.2)


def draw_shape(sheet: Sheet, shape: Drawn) -> None:
    """Draw a shape of a map around the origin, in the map's units."""
    ink = INKS[shape.ink]
    match shape:
        case Lines(_, width, dash, lines):
            for line in lines:
                sheet.line(*line, ink=ink, thick=width, dash=dash)
        case Disc(_, x, y, radius, thick):
            if thick:
                sheet.disc(x, y, radius, line=ink, thick=thick)
            else:
                sheet.disc(x, y, radius, fill=ink)
        case Shape(_, points):
            sheet.shape("M " + " L ".join(f"{x} {y}" for x, y in points) + " Z", fill=ink)
        case Label(kind, x, y, size, text):
            font = TEXT if kind == "name" else DISPLAY
            if kind == "name":
                wide = len(text) * size * 0.85
                sheet.box(
                    x - wide / 2,
                    y - size * 1.25,
                    wide,
                    size * 1.6,
                    fill=INKS["ground"],
                    round=size / 2,
                )
            sheet.text(x, y, text, size, font=font, ink=ink, align="centre")


def legend_page(
    sheet: Sheet, words: Translate, maps: Sequence[tuple[MapFile, Poster]], first: int
) -> None:
    """Draw the front page: how to join the sheets, the meaning of the lines, and the maps."""
    x, y = head(sheet, "Manhunt", words("map.kit.note"), font=TITLE)
    down = y + 4
    for number in range(1, 5):
        sheet.disc(x + 3, down - 1, 2.8, fill=INK)
        sheet.label(x + 3, down + 0.1, str(number), 2.2, "#FFC020")
        down = sheet.paragraph(x + 9, down, words(f"map.kit.step.{number}"), 2.7, 165) + 3
    for content, plan in maps:
        down = _map_legend(sheet, words, content, plan, first, x, down + 4)
        first += plan.sheets
    down += 6
    sheet.text(x, down, words("map.signs"), 3, font=DISPLAY)
    for index, (key, shapes) in enumerate(_SIGNS.items()):
        with sheet.at(x + 8 + index % 2 * 90, down + 8 + index // 2 * 11, scale=20):
            for shape in shapes:
                draw_shape(sheet, shape)
        left = x + 18 + index % 2 * 90
        sheet.paragraph(left, down + 9 + index // 2 * 11, words(key), 2.3, 68)


_SIGNS: Mapping[str, tuple[Drawn, ...]] = {
    "map.sign.hunter": (Disc("hunter", 0, 0, 0.2, 0.06),),
    "map.sign.fugitive": (Disc("fugitive", 0, 0, 0.2, 0.06),),
    "map.sign.hideout": (
        Shape("fugitive", tuple((0.2 * x, 0.2 * y) for x, y in HOUSE)),
    ),
    "map.sign.target": (Shape("target", ((0.18, 0), (0, 0.18), (-0.18, 0), (0, -0.18))),),
    "map.sign.only": (
        Lines("earth", 0.08, (0.06, 0.09), ((-0.3, 0, 0.3, 0),)),
        Shape("fugitive", ((0.1, 0), (0, 0.1), (-0.1, 0), (0, -0.1))),
    ),
    "map.sign.one_way": (
        Lines("way", 0.08, (), ((-0.3, 0, 0.3, 0),)),
        Shape("arrow", ((0.16, 0), (-0.1, 0.12), (-0.1, -0.12))),
    ),
}  # fmt: skip
"""The meaning of a map's signs, each drawn around the origin in a unit of 20 mm."""


def _map_legend(
    sheet: Sheet, words: Translate, content: MapFile, plan: Poster, first: int, x: float, y: float
) -> float:
    sheet.text(x, y, content.title, 3.2, font=DISPLAY)
    facts = (
        words("map.kit.facts")
        .replace("{places}", str(len(content.places)))
        .replace("{first}", str(first))
        .replace("{last}", str(first + plan.sheets - 1))
        .replace("{wide}", str(round(content.size.width * plan.scale)))
        .replace("{high}", str(round(content.size.height * plan.scale)))
    )
    sheet.text(x, y + 5.5, facts, 2.2, ink=MUTED)
    for index, (kind, look) in enumerate(looks(content.ways).items()):
        left, down = x + index % 3 * 60, y + 12 + index // 3 * 7
        for ink, width, dash in STROKES[look]:
            sheet.line(
                left,
                down,
                left + 16,
                down,
                ink=INKS[ink],
                thick=width * 22,
                dash=[part * 22 for part in dash],
            )
        sheet.text(left + 20, down + 1, kind_words(words, kind), 2.4)
    return y + 20 + (len(looks(content.ways)) - 1) // 3 * 7


def kind_words(words: Translate, kind: str) -> str:
    """Return the name of a kind of way: translated for our maps, as in the file for others."""
    try:
        return words(f"map.kind.{kind}")
    except KeyError:
        return kind


def pawn_page(sheet: Sheet, words: Translate, is_tactile: bool) -> None:
    """Draw the pawns: five hunters and the fugitive, folded to stand, and a spare of each. If
    `is_tactile`, hunters have their numbers in braille, and the fugitive has cut corners.
    """
    x, y = head(sheet, words("map.pawns"), words("map.pawns.note"))
    pawns = [*zip(HUNTER_INKS, SIGNS, strict=True), (INKS["fugitive"], "moon")]
    for index, (ink, sign) in enumerate(pawns * 2):
        left = x + index % 6 * 30 + (30 - PAWN_WIDTH) / 2
        top = y + index // 6 * (2 * PAWN_HEIGHT + 2 * PAWN_FOOT + 8)
        _pawn(sheet, left, top, ink, sign)
        if is_tactile:
            _pawn_signs(sheet, left, top, index % 6 + 1)
    down = y + 2 * (2 * PAWN_HEIGHT + 2 * PAWN_FOOT + 8) + 6
    sheet.paragraph(x, down, words("map.pawns.how"), 2.7, 178)


def _pawn(sheet: Sheet, x: float, y: float, ink: str, sign: str) -> None:
    """Draw a strip that is folded to a standing pawn: foot, back, front, foot."""
    middle = x + PAWN_WIDTH / 2
    fold, end = y + PAWN_FOOT + PAWN_HEIGHT, y + 2 * PAWN_FOOT + 2 * PAWN_HEIGHT
    for centre, turn in ((fold - PAWN_HEIGHT / 2, 180), (fold + PAWN_HEIGHT / 2, 0)):
        sheet.box(x, centre - PAWN_HEIGHT / 2, PAWN_WIDTH, PAWN_HEIGHT, fill=ink)
        with sheet.at(middle, centre, turn=turn):
            sheet.disc(0, -2, 8.2, fill="#FFFFFF")
            draw(sheet, sign, 0, -2, 12, ink)
    for line in (y + PAWN_FOOT, fold, end - PAWN_FOOT):
        sheet.line(x, line, x + PAWN_WIDTH, line, ink=MUTED, thick=0.2, dash=(0.6, 1))
    cut_box(sheet, x, y, PAWN_WIDTH, end - y)


def _pawn_signs(sheet: Sheet, x: float, y: float, number: int) -> None:
    """Draw a hunter's number in braille below both signs of a pawn; of the last pawn, the
    fugitive, what is cut off both upper corners.
    """
    fold = y + PAWN_FOOT + PAWN_HEIGHT
    if number > len(SIGNS):
        for side in (x, x + PAWN_WIDTH):
            inner = _CUT if side == x else -_CUT
            with sheet.at(side, fold):
                sheet.shape(
                    f"M 0 {-_CUT} L {inner} 0 L 0 {_CUT} Z", fill="#FFFFFF", line=INK, thick=0.3
                )
        return
    for centre, turn in ((fold - PAWN_HEIGHT / 2, 180), (fold + PAWN_HEIGHT / 2, 0)):
        with sheet.at(x + PAWN_WIDTH / 2, centre, turn=turn):
            draw_centred(sheet, 0, _NUMBER_BELOW, braille(str(number)))


def touch_page(sheet: Sheet, words: Translate) -> None:
    """Draw what the numbers in braille and the cut corners mean."""
    x, y = head(sheet, words("touch.title"), words("touch.note"))
    y = sheet.paragraph(x, y + 4, words("touch.how"), 2.6, 176, ink=MUTED) + 6
    for number, sign in enumerate(SIGNS, start=1):
        sheet.disc(x + 15, y + 4, 8.2, line=HAIR)
        draw(sheet, sign, x + 15, y + 4, 12, HUNTER_INKS[number - 1])
        name = words("touch.hunter").replace("{number}", str(number))
        legend_line(sheet, x + 36, y + 2, name, words("touch.hunter.sign"), str(number))
        y += 22
    with sheet.at(x + 15 - PAWN_WIDTH / 2, y - 2):
        outline = (
            f"M {_CUT} 0 L {PAWN_WIDTH - _CUT} 0 L {PAWN_WIDTH} {_CUT} L {PAWN_WIDTH} 24 L 0 24"
        )
        sheet.shape(f"{outline} L 0 {_CUT} Z", line=INK, thick=0.3)
    legend_line(sheet, x + 36, y + 6, words("touch.fugitive"), words("touch.fugitive.cut"))
    y = sheet.paragraph(x, y + 36, words("touch.map"), 2.6, 176) + 2
    sheet.paragraph(x, y, words("touch.raise"), 2.6, 176, ink=MUTED)


def pad_page(sheet: Sheet, words: Translate) -> None:
    """Draw the fugitive's pad: nights with a line for the start and for each round."""
    x, y = head(sheet, words("pad.title"), words("pad.how"))
    for number in range(PAD_NIGHTS):
        _pad_night(sheet, words, x, y + number * GRID_HEIGHT / PAD_NIGHTS)


def _pad_night(sheet: Sheet, words: Translate, x: float, y: float) -> None:
    sheet.text(x, y + 6, words("pad.night"), 2.8, font=DISPLAY)
    sheet.line(x + 18, y + 6.6, x + 40, y + 6.6, ink=HAIR)
    sheet.text(x + 50, y + 6, words("pad.start"), 2.8, font=DISPLAY)
    sheet.line(x + 72, y + 6.6, x + 110, y + 6.6, ink=HAIR)
    rows = PAD_ROUNDS // PAD_COLUMNS
    for index in range(PAD_ROUNDS):
        left, down = x + index // rows * 94, y + 15 + index % rows * 8.2
        sheet.text(left + 5, down, str(index + 1), 2.4, font=DISPLAY, align="right")
        sheet.line(left + 8, down + 0.6, left + 56, down + 0.6, ink=HAIR)
        sheet.line(left + 60, down + 0.6, left + 86, down + 0.6, ink=HAIR)
    for column in range(PAD_COLUMNS):
        left = x + column * 94
        sheet.text(left + 8, y + 10.4, words("pad.path"), 1.9, ink=MUTED)
        sheet.text(left + 60, y + 10.4, words("pad.told"), 1.9, ink=MUTED)


def print_kit(
    paper: str,
    language: str,
    catalogues: PrintCatalogues,
    address: str | None,
    is_tactile: bool,
) -> bytes:
    """Return the kit: the front page, the sheets of each of our maps, the pawns and the pad; with
    `is_tactile` pawns to be told by touch, and a page that says how.
    """
    words: Translate = catalogues[language].__getitem__
    sheet = Sheet(PAPERS[paper], f"{words('map.kit')}: {words('kit.title')}", language)
    plans = [(content, poster(content)) for content in own_maps()]
    pages: list[Page] = [
        partial(legend_page, sheet, words, plans, 2),
        *(
            partial(poster_page, sheet, words, content, plan, column, row)
            for content, plan in plans
            for row in range(plan.down)
            for column in range(plan.across)
        ),
        partial(pawn_page, sheet, words, is_tactile),
        partial(pad_page, sheet, words),
    ]
    if is_tactile:
        pages.append(partial(touch_page, sheet, words))
    return draw_pages(sheet, words, 1, pages)
