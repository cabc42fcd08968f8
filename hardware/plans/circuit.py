"""The circuits of the two boards and of the panel: every part, and the net on each of its pins.

Parts lists, wiring drawings and perfboards are made from them. Pins and loops are read from
pins.toml; pin numbers of the chips are those of their datasheets.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from companion.config import PanelSettings
from hardware.plans.source import PlanError, cells, read_pins

Stage = Literal["power", "reader", "loops"]
"""The stage of assembly.md in which a net is wired."""

# fmt: off
NANO = [
    "D1/TX", "D0/RX", "RST", "GND", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11",
    "D12", "D13", "3V3", "AREF", "A0", "A1", "A2", "A3", "A4", "A5", "A6", "A7", "5V", "RST2",
    "GND2", "VIN",
]
# fmt: on
"""Names of an Arduino Nano's pins 1 to 30."""
HC165 = [
    "SH/LD",
    "CLK",
    "E",
    "F",
    "G",
    "H",
    "/QH",
    "GND",
    "QH",
    "SER",
    "A",
    "B",
    "C",
    "D",
    "INH",
    "VCC",
]
# fmt: off
POWER_SHIFTER = [
    "NC", "VCC", "SER", "D0", "D1", "D2", "D3", "/SRCLR", "/G", "GND", "GND2", "RCK", "SRCK", "D4",
    "D5", "D6", "D7", "QH'", "GND3", "NC2",
]
# fmt: on
"""Names of a TPIC6B595's pins; its open-drain outputs withstand 50 V."""
QUAD_BUFFER = [
    "/OE1",
    "A1",
    "Y1",
    "/OE2",
    "A2",
    "Y2",
    "GND",
    "Y3",
    "A3",
    "/OE3",
    "Y4",
    "A4",
    "/OE4",
    "VCC",
]
REGULATOR = ["GND", "IN", "OUT"]
HALL = ["VCC", "OUT", "GND"]

CELLS_A_STRIP = 6
SENSORS_A_CELL = 4
LOOPS_A_COMB = 13
FREE = ("SS", "RX", "TX")
"""Pins of the Mega that no wire leaves from."""


@dataclass(frozen=True)
class Part:
    """One part: its kind is a key of parts.toml; `pins` maps each connected pin, by number, to its
    net.
    """

    ref: str
    kind: str
    on: str
    """Its board ("logic", "strip1", "comb"), or "loose"."""
    pins: Mapping[str, str]
    names: tuple[str, ...] = ()
    """The pins' names, in the order of their numbers."""


@dataclass(frozen=True)
class Circuit:
    """All parts of one build."""

    name: str
    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        refs = [part.ref for part in self.parts]
        if twice := {ref for ref in refs if refs.count(ref) > 1}:
            raise PlanError(f"{self.name}: parts of the same name: {', '.join(sorted(twice))}")
        if lonely := [net for net, pins in self.nets().items() if len(pins) < 2]:
            raise PlanError(f"{self.name}: nets that lead nowhere: {', '.join(lonely)}")

    def nets(self, on: str | None = None) -> dict[str, list[tuple[str, str]]]:
        """Return the (part, pin) pairs of each net, of one board alone if it is named."""
        found: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for part in self.parts:
            if on is None or part.on == on:
                for pin, net in part.pins.items():
                    found[net].append((part.ref, pin))
        return dict(found)

    def part(self, ref: str) -> Part:
        """Return the part of this name."""
        return next(part for part in self.parts if part.ref == ref)


def stage_of(net: str) -> Stage:
    """Return the stage of assembly.md in which this net is wired."""
    if net in ("+5V", "GND", "+3V3", "+15V"):
        return "power"
    return "loops" if net.startswith(("LOOP", "SHIFT")) else "reader"


def _named(ref: str, kind: str, on: str, names: list[str], nets: Mapping[str, str]) -> Part:
    """Return a part whose nets are given by its pins' names; raise on an unknown name."""
    if unknown := set(nets) - set(names):
        raise PlanError(f"{ref} has no pin {', '.join(sorted(unknown))}")
    pins = {str(number): nets[name] for number, name in enumerate(names, 1) if name in nets}
    return Part(ref, kind, on, pins, tuple(names))


def _row(ref: str, kind: str, on: str, nets: list[str]) -> Part:
    """Return a part whose pins are numbered along its nets; an empty name leaves a pin free."""
    return Part(ref, kind, on, {str(n): net for n, net in enumerate(nets, 1) if net})


def _two(ref: str, kind: str, on: str, first: str, second: str) -> Part:
    return _row(ref, kind, on, [first, second])


def input_letter(number: int) -> str:
    """Return the 74HC165's input of a chain input by number: H is shifted out first."""
    return "HGFEDCBA"[number % 8]


def presence() -> Circuit:
    """Return the presence board: an Arduino Nano and six strips, each cabled to the next."""
    board = read_pins()["boards"]["presence"]
    wired = {"MISO": "CHAIN_1", "SCK": "SCK", "CHAIN_LOAD": "CHAIN_LOAD"}
    nets = {pin: wired[net] for net, pin in _module_nets(board) if net in wired}
    nano = _named("A1", "nano", "loose", NANO, nets | {"5V": "+5V", "GND": "GND"})
    names = cells(read_pins()["geometries"]["square"])
    strips = range(1, len(names) // CELLS_A_STRIP + 1)
    return Circuit("presence", (nano, *(part for n in strips for part in strip(n))))


def strip(number: int) -> Iterator[Part]:
    """Yield the parts of one strip; their numbers start at 100 times the strip's own number.

    Strip 1 is connected to the Nano, each other one to the strip before.
    """
    on, first = f"strip{number}", 100 * number

    def own(net: str) -> str:
        return f"{net}_{number}"

    names = {
        "LOAD": "CHAIN_LOAD",
        "DATA": f"CHAIN_{number}",
        "NEXT": f"CHAIN_{number + 1}",
        **{f"CELL{n}": f"CELL{8 * (number - 1) + n:02d}" for n in range(CELLS_A_STRIP)},
    }
    into = ["GND", "CHAIN_LOAD", names["DATA"], "SCK", "+5V"]
    yield _row(f"J{first + 1}", "plug", on, into)
    yield _row(f"J{first + 2}", "plug", on, [*into[:2], names["NEXT"], *into[3:]])
    lines = {n: names[f"CELL{n}"] for n in range(CELLS_A_STRIP)}
    for cell, line in lines.items():
        for place in range(SENSORS_A_CELL):
            n = first + SENSORS_A_CELL * cell + place + 1
            nets = {"VCC": "+5V", "OUT": line, "GND": "GND"}
            yield _named(f"S{n}", "hall", on, HALL, nets)
            yield _two(f"C{n}", "100n-0603", on, "+5V", "GND")
        yield _two(f"R{first + cell + 1}", "10k-0603", on, "+5V", line)
        yield _two(f"R{first + cell + 7}", "1k-0603", on, own(f"IN{cell}"), line)
    yield _two(f"C{first + 25}", "100n-0603", on, "+5V", "GND")
    yield _two(f"C{first + 26}", "10u-0805", on, "+5V", "GND")
    inputs = {input_letter(n): own(f"IN{n}") for n in range(8)}
    chip = {"SH/LD": own("LOAD_IN"), "CLK": own("SCK_IN"), "QH": own("QH"), "SER": own("SER")}
    chip |= {"INH": "GND", "VCC": "+5V", "GND": "GND"}
    yield _named(f"U{first + 1}", "74HC165-SO", on, HC165, inputs | chip)
    seventh = own("CELL6")
    for n, outer, inner in (
        (13, names["DATA"], own("QH")),
        (14, names["NEXT"], own("SER")),
        (15, seventh, own("IN6")),
        (16, own("LOAD_IN"), "CHAIN_LOAD"),
        (17, own("SCK_IN"), "SCK"),
    ):
        yield _two(f"R{first + n}", "1k-0603", on, outer, inner)
    for n, line in ((18, names["NEXT"]), (19, own("IN7")), (20, seventh)):
        yield _two(f"R{first + n}", "10k-0603", on, "+5V", line)
    yield _row(f"H{first + 6}", "hole", on, [seventh])


def cell_table() -> str:
    """Return each cell's strip and input, on both fields, as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("field", "cell", "strip", "place", "input", "chip_pin"))
    for name, geometry in read_pins()["geometries"].items():
        for row, its in enumerate(geometry["rows"]):
            for place, cell in enumerate(its.split()):
                pin = HC165.index(input_letter(place)) + 1
                writer.writerow((name, cell, row + 1, place + 1, 8 * row + place, pin))
    return out.getvalue()


def _module_nets(board: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (net, the module's pin) for each pin that pins.toml names; the net is the pin's name
    in capitals.
    """
    spelt = {"RX": "D0/RX", "TX": "D1/TX"}
    return [
        (name.upper(), spelt.get(pin["arduino"], pin["arduino"]))
        for name, pin in board["pins"].items()
    ]


def mega_header(board: Mapping[str, Any]) -> list[str]:
    """Return the nets of the logic board's header for the Mega, in the order of pins.toml, then +5V
    and GND.
    """
    return [net for net, _ in _module_nets(board) if net not in FREE] + ["+5V", "GND"]


def identity() -> Circuit:
    """Return the identity board's circuit with a loop for each output used on the square field."""
    pins = read_pins()
    board = pins["boards"]["identity"]
    loops = sum(
        s["count"]
        for axis in pins["geometries"]["square"]["axes"]
        for s in (axis["centred"], axis["border"])
    )
    header = mega_header(board)
    module = {pin: net for net, pin in _module_nets(board) if net in header}
    parts = [
        Part("A1", "mega", "loose", module | {"5V": "+5V", "GND": "GND"}),
        _row("J1", "header-10", "logic", header),
        *_loop_switches(board["loop_outputs"] // 8, loops),
        *_level_shifters(board["loop_outputs"] // 8 + 1),
        _row("J2", "header-8", "logic", _reader_header()),
    ]
    for comb in range(2):
        wires = [f"LOOP{n:02d}" for n in range(LOOPS_A_COMB * comb, LOOPS_A_COMB * (comb + 1))]
        parts.append(_row(f"J{comb + 3}", "header-14", "logic", [*wires, "+5V"]))
    boost = {"IN+": "+5V", "IN-": "GND", "OUT+": "+15V", "OUT-": "GND"}
    reader = zip(READER_PINS, [*_reader_header(), "RF_READER"], strict=True)
    parts += [
        _row("J5", "header-4", "logic", list(boost.values())),
        Part("A2", "reader", "loose", dict(reader)),
        Part("A3", "boost", "loose", boost),
        # The coils on the combs would short a direct current from the module.
        _two("C91", "10n", "loose", "RF_READER", "RF"),
    ]
    return Circuit("identity", (*parts, *_combs(loops)))


def _loop_switches(chips: int, loops: int) -> Iterator[Part]:
    """Yield the parts that switch the loops' diodes: shift registers on, resistors off.

    An output that is off lies at 15 V through 10 kΩ and each loop at 5 V: 10 V across its diode.
    """
    for chip in range(chips):
        lines = [f"LOOP{n:02d}" if n < loops else "" for n in range(8 * chip, 8 * chip + 8)]
        outputs = {f"D{bit}": line for bit, line in enumerate(lines) if line}
        nets = outputs | {"SRCK": "SCK", "RCK": "LOOP_LATCH", "/G": "LOOPS_OFF", "/SRCLR": "+5V"}
        nets |= {"VCC": "+5V", "GND": "GND", "GND2": "GND", "GND3": "GND"}
        nets["SER"] = f"SHIFT_{chip}" if chip else "MOSI"
        if chip + 1 < chips:
            nets["QH'"] = f"SHIFT_{chip + 1}"
        yield _named(f"U{chip + 1}", "TPIC6B595", "logic", POWER_SHIFTER, nets)
        yield _two(f"C{chip + 1}", "100n", "logic", "+5V", "GND")
        if all(lines):
            yield _row(f"RN{chip + 1}", "10k-network", "logic", ["+15V", *lines])
        else:
            for n, line in enumerate(filter(None, lines)):
                yield _two(f"R{11 + n}", "10k", "logic", "+15V", line)
    yield _two("R2", "10k", "logic", "LOOPS_OFF", "+5V")
    yield _two("C8", "1u", "logic", "+15V", "GND")


def _level_shifters(first: int) -> Iterator[Part]:
    """Yield the level shifters from 5 V to 3.3 V, numbered from `first`, and the regulator."""
    down = {"A1": "READER_SELECT", "Y1": "3V3_SELECT", "A2": "SCK", "Y2": "3V3_SCK", "A3": "MOSI"}
    down |= {"Y3": "3V3_MOSI", "/OE1": "GND", "/OE2": "GND", "/OE3": "GND"}
    down |= {"A4": "GND", "/OE4": "+3V3", "VCC": "+3V3", "GND": "GND"}
    # Its inputs take 2 V for high; the Mega's would need 3.0 V at least.
    up = {"A1": "3V3_MISO", "Y1": "MISO", "/OE1": "READER_SELECT"}
    up |= {"A2": "3V3_IRQ", "Y2": "READER_IRQ", "/OE2": "GND"}
    up |= {"A3": "GND", "/OE3": "+5V", "A4": "GND", "/OE4": "+5V", "VCC": "+5V", "GND": "GND"}
    regulator = {"GND": "GND", "IN": "+5V", "OUT": "+3V3"}
    yield _named(f"U{first}", "74AHC125", "logic", QUAD_BUFFER, down)
    yield _named(f"U{first + 1}", "74AHCT125", "logic", QUAD_BUFFER, up)
    yield _named(f"U{first + 2}", "MCP1700", "logic", REGULATOR, regulator)
    yield _two("C5", "100n", "logic", "+3V3", "GND")
    yield _two("C6", "100n", "logic", "+5V", "GND")
    yield _two("C7", "1u", "logic", "+5V", "GND")
    yield _two("C9", "1u", "logic", "+3V3", "GND")
    yield _two("C10", "47u", "logic", "+5V", "GND")
    yield _two("R1", "10k", "logic", "READER_SELECT", "+5V")
    # While the buffer drives nothing the line would float.
    yield _two("R3", "10k", "logic", "MISO", "+5V")
    yield _two("R4", "10k", "logic", "3V3_MISO", "GND")
    # Together 3.2 V from 5 V, and low while the Mega starts.
    yield _two("R5", "5k6", "logic", "READER_ENABLE", "3V3_ENABLE")
    yield _two("R6", "10k", "logic", "3V3_ENABLE", "GND")


READER_PINS = ("VCC", "GND", "SS", "DATA_CLK", "MOSI", "MISO", "IRQ", "EN", "RF 50 Ω")


def _reader_header() -> list[str]:
    return ["+3V3", "GND", "3V3_SELECT", "3V3_SCK", "3V3_MOSI", "3V3_MISO", "3V3_IRQ", "3V3_ENABLE"]


def _combs(loops: int) -> Iterator[Part]:
    """Yield each loop's resonant circuit, and each comb's coil.

    The coil cancels the other loops' capacitance.
    """
    for comb in range(2):
        yield _two(f"L{comb + 1}", "330n", "comb", "RF", "GND")
    for n in range(loops):
        tank, bias, wire = f"TANK{n:02d}", f"BIAS{n:02d}", f"LOOPWIRE{n:02d}"
        yield _two(f"C{100 + n}", "47p", "comb", "RF", tank)
        yield _two(f"C{200 + n}", "100p", "comb", tank, "GND")
        yield _two(f"C{300 + n}", "trimmer", "comb", tank, "GND")
        yield _two(f"C{400 + n}", "10n", "comb", bias, "GND")
        yield _two(f"R{100 + n}", "330R", "comb", f"LOOP{n:02d}", bias)
        yield _two(f"L{100 + n}", "10u", "comb", tank, bias)
        # Pin 1 is the cathode. Direct current runs from +5V through the loop, D, L and R into the
        # shift register's output.
        yield _two(f"D{100 + n}", "PIN-diode", "comb", tank, wire)
        yield _two(f"W{100 + n}", "loop-wire", "loose", wire, "+5V")
        yield _two(f"C{500 + n}", "100n-1206", "comb", "+5V", "GND")


def panel() -> Circuit:
    """Return the box beside the table: the Pi, a button, a lamp, a piezo and the button that shuts
    down.
    """
    settings = PanelSettings()
    header = {17: "11", 27: "13", 18: "12", 3: "5"}
    pi = {
        header[settings.button]: "END_TURN",
        header[settings.lamp]: "LAMP",
        header[settings.piezo]: "TONE",
        header[3]: "SHUTDOWN",
        "1": "+3V3",
        "6": "GND",
        "9": "GND",
        "14": "GND",
        "20": "GND",
    }
    return Circuit(
        "panel",
        (
            Part("A1", "pi", "loose", pi),
            _two("SW1", "arcade-button", "loose", "END_TURN", "GND"),
            _two("R1", "330R", "loose", "LAMP", "LAMP_SERIES"),
            _two("D1", "led", "loose", "GND", "LAMP_SERIES"),
            _two("R2", "1k", "loose", "TONE", "TONE_SERIES"),
            # A knocked piezo makes tens of volts; these two clamp them, cathode first.
            _two("D2", "schottky", "loose", "+3V3", "TONE"),
            _two("D3", "schottky", "loose", "TONE", "GND"),
            _two("BZ1", "piezo", "loose", "TONE_SERIES", "GND"),
            _two("SW2", "button", "loose", "SHUTDOWN", "GND"),
        ),
    )


def circuits() -> tuple[Circuit, ...]:
    """Return the circuit of each build."""
    return presence(), identity(), panel()
