"""Calculate which magnets under a pawn switch the Hall sensors of a cell. Nothing was measured.

Millimetres and millitesla. A disc is taken as evenly magnetised along its axis, its two faces as
sheets of poles. The switches work on either pole, so the field has a sign and counts without it: it
turns over in a ring around the magnet, and in that ring a single switch detects nothing.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import cos, hypot, pi, sin

RINGS, SPOKES = 16, 24
"""Number of patches of a face."""
_TURNS = tuple((cos(2 * pi * n / SPOKES), sin(2 * pi * n / SPOKES)) for n in range(SPOKES))
CELL = 60.0
OPERATE_POINTS = (1.5, 3.0, 4.8)
"""The field at which a DRV5032FC switches: least, typical, most (SLVSDC7H, table 6.6). The typical
values are from memory, the others were read in notes that quote the table.
"""
RELEASE_POINTS = (0.5, 1.5, 3.0)
"""The field below which it lets go: least, typical, most."""
OPERATES = OPERATE_POINTS[2]
"""At this field every switch has operated."""
LEAST = OPERATE_POINTS[0]
"""Below this none operates."""
RELEASES = RELEASE_POINTS[:2]
"""Below this a switch releases: the lowest of any, the typical one."""
ALTERNATIVE_OPERATES = 6.8
"""At this field every DRV5033FA has operated: more than the chosen magnet gives everywhere."""
WALL = 2.0
"""Wall of the pawn's base around its magnet."""
GRAM_FORCE = 9.81e-3
STACK = {
    "floor of the pocket": 0.6,
    "tile": 2.0,
    "plate": 3.0,
    "strip": 1.6,
    "sensing element above the strip": 0.45,
}
"""Layers between a magnet and the sensing element under it."""
GAP = sum(STACK.values())
_STEP, _FAR = 0.5, 130.0


@dataclass(frozen=True)
class Disc:
    """A disc magnet; `remanence` in millitesla, the minimum of its grade.

    `strongest`: how many times stronger the strongest one sold under its name is.
    """

    name: str
    diameter: float
    height: float
    remanence: float
    strongest: float

    @property
    def base(self) -> float:
        """Return the diameter of the pawn's base that holds it."""
        return max(20.0, self.diameter + 2 * WALL)


@dataclass(frozen=True)
class Layout:
    """Places of a cell's switches, from its centre."""

    name: str
    places: tuple[tuple[float, float], ...]


FERRITE = 370.0, 1.25
"""Y30 has 370 mT at least; the strongest ferrite, Y40, has 460 at most."""
NEODYMIUM_10 = Disc("10 x 3 N42", 10.0, 3.0, 1280.0, 1.03)
FERRITE_20_3 = Disc("20 x 3 ferrite", 20.0, 3.0, *FERRITE)
FERRITE_20_5 = Disc("20 x 5 ferrite", 20.0, 5.0, *FERRITE)
FERRITE_25_5 = Disc("25 x 5 ferrite", 25.0, 5.0, *FERRITE)
ONE = Layout("1", ((0.0, 0.0),))
FOUR = Layout("4", tuple(product((-9.0, 9.0), (-9.0, 9.0))))
SIX = Layout("6", tuple(product((-13.0, 0.0, 13.0), (-9.0, 9.0))))
CHOSEN = FERRITE_20_5, FOUR
COMPARED = (
    (NEODYMIUM_10, ONE),
    (NEODYMIUM_10, FOUR),
    (FERRITE_20_3, FOUR),
    (FERRITE_20_3, SIX),
    (FERRITE_20_5, ONE),
    (FERRITE_20_5, FOUR),
    (FERRITE_25_5, FOUR),
)


def axial(disc: Disc, distance: float, aside: float) -> float:
    """Return the field along the disc's axis, `distance` before its face and `aside` of it."""
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


@cache
def _profile(disc: Disc, gap: float) -> tuple[float, ...]:
    return tuple(axial(disc, gap, _STEP * n) for n in range(int(_FAR / _STEP) + 2))


def near(disc: Disc, gap: float, aside: float) -> float:
    """Return `axial` interpolated, which is faster; `aside` up to 130 mm."""
    whole, part = divmod(aside / _STEP, 1.0)
    profile = _profile(disc, gap)
    return profile[int(whole)] * (1 - part) + profile[int(whole) + 1] * part


Pawn = tuple[float, float, int]
"""A pawn's place from a cell's centre, and the pole that is down: 1 or -1."""


def strongest(disc: Disc, layout: Layout, pawns: Iterable[Pawn], gap: float = GAP) -> float:
    """Return the strongest field, without its sign, at any of a cell's switches."""
    standing = tuple(pawns)
    return max(
        abs(sum(pole * near(disc, gap, hypot(x - a, y - b)) for x, y, pole in standing))
        for a, b in layout.places
    )


def allowed(disc: Disc) -> float:
    """Return how far off the centre, along a side, a pawn's base is still in its cell."""
    return (CELL - disc.base) / 2


def grid(disc: Disc, cells_aside: float = 0.0, cells_up: float = 0.0) -> list[Pawn]:
    """Return a grid of places at which a pawn's base is within its cell."""
    reach = allowed(disc)
    steps = [-reach + 2 * reach * n / 16 for n in range(17)]
    return [(x + CELL * cells_aside, y + CELL * cells_up, 1) for x in steps for y in steps]


def least_seen(disc: Disc, layout: Layout, gap: float = GAP) -> float:
    """Return the weakest field at a cell's switches from a pawn anywhere in the cell."""
    return min(strongest(disc, layout, [pawn], gap) for pawn in grid(disc))


def most_beside(disc: Disc, layout: Layout, gap: float = GAP) -> float:
    """Return the strongest field at a cell's switches from a pawn in a neighbour cell, whose magnet
    is the strongest of its name.
    """
    return disc.strongest * max(
        strongest(disc, layout, [pawn], gap)
        for aside, up in ((1, 0), (0, 1), (1, 1))
        for pawn in grid(disc, aside, up)
    )


def push(disc: Disc) -> float:
    """Return the repulsion in gram-force of two pawns, base at base, like poles down, with the
    strongest magnets of their name.
    """
    volume = pi * (disc.diameter / 2) ** 2 * disc.height * 1e-9
    moment = disc.strongest * disc.remanence * 1e-3 * volume / (4e-7 * pi)
    return 3e-7 * moment**2 / (disc.base * 1e-3) ** 4 / GRAM_FORCE


def table() -> str:
    """Return the fields of each magnet with each layout, as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ("magnet_mm", "switches", "gap_mm", "base_mm", "least_mT", "neighbour_mT", "push_gf", "fit")
    )
    rows = [(disc, layout, GAP) for disc, layout in COMPARED]
    rows += [(*CHOSEN, GAP - 1), (*CHOSEN, GAP + 1)]
    for disc, layout, gap in rows:
        least, beside = least_seen(disc, layout, gap), most_beside(disc, layout, gap)
        fit = "yes" if least >= OPERATES and beside < LEAST else "no"
        figures = (f"{gap:.2f}", f"{disc.base:g}", f"{least:.1f}", f"{beside:.2f}")
        writer.writerow((disc.name, layout.name, *figures, f"{push(disc):.0f}", fit))
    return out.getvalue()
