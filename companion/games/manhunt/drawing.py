"""Draw a map for posters: lines, discs, polygons and texts in the map's own units."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.games.manhunt.map_file import MapFile, Place, Way

Point = tuple[float, float]

_KNOWN_LOOKS = {
    "street": "plain", "passage": "plain", "water": "wave", "rail": "rail", "alley": "dots",
    "stairs": "double", "shaft": "dash", "tunnel": "dash", "tram": "rail", "river": "wave",
}  # fmt: skip
"""The looks of kinds with these names; others take the remaining ones, in the order of the file."""
_LOOKS = ("plain", "rail", "wave", "double", "dash", "dots", "thin", "bold")


class Stroke(NamedTuple):
    """A line's ink, and its width and dashes in parts of the pitch."""

    ink: str
    width: float
    dash: tuple[float, ...] = ()


STROKES: Mapping[str, tuple[Stroke, ...]] = {
    "plain": (Stroke("way", 0.09),),
    "rail": (Stroke("dark", 0.1), Stroke("pale", 0.06, (0.12, 0.12))),
    "wave": (Stroke("water", 0.26), Stroke("deep", 0.035, (0.16, 0.1))),
    "double": (Stroke("brick", 0.12), Stroke("pale", 0.05)),
    "dash": (Stroke("leaf", 0.07, (0.14, 0.1)),),
    "dots": (Stroke("earth", 0.08, (0.05, 0.09)),),
    "thin": (Stroke("dark", 0.035),),
    "bold": (Stroke("brick", 0.16),),
}
"""How each look is drawn, lowest stroke first."""
PLACE, NUMBER, NAME, SIGN, APART = 0.27, 0.16, 0.075, 0.1, 0.16
"""In parts of the pitch: a place's radius, the height of capitals in its number and in its name, a
sign's reach, and the distance of two ways between the same places.
"""


class Lines(NamedTuple):
    """Straight lines of one ink, each (x1, y1, x2, y2)."""

    ink: str
    width: float
    dash: tuple[float, ...]
    lines: tuple[tuple[float, float, float, float], ...]


class Disc(NamedTuple):
    """A disc, or a ring if `thick` is not 0."""

    ink: str
    x: float
    y: float
    radius: float
    thick: float = 0


class Shape(NamedTuple):
    """A filled polygon."""

    ink: str
    points: tuple[Point, ...]


class Label(NamedTuple):
    """A line of text around x, its letters standing on y; `size` is the height of capitals."""

    ink: str
    x: float
    y: float
    size: float
    words: str


Drawn = Lines | Disc | Shape | Label


def pitch(content: MapFile) -> float:
    """Return the usual distance between places, between 1/40 and 1/10 of the width.

    A tenth of the places may lie closer, since a place drawn by hand may be misplaced.
    """
    places, width = content.places, content.size.width
    nearest = sorted(
        min(math.dist((one.x, one.y), (other.x, other.y)) for other in places if other is not one)
        for one in places
    )
    return min(max(nearest[len(nearest) // 10], width / 40), width / 10)


def looks(ways: Sequence[Way]) -> dict[str, str]:
    """Return the look of each kind of way, in the order of the file."""
    kinds = list(dict.fromkeys(way.kind for way in ways))
    taken: dict[str, str] = {}
    for kind in kinds:
        look = _KNOWN_LOOKS.get(kind)
        if look and look not in taken.values():
            taken[kind] = look
    left = [look for look in _LOOKS if look not in taken.values()]
    return {kind: taken.get(kind) or left.pop(0) for kind in kinds}


def map_shapes(content: MapFile) -> list[Drawn]:
    """Return the whole map, lowest shape first: ways by kind, signs on them, places."""
    unit = pitch(content)
    return [
        *_way_shapes(content, unit),
        *(shape for place in content.places for shape in place_shapes(place, unit)),
    ]


def _way_shapes(content: MapFile, unit: float) -> Iterator[Drawn]:
    at = {place.number: (float(place.x), float(place.y)) for place in content.places}
    lines = _way_lines(content.ways, at, unit)
    # Broad bands lie below narrow lines.
    by_width = sorted(looks(content.ways).items(), key=lambda item: -STROKES[item[1]][0].width)
    for kind, look in by_width:
        own = tuple(line for way, line in zip(content.ways, lines, strict=True) if way.kind == kind)
        for ink, width, dash in STROKES[look]:
            yield Lines(ink, width * unit, tuple(part * unit for part in dash), own)
    for way, (x1, y1, x2, y2) in zip(content.ways, lines, strict=True):
        ahead = math.atan2(y2 - y1, x2 - x1)
        if not way.between:
            yield _sign_along("arrow", x1, y1, x2, y2, 0.62, ahead, _ARROW, unit)
        if way.fugitive_only:
            yield _sign_along("fugitive", x1, y1, x2, y2, 0.42, ahead, _DIAMOND, unit)


_ARROW = ((1.2, 0.0), (-0.8, 0.9), (-0.8, -0.9))
_DIAMOND = ((0.8, 0.0), (0.0, 0.8), (-0.8, 0.0), (0.0, -0.8))
HOUSE = (
    (0.0, -1.1),
    (1.0, -0.2),
    (0.7, -0.2),
    (0.7, 0.9),
    (-0.7, 0.9),
    (-0.7, -0.2),
    (-1.0, -0.2),
)


def _way_lines(
    ways: Sequence[Way], at: Mapping[int, Point], unit: float
) -> list[tuple[float, float, float, float]]:
    """Return each way's line; ways between the same two places lie beside each other."""
    pairs: dict[tuple[int, int], list[int]] = {}
    for index, way in enumerate(ways):
        one, other = sorted(way.ends)
        pairs.setdefault((one, other), []).append(index)
    lines = [(0.0, 0.0, 0.0, 0.0)] * len(ways)
    for (one, other), indices in pairs.items():
        (x1, y1), (x2, y2) = at[one], at[other]
        long = math.hypot(x2 - x1, y2 - y1) or 1
        for order, index in enumerate(indices):
            shift = (order - (len(indices) - 1) / 2) * APART * unit
            right, down = -(y2 - y1) / long * shift, (x2 - x1) / long * shift
            line = (x1 + right, y1 + down, x2 + right, y2 + down)
            lines[index] = line if ways[index].ends[0] == one else (*line[2:], *line[:2])
    return lines


def _sign_along(
    ink: str,
    x1: float,
    y1: float,
    x2: float,
    y2: float,
    part: float,
    angle: float,
    outline: Sequence[Point],
    unit: float,
) -> Shape:
    """Return a sign at a fraction of a line's length, turned along the line."""
    x, y, size = x1 + (x2 - x1) * part, y1 + (y2 - y1) * part, SIGN * unit
    cos, sin = math.cos(angle) * size, math.sin(angle) * size
    return Shape(
        ink,
        tuple(
            (x + cos * across - sin * down, y + sin * across + cos * down)
            for across, down in outline
        ),
    )


def place_shapes(place: Place, unit: float) -> Iterator[Drawn]:
    """Yield a place's disc, rings and signs, its number, and its name if that is another."""
    x, y, radius = float(place.x), float(place.y), PLACE * unit
    yield Disc("pale", x, y, radius)
    yield Disc("dark", x, y, radius, 0.03 * unit)
    for side, reach in (("hunter", 1.0), ("fugitive", 0.86)):
        if side in place.starts:
            yield Disc(side, x, y, radius * reach, 0.045 * unit)
    if place.hideout:
        yield _sign("fugitive", x - radius, y - radius, HOUSE, unit)
    if place.target:
        yield _sign("target", x + radius, y - radius, _DIAMOND, unit * 1.3)
    yield Label("number", x, y + NUMBER * unit / 2, NUMBER * unit, str(place.number))
    if place.name != str(place.number):
        yield Label("name", x, y + radius + 0.14 * unit, NAME * unit, place.name)


def _sign(ink: str, x: float, y: float, outline: Sequence[Point], unit: float) -> Shape:
    size = SIGN * unit
    return Shape(ink, tuple((x + across * size, y + down * size) for across, down in outline))


INKS = {
    "ground": "#FBF7EE", "way": "#8C8394", "dark": "#1B1422", "pale": "#FFFFFF",
    "water": "#BFE0EE", "deep": "#2C6E94", "brick": "#8A4B3C", "leaf": "#2F7A4D",
    "earth": "#9A6A1E", "hunter": "#2456B8", "fugitive": "#B3122B", "target": "#C78A00",
    "arrow": "#1B1422", "number": "#1B1422", "name": "#1B1422",
}  # fmt: skip
"""The colours on paper."""
