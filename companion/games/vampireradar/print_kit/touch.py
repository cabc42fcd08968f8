"""What a tile tells by touch: cut corners and notches for its kind, braille for kind and number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.vampireradar.print_kit.style import TILE_COLOURS
from companion.games.vampireradar.tiles import Printed
from companion.printing.layout import Translate, head
from companion.printing.page import HAIR, INK, MUTED, Sheet
from companion.printing.touch import HEIGHT, braille, draw_braille, legend_line, width

HALF = 30.0
"""Mm from a tile's middle to its edge."""
CORNER = 6.0
"""Mm that a cut corner takes from each of its two edges; the white around a code begins at 9."""
NOTCH_DEPTH, NOTCH_WIDTH = 3.0, 7.0
"""Of the notch in a walled edge, in mm: within the wall's bricks."""
CUT_CORNERS: Mapping[str, int] = {"blank": 0, "bat": 1, "bullet": 2, "radar": 4, "wall": 0}
"""Corners that are cut off, in the order of `cuts`. A wall has a notch instead."""
KIND_SIGNS: Mapping[str, Mapping[str, str]] = {
    "en": {"bat": "ba", "radar": "ra", "bullet": "bu", "wall": "wa", "blank": "bl"},
    "nl": {"bat": "vl", "radar": "ra", "bullet": "ko", "wall": "mu", "blank": "le"},
    "ja": {},
}
"""Two letters for a kind of tile, by language. Japanese braille has no Latin letters of its own:
there the corners alone tell the kind, and numbers are the same.
"""
_QUARTERS = {"N": 0, "E": 90, "S": 180, "W": 270}
_EDGE = (HALF + 21.0 - HEIGHT) / 2
"""Mm from a tile's middle to the upper edge of the braille below the code: in the middle of the
room that the white leaves.
"""
_SIDE = HALF - CORNER
"""Mm from a tile's middle to the outer edge of braille: a cut corner ends there."""


def cuts(tile: Printed) -> list[list[tuple[float, float]]]:
    """Return the lines along which a tile is cut beside its edges, from its middle, in mm."""
    inner = _SIDE
    corners = [
        [(inner, -HALF), (HALF, -inner)],
        [(-HALF, -inner), (-inner, -HALF)],
        [(HALF, inner), (inner, HALF)],
        [(-inner, HALF), (-HALF, inner)],
    ]
    notch = [(-NOTCH_WIDTH / 2, -HALF), (0, NOTCH_DEPTH - HALF), (NOTCH_WIDTH / 2, -HALF)]
    walled = [[_turned(point, _QUARTERS[tile.wall]) for point in notch]] if tile.wall else []
    return [*corners[: CUT_CORNERS[tile.kind]], *walled]


def _turned(point: tuple[float, float], degrees: int) -> tuple[float, float]:
    """Return a point turned clockwise around the middle by quarters."""
    x, y = point
    for _ in range(degrees // 90):
        x, y = -y, x
    return x, y


def draw_cuts(sheet: Sheet, tile: Printed, x: float, y: float) -> None:
    """Draw what is cut off a tile whose left upper corner is at (x, y), dark with its line."""
    with sheet.at(x + HALF, y + HALF):
        for line in cuts(tile):
            tip = [(_outer(line[0][0], line[-1][0]), _outer(line[0][1], line[-1][1]))]
            points = [*line, *(tip if len(line) == 2 else [])]
            path = " L ".join(f"{a:g} {b:g}" for a, b in points)
            sheet.shape(f"M {path} Z", fill="#FFFFFF", line=INK, thick=0.3)


def _outer(one: float, other: float) -> float:
    return max(one, other, key=abs)


def draw_signs(sheet: Sheet, tile: Printed, kinds: Mapping[str, str]) -> None:
    """Draw a tile's number and the letters of its kind in braille around its middle: below the
    code, above it if a wall stands below.
    """
    ground = TILE_COLOURS[tile.kind].ground
    top = -_EDGE - HEIGHT if tile.wall == "S" else _EDGE
    number = braille(str(tile.number))
    draw_braille(sheet, -_SIDE, top, number, ground)
    if tile.kind in kinds:
        kind = braille(kinds[tile.kind])
        draw_braille(sheet, _SIDE - width(kind), top, kind, ground)


def touch_page(
    sheet: Sheet, words: Translate, kinds: Mapping[str, str], examples: Sequence[Printed]
) -> None:
    """Draw what each notch and sign means, with one of `examples` for each kind of tile."""
    x, y = head(sheet, words("touch.title"), words("touch.note"))
    y = sheet.paragraph(x, y + 4, words("touch.how"), 2.6, 176, ink=MUTED) + 4
    for tile in examples:
        with sheet.at(x + 15, y + 13, scale=0.4):
            ground = TILE_COLOURS[tile.kind].ground
            sheet.box(-HALF, -HALF, 2 * HALF, 2 * HALF, fill=ground, line=HAIR, thick=0.5)
            draw_cuts(sheet, tile, -HALF, -HALF)
        name, cut = words(f"touch.{tile.kind}"), words(f"touch.{tile.kind}.cut")
        legend_line(sheet, x + 36, y + 11, name, cut, kinds.get(tile.kind, ""))
        y += 28
    y += 4
    for name, key in (("17", "touch.number"), ("a", "touch.frame")):
        signs = braille(name)
        draw_braille(sheet, x + 6, y, signs, "#FFFFFF")
        sheet.text(x + 30, y + 4.4, f"{name}: {words(key)}", 2.6)
        y += 13
    y = sheet.paragraph(x, y + 2, words("touch.tokens"), 2.6, 176) + 2
    sheet.paragraph(x, y, words("touch.raise"), 2.6, 176, ink=MUTED)
