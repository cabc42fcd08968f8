"""Draw blocks and discs from above at an angle, and flat shapes, as SVG. Millimetres.

As on the presence board's plate, x runs to the right as seen from below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

WIDTH = 500.0
"""Where x = 0 lies from above: at the right edge of the presence board's plate."""
_FONT = 'font-family="DejaVu Sans, Arial, sans-serif"'


@dataclass(frozen=True)
class Rectangle:
    """A rectangle, its corner where x and y are least."""

    name: str
    x: float
    y: float
    width: float
    height: float


def projected(x: float, y: float, z: float) -> tuple[float, float]:
    """Return a point's place in the drawing; from above, so that right and left are swapped."""
    turn, across = pi / 6, WIDTH - x
    return 450 + (across - y) * cos(turn), 640 + (across + y) * sin(turn) - z


def block(thing: Rectangle, z: float, height: float, colour: str) -> list[str]:
    """Return the three visible faces of a block."""
    x0, y0, x1, y1 = thing.x + thing.width, thing.y, thing.x, thing.y + thing.height
    top = [(x0, y0, z + height), (x1, y0, z + height), (x1, y1, z + height), (x0, y1, z + height)]
    front = [(x0, y1, z), (x1, y1, z), (x1, y1, z + height), (x0, y1, z + height)]
    side = [(x1, y0, z), (x1, y1, z), (x1, y1, z + height), (x1, y0, z + height)]
    return [_face(side, colour, 0.75), _face(front, colour, 0.88), _face(top, colour, 1.0)]


def disc(x: float, y: float, z: float, diameter: float, height: float, colour: str) -> list[str]:
    """Return the visible faces of a disc."""
    turns = [2 * pi * n / 24 for n in range(24)]
    lower, upper = (
        [(x + diameter / 2 * cos(turn), y + diameter / 2 * sin(turn), at) for turn in turns]
        for at in (z, z + height)
    )
    ends = [sorted(edge, key=lambda point: point[0] + point[1]) for edge in (lower, upper)]
    (low, *_, lowest), (high, *_, highest) = ends
    return [
        _face(lower, colour, 0.8),
        _face([low, lowest, highest, high], colour, 0.8),
        _face(upper, colour, 1.0),
    ]


def prism(
    corners: Sequence[tuple[float, float]],
    z: float,
    height: float,
    scale: float,
    colour: str,
) -> list[str]:
    """Return the visible faces of a body with a flat top, whose upper end has `scale` of the lower
    one's size; `corners` go around from above, counterclockwise in the drawing.
    """
    x, y = (sum(corner[axis] for corner in corners) / len(corners) for axis in (0, 1))
    upper = [(x + (a - x) * scale, y + (b - y) * scale, z + height) for a, b in corners]
    lower = [(a, b, z) for a, b in corners]
    count = len(corners)
    sides = [
        [lower[n], lower[(n + 1) % count], upper[(n + 1) % count], upper[n]] for n in range(count)
    ]
    seen = sorted((side for side in sides if _faces_viewer(side)), key=_nearness)
    return [*(_face(side, colour, 0.8) for side in seen), _face(upper, colour, 1.0)]


def _faces_viewer(face: Sequence[tuple[float, float, float]]) -> bool:
    points = [projected(*corner) for corner in face]
    pairs = zip(points, [*points[1:], points[0]], strict=True)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs) > 0


def _nearness(face: Sequence[tuple[float, float, float]]) -> float:
    return sum(projected(*corner)[1] for corner in face)


def cable_line(start: tuple[float, float], end: tuple[float, float], z: float) -> str:
    """Return a cable that hangs straight between two places."""
    (x0, y0), (x1, y1) = projected(*start, z), projected(*end, z)
    return f'<path d="M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}" stroke="#222" stroke-width="5"/>'


def _face(corners: Sequence[tuple[float, float, float]], colour: str, light: float) -> str:
    shade = "".join(f"{round(int(colour[i : i + 2], 16) * light):02x}" for i in (1, 3, 5))
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (projected(*corner) for corner in corners))
    return f'<polygon points="{points}" fill="#{shade}" stroke="#333" stroke-width="0.6"/>'


def rectangle(x: float, y: float, width: float, height: float, colour: str) -> str:
    """Return a flat rectangle."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{colour}"'
        ' stroke="#333" stroke-width="0.2"/>'
    )


def words_at(x: float, y: float, words: str, size: float = 2.6) -> str:
    """Return words that begin at a place."""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="#111">{words}</text>'


def sheet(width: float, height: float, body: list[str]) -> str:
    """Return a whole drawing."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm"'
        f' viewBox="0 0 {width:g} {height:g}" {_FONT}>'
    )
    return "\n".join((head, *body, "</svg>")) + "\n"
