"""The presence board's strip: its copper is the circuit, the circuit the firmware's, and it can be
ordered.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from companion.sensors.rfid.geometries import GEOMETRIES
from companion.sensors.rfid.geometry import Geometry

from hardware.plans.circuit import presence
from tests.hardware.plans import (
    HARDWARE,
    HC165_INPUTS,
    NANO_PORTS,
    Joined,
    cabled,
    pins_header,
    rows,
    signals,
)
from tests.hardware.test_shapes import pads

STRIP = HARDWARE / "presence" / "strip"
STRIPS = range(1, 7)
SHOP_NUMBER = {
    "LCSC": re.compile(r"C\d+"),
    "Mouser": re.compile(r"\d{3}-[A-Z0-9-]+"),
    "DigiKey": re.compile(r"[A-Z0-9.-]+-ND"),
}
"""The form of each shop's order numbers."""


def copper() -> dict[tuple[str, str], str]:
    """Return the net of each pad of the kept board, by part and pad, from KiCad's file."""
    return {(part, pad): net for part, _, pad, net in pads(STRIP / "strip.kicad_pcb")}


def built() -> Joined:
    """Return the pins that six strips join with their cables and the Nano: copper and cables, no
    circuit.
    """
    joined, nets = cabled("presence/wiring"), copper()
    for strip in STRIPS:
        for (part, pad), net in nets.items():
            letters = part.rstrip("0123456789")
            ref = f"{letters}{100 * strip + int(part.removeprefix(letters))}"
            joined.join((ref, pad), (f"net {net} of strip {strip}", ""))
    return joined


def through(joined: Joined, strip: int, resistor: int, start: tuple[str, str]) -> tuple[str, str]:
    """Return the resistor's other end; fail if `start` is not on one of them."""
    ends = [(f"R{100 * strip + resistor}", pad) for pad in ("1", "2")]
    (at,) = (n for n, end in enumerate(ends) if joined.root(end) == joined.root(start))
    return ends[1 - at]


def test_the_copper_is_the_circuit_of_each_strip() -> None:
    """Pads on one net in KiCad are exactly the pins on one net in the circuit, for all parts."""
    circuit = presence()
    nets = copper()
    for strip in STRIPS:
        wanted = {
            frozenset((f"{ref[0]}{int(ref[1:]) - 100 * strip}", pin) for ref, pin in pins)
            for pins in circuit.nets(f"strip{strip}").values()
        }
        pads_by_net: dict[str, set[tuple[str, str]]] = {}
        for pad, net in nets.items():
            pads_by_net.setdefault(net, set()).add(pad)

        assert wanted == {frozenset(pads_) for pads_ in pads_by_net.values()}


@pytest.mark.parametrize("geometry", GEOMETRIES, ids=lambda geometry: geometry.name)
def test_each_cell_is_on_the_input_that_the_firmware_reads(geometry: Geometry) -> None:
    """Through its 1 kΩ, each cell's four switches come out on the input of the chain that pins.h
    names; the hexagonal field's longest row has its seventh cell at the hole for it.
    """
    header = (HARDWARE.parent / "firmware" / "common" / "pins.h").read_text(encoding="utf-8")
    line = re.search(rf"#define {geometry.name.upper()}_INPUTS {{(.+)}}", header)
    assert line is not None
    inputs = [int(n) for n in line[1].split(",")]
    table = {
        row["cell"]: row
        for row in rows(HARDWARE / "presence" / "cells.csv")
        if row["field"] == geometry.name
    }
    nets = copper()

    assert [str(cell) for cell in geometry.cells] == list(table)
    for cell, number in zip(geometry.cells, inputs, strict=True):
        row = table[str(cell)]
        strip, place = divmod(number, 8)
        assert (strip + 1, place + 1, number) == (
            int(row["strip"]),
            int(row["place"]),
            int(row["input"]),
        )
        pin = str(HC165_INPUTS["HGFEDCBA"[place]])
        assert pin == row["chip_pin"]
        joined = Joined()
        for pad, net in nets.items():
            joined.join(pad, net)
        resistor = 7 + place if place < 6 else 15
        ends = [(f"R{resistor}", end) for end in ("1", "2")]
        (inner,) = (end for end in ends if joined.root(end) == joined.root(("U1", pin)))
        outer = ends[1 - ends.index(inner)]
        sensors = [(f"S{4 * place + n}", "2") for n in range(1, 5)] if place < 6 else [("H6", "1")]
        assert {joined.root(outer)} == {joined.root(sensor) for sensor in sensors}


def test_the_chain_runs_from_strip_to_strip_to_the_nano() -> None:
    """By copper and cables QH of strip 1 reaches MISO, that of each other one SER of the strip
    before; clock and load reach all, each line through 1 kΩ.
    """
    joined = built()
    macros = signals(pins_header("presence"))
    nano = {
        NANO_PORTS[name]: ("A1", f"label {name}")
        for name in NANO_PORTS
        if name in ("D12", "D13", "A0")
    }
    pins = {name: nano[macros[name]] for name in ("MISO", "SCK", "CHAIN_LOAD")}
    before = pins["MISO"]
    for strip in STRIPS:
        chip = f"U{100 * strip + 1}"
        assert joined.root((chip, "9")) == joined.root(through(joined, strip, 13, before))
        before = through(joined, strip, 14, (chip, "10"))
        for pin, resistor, signal in (("1", 16, "CHAIN_LOAD"), ("2", 17, "SCK")):
            assert joined.root((chip, pin)) == joined.root(
                through(joined, strip, resistor, pins[signal])
            )
        for pin, net in (("16", "5V"), ("8", "GND"), ("15", "GND")):
            assert joined.root((chip, pin)) == joined.root(("A1", f"label {net}"))


def test_no_line_floats() -> None:
    """Every switch's line, the end of the chain and both spare inputs have 10 kΩ to 5 V; each
    switch has its own capacitor.
    """
    nets = copper()
    by_net: dict[str, list[tuple[str, str]]] = {}
    for pad, net in nets.items():
        by_net.setdefault(net, []).append(pad)
    values = {part: value for part, value, _, _ in pads(STRIP / "strip.kicad_pcb")}
    for net in [f"CELL{n}" for n in range(7)] + ["IN7", "NEXT"]:
        pulls = [part for part, _ in by_net[net] if values[part] == "10k"]
        assert 1 == len(pulls), net
        assert "+5V" in {nets[pulls[0], "1"], nets[pulls[0], "2"]}
    assert 25 == sum(value == "100n" for value in values.values())


def test_the_machine_gets_each_part_once() -> None:
    """The ordered parts, those that the machine sets and those on the board are the same; each has
    order numbers of two shops at least, in the shop's form or as the maker's number, and the number
    that assemblers require.
    """
    bought = rows(STRIP / "bom.csv")
    ordered = Counter(ref for line in bought for ref in line["Designator"].split(","))
    lines = rows(STRIP / "positions.csv")
    drawn = {part for part, _ in copper() if part[0] not in "HM"}

    assert drawn == set(ordered) == {line["Designator"] for line in lines}
    assert {1} == set(ordered.values()) and len(lines) == len(ordered)
    for line in bought:
        assert int(line["Quantity"]) == len(line["Designator"].split(","))
        orders = line["Orders"].split("; ")
        assert f"LCSC {line['LCSC']}" in orders
        assert len(orders) >= 2, line["Comment"]
        for order in orders:
            shop, _, number = order.partition(" ")
            assert number == f"{line['MPN']} (maker's number)" or SHOP_NUMBER[shop].fullmatch(
                number
            )


def machine_places() -> dict[str, tuple[float, float]]:
    """Return where the machine sets each part, y upwards."""
    return {
        line["Designator"]: (float(line["Mid X"][:-2]), float(line["Mid Y"][:-2]))
        for line in rows(STRIP / "positions.csv")
    }


def edges() -> tuple[list[float], list[float]]:
    """Return the coordinates of the outline's corners in its Gerber file."""
    outline = (STRIP / "gerbers" / "strip-Edge_Cuts.gm1").read_text(encoding="utf-8")
    corners = re.findall(r"X(-?\d+)Y(-?\d+)D0[12]", outline)
    return [int(x) / 1e6 for x, _ in corners], [int(y) / 1e6 for _, y in corners]


def strip_corner() -> tuple[float, float]:
    """Return the strip's upper left corner in its Gerber files, y upwards."""
    xs, ys = edges()
    return min(xs), max(ys)


def flashed() -> dict[str, list[tuple[float, float]]]:
    """Return the middles of each part's pads in the copper's Gerber file; vias under \"\"."""
    places: dict[str, list[tuple[float, float]]] = {}
    part = ""
    copper_file = (STRIP / "gerbers" / "strip-F_Cu.gtl").read_text(encoding="utf-8")
    for line in copper_file.splitlines():
        if line.startswith("%TO.P,"):
            part = line.split(",")[1]
        elif line.startswith("%TD"):
            part = ""
        elif flash := re.fullmatch(r"X(-?\d+)Y(-?\d+)D03\*", line):
            places.setdefault(part, []).append((int(flash[1]) / 1e6, int(flash[2]) / 1e6))
    return places


def test_copper_holes_and_machine_share_their_coordinates() -> None:
    """Each part is set in the middle of its own pads of the copper's Gerber file, each plug over
    its own; each plated hole goes through a pad or a via there; all is within the outline.
    """
    xs, ys = edges()
    pads_of = flashed()
    for part, (x, y) in machine_places().items():
        lefts, heights = zip(*pads_of[part], strict=True)
        middle = (min(lefts) + max(lefts)) / 2, (min(heights) + max(heights)) / 2
        apart = 0.6 if part.startswith("J") else 0.01
        assert (x, y) == pytest.approx(middle, abs=apart), part
        assert min(xs) < x < max(xs) and min(ys) < y < max(ys)
    drills = (STRIP / "gerbers" / "strip.drl").read_text(encoding="utf-8")
    *_, vias, holes, unplated, _ = re.split(r"^T\d$", drills, flags=re.M)
    middles = {spot for spots in pads_of.values() for spot in spots}
    for x, y in re.findall(r"^X(-?[\d.]+)Y(-?[\d.]+)", vias + holes, re.M):
        assert any(
            abs(float(x) - pad[0]) < 0.01 and abs(float(y) - pad[1]) < 0.01 for pad in middles
        )
    assert 3 == len(re.findall(r"^X", unplated, re.M))


def test_the_machine_turns_each_part_as_the_board_has_it() -> None:
    """Each part's rotation in the list is that of its footprint in the kept board."""
    board = (STRIP / "strip.kicad_pcb").read_text(encoding="utf-8")
    turned = {}
    for part in re.split(r"\n  \(footprint ", board)[1:]:
        spot = re.search(r"\n    \(at \S+ \S+?(?: (\S+?))?\)", part)
        name = re.search(r'\(fp_text reference "([^"]+)"', part)
        assert spot and name
        turned[name[1]] = float(spot[1] or 0) % 360
    for line in rows(STRIP / "positions.csv"):
        assert turned[line["Designator"]] == float(line["Rotation"])


def test_the_switches_lie_where_the_magnets_field_was_reckoned() -> None:
    """Each cell's four switches lie 9 mm from its centre along and across, 60 mm from cell to
    cell; seen from the parts' side, which is from below, column A is on the right.
    """
    left, top = strip_corner()
    places = {part: (x - left - 24, top - y) for part, (x, y) in machine_places().items()}
    for cell in range(6):
        positions = {places[f"S{4 * cell + n}"] for n in range(1, 5)}
        centre = 330.0 - 60.0 * cell
        assert {(centre + x, 15.0 + y) for x in (-9.0, 9.0) for y in (-9.0, 9.0)} == positions


def test_the_files_for_the_maker_are_there() -> None:
    """Gerbers of both coppers, both masks, paste, print and the outline of 370 × 30 mm; drills."""
    names = {path.name for path in (STRIP / "gerbers").iterdir()}
    assert {
        *("strip-F_Cu.gtl", "strip-B_Cu.gbl", "strip-F_Mask.gts", "strip-B_Mask.gbs"),
        *("strip-F_Paste.gtp", "strip-F_Silkscreen.gto", "strip-Edge_Cuts.gm1", "strip.drl"),
    } == names
    xs, ys = edges()
    assert (370, 30) == pytest.approx((max(xs) - min(xs), max(ys) - min(ys)))


if shutil.which("kicad") or Path("/usr/lib/python3/dist-packages/pcbnew.py").exists():

    def drawn_faults(board: Path, report: Path) -> int:
        """Return how many faults KiCad's design rule check finds."""
        command = ["/usr/bin/python3", "-m", "hardware.presence.strip.draw"]
        result = subprocess.run(
            [*command, "check", str(board), str(report)],
            capture_output=True,
            text=True,
            cwd=HARDWARE.parent,
        )
        return int(result.stdout.rpartition("faults: ")[2])

    @pytest.mark.parametrize("board", ["presence.strip", "identity.tank"])
    def test_the_kept_boards_are_what_their_scripts_draw(board: str) -> None:
        """Each board's file is drawn by its script, and its Gerber and drill files are plotted from
        it by KiCad, but for dates.
        """
        result = subprocess.run(
            ["/usr/bin/python3", "-m", f"hardware.{board}.draw", "stale"],
            capture_output=True,
            text=True,
            cwd=HARDWARE.parent,
            check=True,
        )
        assert result.stdout.splitlines()[-1].split() == ["stale:"], result.stdout

    def test_kicad_finds_no_fault_in_the_strip(tmp_path: Path) -> None:
        """KiCad's own check of clearances, holes, edges and unconnected pads finds nothing."""
        assert 0 == drawn_faults(STRIP / "strip.kicad_pcb", tmp_path / "drc.rpt")

    def test_kicad_finds_a_planted_fault_in_the_strip(tmp_path: Path) -> None:
        """The same check of a board with a missing track finds it."""
        board = (STRIP / "strip.kicad_pcb").read_text(encoding="utf-8")
        spoilt = tmp_path / "strip.kicad_pcb"
        spoilt.write_text(re.sub(r"\n  \(segment [^\n]+", "", board, count=1), encoding="utf-8")
        assert drawn_faults(spoilt, tmp_path / "drc.rpt") > 0
