"""The face of a tile, and the sheets of single tiles and of the nine 2×2 boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.placement import Cell, Tile
from companion.games.vampireradar.layout import HOUSE_FIELD
from companion.games.vampireradar.print_kit.style import TILE_COLOURS, TileColours
from companion.games.vampireradar.print_kit.touch import draw_cuts, draw_signs
from companion.games.vampireradar.tiles import CATALOGUE, Printed, tiles_of_layout
from companion.printing.codes import tile_code
from companion.printing.layout import Translate, cut_box, cut_marks, head, origin
from companion.printing.page import HAIR, INK, MUTED, Sheet
from companion.printing.symbols import diamond

TILE = 60.0
CODE = 30.0
"""Mm. A pawn at a tile's corner may leave a smaller code bare, and a camera takes the tile for an
empty one.
"""
WHITE = CODE * 29 / 21 + 0.6
"""The white square around a code: four modules of quiet on each side, and what ink spreads."""
REACH = 28.0
"""Mm from a tile's middle to the end of its picture: beyond it, only a wall is dark."""
WALL = 6.0
"""Height of a wall: two courses of bricks."""
BRICK, JOINT = 12.0, 0.8
_EDGES = {"N": 0, "E": 90, "S": 180, "W": 270}
_BAT = (
    "M 0 -3.2 L 1.5 -5.5 L 2.9 -2.7 C 4.2 -1.7 5.4 -1.5 6.6 -1.7 C 9.4 -4.8 15.4 -6.2 24 -5 C "
    "21.4 -3.2 20.6 -0.4 21.4 3.4 C 18.6 1 15.4 1.4 13.6 4.6 C 11.2 1.8 7.6 2 5.6 4.8 C 4.2 3.4 "
    "2.6 3.4 1.5 4.4 L 0 5.9 L -1.5 4.4 C -2.6 3.4 -4.2 3.4 -5.6 4.8 C -7.6 2 -11.2 1.8 -13.6 4.6 "
    "C -15.4 1.4 -18.6 1 -21.4 3.4 C -20.6 -0.4 -21.4 -3.2 -24 -5 C -15.4 -6.2 -9.4 -4.8 -6.6 "
    "-1.7 C -5.4 -1.5 -4.2 -1.7 -2.9 -2.7 L -1.5 -5.5 L 0 -3.2 Z"
)
_BULLET = (
    "M -4.6 21.4 L 4.6 21.4 L 4.6 25 L -4.6 25 Z M -3.7 19.2 L -3.7 17 L 3.7 17 "
    "L 3.7 19.2 Z M -4.6 14.8 L -4.6 -7 C -4.6 -15.6 -2.4 -22.4 0 -26 C 2.4 -22.4 4.6 -15.6 "
    "4.6 -7 L 4.6 14.8 Z"
)
"""One of two bullets beside the code; above, one of two bats. Both are scaled when drawn."""
_BESIDE = (WHITE / 2 + REACH) / 2
"""Mm from a tile's middle to that of a picture beside the code."""
_BAT_SCALE, _BULLET_SCALE = 0.58, 0.76
"""They fill the room between the white and the end of the picture."""
_RINGS = {19: 3.6, 27: 3.2, 35: 2.2, 43: 1.4}
"""The nested diamonds of a radar: mm from the middle to a corner, and how thick."""
_PAVING = (
    "M -30 -11.5 L -5.7 -11.5 M -5.7 -30 L -5.7 0.6 M -5.7 0.6 L 30 0.6 M 13.4 -30 L 13.4 0.6 "
    "M -19.8 -30 L -19.8 10.2 M -30 10.2 L 4.5 10.2 M 4.5 0.6 L 4.5 30 M 4.5 19 L 30 19 "
    "M -10.9 10.2 L -10.9 30 M 22.6 0.6 L 22.6 30 M 13.4 -18 L 30 -18 M -30 21.5 L -10.9 21.5"
)
"""The joints of paving stones."""
_PLATE = (15.0, 7.4)
"""Width and height of the plate with a tile's number and code."""
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")


def face(
    sheet: Sheet,
    tile: Printed,
    x: float,
    y: float,
    turn: int = 0,
    kinds: Mapping[str, str] | None = None,
) -> None:
    """Draw a tile with its upper left corner at (x, y), turned clockwise; with `kinds`, the letters
    of kinds of tiles, also its braille.
    """
    look = TILE_COLOURS[tile.kind]
    half = TILE / 2
    with sheet.at(x + half, y + half, turn=turn):
        sheet.box(-half, -half, TILE, TILE, fill=look.ground)
        match tile.kind:
            case "bat":
                for side in (-1, 1):
                    with sheet.at(side * _BESIDE, 0, turn=90 * side, scale=_BAT_SCALE):
                        sheet.shape(_BAT, fill=look.ink)
            case "radar":
                with sheet.clipped(-REACH, -REACH, 2 * REACH, 2 * REACH):
                    for reach, thick in _RINGS.items():
                        sheet.shape(diamond(reach), line=look.ink, thick=thick)
            case "bullet":
                for side in (-1, 1):
                    with sheet.at(side * _BESIDE, 0, scale=_BULLET_SCALE):
                        sheet.shape(_BULLET, fill=look.ink)
            case "blank" | "wall":
                with sheet.clipped(-half, -half, TILE, TILE):
                    sheet.shape(_PAVING, line=TILE_COLOURS["blank"].ink, thick=0.9)
        sheet.box(-WHITE / 2, -WHITE / 2, WHITE, WHITE, fill="#FFFFFF")
        sheet.cells(-CODE / 2, -CODE / 2, CODE, tile_code(tile.code))
        if tile.wall:
            with sheet.at(0, 0, turn=_EDGES[tile.wall]):
                _wall(sheet, half, look.ink)
        has_wall_above = tile.wall == "N"
        _notch(sheet, -half + (WALL if has_wall_above else 0.9), look.ground, has_wall_above)
        _plate(sheet, tile, half - (WALL if tile.wall == "S" else 1.2), look)
        if kinds is not None:
            draw_signs(sheet, tile, kinds)


def _notch(sheet: Sheet, top: float, ground: str, is_below_wall: bool) -> None:
    """Draw the sign at a tile's upper edge; below a wall it is smaller, to leave the white."""
    with sheet.at(0, top, scale=0.75 if is_below_wall else 1):
        sheet.shape("M 0 -0.8 L 4.6 4.4 L -4.6 4.4 Z", fill=ground)
        sheet.shape("M 0 0.4 L 3 3.8 L -3 3.8 Z", fill=INK)


def _plate(sheet: Sheet, tile: Printed, bottom: float, look: TileColours) -> None:
    """Draw the plate with a tile's number and, for people with a keyboard, its code."""
    width, height = _PLATE
    sheet.box(-width / 2, bottom - height, width, height, fill=look.ground, round=1.5)
    sheet.label(0, bottom - 3.0, str(tile.number), 3.8, look.ink)
    sheet.text(0, bottom - 0.9, tile.code, 1.5, ink=look.ink, align="centre")


def _wall(sheet: Sheet, half: float, ink: str) -> None:
    """Draw a wall of bricks along the upper edge."""
    sheet.box(-half, -half, TILE, WALL, fill=ink)
    course = WALL / 2
    for row in range(2):
        for number in range(-1, 6):
            left = -half + number * BRICK + (BRICK / 2 if row else 0)
            right = min(left + BRICK - JOINT, half - JOINT / 2)
            left = max(left, -half + JOINT / 2)
            if right > left:
                top = -half + row * course + JOINT / 2
                sheet.box(left, top, right - left, course - JOINT, fill="#A9A4AF", round=0.4)


def tile_page(sheet: Sheet, words: Translate, number: int, kinds: Mapping[str, str] | None) -> None:
    """Draw the sheet of tiles `number`, from 0: twelve a page.

    The last two tiles share a page with the pieces.
    """
    x, y = head(sheet, words("kit.tiles"), words("kit.tiles.note"))
    lay(sheet, list(CATALOGUE.values())[12 * number : 12 * number + 12], x, y, kinds)
    cut_marks(sheet, x, y, (0, 60, 120, 180), (0, 60, 120, 180, 240))


def lay(
    sheet: Sheet, tiles: Sequence[Printed], x: float, y: float, kinds: Mapping[str, str] | None
) -> None:
    """Draw tiles in rows of three, with the lines to cut along; with `kinds` as tiles to read by
    touch.
    """
    for index, tile in enumerate(tiles):
        left, top = x + index % 3 * TILE, y + index // 3 * TILE
        face(sheet, tile, left, top, kinds=kinds)
        if kinds is not None:
            draw_cuts(sheet, tile, left, top)
        cut_box(sheet, left, top, TILE, TILE)


def boards() -> list[dict[tuple[int, int], Tile]]:
    """Return the nine 2×2 boards, tiles by column and row; laid upright in order they are the first
    field.
    """
    tiles: Mapping[Cell, Tile] = tiles_of_layout(HOUSE_FIELD, {})
    listed = list(tiles.values())
    return [
        {
            (column, row): listed[(2 * down + row) * 6 + 2 * right + column]
            for row in (0, 1)
            for column in (0, 1)
        }
        for down in range(3)
        for right in range(3)
    ]


def board_page(sheet: Sheet, words: Translate, number: int) -> None:
    """Draw the sheet of boards `number`, from 0: two a page, the ninth alone."""
    x, y = origin(sheet.paper, 2 * TILE)
    head(sheet, words("kit.boards"), words("kit.boards.note"))
    on_page = list(enumerate(boards()))[2 * number : 2 * number + 2]
    for place, (which, board) in enumerate(on_page):
        top = y + place * 2 * TILE
        for (column, row), tile in board.items():
            face(sheet, CATALOGUE[tile.number], x + column * TILE, top + row * TILE, tile.turn or 0)
        right, middle = x + TILE, top + TILE
        sheet.disc(right, middle, 2.7, fill="#FFFFFF", line=HAIR, thick=0.3)
        sheet.label(right, middle + 0.9, ROMAN[which], 1.9, MUTED)
        cut_box(sheet, x, top, 2 * TILE, 2 * TILE)
        _map(sheet, x + 2 * TILE + 9, top + 2, which)
    cut_marks(sheet, x, y, (0, 120), (0, 120, 240)[: len(on_page) + 1])


def _map(sheet: Sheet, x: float, y: float, here: int) -> None:
    """Draw where a board lies in the first field."""
    for number in range(9):
        left, top = x + number % 3 * 6, y + number // 3 * 6
        sheet.box(left, top, 5.4, 5.4, fill=INK if number == here else "#EFEAF4", round=0.8)
        sheet.label(
            left + 2.7, top + 3.5, ROMAN[number], 1.5, "#FFFFFF" if number == here else MUTED
        )
