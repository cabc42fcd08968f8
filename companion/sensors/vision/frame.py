"""Analyse one frame: pawns and tokens by place, and empty cells. Pure.

A cell that shows neither its tile nor a pawn is covered and not reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import dist
from typing import NamedTuple, Protocol

from msgspec import Struct

from companion.core.game import Message
from companion.core.placement import Cell, Pawn, Tile
from companion.sensors.vision.codes import marker_pawn, marker_token
from companion.sensors.vision.field import (
    CodeReader,
    FieldAlignment,
    NoField,
    find_field,
    to_field_scan,
)
from companion.sensors.vision.homography import Degenerate, Point, invert, project
from companion.sensors.vision.lattice import Lattice, Place
from companion.sensors.vision.pose import camera_position, project_to_table

TILE_MM = 60.0
"""Millimetres from tile to tile."""
MARKER_SIDE = (0.1, 0.26)
"""Least and largest apparent side of a token's 8 mm and a cap's 9 mm marker, in tiles."""
MAX_TILE_DISTANCE = 2.0
"""Tiles from the nearest read tile within which a place is certain: few tiles in a corner, which is
all that an arm leaves open, do not fix places far from them.
"""


class Marker(NamedTuple):
    """A marker with its corners in pixels."""

    number: int
    corners: tuple[Point, Point, Point, Point]


class FrameReader(CodeReader, Protocol):
    """A reader that also detects what stands on the tiles."""

    def marks(self) -> Sequence[Marker]:
        """Return the markers in the whole frame."""

    def is_clear(
        self, lattice: Lattice, place: Place, tile: tuple[int, int], tokens: Sequence[Point]
    ) -> bool:
        """Return whether a tile lies at a place of the lattice, and nothing but tokens covers its
        code and quiet zone. `tile`: its number and quarter turns; `tokens`: points of the lattice.
        """


class FrameContext(Struct, frozen=True):
    """What is known before a frame is read.

    `known`: the field's tiles. `is_laying`: the field is being laid. `pawn_height`: mm, with the
    cap. `tokens`: the kinds in the box, in the order of their markers.
    """

    known: Mapping[Cell, Tile] = {}
    is_laying: bool = False
    pawn_height: float = 30.0
    tokens: tuple[str, ...] = ()


class FrameResult(Struct, frozen=True):
    """What one frame shows.

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


def analyse_frame(eye: FrameReader, context: FrameContext) -> FrameResult:
    """Return what a reader detects on the table."""
    try:
        lattice, grid = find_field(eye, context.known, at_a_glance=not context.is_laying)
        return _analyse(eye, lattice, grid, context)
    except NoField as refusal:
        return FrameResult(problem=refusal.message)
    except Degenerate:
        return FrameResult(problem=Message("scan.no_lattice"))


def _analyse(
    eye: FrameReader, lattice: Lattice, grid: FieldAlignment, context: FrameContext
) -> FrameResult:
    marks = [mark for mark in eye.marks() if _is_ours(mark, lattice)]
    count = Counter(mark.number for mark in marks)
    camera = camera_position(lattice.to_pixels, eye.size)
    caps = {
        pawn: project_to_table(lattice.where(_middle(mark)), context.pawn_height / TILE_MM, camera)
        for mark in marks
        # Two caps with one marker: either may be the pawn.
        if (pawn := marker_pawn(mark.number)) is not None and count[mark.number] == 1
    }
    tokens = [
        (kind, point)
        for mark in marks
        if (kind := marker_token(mark.number, context.tokens)) is not None
        and _is_certain(point := lattice.where(_middle(mark)), lattice)
    ]
    scan = to_field_scan(eye, lattice, grid)
    return FrameResult(
        tiles=scan.tiles,
        pawns={
            pawn: grid.where(point) for pawn, point in caps.items() if _is_certain(point, lattice)
        },
        tokens=tuple((kind, grid.where(point)) for kind, point in tokens),
        clear=frozenset(
            cell
            # A tile whose code a shadow's edge crosses is unread, but known and seen.
            for cell, tile in {**context.known, **scan.tiles}.items()
            if tile.turn is not None
            and _is_certain(place := grid.place(cell), lattice)
            and eye.is_clear(
                lattice,
                place,
                (tile.number, (tile.turn // 90 - grid.quarters) % 4),
                [point for _, point in tokens if dist(point, place) < 1],
            )
        ),
        middles=scan.places,
    )


def _is_certain(point: Point, lattice: Lattice) -> bool:
    return min(dist(point, place) for place in lattice.laid) <= MAX_TILE_DISTANCE


def _is_ours(mark: Marker, lattice: Lattice) -> bool:
    """Return whether a marker is as large as that of a cap or token would be there."""
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
