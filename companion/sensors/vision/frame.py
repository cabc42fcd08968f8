"""Analyse one frame: pawns and tokens by place, and empty cells. Pure.

A cell that shows neither its tile nor a pawn is covered and not reported.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import dist
from typing import NamedTuple, Protocol

from msgspec import Struct

from companion.core.game import Message
from companion.core.placement import Cell, Pawn, Tile
from companion.sensors.vision.codes import marker_pawn, marker_token
from companion.sensors.vision.field import (
    FIELD_CELLS,
    CodeReader,
    FieldAlignment,
    NoField,
    find_field,
    to_field_scan,
)
from companion.sensors.vision.homography import Degenerate, Homography, Point, invert, project
from companion.sensors.vision.lattice import Lattice, Place

DEFAULT_FOCAL = 0.77
"""Focal length as a share of the picture's longer side: usual for phones and Pi cameras."""
FOCAL_RANGE = (0.4, 2.5)
"""Plausible focal lengths, as shares of `DEFAULT_FOCAL`."""
FOCAL_WEIGHT = 1e-3
"""Weight of the default focal length; it decides only in views from straight above."""

CameraPosition = tuple[float, float, float]
"""A point of the lattice, and the height over it, in tiles."""


def camera_position(to_pixels: Homography, size: tuple[int, int]) -> CameraPosition:
    """Return the camera's position; raise `Degenerate`.

    Assumes square pixels and the optical axis in the middle of the picture of `size` pixels.
    """
    centred = _about_middle(to_pixels, size)
    focal = _focal(centred, DEFAULT_FOCAL * max(size))
    columns = [(centred[i] / focal, centred[i + 3] / focal, centred[i + 6]) for i in range(3)]
    scale = (math.hypot(*columns[0]) + math.hypot(*columns[1])) / 2
    if scale < 1e-12:
        raise Degenerate("the table is seen as a point")
    right, down, to = ([part / scale for part in column] for column in columns)
    away = _cross(right, down)
    x, y, z = (-_dot(axis, to) for axis in (right, down, away))
    if abs(z) < 1e-6:
        raise Degenerate("the camera is in the table")
    return x, y, abs(z)


def project_to_table(point: Point, height: float, camera: CameraPosition) -> Point:
    """Return the foot of an object whose top, `height` over the table, is seen at `point`."""
    share = height / camera[2]
    return point[0] + (camera[0] - point[0]) * share, point[1] + (camera[1] - point[1]) * share


def _about_middle(h: Homography, size: tuple[int, int]) -> tuple[float, ...]:
    x, y = size[0] / 2, size[1] / 2
    return tuple(h[i] - (x, y, 0)[i // 3] * h[6 + i % 3] for i in range(9))


def _focal(h: tuple[float, ...], likely: float) -> float:
    """Return the focal length that makes the lattice's axes equal and perpendicular."""
    side = (h[0] ** 2 + h[3] ** 2 + h[1] ** 2 + h[4] ** 2) / 2
    seen = (
        (h[0] * h[1] + h[3] * h[4]) / side,
        (h[0] ** 2 + h[3] ** 2 - h[1] ** 2 - h[4] ** 2) / side,
    )
    bent = (likely**2 * h[6] * h[7] / side, likely**2 * (h[6] ** 2 - h[7] ** 2) / side)
    squared = (FOCAL_WEIGHT - _dot(seen, bent)) / (FOCAL_WEIGHT + _dot(bent, bent))
    low, high = FOCAL_RANGE
    return likely * math.sqrt(min(max(squared, low**2), high**2))


def _dot(a: tuple[float, ...] | list[float], b: tuple[float, ...] | list[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _cross(a: list[float], b: list[float]) -> list[float]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


TILE_MM = 60.0
"""Millimetres from tile to tile."""
MARKER_SIDE = (0.1, 0.26)
"""Least and largest apparent side of a token's 8 mm and a cap's 9 mm marker, in tiles."""
MAX_TILE_DISTANCE = 2.3
"""Tiles from the nearest read tile within which a place is certain: the few tiles in a corner that
an arm leaves uncovered do not fix places far from them.
"""


SAME = 0.1
"""Tiles within which two readings of a number are one marker."""


class Marker(NamedTuple):
    """A marker with its corners in pixels."""

    number: int
    corners: tuple[Point, Point, Point, Point]


class FrameReader(CodeReader, Protocol):
    """A reader that also detects the pieces on the tiles."""

    def marks(self) -> Sequence[Marker]:
        """Return the markers in the whole frame."""

    def marks_at(self, lattice: Lattice, place: Place) -> Sequence[Marker]:
        """Return the markers at a place of the lattice, from a cut of the picture."""

    def is_clear(
        self, lattice: Lattice, place: Place, tile: tuple[int, int], tokens: Sequence[Point]
    ) -> bool:
        """Return whether a tile is at a place of the lattice, with its code and quiet zone
        uncovered except by tokens. `tile`: its number and quarter turns; `tokens`: points of the
        lattice.
        """


class FrameContext(Struct, frozen=True):
    """The expected state before a frame is read.

    `known`: the field's tiles. `is_laying`: the field is being laid. `pawn_height`: mm, with the
    cap. `tokens`: the kinds in the box, in the order of their markers.
    """

    known: Mapping[Cell, Tile] = {}
    is_laying: bool = False
    pawn_height: float = 30.0
    tokens: tuple[str, ...] = ()


class FrameResult(Struct, frozen=True):
    """The result of one frame.

    `pawns`: column and row of each, in fractions from the middle of A1; `tokens`: kind and place of
    each. `clear`: cells with nothing but tokens. `middles`: of the cells, in thousandths of the
    picture's width and height. With a `problem` the rest is empty.
    """

    tiles: Mapping[Cell, Tile] = {}
    pawns: Mapping[Pawn, Point] = {}
    tokens: tuple[tuple[str, Point], ...] = ()
    clear: frozenset[Cell] = frozenset()
    middles: Mapping[Cell, tuple[int, int]] = {}
    problem: Message | None = None


def analyse_frame(reader: FrameReader, context: FrameContext) -> FrameResult:
    """Return a reader's detections on the table."""
    try:
        lattice, grid = find_field(reader, context.known, first_is_enough=not context.is_laying)
        return _analyse(reader, lattice, grid, context)
    except NoField as refusal:
        return FrameResult(problem=refusal.message)
    except Degenerate:
        return FrameResult(problem=Message("scan.no_lattice"))


def _analyse(
    reader: FrameReader, lattice: Lattice, grid: FieldAlignment, context: FrameContext
) -> FrameResult:
    scan = to_field_scan(reader, lattice, grid)
    # A tile whose code a shadow's edge crosses is unread, but known and seen.
    tiles = {grid.place(cell): tile for cell, tile in {**context.known, **scan.tiles}.items()}
    marks = [mark for mark in reader.marks() if _is_ours(mark, lattice)]
    clear = _clear(reader, lattice, grid, tiles, _tokens(marks, lattice, context))
    covered = [
        place
        for place in map(grid.place, FIELD_CELLS)
        if place not in clear
        and _is_certain(place, lattice)
        and all(dist(lattice.where(_middle(mark)), place) > 0.5 for mark in marks)
    ]
    if more := list(_marks_at(reader, lattice, covered, marks)):
        marks += more
        again = {place: tile for place, tile in tiles.items() if place in covered}
        clear |= _clear(reader, lattice, grid, again, _tokens(marks, lattice, context))
    count = Counter(mark.number for mark in marks)
    camera = camera_position(lattice.to_pixels, reader.size)
    caps = {
        pawn: project_to_table(lattice.where(_middle(mark)), context.pawn_height / TILE_MM, camera)
        for mark in marks
        # Two caps with one marker: either may be the pawn.
        if (pawn := marker_pawn(mark.number)) is not None and count[mark.number] == 1
    }
    return FrameResult(
        tiles=scan.tiles,
        pawns={
            pawn: grid.where(point) for pawn, point in caps.items() if _is_certain(point, lattice)
        },
        tokens=tuple((kind, grid.where(point)) for kind, point in _tokens(marks, lattice, context)),
        clear=frozenset(cell for place in clear if (cell := grid.cell(place)) is not None),
        middles=scan.places,
    )


def _tokens(
    marks: Iterable[Marker], lattice: Lattice, context: FrameContext
) -> list[tuple[str, Point]]:
    """Return the kind and the point of the lattice of each token."""
    return [
        (kind, point)
        for mark in marks
        if (kind := marker_token(mark.number, context.tokens)) is not None
        and _is_certain(point := lattice.where(_middle(mark)), lattice)
    ]


def _clear(
    reader: FrameReader,
    lattice: Lattice,
    grid: FieldAlignment,
    tiles: Mapping[Place, Tile],
    tokens: Sequence[tuple[str, Point]],
) -> set[Place]:
    """Return the places of the tiles that are uncovered except by tokens."""
    return {
        place
        for place, tile in tiles.items()
        if tile.turn is not None
        and _is_certain(place, lattice)
        and reader.is_clear(
            lattice,
            place,
            (tile.number, (tile.turn // 90 - grid.quarters) % 4),
            [point for _, point in tokens if dist(point, place) < 1],
        )
    }


def _marks_at(
    reader: FrameReader, lattice: Lattice, places: Iterable[Place], known: Sequence[Marker]
) -> Iterator[Marker]:
    """Yield the markers at these places that are not known yet, each once."""
    yielded = [(mark.number, lattice.where(_middle(mark))) for mark in known]
    for place in places:
        for mark in reader.marks_at(lattice, place):
            at = lattice.where(_middle(mark))
            is_new = all(mark.number != number or dist(at, one) > SAME for number, one in yielded)
            if is_new and _is_ours(mark, lattice):
                yielded.append((mark.number, at))
                yield mark


def _is_certain(point: Point, lattice: Lattice) -> bool:
    return min(dist(point, place) for place in lattice.laid) <= MAX_TILE_DISTANCE


def _is_ours(mark: Marker, lattice: Lattice) -> bool:
    """Return whether a marker has the size of a cap's or token's marker at its place."""
    back = invert(lattice.to_pixels)
    try:
        one, two, three, four = (project(back, corner) for corner in mark.corners)
    except Degenerate:
        return False
    least, most = MARKER_SIDE
    return all(
        least < dist(a, b) < most for a, b in ((one, two), (two, three), (three, four), (four, one))
    )


def _middle(mark: Marker) -> Point:
    return sum(x for x, _ in mark.corners) / 4, sum(y for _, y in mark.corners) / 4
