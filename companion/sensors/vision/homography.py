"""Plane perspective: map points of a plane to a camera's picture.

Pure Python, points are (x, y) pairs. A homography is nine numbers h0 … h8, row by row, with h8 = 1:
(x, y) goes to ((h0 x + h1 y + h2) / w, (h3 x + h4 y + h5) / w) with w = h6 x + h7 y + 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum

Point = tuple[float, float]
Homography = tuple[float, ...]


class Degenerate(ValueError):
    """Error raised when points define no homography: too few, or on a line."""


def project(h: Homography, point: Point) -> Point:
    """Return a point's image; raise `Degenerate` on the horizon."""
    x, y = point
    w = h[6] * x + h[7] * y + h[8]
    if abs(w) < 1e-12:
        raise Degenerate("the point lies on the horizon")
    return (h[0] * x + h[1] * y + h[2]) / w, (h[3] * x + h[4] * y + h[5]) / w


def invert(h: Homography) -> Homography:
    """Return the inverse homography; raise `Degenerate`."""
    a, b, c, d, e, f, g, k, i = h
    adjugate = (
        e * i - f * k, c * k - b * i, b * f - c * e,
        f * g - d * i, a * i - c * g, c * d - a * f,
        d * k - e * g, b * g - a * k, a * e - b * d,
    )  # fmt: skip
    if abs(adjugate[8]) < 1e-12:
        raise Degenerate("the homography cannot be turned round")
    return tuple(part / adjugate[8] for part in adjugate)


def fit_homography(pairs: Iterable[tuple[Point, Point]]) -> Homography:
    """Return the homography that takes each first point nearest to its second, by least squares
    over at least four pairs; raise `Degenerate`.
    """
    pairs = list(pairs)
    if len(pairs) < 4:
        raise Degenerate("four points are the least")
    middle, spread = _centre_and_spread([there for _, there in pairs])
    rows: list[tuple[list[float], float]] = []
    for (x, y), there in pairs:
        u, v = (there[0] - middle[0]) / spread, (there[1] - middle[1]) / spread
        rows.append(([x, y, 1, 0, 0, 0, -u * x, -u * y], u))
        rows.append(([0, 0, 0, x, y, 1, -v * x, -v * y], v))
    normal = [[fsum(row[i] * row[j] for row, _ in rows) for j in range(8)] for i in range(8)]
    right = [fsum(row[i] * value for row, value in rows) for i in range(8)]
    h = [*_solve(normal, right), 1.0]
    return tuple(
        spread * h[i] + middle[i // 3] * h[6 + i % 3] if i < 6 else h[i]
        for i in range(9)
    )  # fmt: skip


def _centre_and_spread(points: Sequence[Point]) -> tuple[Point, float]:
    """Return the points' mean and spread: raw pixels would make the equations ill-conditioned."""
    middle = (fsum(x for x, _ in points) / len(points), fsum(y for _, y in points) / len(points))
    spread = max(max(abs(x - middle[0]), abs(y - middle[1])) for x, y in points)
    if spread < 1e-9:
        raise Degenerate("all points are one")
    return middle, spread


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Return the solution of a square system by elimination with pivots; raise `Degenerate`."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        if abs(rows[pivot][column]) < 1e-12:
            raise Degenerate("the points lie on a line")
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(size):
            if row != column and (factor := rows[row][column] / rows[column][column]):
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column], strict=True)]
    return [rows[row][size] / rows[row][row] for row in range(size)]
