"""How far a Hall switch is calculated to see a pawn's magnet. Nothing of it was ever measured.

Millimetres and millitesla. A disc is taken as evenly magnetised along its axis, its two faces as
sheets of poles.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from math import cos, hypot, pi, sin

RINGS, SPOKES = 16, 24
"""Into how many patches a face is cut."""
_TURNS = tuple((cos(2 * pi * n / SPOKES), sin(2 * pi * n / SPOKES)) for n in range(SPOKES))
OPERATES = 6.8
"""Millitesla at which every DRV5033FA has operated (3.5 is typical); the datasheet's greatest
value.
"""
DISTANCES = (3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
FINEST = 0.1
FARTHEST = 25.0


@dataclass(frozen=True)
class Disc:
    """A disc magnet; `remanence` in millitesla."""

    name: str
    diameter: float
    height: float
    remanence: float


DISCS = (
    Disc("10 x 3 N42", 10.0, 3.0, 1280.0),
    Disc("6 x 2 N45", 6.0, 2.0, 1320.0),
    Disc("15 x 3 N45", 15.0, 3.0, 1320.0),
)
"""The grades' least remanence."""


def axial(disc: Disc, distance: float, aside: float) -> float:
    """Return the field along the disc's axis, `distance` before its face and `aside` from its
    axis.
    """
    radius = disc.diameter / 2
    total = 0.0
    for ring in range(RINGS):
        r = (ring + 0.5) * radius / RINGS
        patch = (radius / RINGS) * r * 2 * pi / SPOKES
        for across, up in _TURNS:
            along = hypot(aside - r * across, r * up)
            total += patch * (_pull(distance, along) - _pull(distance + disc.height, along))
    return disc.remanence / (4 * pi) * total


def _pull(distance: float, along: float) -> float:
    return distance / hypot(distance, along) ** 3


def reach(disc: Disc, distance: float, field: float = OPERATES) -> float:
    """Return how far aside the magnet may stand so that the switch still operates; 0 if it does not
    even below it.
    """
    near, far = 0.0, FARTHEST
    if axial(disc, distance, near) < field:
        return 0.0
    while far - near > FINEST:
        middle = (near + far) / 2
        near, far = (middle, far) if axial(disc, distance, middle) >= field else (near, middle)
    return near


def table() -> str:
    """Return field and reach by distance between magnet and sensing element, as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ("magnet_mm", "distance_mm", "field_mT", "reach_mm_at_6.8_mT", "reach_mm_at_3.5_mT")
    )
    for disc in DISCS:
        for distance in DISTANCES:
            values = (
                f"{axial(disc, distance, 0):.1f}",
                f"{reach(disc, distance):.1f}",
                f"{reach(disc, distance, 3.5):.1f}",
            )
            writer.writerow((disc.name, f"{distance:g}", *values))
    return out.getvalue()
