"""The plans of the boards agree with each other, with the firmware's pins and with the service's
loops.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from companion.sensors.rfid.geometries import GEOMETRIES, SQUARE

from companion.config import PanelSettings
from hardware.plans.__main__ import draw_wiring, sheets, texts
from hardware.plans.circuit import Part, circuits, identity
from hardware.plans.perfboard import boards
from hardware.plans.source import PlanError
from tests.hardware.plans import (
    CHECKOUT,
    HARDWARE,
    MEGA_PORTS,
    POWER_SHIFTER_DRAINS,
    Joined,
    cabled,
    expand,
    pins_header,
    rows,
    signals,
    soldered,
)

BUILDS = ("presence", "identity", "panel")
WIRINGS = sorted(str(path.relative_to(HARDWARE))[:-4] for path in HARDWARE.glob("*/wiring*.yml"))


def test_the_plans_are_what_their_sources_make() -> None:
    """`make hardware` writes each plan from its sources, and no plan is left over."""
    generated = texts()
    kept = {
        path
        for build in (*BUILDS, "loops")
        for path in (HARDWARE / build).rglob("*")
        if path.is_file()
    }
    drawn_by_kicad = {
        "tank",
        "gerbers",
        "draw.py",
        "strip.kicad_pcb",
        "strip.kicad_pro",
        "positions.csv",
    }
    kept = {path for path in kept if not drawn_by_kicad & set(path.parts) and path.suffix != ".pyc"}
    drawn = {HARDWARE / f"{name}.svg" for name in WIRINGS}

    assert kept == set(generated) | set(sheets()) | drawn
    for path, text in generated.items():
        assert text == path.read_text(encoding="utf-8"), f"{path.name} is old: make hardware"


@pytest.mark.parametrize("name", WIRINGS)
def test_the_wiring_drawings_show_what_is_wired(name: str, tmp_path: Path) -> None:
    """WireViz draws each wiring with the same words as the kept drawing; places may differ."""
    drawn = draw_wiring(HARDWARE / f"{name}.yml", tmp_path)

    assert words_of(drawn) == words_of(HARDWARE / f"{name}.svg")


def words_of(drawing: Path) -> Counter[str]:
    return Counter(
        text.text or ""
        for text in ElementTree.parse(drawing).iter("{http://www.w3.org/2000/svg}text")
    )


@pytest.mark.parametrize("build", ["identity"])
def test_the_wires_join_what_the_circuit_joins_and_nothing_else(build: str) -> None:
    """Through holes and wires a logic board joins exactly the pins that the circuit joins."""
    places = rows(HARDWARE / build / "board" / "places.csv")
    pins = [(place["part"], place["pin"]) for place in places]
    circuit = next(circuit for circuit in circuits() if circuit.name == build)
    wanted = {frozenset(net) for net in circuit.nets("logic").values()}
    free = {frozenset({pin}) for pin in pins} - {frozenset({pin}) for net in wanted for pin in net}

    assert wanted | free == soldered(build).groups(pins)
    assert len(places) == len({place["hole"] for place in places}), "two pins in one hole"


@pytest.mark.parametrize("build", BUILDS)
def test_each_part_is_bought_once_and_sits_in_one_place(build: str) -> None:
    """The parts list, the perfboard, the wiring and the resonators name the same parts; numbers and
    sums are right.
    """
    lines = [line for line in rows(HARDWARE / build / "parts.csv") if line["refs"] != "total"]
    bought = Counter(ref for line in lines for ref in expand(line["refs"]))
    placed = (
        {place["part"] for place in rows(HARDWARE / build / "board" / "places.csv")}
        if build == "identity"
        else set()
    )
    wired = {
        ref
        for wiring in (HARDWARE / build).glob("wiring*.yml")
        for ref in yaml.safe_load(wiring.read_text(encoding="utf-8"))["connectors"]
        if not ref.startswith(("STRIP", "COMB"))
    }
    alike = {
        "presence": on_strips(),
        "panel": set(),
    }
    resonators = {f"{letter}{n + i}" for i in range(26) for letter, n in RESONATOR} | {"L1", "L2"}
    elsewhere = alike.get(build, resonators)

    assert {1} == set(bought.values())
    assert (
        set(bought) - {ref for ref in bought if ref.startswith("X")} == placed | wired | elsewhere
    )
    for line in lines:
        assert (
            not line["refs"].startswith("X") and int(line["quantity"]) == len(expand(line["refs"]))
        ) or line["refs"][0] == "X"
        assert f"{int(line['quantity']) * float(line['eur_each']):.2f}" == line["eur_all"]
        assert all(line[column] for column in ("what", "maker", "mpn", "alternative", "where"))
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", line["estimated_on"])


def on_strips() -> set[str]:
    """Return the parts of the six strips: those that the machine sets on one, times six."""
    one = rows(HARDWARE / "presence" / "strip" / "bom.csv")
    refs = [ref for line in one for ref in line["Designator"].split(",")]
    letters = {ref: ref.rstrip("0123456789") for ref in refs}
    return {
        f"{letters[ref]}{100 * strip + int(ref.removeprefix(letters[ref]))}"
        for strip in range(1, 7)
        for ref in refs
    }


RESONATOR = (
    ("C", 100),
    ("C", 200),
    ("C", 300),
    ("C", 400),
    ("C", 500),
    ("R", 100),
    ("L", 100),
    ("D", 100),
    ("W", 100),
)


@pytest.mark.parametrize("build", BUILDS)
def test_the_sums_of_the_parts_lists_are_right(build: str) -> None:
    """The two last lines are the sum of what is needed and of everything, and are marked as
    estimates.
    """
    *lines, needed, everything = rows(HARDWARE / build / "parts.csv")

    assert sum(
        float(line["eur_all"]) for line in lines if line["needed"] == "yes"
    ) == pytest.approx(float(needed["eur_all"]))
    assert sum(float(line["eur_all"]) for line in lines) == pytest.approx(
        float(everything["eur_all"])
    )
    assert "estimate" in needed["what"] and "estimate" in everything["what"]


def test_the_mega_is_wired_to_the_pins_that_the_firmware_drives() -> None:
    """Each signal of the identity board's pins.h is wired from the Mega's pin of that port to the
    header, once.
    """
    joined = cabled("identity/wiring")
    places = [p for p in rows(HARDWARE / "identity" / "board" / "places.csv") if p["part"] == "J1"]
    nets = {}
    for mega, port in MEGA_PORTS.items():
        for place in places:
            if joined.root(("A1", mega)) == joined.root(("J1", place["pin"])):
                nets[port] = place["net"]

    assert {
        pin: name
        for name, pin in signals(pins_header("identity")).items()
        if name not in ("SS", "RX", "TX", "CHAIN_LOAD", "CHAIN_GATE", "LED_GATE", "BEEPER")
    } == nets


def test_what_is_sold_is_used() -> None:
    """The service lights no lamp, beeps on no board and takes no press there: neither board's list,
    nor any wiring, has lamps, a piezo or buttons. Nothing drives MISO while the reader rests, so
    that a resistor holds it high, which the firmware reads as buttons that nobody presses.
    """
    kinds = {part.kind for circuit in circuits()[:2] for part in circuit.parts}
    assert not kinds & {"lamps", "supply", "piezo", "button", "arcade-button", "led"}
    joined = soldered("identity")
    places = rows(HARDWARE / "identity" / "board" / "places.csv")
    header = {place["net"]: place["pin"] for place in places if place["part"] == "J1"}
    assert not {"CHAIN_LOAD", "CHAIN_GATE", "LED_GATE", "BEEPER"} & header.keys()
    assert joined.root(("R3", "1")) == joined.root(("J1", header["MISO"]))
    assert joined.root(("R3", "2")) == joined.root(("J1", header["+5V"]))


def test_each_loop_hangs_on_the_output_of_its_number() -> None:
    """Loop n is wired to output n of the shift registers through its cable; 26 loops and outputs,
    each once, as the service counts.
    """
    joined, cables = soldered("identity"), cabled("identity/wiring")
    outputs = set()
    numbers = sorted(
        n for axis in SQUARE.axes for kind in (axis.centred, axis.border) for n in kind
    )
    for n in numbers:
        header, comb = (("J3", "COMB1"), ("J4", "COMB2"))[n // 13]
        pin = next(
            p
            for p in range(1, 15)
            if cables.root((header, str(p))) == cables.root((comb, f"label loop {n}"))
        )
        chip = (f"U{n // 8 + 1}", str(POWER_SHIFTER_DRAINS[n % 8]))
        outputs.add(chip)

        assert joined.root((header, str(pin))) == joined.root(chip), f"loop {n}"
    assert list(range(26)) == numbers and 26 == len(outputs)


def test_the_loops_shift_registers_are_one_chain_that_is_off_at_reset() -> None:
    """Each one's serial output goes on to the next one's input, MOSI to the first; the enable of
    all and the reader's select, "low = on", have a pull-up.
    """
    joined = soldered("identity")
    places = rows(HARDWARE / "identity" / "board" / "places.csv")
    header = {place["net"]: place["pin"] for place in places if place["part"] == "J1"}
    before = ("J1", header["MOSI"])
    for chip in range(1, 5):
        assert joined.root((f"U{chip}", "3")) == joined.root(before)
        for pin, net in (("9", "LOOPS_OFF"), ("12", "LOOP_LATCH"), ("13", "SCK"), ("2", "+5V")):
            assert joined.root((f"U{chip}", pin)) == joined.root(("J1", header[net]))
        assert joined.root((f"U{chip}", "8")) == joined.root(("J1", header["+5V"]))
        for pin in ("10", "11", "19"):
            assert joined.root((f"U{chip}", pin)) == joined.root(("J1", header["GND"]))
        before = (f"U{chip}", "18")
    for signal in ("LOOPS_OFF", "READER_SELECT"):
        pulls = [p["part"] for p in places if p["net"] == signal and p["kind"] == "10k"]
        assert 1 == len(pulls)
        assert joined.root((pulls[0], "2")) == joined.root(("J1", header["+5V"]))


def test_each_loop_that_is_off_has_ten_volts_across_its_diode() -> None:
    """Through 10 kΩ each loop's line lies at 15 V, which comes from the boost module, and the loop
    itself at 5 V: 8 to 12 V across its diode, whose bar is on the side of the line. When the output
    is on, current runs the other way through it.
    """
    joined, cables = soldered("identity"), cabled("identity/wiring")
    circuit = identity()
    fifteen = joined.root(("J5", "3"))
    assert cables.root(("J5", "3")) == cables.root(("A3", "OUT+"))
    assert cables.root(("J5", "1")) == cables.root(("A3", "IN+"))
    places = rows(HARDWARE / "identity" / "board" / "places.csv")
    for n in range(26):
        line = joined.root((("J3", "J4")[n // 13], str(n % 13 + 1)))
        pulls = [
            place["part"]
            for place in places
            if place["kind"] in ("10k", "10k-network")
            and joined.root((place["part"], place["pin"])) == line
        ]
        assert 1 == len(pulls) and joined.root((pulls[0], "1")) == fifteen
        diode, loop = circuit.part(f"D{100 + n}"), circuit.part(f"W{100 + n}")
        assert (f"TANK{n:02d}", f"LOOPWIRE{n:02d}") == (diode.pins["1"], diode.pins["2"])
        assert (diode.pins["2"], "+5V") == (loop.pins["1"], loop.pins["2"])
    assert 8 <= 15 - 5 <= 12


def test_no_five_volts_reach_the_reader() -> None:
    """Each of the reader's inputs comes from a chip at 3.3 V or a divider; its outputs end on
    inputs of a 74AHCT125, which lifts them to 5 V and lets go of MISO with the reader's select.
    """
    joined = soldered("identity")
    assert "3300" == pins_header("identity")["READER_MILLIVOLTS"]
    supply = joined.root(("U7", "3"))
    assert supply == joined.root(("U5", "14")) == joined.root(("J2", "1"))
    outputs = {joined.root(("U5", pin)) for pin in ("3", "6", "8")}
    for pin in ("3", "4", "5"):
        assert joined.root(("J2", pin)) in outputs
    places = rows(HARDWARE / "identity" / "board" / "places.csv")
    kinds = {place["part"]: place["kind"] for place in places}
    driven = {joined.root(("U6", pin)) for pin in ("3", "6", "8", "11")} | outputs
    header = {place["net"]: place["pin"] for place in places if place["part"] == "J1"}
    for pin, into, out, net in (("6", "2", "3", "MISO"), ("7", "5", "6", "READER_IRQ")):
        assert joined.root(("J2", pin)) == joined.root(("U6", into))
        assert joined.root(("J2", pin)) not in driven
        assert joined.root(("U6", out)) == joined.root(("J1", header[net]))
    assert "74AHCT125" == kinds["U6"]
    assert joined.root(("J1", header["READER_SELECT"])) == joined.root(("U6", "1"))
    assert joined.root(("J2", "8")) == joined.root(("R5", "2")) == joined.root(("R6", "1"))
    upper, lower = ({"5k6": 5600, "10k": 10_000}[kinds[ref]] for ref in ("R5", "R6"))
    assert 5.25 * lower / (upper + lower) < 3.4
    five = {joined.root(("J1", header["+5V"])), joined.root(("U6", "3")), joined.root(("U6", "6"))}
    assert not five & {joined.root(("J2", str(pin))) for pin in range(1, 9)}


def test_the_panel_is_wired_to_the_pins_that_the_service_uses() -> None:
    """Button, lamp and piezo hang on the header's pins of the BCM numbers that are the settings'
    defaults.
    """
    header = {17: "11", 27: "13", 18: "12", 3: "5"}
    cables = cabled("panel/wiring")
    settings = PanelSettings()

    for bcm, part in (
        (settings.button, "SW1"),
        (settings.lamp, "R1"),
        (settings.piezo, "R2"),
        (3, "SW2"),
    ):
        assert cables.root(("A1", header[bcm])) == cables.root((part, "1"))
        assert cables.root(("A1", header[bcm])) == cables.root(("A1", f"label GPIO {bcm}"))


def test_a_knocked_piezo_cannot_hurt_the_pi() -> None:
    """Between the piezo and its GPIO lies 1 kΩ; on the GPIO's side a diode leads to 3.3 V and one
    comes from ground, bars (pin 1) towards the higher voltage.
    """
    cables = cabled("panel/wiring")
    bought = {row["refs"]: row["what"] for row in rows(HARDWARE / "panel" / "parts.csv")}

    assert bought["R2"].startswith("1 kΩ")
    assert cables.root(("R2", "2")) == cables.root(("BZ1", "1"))
    gpio = cables.root(("A1", "12"))
    assert gpio == cables.root(("R2", "1"))
    assert gpio == cables.root(("D2", "2")) == cables.root(("D3", "1"))
    assert cables.root(("A1", "1")) == cables.root(("D2", "1"))
    assert cables.root(("A1", "6")) == cables.root(("D3", "2"))


def test_a_part_without_room_is_refused() -> None:
    """Two parts in one hole, and a part over the edge, are errors that name them."""
    board = boards()[0]
    spot = board.spots["U1"]

    with pytest.raises(PlanError, match="U1"):
        _ = type(board)(board.circuit, {**board.spots, "C1": spot}).pin_holes
    with pytest.raises(PlanError, match="over the edge"):
        _ = type(board)(board.circuit, {**board.spots, "C1": type(spot)((61, 37))}).pin_holes


def test_the_joining_of_pins_finds_a_short() -> None:
    """One additional wire changes the joined pins: the comparison above finds it."""
    pins = [(p["part"], p["pin"]) for p in rows(HARDWARE / "identity" / "board" / "places.csv")]
    joined: Joined = soldered("identity")
    before = joined.groups(pins)
    joined.join(("U1", "13"), ("U1", "12"))

    assert before != joined.groups(pins)


LINK = re.compile(r"\[[^\]]*\]\(([^)#]+)\)")
REFERENCE = re.compile(r"\b(?:A|BZ|C|D|DS|F|J|L|PS|R|RN|S|SW|U|W|X)\d{1,3}\b")


@pytest.mark.parametrize("name", ["README.md", "assembly.md", "calibration.md"])
def test_the_documents_speak_of_files_and_parts_that_exist(name: str) -> None:
    """Each link leads to a file, and each part in a text is in a parts list."""
    text = (HARDWARE / name).read_text(encoding="utf-8")
    for target in LINK.findall(text):
        assert target.startswith("http") or (HARDWARE / target).exists(), target
    bought = {
        ref
        for build in BUILDS
        for line in rows(HARDWARE / build / "parts.csv")
        for ref in expand(line["refs"])
    }
    cells = {str(cell) for geometry in GEOMETRIES for cell in geometry.cells}

    assert set() == set(REFERENCE.findall(text)) - bought - cells


def test_make_hardware_is_the_one_command() -> None:
    """`make hardware` runs the program that writes the plans."""
    output = subprocess.run(
        ["make", "-n", "hardware"], cwd=CHECKOUT, capture_output=True, text=True, check=True
    ).stdout

    assert "-m hardware.plans" in output


@pytest.mark.parametrize(
    ("build", "drawn"),
    [
        ("presence", lambda part: part.on in ("strip1", "loose")),
        (
            "identity",
            lambda part: (
                part.on == "logic"
                or part.ref[0] == "A"
                or part.ref in ("C91", "L1", "L2")
                or (part.on == "comb" and part.ref.endswith("00"))
                or part.ref == "W100"
            ),
        ),
        ("panel", lambda part: True),
    ],
)
def test_the_schematic_shows_each_pin_with_its_net(
    build: str, drawn: Callable[[Part], bool]
) -> None:
    """Each pin of each part of the logic board, of one strip and of one resonator is drawn once,
    with the name of its net in the circuit, and no other part is.
    """
    circuit = next(circuit for circuit in circuits() if circuit.name == build)
    wanted = {
        (f"{part.ref}.{pin}", net)
        for part in circuit.parts
        if drawn(part)
        for pin, net in part.pins.items()
    }
    sheet = ElementTree.parse(HARDWARE / build / "schematic.svg")
    counted = Counter(
        (text.get("data-pin", ""), text.text or "")
        for text in sheet.iter("{http://www.w3.org/2000/svg}text")
        if text.get("data-pin")
    )

    assert Counter(wanted) == counted
