"""Loops, resonators and printed parts: their drawings are closed, true to size and agree with the
service.
"""

from __future__ import annotations

import re
import struct
import subprocess
from collections.abc import Iterator
from math import asinh, atan2, degrees, hypot, log, pi, radians, sin, sqrt
from pathlib import Path

import pytest
from companion.sensors.rfid.geometries import GEOMETRIES
from companion.sensors.rfid.geometry import Geometry

from hardware.plans import radio
from hardware.plans.circuit import identity
from hardware.plans.magnet import CHOSEN, STACK
from hardware.plans.solids import SOLIDS, render_all
from tests.hardware.plans import HARDWARE, Joined, rows

TANK = HARDWARE / "identity" / "tank"
BED = 180.0
"""Millimetres that a small printer prints."""


def outlines(geometry: Geometry) -> dict[str, list[list[tuple[float, float]]]]:
    """Return the closed paths of a drawing by layer, y pointing down again."""
    from ezdxf.entities.polyline import Polyline
    from ezdxf.filemanagement import readfile

    drawing = readfile(HARDWARE / "loops" / f"{geometry.name}.dxf")
    by_layer: dict[str, list[list[tuple[float, float]]]] = {}
    for path in drawing.modelspace().query("POLYLINE"):
        assert isinstance(path, Polyline) and path.is_closed
        by_layer.setdefault(path.dxf.layer, []).append(
            [(point.x, -point.y) for point in path.points()]
        )
    return by_layer


@pytest.mark.parametrize("geometry", GEOMETRIES, ids=lambda geometry: geometry.name)
def test_each_loop_is_a_closed_rectangle_on_its_cells(geometry: Geometry) -> None:
    """Each loop is a rectangle 56 mm wide; those on the cells hold the centres of their cells and
    no others.
    """
    paths = outlines(geometry)
    for axis in geometry.axes:
        centred, border = (
            paths[f"{axis.name}_centred".upper()],
            paths.get(f"{axis.name}_border".upper(), []),
        )
        assert (len(axis.centred), len(axis.border)) == (len(centred), len(border))
        for rectangle in (*centred, *border):
            (x1, y1), (x2, y2), (x3, y3), (x4, y4) = rectangle
            sides = hypot(x2 - x1, y2 - y1), hypot(x3 - x2, y3 - y2)
            assert 56 == pytest.approx(min(sides), abs=0.01)
            assert (x1 + x3, y1 + y3) == pytest.approx((x2 + x4, y2 + y4), abs=0.01)
            assert sqrt(sides[0] ** 2 + sides[1] ** 2) == pytest.approx(
                hypot(x3 - x1, y3 - y1), abs=0.01
            )
        for cell, place in zip(geometry.cells, axis.cells, strict=True):
            inside = [
                n
                for n, rectangle in enumerate(centred)
                if holds(rectangle, centre(geometry, str(cell)))
            ]
            assert [place] == inside, cell


def centre(geometry: Geometry, cell: str) -> tuple[float, float]:
    """Return a cell's centre by itself: squares of 60 mm, or hexagons of 60 mm across flats by
    pins.toml.
    """
    letter, number = ord(cell[0].lower()) - ord("a"), int(cell[1:]) - 1
    if geometry.name == "square":
        return 60.0 * letter - 150, 60.0 * number - 150
    return 60.0 * (number - 3) - 30 * (letter - 3), 60 * sin(radians(60)) * (letter - 3)


def holds(rectangle: list[tuple[float, float]], point: tuple[float, float]) -> bool:
    (x1, y1), (x2, y2), _, (x4, y4) = rectangle
    along = (point[0] - x1) * (x2 - x1) + (point[1] - y1) * (y2 - y1)
    across = (point[0] - x1) * (x4 - x1) + (point[1] - y1) * (y4 - y1)
    return (
        0 < along < (x2 - x1) ** 2 + (y2 - y1) ** 2 and 0 < across < (x4 - x1) ** 2 + (y4 - y1) ** 2
    )


def test_border_loops_lie_half_a_cell_beside_the_cells() -> None:
    """The square field's 26 loops are 56 mm wide, 360 long over the cells and 352 over the borders;
    the borders' seven lie 30 mm beside the cells' six.
    """
    layers = outlines(GEOMETRIES[0])
    assert 26 == sum(len(paths) for layer, paths in layers.items() if layer != "PLATE")
    for axis, across in (("ROW", 1), ("COLUMN", 0)):
        middles = {
            kind: sorted(
                sum(point[across] for point in path) / 4 for path in layers[f"{axis}_{kind}"]
            )
            for kind in ("CENTRED", "BORDER")
        }
        assert [-150, -90, -30, 30, 90, 150] == pytest.approx(middles["CENTRED"])
        assert [-180, -120, -60, 0, 60, 120, 180] == pytest.approx(middles["BORDER"])
        for kind, end in (("CENTRED", 180), ("BORDER", 176)):
            for path in layers[f"{axis}_{kind}"]:
                assert {-end, end} == {round(point[1 - across]) for point in path}


def test_no_two_wires_lie_side_by_side_in_one_groove() -> None:
    """On the square field cuts of one layer that run beside each other are 4 mm apart or more:
    nearer wires could not be tuned (tests/hardware/test_field.py).
    """
    from ezdxf.entities.line import Line
    from ezdxf.filemanagement import readfile

    drawing = readfile(HARDWARE / "loops" / "square.dxf")
    for axis in ("ROW", "COLUMN"):
        cuts = [
            ((line.dxf.start.x, line.dxf.start.y), (line.dxf.end.x, line.dxf.end.y))
            for line in drawing.modelspace().query(f'LINE[layer=="GROOVE_{axis}"]')
            if isinstance(line, Line)
        ]
        assert 4 * 13 == len(cuts)
        for way in (0, 1):
            along = [cut for cut in cuts if cut[0][1 - way] == pytest.approx(cut[1][1 - way])]
            for n, one in enumerate(along):
                for other in along[:n]:
                    shared = min(max(end[way] for end in cut) for cut in (one, other)) - max(
                        min(end[way] for end in cut) for cut in (one, other)
                    )
                    apart = abs(one[0][1 - way] - other[0][1 - way])
                    assert shared <= 0 or apart >= 3.99


@pytest.mark.parametrize("geometry", GEOMETRIES, ids=lambda geometry: geometry.name)
def test_the_grooves_carry_every_side_of_every_loop(geometry: Geometry) -> None:
    """Each side of each loop lies on a cut, no cut is made twice, and all is on the plate."""
    from ezdxf.entities.line import Line
    from ezdxf.filemanagement import readfile

    drawing = readfile(HARDWARE / "loops" / f"{geometry.name}.dxf")
    layers = outlines(geometry)
    for axis in geometry.axes:
        layer = f"GROOVE_{axis.name}".upper()
        cuts = [
            ((line.dxf.start.x, -line.dxf.start.y), (line.dxf.end.x, -line.dxf.end.y))
            for line in drawing.modelspace().query(f'LINE[layer=="{layer}"]')
            if isinstance(line, Line)
        ]
        assert len(cuts) == len(set(cuts))
        for path in (
            *layers[f"{axis.name}_centred".upper()],
            *layers.get(f"{axis.name}_border".upper(), []),
        ):
            for start, end in zip(path, [*path[1:], path[0]], strict=True):
                assert any(on(cut, start) and on(cut, end) for cut in cuts)
        half = max(x for x, _ in layers["PLATE"][0])
        assert all(max(abs(x), abs(y)) < half for cut in cuts for x, y in cut)


@pytest.mark.parametrize("geometry", GEOMETRIES, ids=lambda geometry: geometry.name)
def test_the_resonators_lie_outside_of_every_loop(geometry: Geometry) -> None:
    """Each loop's ends are led to a place on the plate that no loop encloses: a resonator's copper
    would dim it.
    """
    from ezdxf.entities.line import Line
    from ezdxf.filemanagement import readfile

    drawing = readfile(HARDWARE / "loops" / f"{geometry.name}.dxf")
    paths = [
        path for layer, loops in outlines(geometry).items() if layer != "PLATE" for path in loops
    ]
    half = max(x for x, _ in outlines(geometry)["PLATE"][0])
    ends = [
        (
            line.dxf.end
            if hypot(line.dxf.end.x, line.dxf.end.y) > hypot(line.dxf.start.x, line.dxf.start.y)
            else line.dxf.start
        )
        for line in drawing.modelspace().query("LINE")
        if isinstance(line, Line) and line.dxf.layer.endswith("_FEED")
    ]
    assert 2 * geometry.loops == len(ends)
    for end in ends:
        assert not any(holds(path, (end.x, -end.y)) for path in paths)
        assert max(abs(end.x), abs(end.y)) <= half - 26


def on(cut: tuple[tuple[float, float], tuple[float, float]], point: tuple[float, float]) -> bool:
    (x1, y1), (x2, y2) = cut
    return (
        hypot(point[0] - x1, point[1] - y1) + hypot(point[0] - x2, point[1] - y2)
        < hypot(x2 - x1, y2 - y1) + 0.02
    )


@pytest.mark.parametrize("length", [240.0, 300.0, 360.0, 420.0])
def test_a_loops_inductance_is_the_sum_of_its_sides(length: float) -> None:
    """The formula for a rectangle equals the sum of its four sides, each with itself and its
    opposite.
    """

    def alone(side: float) -> float:
        return 0.2 * side * (log(2 * side / (radio.WIRE / 2)) - 1)

    def opposite(side: float, apart: float) -> float:
        return 0.2 * side * (asinh(side / apart) - hypot(1, apart / side) + apart / side)

    sides = 2 * (alone(60) + alone(length)) - 2 * (opposite(length, 60) + opposite(60, length))

    assert sides == pytest.approx(radio.inductance(60, length), rel=0.001)


def test_every_loop_can_be_tuned_with_the_parts_of_the_list() -> None:
    """The trimmer reaches five per cent to either side of each calculated inductance, 2.5 on the
    hexagonal field.
    """
    fixed = {part.ref: part.kind for part in identity().parts if re.fullmatch(r"C2\d\d", part.ref)}
    for line in rows(HARDWARE / "loops" / "loops.csv"):
        nanohenry = float(line["inductance_nH"])
        margin = 0.05 if line["field"] == "square" else 0.025

        assert float(line["trimmer_from_nH"]) < (1 - margin) * nanohenry
        assert float(line["trimmer_to_nH"]) > (1 + margin) * nanohenry
        if line["field"] == "square":
            assert f"{line['fixed_pF']}p" == fixed[f"C{200 + int(line['loop'])}"]


def test_resonance_comes_back_at_the_carrier() -> None:
    """With the trimmer at either end the loop that is named for it resonates at 13.56 MHz."""
    for nanohenry, trimmer in zip(radio.reach(100.0), reversed(radio.TRIMMER), strict=True):
        both = 1 / (1 / (nanohenry * 1e-9) + 1 / (radio.CHOKE * 1e-9))
        farad = (100 + trimmer + radio.STRAY + radio.coupled()) * 1e-12

        assert 13.56e6 == pytest.approx(1 / (2 * pi * sqrt(both * farad)), rel=1e-9)


def test_the_guide_has_the_trimmers_range() -> None:
    """The bench requires less than the calculated range of the trimmer, which its guide states
    too.
    """
    henry = radio.with_choke(radio.inductance(56, 360) + radio.LEADS) * 1e-9
    rest = radio.FIXED + radio.STRAY + radio.coupled()
    high, low = (
        1e-6 / (2 * pi * sqrt(henry * (rest + trimmer) * 1e-12)) for trimmer in radio.TRIMMER
    )
    guide = (HARDWARE / "assembly.md").read_text(encoding="utf-8")

    assert f"from **13.2 to 13.8 MHz** at least (calculated: {low:.1f} to {high:.1f})" in guide


def test_a_better_tank_wants_less_coupling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less coupling matches a greater resistance, by calibration.md; 47 pF match 1.3 kΩ, a Q of 16
    to 20.
    """
    assert 1300 == pytest.approx(radio.matched(), rel=0.02)
    assert (
        16
        < radio.matched() / (radio.OMEGA * radio.with_choke(radio.inductance(56, 360)) * 1e-9)
        < 20
    )
    monkeypatch.setattr(radio, "COUPLING", 39.0)
    assert radio.matched() > 1800


def test_the_combs_coil_cancels_the_loops_that_are_not_selected() -> None:
    """Half of the 25 idle loops hang on each comb; the coil of the list is within 5 % of what
    cancels them.
    """
    assert 330 == pytest.approx(radio.cancelling(12.5 * radio.idle_load(100.0)), rel=0.05)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The printed parts as OpenSCAD makes them; it reports each as one closed solid."""
    folder = tmp_path_factory.mktemp("stl")
    render_all(folder)
    return folder


@pytest.mark.parametrize("name", SOLIDS)
def test_the_printed_parts_are_closed_and_what_their_sources_make(name: str, printed: Path) -> None:
    """Each STL file is a closed solid that fits a small printer, and has the size and volume of a
    fresh one.
    """
    import trimesh

    kept = trimesh.load_mesh(HARDWARE / "case" / "stl" / f"{name}.stl")
    fresh = trimesh.load_mesh(printed / f"{name}.stl")

    assert kept.is_watertight and kept.is_winding_consistent and kept.volume > 0
    assert (2 if name == "pawn_base_magnet" else 1) == len(pieces(kept.faces.tolist()))
    assert max(kept.extents) <= BED + 0.01
    assert kept.bounds.tolist() == [pytest.approx(row, abs=0.001) for row in fresh.bounds.tolist()]
    assert kept.volume == pytest.approx(fresh.volume, rel=1e-4)


def pieces(faces: list[list[int]]) -> set[frozenset[int]]:
    """Return the corners of a solid by the piece to which they belong."""
    joined = Joined()
    for first, second, third in faces:
        joined.join(first, second)
        joined.join(second, third)
    return joined.groups(corner for face in faces for corner in face)


def test_the_pawns_magnet_is_closed_in_on_all_sides() -> None:
    """The base has a hollow that takes the magnet and no way out of it: floor, lid and wall are
    0.6, 1 and 1.8 mm thick at least. The guide's pause is at the hollow's upper end.
    """
    import trimesh

    base = trimesh.load_mesh(HARDWARE / "case" / "stl" / "pawn_base_magnet.stl")
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
    guide = (HARDWARE / "assembly.md").read_text(encoding="utf-8")
    assert f"pause at {hollow[1][2]:.1f} mm" in guide


def test_an_open_solid_is_found(tmp_path: Path) -> None:
    """A part with one missing triangle is not closed."""
    import trimesh

    stl = (HARDWARE / "case" / "stl" / "foot.stl").read_bytes()
    count = struct.unpack_from("<I", stl, 80)[0]
    torn = tmp_path / "torn.stl"
    torn.write_bytes(stl[:80] + struct.pack("<I", count - 1) + stl[84:-50])

    assert not trimesh.load_mesh(torn).is_watertight


def pads(board: Path) -> Iterator[tuple[str, str, str, str]]:
    """Yield (part, value, pad, net) of a KiCad board."""
    for part in re.split(r"\n  \(footprint ", board.read_text(encoding="utf-8"))[1:]:
        name, value = (
            re.search(rf'\(fp_text {field} "([^"]+)"', part) for field in ("reference", "value")
        )
        assert name and value
        for pad, net in re.findall(
            r'\(pad "(\d+)"(?:(?!\(pad ).)*?\(net \d+ "([^"]+)"\)', part, re.S
        ):
            yield name[1], value[1], pad, net


def test_the_resonator_board_is_the_circuit_of_one_loop() -> None:
    """The pads of the KiCad board lie on the nets of loop 0's parts in the circuit, and none is
    missing.
    """
    wanted = {
        (part.ref, pin, net)
        for part in identity().parts
        if part.on == "comb" and part.ref.endswith("00")
        for pin, net in part.pins.items()
    }
    nets = {
        (part, pad, net)
        for part, _, pad, net in pads(TANK / "tank.kicad_pcb")
        if re.fullmatch(r"[CRLD]\d00", part)
    }
    holes = {
        part: net
        for part, _, _, net in pads(TANK / "tank.kicad_pcb")
        if not re.fullmatch(r"[CRLD]\d00", part)
    }

    assert wanted == nets
    assert {
        **{"RF1": "RF", "RF2": "RF", "GND1": "GND", "GND2": "GND", "IN": "LOOP00"},
        **{"PLUS1": "+5V", "PLUS2": "+5V", "LOOP1": "LOOPWIRE00", "LOOP2": "+5V"},
    } == holes


def test_the_resonator_boards_files_for_the_maker_are_there() -> None:
    """Gerber and drill files exist for both copper layers, both masks, the print and the outline of
    30 × 30 mm.
    """
    names = {path.name for path in (TANK / "gerbers").iterdir()}
    outline = (TANK / "gerbers" / "tank-Edge_Cuts.gm1").read_text(encoding="utf-8")
    points = [
        (int(x) / 1e6, int(y) / 1e6) for x, y in re.findall(r"X(-?\d+)Y(-?\d+)D0[12]", outline)
    ]

    assert {
        "tank-B_Cu.gbl",
        "tank-F_Cu.gtl",
        "tank-B_Mask.gbs",
        "tank-F_Mask.gts",
        "tank.drl",
    } <= names
    assert (30, 30) == tuple(round(max(v) - min(v), 3) for v in zip(*points, strict=True))


PCBNEW = (
    subprocess.run(["/usr/bin/python3", "-c", "import pcbnew"], capture_output=True).returncode == 0
)

# KiCad takes 470 MB: `make drc` installs it, and this check runs where it is. Elsewhere there is no
# such test.
if PCBNEW:

    def rule_faults(board: Path, report: Path) -> int:
        command = ["/usr/bin/python3", "-m", "hardware.identity.tank.draw", "check"]
        result = subprocess.run(
            [*command, str(board), str(report)], capture_output=True, text=True, cwd=HARDWARE.parent
        )
        return int(result.stdout.split()[-1])

    def test_kicad_finds_no_fault_in_the_resonator_board(tmp_path: Path) -> None:
        """KiCad's design rule check passes the board, and finds a track that was moved."""
        board = TANK / "tank.kicad_pcb"
        assert 0 == rule_faults(board, tmp_path / "drc.rpt")

        text = board.read_text(encoding="utf-8")
        moved = text.replace("(segment (start 54.16 96.6)", "(segment (start 53 94)")
        assert moved != text
        spoilt = tmp_path / "tank.kicad_pcb"
        spoilt.write_text(moved, encoding="utf-8")
        assert rule_faults(spoilt, tmp_path / "drc.rpt") > 0


def test_the_hexagons_axes_are_sixty_degrees_apart() -> None:
    """The three sets of strips of the hexagonal field lie at 0, 60 and 120 degrees."""
    angles = set()
    for paths in (paths for layer, paths in outlines(GEOMETRIES[1]).items() if layer != "PLATE"):
        (x1, y1), (x2, y2), *_ = paths[3]
        angles.add(round(degrees(atan2(y2 - y1, x2 - x1))) % 180)

    assert {0, 60, 120} == angles
