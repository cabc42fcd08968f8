"""The presence board's strip: its copper is the circuit, the circuit the firmware's, and it can be
ordered.
"""

from __future__ import annotations

import re
import subprocess
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.plans.circuit import presence
from tests.hardware.plans import (
    HARDWARE,
    HC165_INPUTS,
    NANO_PORTS,
    PI_HEADER,
    STRIP,
    Joined,
    Pin,
    gerber,
    labels,
    pads,
    pins,
    rows,
    wires,
)

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


def numbered(part: str, strip: int) -> str:
    """Return a part's name on a strip: R7 on strip 2 is R207."""
    letters = part.rstrip("0123456789")
    return f"{letters}{100 * strip + int(part.removeprefix(letters))}"


Cable = Callable[[str], str]
"""The pin at a cable's far end, by the pin at its near end."""


def parallel(pin: str) -> str:
    """A flat cable with both sockets the same side up: its wires run beside each other."""
    return str(9 - int(pin))


def straight(pin: str) -> str:
    """A cable that joins pin 1 to pin 1: half a turn lies in it."""
    return pin


def built(reader: str, cable: Cable = parallel, into: str = "J101", turned: bool = False) -> Joined:
    """Return the pins that a reader and six strips join: copper and cables, no circuit.

    `cable` lies between the strips; the reader's own plug is pushed `into` this one, with its
    wires from the other end if `turned`.
    """
    joined, nets = Joined(), copper()
    for strip in STRIPS:
        for (part, pad), net in nets.items():
            joined.join((numbered(part, strip), pad), (f"net {net} of strip {strip}", ""))
    for near, (_, pin) in wires(f"presence/wiring-{reader}")["W1"]:
        joined.join(near, (into, parallel(pin) if turned else pin))
    for strip in STRIPS[1:]:
        for pin in map(str, range(1, 9)):
            joined.join((f"J{strip - 1}02", pin), (f"J{strip}01", cable(pin)))
    return joined


def reader_pins(reader: str) -> dict[str, Pin]:
    """Return a reader's pins of the chain, by the numbers on its own board."""
    if reader == "pi":
        table = pins()["pi"]["pins"]
        return {name: ("A1", str(PI_HEADER[pin["bcm"]])) for name, pin in table.items()}
    table = pins()["boards"]["presence"]["pins"]
    by_port = {port: name for name, port in NANO_PORTS.items()}
    of_label = {label: pin for pin, label in labels("presence/wiring-nano")}
    names = ("miso", "sck", "chain_load")
    return {name: of_label[by_port[table[name]["pin"]]] for name in names}


SUPPLY = {"nano": ("5V", "GND"), "pi": ("3.3 V", "ground")}
READERS = ("pi", "nano")


def supply(reader: str) -> tuple[Pin, Pin]:
    """Return a reader's supply and ground pins."""
    of_label = {label: pin for pin, label in labels(f"presence/wiring-{reader}") if pin[0] == "A1"}
    plus, minus = SUPPLY[reader]
    return of_label[plus], of_label[minus]


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
        circuits_nets = {
            frozenset((f"{ref[0]}{int(ref[1:]) - 100 * strip}", pin) for ref, pin in pins)
            for pins in circuit.nets(f"strip{strip}").values()
        }
        pads_by_net: dict[str, set[tuple[str, str]]] = {}
        for pad, net in nets.items():
            pads_by_net.setdefault(net, set()).add(pad)

        assert circuits_nets == {frozenset(pads_) for pads_ in pads_by_net.values()}


def test_each_cell_is_on_the_input_of_its_place() -> None:
    """Through its 1 kΩ, cell n of a strip comes out on input D(7 - n), which is shifted out n-th;
    the table of inputs has each cell of the field; a seventh cell has a hole.
    """
    table = rows(HARDWARE / "presence" / "cells.csv")
    nets = copper()
    for n, row in enumerate(table):
        strip, place = divmod(n, 6)
        pin = str(HC165_INPUTS["HGFEDCBA"[place]])
        assert ("ABCDEF"[place] + str(strip + 1), str(strip + 1), str(place + 1), pin) == (
            row["cell"], row["strip"], row["place"], row["chip_pin"],
        )  # fmt: skip
        assert str(8 * strip + place) == row["input"]
    assert 36 == len(table)
    for place in range(7):
        inner = nets["U1", str(HC165_INPUTS["HGFEDCBA"[place]])]
        resistor = f"R{7 + place}" if place < 6 else "R15"
        (outer,) = {nets[resistor, pad] for pad in "12"} - {inner}
        switches = [(f"S{4 * place + n}", "2") for n in range(1, 5)] if place < 6 else [("H3", "1")]
        assert {outer} == {nets[switch] for switch in switches}


def test_the_last_input_of_each_strip_is_always_low() -> None:
    """The sentinel: D0 is on ground itself, the end of the chain reads high, and the readers'
    inputs have a pull-up: what does not answer reads 1 where a strip answers 0.
    """
    nets = copper()
    sentinel = pins()["boards"]["presence"]["sentinel_input"]
    assert "GND" == nets["U1", str(HC165_INPUTS["HGFEDCBA"[sentinel]])]
    assert {"NEXT", "VCC"} == {nets["R18", pad] for pad in "12"}
    for reader in (pins()["boards"]["presence"], pins()["pi"]):
        assert "pull-up" in reader["pins"]["miso"]["to"]


@pytest.mark.parametrize("reader", READERS)
def test_the_chain_runs_from_strip_to_strip_to_the_reader(reader: str) -> None:
    """By copper and cables QH of strip 1 reaches MISO, that of each other one SER of the strip
    before; clock and load reach all, each line through 1 kΩ.
    """
    joined, own = built(reader), reader_pins(reader)
    before = own["miso"]
    for strip in STRIPS:
        chip = f"U{100 * strip + 1}"
        assert joined.root((chip, "9")) == joined.root(through(joined, strip, 13, before))
        before = through(joined, strip, 14, (chip, "10"))
        for pin, resistor, signal in (("1", 16, "chain_load"), ("2", 17, "sck")):
            assert joined.root((chip, pin)) == joined.root(
                through(joined, strip, resistor, own[signal])
            )
        plus, minus = supply(reader)
        for pin, net in (("16", plus), ("8", minus), ("15", minus)):
            assert joined.root((chip, pin)) == joined.root(net)


WRONG_CABLES = [
    (parallel, "J101", True), (parallel, "J102", False), (parallel, "J102", True),
    (straight, "J101", False), (straight, "J101", True), (straight, "J102", False),
]  # fmt: skip


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("cable", "into", "turned"), WRONG_CABLES)
def test_no_cable_can_hurt_a_strip(reader: str, cable: Cable, into: str, turned: bool) -> None:
    """Crossed cables between the strips, the reader's wires from the other end, its plug in OUT:
    each strip still has its supply the right way round, and no output is on power or on another
    output but through 1 kΩ.
    """
    joined, own = built(reader, cable, into, turned), reader_pins(reader)
    plus, minus = (joined.root(pin) for pin in supply(reader))
    outputs = [own["sck"], own["chain_load"], *((f"U{100 * n + 1}", "9") for n in STRIPS)]

    assert plus != minus
    for strip in STRIPS:
        assert (plus, minus) == tuple(
            joined.root((f"U{100 * strip + 1}", pin)) for pin in ["16", "8"]
        )
    assert len({joined.root(pin) for pin in outputs} - {plus, minus}) == len(outputs)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("cable", "into", "turned"), WRONG_CABLES)
def test_a_wrong_cable_shows_as_a_missing_strip(
    reader: str, cable: Cable, into: str, turned: bool
) -> None:
    """Behind each of those cables the chain is broken: no chip's output reaches what should read
    it, so the reader sees the sentinel high there.
    """
    joined, own = built(reader, cable, into, turned), reader_pins(reader)
    broken = 1 if (into, turned) != ("J101", False) else 2
    listener = own["miso"] if broken == 1 else ("R114", "1")
    heard = {joined.root((f"R{broken}13", pad)) for pad in "12"}

    assert joined.root(listener) not in heard


def test_power_from_either_end_is_power() -> None:
    """The plug's order read backwards has supply and ground in the same places, and pins of OUT
    and IN that face each other carry the same, DATA for DATA.
    """
    nets = copper()
    into = [nets.get(("J1", str(pin)), "") for pin in range(1, 9)]
    onward = [nets.get(("J2", str(pin)), "") for pin in range(1, 9)]
    power = [net if net in ("VCC", "GND") else "" for net in into]

    assert power == power[::-1] and {"VCC", "GND"} < set(power)
    assert [net.replace("NEXT", "DATA") for net in reversed(onward)] == into


def test_the_guide_has_each_wire_of_the_reader() -> None:
    """By the guide's table each letter beside the plug goes to the pin of Pi and Nano to which the
    drawings lead its wire.
    """
    text = (HARDWARE.parent / "docs" / "boards.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| `(.)` \| (\d+) \(.+?\) \| (\w+) \|$", text, re.M)
    names = {pin: label for pin, label in labels("presence/wiring-nano") if pin[0] == "A1"}
    letters = {"VCC": "+", "GND": "G", "DATA": "D", "SCK": "S", "LOAD": "L"}
    at_pi = {far: near[1] for near, far in wires("presence/wiring-pi")["W1"]}
    at_nano = {far: names[near] for near, far in wires("presence/wiring-nano")["W1"]}
    nets = copper()

    assert {
        (letters[nets["J1", pin]], at_pi[plug, pin], at_nano[plug, pin]) for plug, pin in at_pi
    } == set(table)


def test_strips_and_panel_share_no_pin_of_the_pi() -> None:
    """Both can hang on one header."""
    strips = {near[1] for near, _ in wires("presence/wiring-pi")["W1"]}
    panel = {
        pin
        for joints in wires("panel/wiring").values()
        for (part, pin), _ in joints
        if part == "A1"
    }
    assert not strips & panel


def test_no_line_floats() -> None:
    """Every switch's line, the seventh cell's and the end of the chain have 10 kΩ to the supply;
    each switch has its own capacitor.
    """
    nets = copper()
    by_net: dict[str, list[tuple[str, str]]] = {}
    for pad, net in nets.items():
        by_net.setdefault(net, []).append(pad)
    values = {part: value for part, value, _, _ in pads(STRIP / "strip.kicad_pcb")}
    for net in [f"CELL{n}" for n in range(7)] + ["NEXT"]:
        pulls = [part for part, _ in by_net[net] if values[part] == "10k"]
        assert 1 == len(pulls), net
        assert "VCC" in {nets[pulls[0], "1"], nets[pulls[0], "2"]}
    assert 25 == sum(value == "100n" for value in values.values())


def test_the_machine_gets_each_part_once() -> None:
    """The ordered parts, those that the machine sets and those on the board are the same; each has
    order numbers of two shops at least, in the shop's form or as the maker's number, and the number
    that assemblers require.
    """
    bought = rows(STRIP / "bom.csv")
    ordered = Counter(ref for line in bought for ref in line["Designator"].split(","))
    lines = rows(STRIP / "positions.csv")
    drawn = {part for part, _ in copper() if part[0] != "H"}

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
    corners = re.findall(r"X(-?\d+)Y(-?\d+)D0[12]", gerber("strip-Edge_Cuts.gm1"))
    return [int(x) / 1e6 for x, _ in corners], [int(y) / 1e6 for _, y in corners]


def strip_corner() -> tuple[float, float]:
    """Return the strip's upper left corner in its Gerber files, y upwards."""
    xs, ys = edges()
    return min(xs), max(ys)


def flashed() -> dict[str, list[tuple[float, float]]]:
    """Return the middles of each part's pads in the copper's Gerber file; vias under \"\"."""
    places: dict[str, list[tuple[float, float]]] = {}
    part = ""
    for line in gerber("strip-F_Cu.gtl").splitlines():
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
    middles = {spot for spots in pads_of.values() for spot in spots}
    drills = re.findall(r"^X(-?[\d.]+)Y(-?[\d.]+)", gerber("strip.drl"), re.M)
    assert len(drills) > 80
    for x, y in drills:
        assert any(
            abs(float(x) - pad[0]) < 0.01 and abs(float(y) - pad[1]) < 0.01 for pad in middles
        )


ASSEMBLERS_ZERO = {"S": 180, "U": 270, "J": 180}
"""Degrees that JLCPCB's SOT-23, SOIC and PH plugs lie turned against KiCad's, by the tables of
matthewlai/JLCKicadTools and bennymeg/Fabrication-Toolkit.
"""


def test_the_machine_turns_each_part_as_the_assembler_counts() -> None:
    """Each part's rotation in the list is that of its footprint in the kept board, with the
    published correction of its package.
    """
    board = (STRIP / "strip.kicad_pcb").read_text(encoding="utf-8")
    turned = {}
    for part in re.split(r"\n  \(footprint ", board)[1:]:
        spot = re.search(r"\n    \(at \S+ \S+?(?: (\S+?))?\)", part)
        name = re.search(r'\(fp_text reference "([^"]+)"', part)
        assert spot and name
        turned[name[1]] = float(spot[1] or 0) + ASSEMBLERS_ZERO.get(name[1][0], 0)
    for line in rows(STRIP / "positions.csv"):
        assert turned[line["Designator"]] % 360 == float(line["Rotation"])


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
    with zipfile.ZipFile(STRIP / "gerbers.zip") as archive:
        names = archive.namelist()
    assert sorted((
        *("strip-F_Cu.gtl", "strip-B_Cu.gbl", "strip-F_Mask.gts", "strip-B_Mask.gbs"),
        *("strip-F_Paste.gtp", "strip-F_Silkscreen.gto", "strip-Edge_Cuts.gm1", "strip.drl"),
    )) == names  # fmt: skip
    xs, ys = edges()
    assert (370, 30) == pytest.approx((max(xs) - min(xs), max(ys) - min(ys)))


def printed() -> list[tuple[str, float, float]]:
    """Return the words printed on the board, each with its place on KiCad's sheet."""
    board = (STRIP / "strip.kicad_pcb").read_text(encoding="utf-8")
    words = re.findall(r'\(gr_text "?([^"\n]+?)"? \(at (\S+) (\S+)\) \(layer "F.SilkS"', board)
    return [(text, float(x), float(y)) for text, x, y in words]


def test_the_board_says_what_it_is_and_what_each_pin_carries() -> None:
    """Beside each pin of both plugs stands its net's letter, at pin 1 a 1, and somewhere the
    project, what the board is, its revision, date and licence.
    """
    words, nets = printed(), copper()
    whole = " ".join(text for text, _, _ in words)
    for named in ("table-companion: presence strip, rev ", "MIT licence", "IN", "OUT", "7TH"):
        assert named in whole
    assert re.search(r"20\d\d-\d\d-\d\d", whole)
    plugs = {line["Designator"]: line for line in rows(STRIP / "positions.csv")}
    for plug, way in (("J1", -1), ("J2", 1)):
        x, y = (float(plugs[plug][name][:-2]) for name in ("Mid X", "Mid Y"))
        for pin in range(1, 9):
            at = x + way * (2 * pin - 9)
            (letter,) = {
                text for text, left, top in words
                if abs(left - at) < 0.1 and len(text) == 1 and 5 < -way * (top + y) < 9
            }  # fmt: skip
            assert {"VCC": "+", "NEXT": "D"}.get(nets.get((plug, str(pin)), "-"),
                    nets.get((plug, str(pin)), "-")[0]) == letter  # fmt: skip
        (one,) = (left for text, left, top in words if text == "1" and abs(top + y) < 4.5)
        assert one == pytest.approx(x - way * 8.5)


DRAW = ["/usr/bin/python3", "-m", "hardware.presence.strip.draw"]

# KiCad takes 470 MB: `make drc` installs it with its footprints, and this check runs where they
# are. Elsewhere there is no such test.
if (
    Path("/usr/lib/python3/dist-packages/pcbnew.py").exists()
    and Path("/usr/share/kicad/footprints").exists()
):

    def drawn_faults(board: Path, report: Path) -> int:
        """Return how many faults KiCad's design rule check finds."""
        command = [*DRAW, "check", str(board), str(report)]
        result = subprocess.run(command, capture_output=True, text=True, cwd=HARDWARE.parent)
        return int(result.stdout.rpartition("faults: ")[2])

    def test_the_kept_board_is_what_its_script_draws() -> None:
        """The board's file is drawn by its script; Gerber and drill files, the machine's places and
        the picture are made from it.
        """
        command = [*DRAW, "stale"]
        result = subprocess.run(
            command, capture_output=True, text=True, cwd=HARDWARE.parent, check=True
        )
        assert result.stdout.splitlines()[-1].split() == ["stale:"], result.stdout

    def test_kicad_finds_no_fault_in_the_strip_but_a_planted_one(tmp_path: Path) -> None:
        """KiCad's own check of clearances, holes, edges and unconnected pads finds nothing, and
        finds a missing track.
        """
        assert 0 == drawn_faults(STRIP / "strip.kicad_pcb", tmp_path / "drc.rpt")

        board = (STRIP / "strip.kicad_pcb").read_text(encoding="utf-8")
        spoilt = tmp_path / "strip.kicad_pcb"
        spoilt.write_text(re.sub(r"\n  \(segment [^\n]+", "", board, count=1), encoding="utf-8")
        assert drawn_faults(spoilt, tmp_path / "drc.rpt") > 0
