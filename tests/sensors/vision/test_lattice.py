"""Codes become a lattice, or none: no code is ever a column off."""

from __future__ import annotations

import math
from collections.abc import Mapping
from random import Random

import pytest

from companion.sensors.vision.lattice import (
    CORNERS,
    Detection,
    Lattice,
    Place,
    find_lattice,
    fit_lattice,
    rotate_quarters,
)
from tools.photos.camera import aimed
from tools.photos.views import SIZES

TILTS = (0, 30, 45, 60)


def detect(
    camera_tilt: float, tiles: Mapping[int, tuple[float, float, float]], seed: int = 0
) -> list[Detection]:
    """Return a camera's detections of tiles, given as number: (column, row, degrees), with half a
    pixel of error.
    """
    rng = Random(seed)
    camera = aimed(SIZES[3], (camera_tilt, rng.uniform(-20, 20), rng.uniform(-10, 10)))
    detections = []
    for number, (column, row, degrees) in tiles.items():
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        corners = []
        for x, y in CORNERS:
            at = (column - 2.5 + cos * x - sin * y, row - 2.5 + sin * x + cos * y)
            pixel = camera.sees(61 * at[0], 61 * at[1])
            corners.append((pixel[0] + rng.uniform(-0.7, 0.7), pixel[1] + rng.uniform(-0.7, 0.7)))
        first, second, third, fourth = corners
        detections.append(Detection(number, (first, second, third, fourth)))
    rng.shuffle(detections)
    return detections


def field(
    rng: Random, columns: int = 6, rows: int = 6, drift: float = 0.03
) -> dict[int, tuple[float, float, float]]:
    """Return tiles placed by hand: each a little off its place, turned and twisted."""
    places = [(x, y) for y in range(rows) for x in range(columns)]
    return {
        number: (
            x + rng.uniform(-drift, drift),
            y + rng.uniform(-drift, drift),
            90 * rng.randrange(4) + rng.uniform(-4, 4),
        )
        for number, (x, y) in enumerate(places, 1)
    }


def is_right(lattice: Lattice, tiles: Mapping[int, tuple[float, float, float]]) -> bool:
    """Return whether every tile has its true place and turn, in one common frame."""
    frames = set()
    for place, placed in lattice.laid.items():
        x, y, degrees = tiles[placed.sighting.number]
        quarters = (placed.turn - round(degrees / 90)) % 4
        home = rotate_quarters((round(x), round(y)), quarters)
        frames.add((place[0] - home[0], place[1] - home[1], quarters))
    return len(frames) == 1


@pytest.mark.parametrize("tilt", TILTS)
@pytest.mark.parametrize("seed", range(3))
def test_a_whole_field_is_one_lattice(tilt: float, seed: int) -> None:
    """All 36 tiles are found in their places, from above and from the side."""
    tiles = field(Random(seed))
    lattice = find_lattice(detect(tilt, tiles, seed))

    assert lattice is not None
    assert (36, (6, 6), ()) == (len(lattice.laid), lattice.size, lattice.outliers)
    assert is_right(lattice, tiles)


@pytest.mark.parametrize("tilt", TILTS)
@pytest.mark.parametrize("seed", range(6))
def test_a_field_with_many_holes_is_never_a_column_off(tilt: float, seed: int) -> None:
    """If half of the tiles are not read, the others have their true places."""
    rng = Random(seed)
    tiles = field(rng)
    visible = dict(rng.sample(sorted(tiles.items()), 16))
    lattice = find_lattice(detect(tilt, visible, seed))

    assert lattice is not None
    assert is_right(lattice, tiles)
    assert max(lattice.size) <= 6


def test_a_seventh_column_is_seen_as_one() -> None:
    """Seven columns stay seven columns: a field that is too large is not squeezed."""
    lattice = find_lattice(detect(30, field(Random(1), columns=7)))

    assert lattice is not None
    assert {7, 6} == set(lattice.size)


@pytest.mark.parametrize(
    "tiles",
    [{}, {1: (2.0, 2.0, 0.0)}, {1: (0.0, 0.0, 0.0), 2: (5.0, 5.0, 90.0), 3: (0.0, 5.0, 0.0)}],
)
def test_tiles_that_do_not_hang_together_are_no_lattice(
    tiles: dict[int, tuple[float, float, float]],
) -> None:
    """Nothing, one tile, and tiles without a neighbour give no lattice."""
    assert None is find_lattice(detect(20, tiles))


@pytest.mark.parametrize(("count", "is_lattice"), [(2, False), (3, True)])
def test_three_connected_tiles_are_a_lattice(count: int, is_lattice: bool) -> None:
    """Three tiles side by side are a lattice, two are none."""
    row = {number: (float(number), 2.0, 0.0) for number in range(1, count + 1)}

    assert is_lattice == (find_lattice(detect(20, row)) is not None)


def test_what_lies_beside_its_place_is_a_stray() -> None:
    """A tile half a place off, and one turned by 45 degrees, have no place; the others keep
    theirs.
    """
    tiles = field(Random(2))
    tiles[15] = (2.5, 2.0, 0.0)
    tiles[36] = (5.0, 5.0, 45.0)
    lattice = find_lattice(detect(20, tiles))

    assert lattice is not None
    assert {15, 36} == {outlier.number for outlier in lattice.outliers}
    assert 34 == len(lattice.laid)


def test_of_two_in_one_place_the_better_one_has_it() -> None:
    """Of two codes in one place the one nearer to its middle has it, the other is an outlier."""
    tiles = field(Random(3)) | {37: (1.15, 1.0, 0.0)}
    lattice = find_lattice(detect(10, tiles))

    assert lattice is not None
    assert [37] == [outlier.number for outlier in lattice.outliers]


def test_places_lead_to_pixels_and_back() -> None:
    """The lattice's own homography gives a tile's place in the picture."""
    lattice = find_lattice(detect(45, field(Random(4), drift=0)))

    assert lattice is not None
    errors: dict[Place, float] = {
        place: math.dist(lattice.where(placed.sighting.middle), place)
        for place, placed in lattice.laid.items()
    }
    assert max(errors.values()) < 0.1


def test_known_tiles_without_neighbours() -> None:
    """Tiles of a known field make a lattice without any neighbours, each in its place; two make
    none, and neither do they if one is elsewhere or turned.
    """
    rng = Random(2)
    tiles = {number: at for number, at in field(rng).items() if number in (1, 3, 14, 18, 29, 36)}
    detections = {detection.number: detection for detection in detect(30, tiles)}
    placed = {
        ((number - 1) % 6, (number - 1) // 6): (detection, round(tiles[number][2] / 90) % 4)
        for number, detection in detections.items()
    }
    lattice = fit_lattice(placed)

    assert find_lattice([*detections.values()]) is None
    assert lattice is not None
    assert placed.keys() == lattice.laid.keys()
    assert fit_lattice(dict(list(placed.items())[:2])) is None
    (place, (detection, turn)), *others = placed.items()
    assert fit_lattice({(place[0] + 1, place[1]): (detection, turn), **dict(others)}) is None
    assert fit_lattice({place: (detection, (turn + 1) % 4), **dict(others)}) is None
