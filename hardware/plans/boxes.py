"""Draw the printed boxes taken apart: the Nano's under the table and the panel's. Millimetres.

x and y are those of case/*.scad: from the box' left front corner.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hardware.plans.isometric import WIDTH, Rectangle, block, disc, projected, sheet, words_at

Piece = tuple[str, float, Sequence[str]]
"""A piece's label, the height at which it is drawn, and its faces."""

WALL, FLOOR = 2.4, 2.0
NANO_INNER = (60.0, 34.0, 14.0)
PANEL_INNER = (128.0, 74.0, 44.0)
PANEL_PI = (43.9, 3.9)
"""The Pi's corner in the panel's box."""
PLASTIC, DARK, GREEN, METAL = "#9fb6dd", "#5b6b86", "#33aa66", "#c9c9c9"
STEP = 26.0
"""Height between two pieces that are taken apart."""
SCALE, MARGIN, LABEL = 2.5, 4.0, 120.0
"""Pixels a millimetre, and the room around and for the labels."""


def nano_exploded() -> str:
    """Return the Nano's box taken apart as SVG."""
    depth = NANO_INNER[1] + 2 * WALL
    box = _Outer(NANO_INNER)
    nano = _placed(WALL + 0.4, (depth - 18.5) / 2, 45, 18.5, depth)
    plug = _placed(0.4, (depth - 7.5) / 2, 9, 7.5, depth)
    foam = _placed(12, depth / 2 - 5, 30, 10, depth)
    z = NANO_INNER[2] + FLOOR + STEP / 2
    pieces = [
        ("nano_box, its floor taped to the plate", 0.0, box.faces()),
        ("Nano on its rails, USB at the window", z, _two(nano, plug, z)),
        ("foam, 5 mm", z + STEP, block(foam, z + STEP, 5, "#e8d8a0")),
        ("nano_lid, four screws 3 × 10", z + 2 * STEP, box.lid(z + 2 * STEP, ())),
    ]
    return _drawn(pieces)


def panel_exploded() -> str:
    """Return the panel's box taken apart as SVG."""
    depth = PANEL_INNER[1] + 2 * WALL
    box = _Outer(PANEL_INNER)
    board = _placed(*PANEL_PI, 85, 56, depth)
    sockets = _placed(PANEL_PI[0] + 67, PANEL_PI[1] + 2, 20, 52, depth)
    z = PANEL_INNER[2] + FLOOR + STEP / 2
    top = z + 2.2 * STEP
    works: list[str] = []
    for x, width, high, colour in (
        (20, 24, 6, "#c03030"), (56, 8, 6, "#e0b030"), (96, 20, 1, METAL),
    ):  # fmt: skip
        works += disc(WIDTH - WALL - x, depth / 2, top + STEP, width, high, colour)
    faces = [*block(board, z, 1.4, GREEN), *block(sockets, z + 1.4, 16, METAL)]
    holes = ((20, 24.2), (56, 8.0))
    pieces = [
        ("panel_box", 0.0, box.faces()),
        ("Raspberry Pi, four screws 2.5 × 6", z, faces),
        ("panel_lid, three screws 3 × 10", top, box.lid(top, holes)),
        ("button, lamp; piezo, glued under its holes", top + STEP, works),
    ]
    return _drawn(pieces)


class _Outer:
    """A box by its inner size."""

    def __init__(self, inner: tuple[float, float, float]) -> None:
        self.inner = inner
        self.depth = inner[1] + 2 * WALL
        self.whole = _placed(0, 0, inner[0] + 2 * WALL, self.depth, self.depth)

    def faces(self) -> list[str]:
        """Return the open box."""
        hollow = _placed(WALL, WALL, *self.inner[:2], self.depth)
        high = self.inner[2] + FLOOR
        return [*block(self.whole, 0, high, PLASTIC), *block(hollow, high, 0, DARK)]

    def lid(self, z: float, holes: Sequence[tuple[float, float]]) -> list[str]:
        """Return the lid with round holes in its middle line: place and diameter of each."""
        faces = block(self.whole, z, FLOOR, PLASTIC)
        for x, diameter in holes:
            faces += disc(WIDTH - WALL - x, self.depth / 2, z + FLOOR, diameter, 0, DARK)
        return faces


def _placed(x: float, y: float, width: float, height: float, depth: float) -> Rectangle:
    """Return a rectangle as `isometric` has it: x from the right, y from the back."""
    return Rectangle("", WIDTH - x - width, depth - y - height, width, height)


def _two(board: Rectangle, plug: Rectangle, z: float) -> list[str]:
    return [*block(board, z, 1.6, "#2266aa"), *block(plug, z + 1.6, 4, METAL)]


def _drawn(pieces: Sequence[Piece]) -> str:
    """Return the pieces, the lowest first, with their labels on the right."""
    faces = [face for _, _, its in pieces for face in its]
    spots = [spot for face in faces for spot in re.findall(r"(-?[\d.]+),(-?[\d.]+)", face)]
    xs, ys = ([float(spot[axis]) for spot in spots] for axis in (0, 1))
    heights = [projected(WIDTH, 0, z)[1] + 8 for _, z, _ in pieces]
    left, right = min(xs) - MARGIN, max(xs) + MARGIN
    top = min(*ys, min(heights) - 5) - MARGIN
    labels = [
        words_at(right, y, words, 5) for (words, _, _), y in zip(pieces, heights, strict=True)
    ]
    width, height = right - left + LABEL, max(ys) + MARGIN - top
    moved = f'<g transform="scale({SCALE:g}) translate({-left:.1f} {-top:.1f})">'
    return sheet(width * SCALE, height * SCALE, [moved, *faces, *labels, "</g>"])
