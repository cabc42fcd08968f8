"""The rules in three pictures, and the vampire as a standing figure."""

from __future__ import annotations

from companion.core.grid import parse_cell
from companion.core.placement import Cell, Pawn
from companion.games.vampireradar.layout import HOUSE_FIELD, lay, wall_ends
from companion.games.vampireradar.options import TILE_NAMES
from companion.games.vampireradar.print_kit.style import PAWN_STYLES, TILE_COLOURS
from companion.games.vampireradar.rules import default_start
from companion.printing.layout import Translate, cut_box, head
from companion.printing.page import INK, MUTED, Sheet
from companion.printing.symbols import draw

SIDE = 56.0
"""Width of a picture's field."""
RED, FACE, BLACK, PALE = "#C4243F", "#F4EFE6", "#14101A", "#DCD2EA"
VAMPIRE = (
    (
        "M -14 -14 L -33 -30 C -40.3 -4.7 -37.7 17.3 -25 36 L -14 30 L 0 38 L 14 30 L 25 36 "
        "C 37.7 17.3 40.3 -4.7 33 -30 L 14 -14 Z",
        RED,
    ),
    (
        "M -15 -22 C -15 -32.7 -10 -38 0 -38 C 10 -38 15 -32.7 15 -22 C 13.7 -10 8.7 -2 0 2 "
        "C -8.7 -2 -13.7 -10 -15 -22 Z",
        FACE,
    ),
    (
        "M -15 -22 C -15 -34 -10 -40 0 -40 C 10 -40 15 -34 15 -22 L 8 -30 L 0 -22 L -8 -30 Z",
        BLACK,
    ),
    (
        "M -8 -20 L -3 -20 L -3 -16 L -8 -16 Z M 3 -20 L 8 -20 L 8 -16 L 3 -16 Z "
        "M -5 -8 L 5 -8 L 3 -3 L 1 -7 L -1 -7 L -3 -3 Z",
        BLACK,
    ),
)
"""The vampire as screens draw it: each shape, 80 high around the origin, and its ink."""
SHOOTER, LAST, HIT = Cell("A1"), Cell("D1"), Cell("C1")
"""A shot to the east in the first field, which ends at a wall."""
CALLER, CORNER, HIDDEN = Cell("A3"), Cell("D3"), Cell("D4")
"""A radar of 4 in the first field: across to the corner, then down."""
ACTOR = Pawn("H1a")
"""The pawn that calls the radar and shoots."""
STRIP, FLAP, FRONT, FOOT = 32.0, 8.0, 44.0, 24.0
"""The standing figure: width of its strip, and the height of each part between two folds."""


def picture_page(sheet: Sheet, words: Translate) -> None:
    """Draw the set-up, a radar and a shot in the first field, and the vampire to fold."""
    x, y = head(sheet, words("kit.pictures"), words("kit.pictures.note"))
    for index, (name, draw_picture) in enumerate(
        (("setup", _setup), ("radar", _radar), ("shot", _shot))
    ):
        left = x + index * (SIDE + 6)
        small_field(sheet, left, y, SIDE)
        draw_picture(sheet, left, y)
        sheet.paragraph(left, y + SIDE + 5, words(f"kit.picture.{name}"), 2.5, SIDE)
    _standing(sheet, x, y + 100)
    sheet.paragraph(x + STRIP + 10, y + 110, words("kit.standing"), 2.9, 100)


def small_field(sheet: Sheet, x: float, y: float, side: float) -> None:
    """Draw the first game's field `side` wide, its upper left corner at (x, y)."""
    step = side / 6
    field = lay(HOUSE_FIELD)
    for cell, letter in field.tile.items():
        column, row = parse_cell(cell)
        kind = TILE_NAMES[letter]
        left, top = x + column * step, y + row * step
        ground, inner = TILE_COLOURS[kind].ground, step - 0.6
        sheet.box(left + 0.3, top + 0.3, inner, inner, fill=ground, round=0.9)
        if kind != "wall":
            size = step * (0.23 if kind == "blank" else 0.55)
            draw(sheet, kind, left + step / 2, top + step / 2, size, TILE_COLOURS[kind].ink)
    for wall in sorted(field.grid.walls):
        x1, y1, x2, y2 = (end * step for point in wall_ends(wall) for end in point)
        sheet.line(x + x1, y + y1, x + x2, y + y2, ink=TILE_COLOURS["wall"].ink, thick=1.5)


def vampire(sheet: Sheet, x: float, y: float, height: float, turn: int = 0) -> None:
    """Draw the vampire around (x, y), turned clockwise."""
    with sheet.at(x, y, turn=turn, scale=height / 80):
        for shape, ink in VAMPIRE:
            sheet.shape(shape, fill=ink)


def _middle(cell: Cell, x: float, y: float) -> tuple[float, float]:
    """Return the middle of a tile of the field at (x, y)."""
    column, row = parse_cell(cell)
    return x + (column + 0.5) * SIDE / 6, y + (row + 0.5) * SIDE / 6


def _pawn(sheet: Sheet, pawn: Pawn, x: float, y: float, size: float) -> None:
    side = PAWN_STYLES[pawn[:2]]
    draw(sheet, side.shape, x, y, size * 1.25, INK)
    draw(sheet, side.shape, x, y, size, side.colour)
    sheet.label(x, y + size * 0.22, pawn[2], size * 0.42, side.ink)


def _setup(sheet: Sheet, x: float, y: float) -> None:
    placed: dict[Cell, list[Pawn]] = {}
    for pawn, cell in default_start(3, 4).items():
        placed.setdefault(cell, []).append(pawn)
    for cell, pawns in placed.items():
        right, down = _middle(cell, x, y)
        for index, pawn in enumerate(pawns):
            _pawn(sheet, pawn, right + (index - (len(pawns) - 1) / 2) * 4.4, down, 4)


def _radar(sheet: Sheet, x: float, y: float) -> None:
    (left, top), (corner, _), (_, bottom) = (
        _middle(cell, x, y) for cell in (CALLER, CORNER, HIDDEN)
    )
    ink = TILE_COLOURS["radar"].ink
    sheet.line(left, top, corner, top, ink=ink, thick=1)
    sheet.line(corner, top, corner, bottom, ink=ink, thick=1)
    _pawn(sheet, ACTOR, left, top, 6.4)
    vampire(sheet, corner, bottom, 8.4)
    for number in (1, 2, 3):
        _count(sheet, left + number * SIDE / 6, top, number)
    _count(sheet, corner + 3.6, bottom - 3.6, 4)


def _count(sheet: Sheet, x: float, y: float, number: int) -> None:
    sheet.disc(x, y, 2.1, fill=TILE_COLOURS["radar"].ink)
    sheet.label(x, y + 0.95, str(number), 2.6, "#FFFFFF")


def _shot(sheet: Sheet, x: float, y: float) -> None:
    left, top = _middle(SHOOTER, x, y)
    right = _middle(LAST, x, y)[0] + SIDE / 12 - 0.8
    vampire(sheet, *_middle(HIT, x, y), 8.4)
    sheet.line(left, top, right, top, ink=TILE_COLOURS["bullet"].ink, thick=1.1, dash=(2, 1.2))
    sheet.line(right, top - 3, right, top + 3, ink=TILE_COLOURS["bullet"].ink, thick=1.3)
    _pawn(sheet, ACTOR, left, top, 6.4)


def _standing(sheet: Sheet, x: float, y: float) -> None:
    """Draw a strip that is folded to a standing vampire: flap, front, foot, back."""
    middle = x + STRIP / 2
    back = y + FLAP + FRONT + FOOT
    for top, turn in ((y + FLAP, 0), (back, 180)):
        sheet.box(x, top, STRIP, FRONT, fill=PALE)
        vampire(sheet, middle, top + FRONT / 2, FRONT - 10, turn)
    sheet.box(x, y + FLAP + FRONT, STRIP, FOOT, fill=RED)
    for fold in (y + FLAP, y + FLAP + FRONT, back):
        sheet.line(x, fold, x + STRIP, fold, ink=MUTED, thick=0.2, dash=(0.6, 1))
    cut_box(sheet, x, y, STRIP, FLAP + 2 * FRONT + FOOT)
