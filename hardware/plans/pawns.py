"""Draw the printed pawns that differ by touch. Millimetres.

The sizes are those of case/pawns.scad.
"""

from __future__ import annotations

from math import cos, pi, sin

from hardware.plans.isometric import WIDTH, disc, prism, projected, sheet, words_at

HEIGHT, TAPER, KNOB, REACH, PITCH = 20.0, 0.88, 3.6, 4.6, 36.0
"""Height of a body, size of its upper end, diameter of a knob, its distance from the middle, and
the distance of two pawns.
"""
KNOB_HEIGHT = 1.8
SIDES = {1: (3, 13.5), 2: (4, 12.9)}
"""Corners of the bodies of the first two players, and their distance from the middle."""
ROUND = 19.7
"""Diameter of the third player's body, half way up."""
COLOURS = {1: "#4d9bff", 2: "#ffc020", 3: "#f4f4f4"}
MARGIN, LABEL = 4.0, 8.0
"""The room around and for the labels."""


def pawns() -> str:
    """Return the twelve pawns as SVG: a row for each player, one to four knobs."""
    faces: list[str] = []
    for player, colour in COLOURS.items():
        for knobs in range(1, 5):
            x, y = WIDTH - knobs * PITCH, player * PITCH
            if player in SIDES:
                count, radius = SIDES[player]
                corners = [_around(x, y, radius, -(n + 0.5) / count) for n in range(count)]
                faces += prism(corners, 0, HEIGHT, TAPER, colour)
            else:
                faces += disc(x, y, 0, ROUND, HEIGHT, colour)
            tops = [_around(x, y, REACH if knobs > 1 else 0, n / knobs) for n in range(knobs)]
            for across, down in sorted(tops, key=lambda top: projected(top[0], top[1], 0)[1]):
                faces += disc(across, down, HEIGHT, KNOB, KNOB_HEIGHT, colour)
    first, last = (projected(WIDTH - PITCH * n, PITCH * m, 0) for n, m in ((1, 3), (4, 1)))
    far, near = (projected(WIDTH - PITCH * n, PITCH * m, 0) for n, m in ((1, 1), (4, 3)))
    left, right = first[0] - 16 - MARGIN, last[0] + 16 + MARGIN
    top, bottom = far[1] - HEIGHT - 10 - MARGIN, near[1] + 14 + MARGIN
    labels = [
        words_at(place[0] - 1, place[1] + LABEL, letter, 5)
        for letter, place in (
            (letter, projected(WIDTH - PITCH * n, PITCH * 3 + 14, 0))
            for n, letter in enumerate("abcd", 1)
        )
    ]
    width, height = right - left, bottom + LABEL - top
    moved = f'<g transform="translate({-left:.1f} {-top:.1f})">'
    return sheet(width, height, [moved, *faces, *labels, "</g>"])


def _around(x: float, y: float, radius: float, part: float) -> tuple[float, float]:
    return x + radius * cos(2 * pi * part), y + radius * sin(2 * pi * part)
