"""The face of a tile, and the sheets of single tiles and of the nine 2×2 boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.placement import Cell, Tile
from companion.games.vampireradar.layout import HOUSE_FIELD
from companion.games.vampireradar.print_kit.style import TILE_COLOURS
from companion.games.vampireradar.tiles import CATALOGUE, Printed, tiles_of_layout
from companion.printing.codes import tile_code
from companion.printing.layout import Translate, cut_box, cut_marks, head, origin
from companion.printing.page import BOLD, HAIR, INK, MUTED, Sheet
from companion.printing.symbols import draw

TILE = 60.0
CODE = 30.0
WHITE = CODE * 29 / 21
"""The white square around a code: four modules of quiet on each side."""
CORNER = 5.3
"""Distance of the corner signs from both edges."""
WALL = 4.6
_SIGN = {"bat": 7.6, "radar": 6.6, "bullet": 7.4, "wall": 6.4, "blank": 4.2}
_EDGES = {"N": 0, "E": 90, "S": 180, "W": 270}
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")


def face(sheet: Sheet, tile: Printed, x: float, y: float, turn: int = 0) -> None:
    """Draw a tile with its upper left corner at (x, y), turned clockwise."""
    dress = TILE_COLOURS[tile.kind]
    half = TILE / 2
    with sheet.at(x + half, y + half, turn=turn):
        sheet.box(-half, -half, TILE, TILE, fill=dress.ground)
        sheet.box(
            -half + 1.1, -half + 1.1, TILE - 2.2, TILE - 2.2, line=dress.ink, thick=0.35, round=2.2
        )
        walled = _EDGES[tile.wall] if tile.wall else None
        for corner in range(4):
            if walled is not None and 90 * corner in (walled, (walled + 90) % 360):
                continue  # the wall is here
            with sheet.at(0, 0, turn=90 * corner):
                draw(
                    sheet,
                    tile.kind,
                    -half + CORNER,
                    -half + CORNER,
                    _SIGN[tile.kind],
                    dress.ink,
                    turn=0 if tile.kind == "radar" else -45,
                )
        sheet.box(-WHITE / 2, -WHITE / 2, WHITE, WHITE, fill="#FFFFFF")
        sheet.cells(-CODE / 2, -CODE / 2, CODE, tile_code(tile.code))
        if tile.wall:
            with sheet.at(0, 0, turn=_EDGES[tile.wall]):
                _wall(sheet, half, dress.ink)
        top = -half + (WALL + 0.9 if tile.wall == "N" else 1.8)
        with sheet.at(0, top):
            sheet.shape("M 0 0 L 3 3.4 L -3 3.4 Z", fill=INK)
        sheet.text(0, half - 3, str(tile.number), 4.2, font=BOLD, ink=dress.ink, align="centre")
        sheet.text(half - 11, half - 3, tile.code, 1.7, ink=dress.ink, align="right")


def _wall(sheet: Sheet, half: float, ink: str) -> None:
    """Draw a wall of bricks along the upper edge."""
    sheet.box(-half, -half, TILE, WALL, fill=ink)
    course, brick = WALL / 2, 7.5
    for row in range(2):
        y = -half + row * course
        for number in range(-1, 9):
            left = -half + number * brick + (brick / 2 if row else 0)
            right = min(left + brick - 0.5, half - 0.25)
            left = max(left, -half + 0.25)
            if right > left:
                sheet.box(left, y + 0.25, right - left, course - 0.5, fill="#8B8896")


def tile_page(sheet: Sheet, words: Translate, number: int) -> None:
    """Draw the sheet of tiles `number`, from 0: twelve a page.

    The last two tiles share a page with the pieces.
    """
    x, y = origin(sheet.paper)
    head(sheet, words("kit.tiles"), words("kit.tiles.note"))
    lay(sheet, list(CATALOGUE.values())[12 * number : 12 * number + 12], x, y)
    cut_marks(sheet, x, y, (0, 60, 120, 180), (0, 60, 120, 180, 240))


def lay(sheet: Sheet, tiles: Sequence[Printed], x: float, y: float) -> None:
    """Draw tiles in rows of three, with the lines to cut along."""
    for index, tile in enumerate(tiles):
        left, top = x + index % 3 * TILE, y + index // 3 * TILE
        face(sheet, tile, left, top)
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
        _badge(sheet, x + TILE, top + TILE, ROMAN[which])
        cut_box(sheet, x, top, 2 * TILE, 2 * TILE)
        _map(sheet, x + 2 * TILE + 9, top + 2, which)
    cut_marks(sheet, x, y, (0, 120), (0, 120, 240)[: len(on_page) + 1])


def _badge(sheet: Sheet, x: float, y: float, name: str) -> None:
    sheet.disc(x, y, 2.7, fill="#FFFFFF", line=HAIR, thick=0.3)
    sheet.text(x, y + 0.9, name, 1.9, font=BOLD, ink=MUTED, align="centre")


def _map(sheet: Sheet, x: float, y: float, here: int) -> None:
    """Draw where a board lies in the first field."""
    for number in range(9):
        left, top = x + number % 3 * 6, y + number // 3 * 6
        sheet.box(left, top, 5.4, 5.4, fill=INK if number == here else "#EFEAF4", round=0.8)
        sheet.text(
            left + 2.7,
            top + 3.5,
            ROMAN[number],
            1.5,
            font=BOLD,
            ink="#FFFFFF" if number == here else MUTED,
            align="centre",
        )
