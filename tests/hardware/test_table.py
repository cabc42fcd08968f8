"""The presence board's table: its drawings fit the strip and each other, the boxes take their
plugs, and the orders are the parts lists.
"""

from __future__ import annotations

import re
import subprocess
from itertools import combinations, pairwise
from math import hypot, pi
from pathlib import Path

import pytest
import yaml

from hardware.plans import boxes, table, template
from hardware.plans.__main__ import sheets
from tests.hardware.plans import HARDWARE, rows
from tests.hardware.test_strip import machine_places, strip_corner

PRESENCE = HARDWARE / "presence"
BUILDS = ("presence", "panel")

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@pytest.mark.parametrize("build", BUILDS)
def test_the_orders_are_the_parts_list(build: str) -> None:
    """By shop and in all, the orders cost what the parts list's needed parts do and each order's
    postage, and each shop's sum is right; where one goes oneself there is no postage.
    """
    lines = rows(HARDWARE / build / "orders.csv")
    total = next(line for line in lines if line["shop"] == "all")
    single = [line for line in lines if not line["what"].startswith("sum")]
    sums = {line["shop"]: float(line["eur"]) for line in lines if line["what"].startswith("sum")}
    *_, needed, _ = rows(HARDWARE / build / "parts.csv")
    postage = [float(line["eur"]) for line in single if line["what"] == "postage"]

    assert float(needed["eur_all"]) + sum(postage) == pytest.approx(float(total["eur"]))
    for shop in sums.keys() - {"all"}:
        at_shop = [line for line in single if line["shop"] == shop]
        assert sums[shop] == pytest.approx(sum(float(line["eur"]) for line in at_shop))
        assert (shop == "wood shop") == ("postage" not in {line["what"] for line in at_shop})


@pytest.mark.parametrize("build", BUILDS)
def test_the_readme_has_the_cost_of_a_build(build: str) -> None:
    """The sums in README.md are those of the lists."""
    text = (HARDWARE / "README.md").read_text(encoding="utf-8")
    *_, needed, _ = rows(HARDWARE / build / "parts.csv")
    orders = rows(HARDWARE / build / "orders.csv")
    postage = sum(float(line["eur"]) for line in orders if line["what"] == "postage")

    assert f"{float(needed['eur_all']):.0f} EUR and {postage:.0f} of postage" in text
    if build == "presence":
        guide = (HARDWARE.parent / "docs" / "boards.md").read_text(encoding="utf-8")
        assert f"some {float(orders[-1]['eur']):.0f} EUR" in guide


def drawn() -> dict[str, list[Box]]:
    """Return the shapes on each layer of the template's DXF, y downwards from the plate's upper
    edge.
    """
    from ezdxf.entities.polyline import Polyline
    from ezdxf.filemanagement import readfile

    boxes_of: dict[str, list[Box]] = {}
    drawing = readfile(PRESENCE / "template.dxf")
    for path in drawing.modelspace().query("POLYLINE"):
        assert isinstance(path, Polyline) and path.is_closed
        xs, ys = zip(*((point.x, -point.y) for point in path.points()), strict=True)
        boxes_of.setdefault(path.dxf.layer, []).append((min(xs), min(ys), max(xs), max(ys)))
    (plate,) = boxes_of["PLATE"]
    return {
        layer: [(x0, y0 - plate[1], x1, y1 - plate[1]) for x0, y0, x1, y1 in boxes]
        for layer, boxes in boxes_of.items()
    }


def holes() -> list[tuple[float, float]]:
    """Return the middles of the holes to drill, y downwards."""
    from ezdxf.entities.circle import Circle
    from ezdxf.filemanagement import readfile

    drawing = readfile(PRESENCE / "template.dxf")
    (plate,) = drawn()["PLATE"]
    return [
        (hole.dxf.center.x, plate[3] - hole.dxf.center.y)
        for hole in drawing.modelspace().query("CIRCLE")
        if isinstance(hole, Circle)
    ]


def room(first: Box, second: Box) -> float:
    """Return the distance of two rectangles; negative if they overlap."""
    return max(
        first[0] - second[2], second[0] - first[2], first[1] - second[3], second[1] - first[3]
    )


def test_nothing_under_the_plate_is_in_the_way_of_anything_else() -> None:
    """Frame, strips and the Nano's box lie on the plate and apart; before a strip's plugs there are
    20 mm for a cable's plug; the plug's cut is in the batten at which the box has its window.
    """
    drawing = drawn()
    (plate,), (box,), (slot,) = drawing["PLATE"], drawing["BOX"], drawing["SLOT"]
    things = [*drawing["STRIPS"], box, *drawing["BATTENS"]]

    assert (6, 4) == (len(drawing["STRIPS"]), len(drawing["BATTENS"]))
    for thing in things:
        assert plate[0] <= thing[0] and thing[2] <= plate[2]
        assert plate[1] <= thing[1] and thing[3] <= plate[3]
    for first, other in combinations(things, 2):
        assert room(first, other) >= 0
    for strip in drawing["STRIPS"]:
        assert all(room(strip, other) >= 5 for other in (box, *drawing["BATTENS"]))
        ends = (strip[0], strip[1] - 20, strip[0] + 24, strip[3] + 20)
        assert room(ends, box) >= 0
    for above, below in pairwise(drawing["STRIPS"]):
        assert below[1] - above[3] == pytest.approx(30)
    assert any(room(slot, batten) < 0 for batten in drawing["BATTENS"])
    assert slot[2] == pytest.approx(box[0])
    assert (slot[1] + slot[3]) / 2 == pytest.approx((box[1] + box[3]) / 2)


def test_the_cables_reach() -> None:
    """From the box to strip 1 and from each strip to the next a cable of the wiring is 40 mm longer
    than the straight way.
    """
    wired = yaml.safe_load((PRESENCE / "wiring-nano.yml").read_text(encoding="utf-8"))["cables"]
    ways = table.cables()

    assert 6 == len(ways)
    for start, end in ways:
        assert hypot(start[0] - end[0], start[1] - end[1]) + 40 <= 1000 * wired["W1"]["length"]


def test_each_hole_goes_into_the_middle_of_a_batten() -> None:
    """The 12 holes lie 10 mm from the plate's edge, over one batten each, 20 mm from its ends and
    from the plug's cut.
    """
    drawing = drawn()
    (slot,) = drawing["SLOT"]
    assert 12 == len(holes())
    for x, y in holes():
        (batten,) = (b for b in drawing["BATTENS"] if b[0] < x < b[2] and b[1] < y < b[3])
        along = 0 if batten[2] - batten[0] > batten[3] - batten[1] else 1
        assert (x, y)[1 - along] == pytest.approx((batten[1 - along] + batten[3 - along]) / 2)
        assert batten[along] + 20 <= (x, y)[along] <= batten[along + 2] - 20
        assert room((x, y, x, y), slot) >= 20


def test_the_frame_is_higher_than_what_hangs_under_the_plate() -> None:
    """The battens keep a strip's plugs and the Nano's box off the table."""
    assert table.BATTEN >= 1.6 + table.PLUG_HEIGHT + 5
    assert table.BATTEN >= table.NANO_BOX[2]


def test_the_plates_drawing_has_each_cell_over_its_switches() -> None:
    """Each cell's name stands within 9 mm of the middle of its four switches, as the strip has
    them.
    """
    drawing = (PRESENCE / "plate.svg").read_text(encoding="utf-8")
    strips = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="370" height="30"', drawing)
    named = {
        name: (float(x), float(y))
        for x, y, name in re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>([A-F][1-6])<', drawing)
    }
    corner = strip_corner()
    switches = {part: (x - corner[0], corner[1] - y) for part, (x, y) in machine_places().items()}

    assert (6, 36) == (len(strips), len(named))
    for row, (left, top) in enumerate(strips, 1):
        for place, column in enumerate("ABCDEF"):
            own_switches = [switches[f"S{4 * place + n}"] for n in range(1, 5)]
            x, y = (sum(spot[axis] for spot in own_switches) / 4 for axis in (0, 1))
            at = named[f"{column}{row}"]
            assert abs(float(left) + x - at[0]) < 9 and abs(float(top) + y - at[1]) < 9


def test_the_template_is_what_its_script_makes() -> None:
    """The kept PDF is, byte for byte, what the script writes; its sheets are A4, and 1 mm of the
    plate is 1 mm on each: together they cover it.
    """
    (path,) = sheets()
    assert sheets()[path] == path.read_bytes(), "make hardware"
    output = subprocess.run(["pdfinfo", path], capture_output=True, text=True, check=True).stdout
    assert re.search(r"Page size:\s+595\.\d+ x 841\.\d+ pts \(A4\)", output)
    pages = re.search(r"Pages:\s+(\d+)", output)
    assert pages is not None and int(pages[1]) == len(template.tiles())
    right = max(left + template.WINDOW[0] for left, _ in template.tiles())
    bottom = max(top + template.WINDOW[1] for _, top in template.tiles())
    assert min(right, bottom) >= table.PLATE


def test_a_millimetre_of_the_template_is_a_millimetre_on_paper(tmp_path: Path) -> None:
    """Drawn at ten dots a millimetre, the first sheet's line is 100 mm long, its frame begins 15 mm
    from the paper's edges, and the first hole is 40 and 10 mm from the plate's corner in it.
    """
    from PIL import Image

    page = ["-r", "254", "-gray", "-singlefile", "-f", "1", "-png"]
    ends = [str(PRESENCE / "template.pdf"), str(tmp_path / "sheet")]
    subprocess.run(["pdftoppm", *page, *ends], check=True)
    with Image.open(tmp_path / "sheet.png") as image:
        wide, high = image.size
        assert 2100 == pytest.approx(wide, abs=2) and 2970 == pytest.approx(high, abs=2)
        dark = image.point(lambda grey: 255 if grey < 128 else 0)
        line = dark.crop((100, high - 74, 1175, high - 66)).getbbox()
        frame = dark.crop((0, 1000, 200, 1010)).getbbox()
        crossed = dark.crop((500, 200, 600, 300)).getbbox()

    assert line is not None and frame is not None and crossed is not None
    assert 1000 == pytest.approx(line[2] - line[0], abs=5)
    assert 150 == pytest.approx(frame[0], abs=7)
    assert 150 + 400 == pytest.approx(500 + (crossed[0] + crossed[2]) / 2, abs=5)
    assert 150 + 100 == pytest.approx(200 + (crossed[1] + crossed[3]) / 2, abs=5)


# Sizes of bought parts in mm, with their protrusions; none was measured.
NANO = (45.0, 18.5, 1.6)
MINI_USB_MIDDLE = 1.95
"""Height of a Mini-B socket's middle above the board."""
MINI_USB_GRIP = (12.0, 9.0)
"""Width and height of the thickest plug that was reckoned with."""
CABLE = (8.0, 3.0)
"""Five wires side by side, and their height."""
USB_C_MIDDLE = 1.6
"""Height of a USB-C socket's middle above the board."""
HEADER_PINS = 8.5
"""How far soldered pin headers reach below the board."""
PI = (85.0, 56.0, 1.4)
PI_COOLER = (63.0, 43.0, 15.0)
"""The Pi 5's own cooler with its fan, generously."""
PI_SOCKETS = (4.0, 52.5, 16.0)
"""USB and network at the right edge: how far they stick out, their width and their height."""
PI_POWER = (11.2, 1.6)
"""The middle of the USB-C socket: from the corner, and above the board."""
USB_C_GRIP = (12.35, 6.5)
"""Width and height of the thickest plug that USB-C allows."""
FAN_AIR = 707.0
"""Area in mm² of a fan of 30 mm, as the Pi 5's cooler has one."""


USED = ["nano", "panel"]


def solid(body: str, folder: Path) -> bool:
    """Return whether OpenSCAD finds any volume in this shape."""
    source = folder / "clearance.scad"
    case = HARDWARE / "case"
    uses = "".join(f"use <{case}/{name}_box.scad>\n" for name in USED)
    source.write_text(uses + body, encoding="utf-8")
    result = subprocess.run(
        ["openscad", "-o", folder / "clearance.stl", source], capture_output=True, text=True
    )
    empty = "top level object is empty" in result.stderr
    assert empty or result.returncode == 0, result.stderr
    return not empty


Block = tuple[float, ...]
"""x, y, z, then three sizes."""


def meets(module: str, blocks: list[Block], folder: Path) -> bool:
    """Return whether a printed part meets one of these blocks."""
    cubes = "".join(
        f"translate([{x}, {y}, {z}]) cube([{width}, {depth}, {height}]); "
        for x, y, z, width, depth, height in blocks
    )
    return solid(f"intersection() {{ {module}(); union() {{ {cubes} }} }}", folder)


def test_the_nanos_box_takes_the_nano_and_its_plugs(tmp_path: Path) -> None:
    """Computed from the parts' sizes: with half a millimetre of air around them neither the Nano,
    nor a thick Mini-B or USB-C plug, nor the cable meets the printed box; the rails do carry the
    Nano; and the cut in the batten takes the plug. Soldered headers would not go in: the list says
    so.
    """
    wall, floor, inner, rail = 2.4, 2.0, (60.0, 34.0), 4.0
    middle = wall + inner[1] / 2
    low = floor + rail
    nano = (wall + 0.3, middle - NANO[1] / 2 - 0.2, low + 0.1, NANO[0] - 0.1, NANO[1] + 0.4, 1.6)
    sunk = (*nano[:2], low - 0.5, *nano[3:])
    assert meets("nano_box", [sunk], tmp_path)

    plugs: list[Block] = []
    grips = ((MINI_USB_GRIP, MINI_USB_MIDDLE), (USB_C_GRIP, USB_C_MIDDLE))
    for (grip_width, grip_height), socket in grips:
        width, height, at = grip_width + 1, grip_height + 1, low + NANO[2] + socket
        plugs.append((-20.0, middle - width / 2, at - height / 2, 20 + wall + 1, width, height))
        assert table.SLOT[0] >= width and table.SLOT[1] >= at + height / 2
    cable = (wall + 50, middle - CABLE[0] / 2 - 0.5, floor + 5, 30.0, CABLE[0] + 1, CABLE[1] + 1)
    assert not meets("nano_box", [nano, *plugs, cable], tmp_path)

    assert rail < HEADER_PINS
    bought = {row["refs"]: row["what"] for row in rows(PRESENCE / "parts.csv")}
    assert "headers not soldered on" in bought["A1"]
    assert table.NANO_BOX == (inner[0] + 2 * wall, inner[1] + 2 * wall, 2 * floor + 14)


@pytest.mark.parametrize(
    ("name", "drawn_inner"), [("nano", boxes.NANO_INNER), ("panel", boxes.PANEL_INNER)]
)
def test_a_box_is_drawn_with_its_printed_size(
    name: str, drawn_inner: tuple[float, float, float]
) -> None:
    """The drawing of a box that is taken apart has the inner size that OpenSCAD prints."""
    source = (HARDWARE / "case" / f"{name}_box.scad").read_text(encoding="utf-8")
    inner = re.search(r"^inner = \[(.+)\];", source, re.M)

    assert inner is not None
    assert drawn_inner == tuple(map(float, inner[1].split(",")))


def test_the_panels_box_takes_a_pi_5_with_its_cooler(tmp_path: Path) -> None:
    """The board, the cooler over it and the sockets at its right edge meet nothing of the box, nor
    does a plug in its power socket; the posts do carry it.
    """
    wall, low = 2.4, 2.0 + 5
    left, front = wall + 128 - 86.5, wall + 1.5
    board = (left + 0.2, front + 0.2, low + 0.1, PI[0] - 0.4, PI[1] - 0.4, PI[2])
    cooler = (left + 5, front + 6, low + PI[2], *PI_COOLER)
    sockets = (left + PI[0] - 18, front + 1.7, low + PI[2], 18 + PI_SOCKETS[0], *PI_SOCKETS[1:])
    width, height = (size + 0.6 for size in USB_C_GRIP)
    at = (left + PI_POWER[0] - width / 2, low + PI[2] + PI_POWER[1] - height / 2)
    power = (at[0], -20.0, at[1], width, 20 + wall + 1, height)
    assert not meets("panel_case", [board, cooler, sockets, power], tmp_path)
    assert meets("panel_case", [(*board[:2], low - 0.5, *board[3:])], tmp_path)
    assert 44 + 2.0 > low + PI[2] + PI_COOLER[2] + 10


def test_the_panels_lid_lets_a_pi_5s_air_out() -> None:
    """Without the holes of button and lamp the lid's plate is open by more than a fan's area."""
    import trimesh

    lid = trimesh.load_mesh(HARDWARE / "case" / "stl" / "panel_lid.stl")
    outer = (lid.face_normals[:, 2] < -0.9) & (lid.triangles_center[:, 2] < 0.01)
    closed = float(lid.area_faces[outer].sum())
    wide, deep = (float(size) for size in lid.extents[:2])
    button, lamp, screws_and_corners = pi * 12.1**2, pi * 4**2, 40.0
    assert wide * deep - closed - button - lamp - screws_and_corners >= FAN_AIR
