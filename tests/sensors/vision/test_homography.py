"""The plane perspective of a camera."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sensors.vision.homography import (
    Degenerate,
    Homography,
    Point,
    fit_homography,
    invert,
    project,
)

SQUARE: list[Point] = [(0, 0), (1, 0), (1, 1), (0, 1)]
part = st.floats(-0.3, 0.3)


def close(first: Point, second: Point, within: float = 1e-6) -> bool:
    return math.dist(first, second) < within


@st.composite
def homographies(draw: st.DrawFn) -> Homography:
    """Draw a camera's view of the unit square: turned, sheared, from the side, some hundred pixels
    large.
    """
    angle, scale = draw(st.floats(0, math.tau)), draw(st.floats(50, 3000))
    cos, sin = scale * math.cos(angle), scale * math.sin(angle)
    shear = draw(part)
    return (
        cos,
        -sin + shear * cos,
        draw(st.floats(0, 4000)),
        sin,
        cos + shear * sin,
        draw(st.floats(0, 3000)),
        draw(part),
        draw(part),
        1.0,
    )


@pytest.mark.slow
@given(homographies(), st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=20))
def test_what_is_fitted_is_what_was(h: Homography, points: list[Point]) -> None:
    """From four corners, and any further points, their homography is fitted."""
    fitted = fit_homography((point, project(h, point)) for point in [*SQUARE, *points])

    assert all(
        close(project(h, point), project(fitted, point), 1e-3) for point in [(0.5, 0.5), (0.1, 0.9)]
    )


@given(homographies(), st.floats(0, 1), st.floats(0, 1))
def test_there_and_back(h: Homography, x: float, y: float) -> None:
    """A projection and its inverse give the same point."""
    assert close((x, y), project(invert(h), project(h, (x, y))))


def test_one_bad_point_among_many_moves_little() -> None:
    """Least squares: a corner with an error of two pixels moves the others by less than one."""
    grid = [(x / 5, y / 5) for x in range(6) for y in range(6)]
    h = (900.0, 40.0, 100.0, -30.0, 700.0, 80.0, 0.1, -0.2, 1.0)
    pairs = [(point, project(h, point)) for point in grid]
    (point, (x, y)), *rest = pairs
    fitted = fit_homography([(point, (x + 2, y)), *rest])

    assert max(math.dist(project(fitted, point), pixel) for point, pixel in rest) < 1


@pytest.mark.parametrize("points", [SQUARE[:3], [(0, 0)] * 5, [(0, 0), (1, 1), (2, 2), (3, 3)]])
def test_too_little_to_go_by(points: list[Point]) -> None:
    """Three points, one point, or points on a line are degenerate."""
    with pytest.raises(Degenerate):
        fit_homography(zip(points, points, strict=True))


def test_the_horizon_has_no_picture() -> None:
    """A point on the horizon cannot be projected."""
    with pytest.raises(Degenerate):
        project((1, 0, 0, 0, 1, 0, -1, 0, 1), (1, 0.5))
