"""Camera position over a flat table from its homography; projection of upright objects. Pure."""

from __future__ import annotations

import math

from companion.sensors.vision.homography import Degenerate, Homography, Point

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
