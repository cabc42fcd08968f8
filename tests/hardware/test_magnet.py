"""The magnet under a pawn: its field by another model, and the chosen build senses each pawn."""

from __future__ import annotations

from itertools import product
from math import cos, hypot, pi, sin
from random import Random

import pytest

from hardware.plans import magnet
from hardware.plans.magnet import CHOSEN, COMPARED, GAP, LEAST, OPERATES, RELEASES, Disc
from tests.hardware.plans import HARDWARE, rows

DISCS = sorted({disc for disc, _ in COMPARED}, key=lambda disc: disc.name)


@pytest.mark.parametrize("distance", [3.0, 6.0, 10.0])
def test_a_magnets_field_on_its_axis_is_the_textbooks(distance: float) -> None:
    """On the axis the sum over the faces' patches is the closed formula of a disc magnet."""
    for disc in DISCS:
        r, h = disc.diameter / 2, disc.height
        textbook = (
            disc.remanence
            / 2
            * ((distance + h) / hypot(r, distance + h) - distance / hypot(r, distance))
        )

        assert textbook == pytest.approx(magnet.axial(disc, distance, 0), rel=0.01)


def by_current(disc: Disc, distance: float, aside: float) -> float:
    """Return the same field from the current that runs round the disc's rim (Biot and Savart)."""
    rings, steps, r = 12, 180, disc.diameter / 2
    total = 0.0
    for ring in range(rings):
        z = distance + disc.height * (ring + 0.5) / rings
        for step in range(steps):
            turn = 2 * pi * (step + 0.5) / steps
            x, y = aside - r * cos(turn), -r * sin(turn)
            along_x, along_y = -r * sin(turn), r * cos(turn)
            total += (along_x * y - along_y * x) / (x * x + y * y + z * z) ** 1.5
    return disc.remanence / (4 * pi) * total * disc.height / rings * 2 * pi / steps


@pytest.mark.parametrize("aside", [0.0, 5.0, 12.0, 15.0, 20.0, 33.0, 45.0])
def test_a_magnets_field_beside_it_is_that_of_its_current(aside: float) -> None:
    """Poles on the faces and a current round the rim, which share no formula, give one field with
    its sign: positive above the disc, turned over in the ring beside it.
    """
    for disc in DISCS:
        assert by_current(disc, GAP, aside) == pytest.approx(
            magnet.near(disc, GAP, aside), rel=0.03, abs=0.02
        )
    assert magnet.near(CHOSEN[0], GAP, 0) > 0 > magnet.near(CHOSEN[0], GAP, 20)


@pytest.mark.parametrize("gap", [GAP - 1, GAP, GAP + 1])
def test_the_chosen_magnet_is_seen_all_over_its_cell_and_in_no_other(gap: float) -> None:
    """Wherever its base is within the cell, some switch has more than every switch needs; in a
    neighbour cell no switch has what any needs. Planes a millimetre off do not change that.
    """
    disc, layout = CHOSEN

    assert magnet.least_seen(disc, layout, gap) >= 1.25 * OPERATES
    assert magnet.most_beside(disc, layout, gap) <= 0.8 * LEAST


def test_no_crowd_hides_a_pawn() -> None:
    """Two or three pawns that share a cell are sensed, whichever of their poles are down."""
    disc, layout = CHOSEN
    random = Random(5)
    for _ in range(3000):
        pawns = [standing(random, magnet.allowed(disc)) for _ in range(random.choice((2, 3)))]
        if all(apart(a, b) >= disc.base for n, a in enumerate(pawns) for b in pawns[:n]):
            assert magnet.strongest(disc, layout, pawns) >= OPERATES, pawns


@pytest.mark.parametrize(
    ("neighbours", "reach", "bound"),
    [(2, 12.0, LEAST), (3, 8.0, LEAST), (8, 0.0, LEAST), (8, 18.0, 3.6)],
)
def test_a_crowd_around_makes_no_pawn(neighbours: int, reach: float, bound: float) -> None:
    """Pawns in `neighbours` cells around, at most `reach` mm from their centres and all with one
    pole down, stay below what any switch needs, with the strongest magnets of their name; eight
    anywhere below the guide's bound.
    """
    disc, layout = CHOSEN
    random = Random(6)
    around = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]
    for _ in range(4000):
        pawns = [
            (60 * aside + x, 60 * up + y, 1)
            for aside, up in random.sample(around, neighbours)
            for x, y, _ in [standing(random, reach, edge=True)]
        ]
        assert disc.strongest * magnet.strongest(disc, layout, pawns) < bound


@pytest.mark.parametrize(("release", "reach"), [(RELEASES[0], 5.0), (RELEASES[1], 18.0)])
def test_a_switch_lets_go_when_its_pawn_has_left(release: float, reach: float) -> None:
    """A pawn that has gone to a neighbour cell leaves less than a typical switch's release point,
    wherever it stands there; less than the least one's within 5 mm of the middle.
    """
    disc, layout = CHOSEN
    corners = [(x, y) for x in (-reach, 0, reach) for y in (-reach, 0, reach)]
    residual = disc.strongest * max(
        magnet.strongest(disc, layout, [(60 * aside + x, 60 * up + y, 1)])
        for aside, up in ((1, 0), (0, 1), (1, 1))
        for x, y in corners
    )
    assert residual < release


def standing(random: Random, reach: float, edge: bool = False) -> magnet.Pawn:
    """Return a pawn at a random place within reach, often at its edge on request."""
    x, y = (random.uniform(-reach, reach) for _ in range(2))
    if edge and random.random() < 0.7:
        x = random.choice((-reach, reach))
    if edge and random.random() < 0.7:
        y = random.choice((-reach, reach))
    return x, y, random.choice((1, -1))


def apart(first: magnet.Pawn, second: magnet.Pawn) -> float:
    return hypot(first[0] - second[0], first[1] - second[1])


def test_one_switch_a_cell_would_have_a_blind_ring() -> None:
    """The reason for four: a single switch senses nothing where the field turns over."""
    assert magnet.least_seen(CHOSEN[0], magnet.ONE) < LEAST


def test_the_alternative_switch_wants_the_larger_magnet() -> None:
    """A switch releases below where it operates; the DRV5033FA is sure with 25 × 5 mm alone."""
    assert all(
        release < operate
        for release, operate in zip(magnet.RELEASE_POINTS, magnet.OPERATE_POINTS, strict=True)
    )
    least = magnet.least_seen(*CHOSEN)
    assert OPERATES < least < magnet.ALTERNATIVE_OPERATES
    assert magnet.least_seen(magnet.FERRITE_25_5, magnet.FOUR) > magnet.ALTERNATIVE_OPERATES


def test_the_guide_has_the_calculated_figures() -> None:
    """The figures of the switch and of the chosen magnet in the guide are the calculated ones."""
    (chosen,) = (
        row
        for row in rows(HARDWARE / "presence" / "reach.csv")
        if (row["magnet_mm"], row["switches"]) == (CHOSEN[0].name, CHOSEN[1].name)
        and float(row["gap_mm"]) == pytest.approx(GAP, abs=0.01)
    )
    text = " ".join((HARDWARE / "README.md").read_text(encoding="utf-8").split())
    low, usual, high = (f"{point:g}" for point in magnet.OPERATE_POINTS)
    assert f"{low} mT at least, {usual} typically, {high} at most" in text
    low, usual, high = (f"{point:g}" for point in magnet.RELEASE_POINTS)
    assert f"{low} at least, {usual} typically, {high} at most" in text
    assert f"{chosen['least_mT']} mT at some switch" in text
    assert f"at most {chosen['neighbour_mT']} mT" in text
    assert f"{chosen['push_gf']} grams at {chosen['base_mm']} mm" in text
    assert "yes" == chosen["fit"]
