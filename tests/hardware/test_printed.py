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
KNOB, APART = 3.6, 2.5
"""Diameter of a pawn's knob, and the least room between two: that of the dots of braille, in mm."""
FOOT = 200.0
"""Square millimetres that are glued on a base, at least."""


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
    """Each edge belongs to two faces, and no face but the foot's leans out by more than 45°. The
    twelve pawns are three bodies with one to four knobs, which a finger feels apart.
    """
    import trimesh

    plate = trimesh.load_mesh(HARDWARE / "case" / "stl" / "pawns.stl")
    assert {2} == set(Counter(map(tuple, plate.edges_sorted.tolist())).values())
    heights = plate.triangles[:, :, 2]
    is_foot = (heights < 0.01).all(axis=1)
    assert (plate.face_normals[~is_foot][:, 2] >= -(0.5**0.5)).all()

    faces, top = plate.faces.tolist(), plate.bounds[1][2]
    is_top = (heights > top - 0.01).all(axis=1)
    tops = pieces(plate.faces[is_top].tolist())
    counts: dict[float, list[int]] = {}
    for part in pieces(faces):
        of_part = [face[0] in part for face in faces]
        foot = round(float(plate.area_faces[is_foot & of_part].sum()))
        middles = [plate.vertices[[*ring]].mean(axis=0) for ring in tops if ring <= part]
        counts.setdefault(foot, []).append(len(middles))
        gaps = [((a - b) ** 2).sum() ** 0.5 - KNOB for a, b in combinations(middles, 2)]
        assert all(gap >= APART for gap in gaps)
    assert [[1, 2, 3, 4]] * 3 == [sorted(each) for each in counts.values()]
    assert min(counts) >= FOOT


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
