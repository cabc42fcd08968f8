"""Fit a grid to detected codes: their neighbours, and each code's place. Pure.

Codes are joined best residual first (Kruskal). Breadth first would shift whole columns in tilted
photos, because one small code's perspective is only good enough for its nearest neighbour.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from companion.sensors.vision.homography import (
    Degenerate,
    Homography,
    Point,
    fit_homography,
    invert,
    project,
)

HALF_CODE = 0.25
"""Half a code's side; a tile is the unit."""
CORNERS: tuple[Point, ...] = (
    (-HALF_CODE, -HALF_CODE),
    (HALF_CODE, -HALF_CODE),
    (HALF_CODE, HALF_CODE),
    (-HALF_CODE, HALF_CODE),
)
"""A code's corners from its own top left clockwise, relative to its middle."""
MAX_NEIGHBOUR_ERROR = 0.35
"""Distance in tiles of a neighbour from where a code expects it."""
MAX_PLACE_ERROR = 0.22
"""Distance in tiles of a code's middle from its place."""
MAX_TWIST = 25.0
"""Degrees by which a code may be turned against the lattice's axes."""
REFINE_ROUNDS = 3
"""Rounds of fitting the homography and placing every code."""
MIN_CODES = 3
"""Connected codes that make a lattice."""

Place = tuple[int, int]
"""Column and row in a lattice; the origin is arbitrary."""


class Detection(NamedTuple):
    """A detected code: its number, and its corners in pixels from its own top left clockwise."""

    number: int
    corners: tuple[Point, Point, Point, Point]

    @property
    def middle(self) -> Point:
        """The mean of the corners, near the middle."""
        return sum(x for x, _ in self.corners) / 4, sum(y for _, y in self.corners) / 4

    def scaled(self, factor: float) -> Detection:
        """Return this detection scaled by `factor`."""
        one, two, three, four = ((x * factor, y * factor) for x, y in self.corners)
        return Detection(self.number, (one, two, three, four))


class Placed(NamedTuple):
    """A detection in its place.

    `turn`: quarter turns clockwise from upright. `off`: distance from the place's middle, in tiles.
    """

    sighting: Detection
    turn: int
    off: float


class Lattice(NamedTuple):
    """Detections by place, the homography from places to pixels, and the outliers."""

    laid: Mapping[Place, Placed]
    to_pixels: Homography
    outliers: tuple[Detection, ...]

    @property
    def box(self) -> tuple[Place, Place]:
        """The lowest and the highest column and row."""
        columns, rows = [place[0] for place in self.laid], [place[1] for place in self.laid]
        return (min(columns), min(rows)), (max(columns), max(rows))

    @property
    def size(self) -> tuple[int, int]:
        """The number of columns and rows."""
        (left, top), (right, bottom) = self.box
        return right - left + 1, bottom - top + 1

    def where(self, pixel: Point) -> Point:
        """Return the place, in fractions, at a pixel; raise `Degenerate`."""
        return project(invert(self.to_pixels), pixel)

    def refitted(self) -> Homography:
        """Return the homography that fits the placed codes best; raise `Degenerate`."""
        return fit_homography(
            pair
            for place, tile in self.laid.items()
            for pair in _pairs(tile.sighting, place, tile.turn)
        )


def find_lattice(sightings: Sequence[Detection]) -> Lattice | None:
    """Return the lattice of most detections, None if too few are connected."""
    seeds = max(_components(sightings), key=len, default={})
    if len(seeds) < MIN_CODES:
        return None
    pairs = [
        pair
        for index, (place, turn) in seeds.items()
        for pair in _pairs(sightings[index], place, turn)
    ]
    try:
        lattice = place_all(sightings, fit_homography(pairs))
        for _ in range(REFINE_ROUNDS - 1):
            lattice = place_all(sightings, lattice.refitted())
    except Degenerate:
        return None
    return lattice if len(lattice.laid) >= MIN_CODES else None


def fit_lattice(known: Mapping[Place, tuple[Detection, int]]) -> Lattice | None:
    """Return the lattice of placed and turned detections, None unless all of them lie on it."""
    if len(known) < MIN_CODES:
        return None
    pairs = [
        pair for place, (sighting, turn) in known.items() for pair in _pairs(sighting, place, turn)
    ]
    try:
        lattice = place_all((sighting for sighting, _ in known.values()), fit_homography(pairs))
    except Degenerate:
        return None
    placed = {place: (tile.sighting, tile.turn) for place, tile in lattice.laid.items()}
    return lattice if placed == known else None


def place_all(sightings: Iterable[Detection], to_pixels: Homography) -> Lattice:
    """Place each detection by the homography; the nearest one takes a place."""
    back = invert(to_pixels)
    laid: dict[Place, Placed] = {}
    outliers: list[Detection] = []
    for sighting in sightings:
        place, tile = _place(sighting, back)
        if tile is None or (place in laid and laid[place].off <= tile.off):
            outliers.append(sighting)
        else:
            outliers += [laid[place].sighting] if place in laid else []
            laid[place] = tile
    return Lattice(laid, to_pixels, tuple(outliers))


def _place(sighting: Detection, back: Homography) -> tuple[Place, Placed | None]:
    try:
        x, y = project(back, sighting.middle)
        corners = [project(back, corner) for corner in sighting.corners]
    except Degenerate:
        return (0, 0), None
    place = round(x), round(y)
    off = math.dist((x, y), place)
    # Both upper and lower edge, so that a corner found badly counts half.
    right = (corners[1][0] - corners[0][0] + corners[2][0] - corners[3][0]) / 2
    down = (corners[1][1] - corners[0][1] + corners[2][1] - corners[3][1]) / 2
    angle = math.degrees(math.atan2(down, right))
    turn = round(angle / 90)
    side = math.hypot(right, down) / (2 * HALF_CODE)
    if off > MAX_PLACE_ERROR or abs(angle - 90 * turn) > MAX_TWIST or not 0.6 < side < 1.5:
        return place, None
    return place, Placed(sighting, turn % 4, off)


def _pairs(sighting: Detection, place: Place, turn: int) -> list[tuple[Point, Point]]:
    """Return each corner's point in the lattice and in the picture."""
    return [
        ((place[0] + x, place[1] + y), pixel)
        for (x, y), pixel in zip(
            (rotate_quarters(corner, turn) for corner in CORNERS), sighting.corners, strict=True
        )
    ]


def rotate_quarters(point: Point, quarters: int) -> Point:
    """Return a point rotated about the origin by quarter turns, clockwise with y down."""
    x, y = point
    for _ in range(quarters % 4):
        x, y = -y, x
    return x, y


class _Edge(NamedTuple):
    """Two possible neighbours.

    `there`: direction of the second in the first one's frame, `back`: of the first in the second's
    (0 right, 1 down, 2 left, 3 up).
    """

    residual: float
    first: int
    second: int
    there: int
    back: int


_Component = dict[int, tuple[Place, int]]
"""Place and turn in a shared frame, by index of the detection."""


def _components(sightings: Sequence[Detection]) -> list[_Component]:
    """Return the connected components, the best edges joined first."""
    of: dict[int, _Component] = {index: {index: ((0, 0), 0)} for index in range(len(sightings))}
    for edge in sorted(_edges(sightings)):
        one, other = of[edge.first], of[edge.second]
        if one is other:
            continue
        moved = _transform(other, one, edge)
        if {place for place, _ in moved.values()} & {place for place, _ in one.values()}:
            continue
        one.update(moved)
        for index in moved:
            of[index] = one
    return list({id(component): component for component in of.values()}.values())


def _transform(other: _Component, one: _Component, edge: _Edge) -> _Component:
    """Return `other` in the frame of `one` by the edge."""
    place, turn = one[edge.first]
    was, was_turned = other[edge.second]
    # Seen from the second code, the first lies the opposite way.
    quarters = (turn + edge.there + 2 - edge.back - was_turned) % 4
    right, down = rotate_quarters((1, 0), turn + edge.there)
    x, y = rotate_quarters(was, quarters)
    by = place[0] + right - x, place[1] + down - y
    moved: _Component = {}
    for index, (at, at_turned) in other.items():
        x, y = rotate_quarters(at, quarters)
        moved[index] = (round(x + by[0]), round(y + by[1])), (at_turned + quarters) % 4
    return moved


def _edges(sightings: Sequence[Detection]) -> Iterable[_Edge]:
    frames = [_local_frame(sighting) for sighting in sightings]
    for first, second in combinations(range(len(sightings)), 2):
        one, other = frames[first], frames[second]
        if one is None or other is None:
            continue
        there, near = _direction(one, sightings[second].middle)
        back, far = _direction(other, sightings[first].middle)
        if max(near, far) < MAX_NEIGHBOUR_ERROR:
            yield _Edge(max(near, far), first, second, there, back)


def _local_frame(sighting: Detection) -> Homography | None:
    """Return the homography from pixels to tiles that one code alone gives."""
    try:
        return invert(fit_homography(zip(CORNERS, sighting.corners, strict=True)))
    except Degenerate:
        return None


def _direction(frame: Homography, pixel: Point) -> tuple[int, float]:
    """Return a pixel's direction, and its distance from the neighbour's middle in tiles."""
    try:
        x, y = project(frame, pixel)
    except Degenerate:
        return 0, math.inf
    quarter = round(math.degrees(math.atan2(y, x)) / 90) % 4
    return quarter, math.dist((x, y), rotate_quarters((1, 0), quarter))
