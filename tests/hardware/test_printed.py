"""The printed parts are closed solids, true to their sources."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from hardware.plans.magnet import CHOSEN, STACK
from hardware.plans.solids import SOLIDS, render_all
from tests.hardware.plans import HARDWARE, Joined

BED = 180.0
"""Millimetres that a small printer prints."""


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The printed parts as OpenSCAD makes them; it reports each as one closed solid."""
    folder = tmp_path_factory.mktemp("stl")
    render_all(folder)
    return folder


@pytest.mark.parametrize("name", SOLIDS)
def test_the_printed_parts_are_closed_and_what_their_sources_make(name: str, fresh: Path) -> None:
    """Each STL file is a closed solid that fits a small printer, and has the size and volume of a
    fresh one.
    """
    import trimesh

    part = trimesh.load_mesh(HARDWARE / "case" / "stl" / f"{name}.stl")
    made = trimesh.load_mesh(fresh / f"{name}.stl")

    assert part.is_watertight and part.is_winding_consistent and part.volume > 0
    assert {"pawn_base": 2, "pawns": 12}.get(name, 1) == len(pieces(part.faces.tolist()))
    assert max(part.extents) <= BED + 0.01
    assert part.bounds.tolist() == [pytest.approx(row, abs=0.001) for row in made.bounds.tolist()]
    assert part.volume == pytest.approx(made.volume, rel=1e-4)


def pieces(faces: list[list[int]]) -> set[frozenset[int]]:
    """Return the corners of a solid by the piece to which they belong."""
    joined = Joined()
    for first, second, third in faces:
        joined.join(first, second)
        joined.join(second, third)
    return joined.groups(corner for face in faces for corner in face)


def test_the_pawns_print_without_supports_and_differ_by_touch() -> None:
    """Each edge belongs to two faces, and no face but the foot's leans out by more than 45°. Each
    pawn has another body or number of knobs: three different foot's sizes, and four tops each. A
    pawn's foot covers the middle of its base, and its knobs are felt apart.
    """
    import trimesh

    plate = trimesh.load_mesh(HARDWARE / "case" / "stl" / "pawns.stl")
    assert {2} == set(Counter(map(tuple, plate.edges_sorted.tolist())).values())
    is_above_foot = plate.triangles_center[:, 2] > 0.01
    assert (plate.face_normals[is_above_foot][:, 2] >= -(0.5**0.5)).all()

    parts = plate.split()
    assert 12 == len(parts)
    tops: dict[float, list[int]] = {}
    for part in parts:
        assert 0 == pytest.approx(part.bounds[0][2])
        foot = part.section([0, 0, 1], [0, 0, 0.1]).to_2D()[0]
        knobs = part.section([0, 0, 1], [0, 0, 20.8]).to_2D()[0]
        tops.setdefault(round(foot.area), []).append(len(knobs.polygons_full))
        assert foot.area >= 200
        middles = [polygon.centroid for polygon in knobs.polygons_full]
        gaps = [a.distance(b) - 3.6 for a, b in combinations(middles, 2)]
        assert all(gap >= 2.5 for gap in gaps)
    assert 3 == len(tops)
    assert [[1, 2, 3, 4]] * 3 == [sorted(counts) for counts in tops.values()]


def test_the_pawns_magnet_is_closed_in_on_all_sides() -> None:
    """The base has a hollow that takes the magnet and no way out of it: floor, lid and wall are
    0.6, 1 and 1.8 mm thick at least. The guide's pause is at the hollow's upper end.
    """
    import trimesh

    base = trimesh.load_mesh(HARDWARE / "case" / "stl" / "pawn_base.stl")
    outer, hollow = sorted(
        (
            [[end([base.vertices[n][axis] for n in piece]) for axis in range(3)]
             for end in (min, max)]
            for piece in pieces(base.faces.tolist())
        ),
        key=lambda bounds: bounds[0][2],
    )  # fmt: skip
    disc = CHOSEN[0]

    assert hollow[0][2] - outer[0][2] >= STACK["floor of the pocket"] - 0.02
    assert outer[1][2] - hollow[1][2] >= 1
    assert disc.diameter + 0.2 <= hollow[1][0] - hollow[0][0] <= disc.diameter + 0.5
    assert disc.height + 0.1 <= hollow[1][2] - hollow[0][2] <= disc.height + 0.3
    for axis in (0, 1):
        assert hollow[0][axis] - outer[0][axis] >= 1.75 <= outer[1][axis] - hollow[1][axis]
    guide = (HARDWARE.parent / "docs" / "boards.md").read_text(encoding="utf-8")
    assert f"pause at {hollow[1][2]:.1f} mm" in guide
