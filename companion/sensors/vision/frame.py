"""Analyse one frame: pawns by place, and empty cells. Pure.

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
from companion.sensors.vision.field import (
    CodeReader,
    FieldAlignment,
    NoField,
    find_field,
    to_field_scan,
)
from companion.sensors.vision.homography import Degenerate, Point, invert, project
from companion.sensors.vision.lattice import Detection, Lattice
from companion.sensors.vision.pose import camera_position, project_to_table

TILE_MM = 60.0
"""Millimetres from tile to tile."""
MARKER_SIDE = (0.1, 0.26)
"""Least and largest apparent side of a cap's 9 mm marker, in tiles."""
MAX_TILE_DISTANCE = 2.0
"""Tiles from the nearest read tile within which a place is certain: few tiles in a corner, which is
all that an arm leaves open, do not fix places far from them.
"""


class Marker(NamedTuple):
    """A cap's marker with its corners in pixels."""

    pawn: Pawn
    corners: tuple[Point, Point, Point, Point]


class FrameReader(CodeReader, Protocol):
    """A reader that also detects what stands on the tiles."""

    def marks(self) -> Sequence[Marker]:
        """Return the markers in the whole frame."""

    def is_clear(self, sighting: Detection) -> bool:
        """Return whether nothing covers a tile's code and quiet zone."""


class FrameContext(Struct, frozen=True):
    """What is known before a frame is read.

    `known`: the field's tiles. `is_laying`: the field is being laid. `pawn_height`: mm, with the
    cap.
    """

    known: Mapping[Cell, Tile] = {}
    is_laying: bool = False
    pawn_height: float = 30.0


class FrameResult(Struct, frozen=True):
    """What one frame shows.

    `pawns`: column and row of each, in fractions from the middle of A1. `clear`: empty cells. With
    a `problem` the rest is empty.
    """

    tiles: Mapping[Cell, Tile] = {}
    pawns: Mapping[Pawn, Point] = {}
    clear: frozenset[Cell] = frozenset()
    problem: Message | None = None


def analyse_frame(eye: FrameReader, context: FrameContext) -> FrameResult:
    """Return what a reader detects on the table."""
    try:
        lattice, grid = find_field(eye, context.known, at_a_glance=not context.is_laying)
        return _analyse(eye, lattice, grid, context.pawn_height)
    except NoField as refusal:
        return FrameResult(problem=refusal.said)
    except Degenerate:
        return FrameResult(problem=Message("scan.no_lattice"))


def _analyse(
    eye: FrameReader, lattice: Lattice, grid: FieldAlignment, height: float
) -> FrameResult:
    laid = {
        cell: lain for place, lain in lattice.laid.items() if (cell := grid.cell(place)) is not None
    }
    marks = [mark for mark in eye.marks() if _is_cap(mark, lattice)]
    twice = {pawn for pawn, count in Counter(mark.pawn for mark in marks).items() if count > 1}
    camera = camera_position(lattice.to_pixels, eye.size)
    at = {
        mark.pawn: project_to_table(lattice.where(_middle(mark)), height / TILE_MM, camera)
        for mark in marks
        # Two caps with one marker: either may be the pawn.
        if mark.pawn not in twice
    }
    return FrameResult(
        tiles=to_field_scan(eye, lattice, grid).tiles,
        pawns={
            pawn: grid.where(point)
            for pawn, point in at.items()
            if min(dist(point, place) for place in lattice.laid) <= MAX_TILE_DISTANCE
        },
        clear=frozenset(cell for cell, lain in laid.items() if eye.is_clear(lain.sighting)),
    )


def _is_cap(mark: Marker, lattice: Lattice) -> bool:
    """Return whether a marker is as large as a cap's would be there."""
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
