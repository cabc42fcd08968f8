"""The circuits of the presence board and of the panel: every part, and the net on each of its pins.

Parts lists, wiring drawings and schematics are made from them. The readers' pins are read from
pins.toml; pin numbers of the chips are those of their datasheets.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from companion.config import PanelSettings
from hardware.plans.source import PlanError, read_pins

# fmt: off
NANO = [
    "D1/TX", "D0/RX", "RST", "GND", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11",
    "D12", "D13", "3V3", "AREF", "A0", "A1", "A2", "A3", "A4", "A5", "A6", "A7", "5V", "RST2",
    "GND2", "VIN",
]
HC165 = [
    "SH/LD", "CLK", "E", "F", "G", "H", "/QH", "GND",
    "QH", "SER", "A", "B", "C", "D", "INH", "VCC",
]
# fmt: on
"""Names of the pins of a Nano (1 to 30) and of a 74HC165 (1 to 16)."""
HALL = ["VCC", "OUT", "GND"]
CELLS_A_STRIP = 6
SENSORS_A_CELL = 4
Reader = Literal["nano", "pi"]
"""What the first strip is cabled to: an Arduino Nano, or the Raspberry Pi's own header."""
PLUG = ("VCC", "LOAD", "DATA", "GND", "GND", "SCK", "", "VCC")
"""What the pins of a strip's plug IN carry, 1 to 8; OUT has the same from 8 to 1.

From either end power meets power: no cable, straight or crossed, can hurt a strip.
"""


@dataclass(frozen=True)
class Part:
    """One part: its kind is a key of parts.toml; `pins` maps each connected pin, by number, to its
    net.
    """

    ref: str
    kind: str
    on: str
    """Its board ("strip1"), or "loose"."""
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
        pins_of: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for part in self.parts:
            if on is None or part.on == on:
                for pin, net in part.pins.items():
                    pins_of[net].append((part.ref, pin))
        return dict(pins_of)

    def part(self, ref: str) -> Part:
        """Return the part of this name."""
        return next(part for part in self.parts if part.ref == ref)


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


def presence(reader: Reader = "nano") -> Circuit:
    """Return the presence board: its reader and six strips, each cabled to the next."""
    nets = {"miso": "CHAIN_1", "sck": "SCK", "chain_load": "CHAIN_LOAD"}
    pins = read_pins()
    if reader == "nano":
        named = {pins["boards"]["presence"]["pins"][pin]["arduino"]: nets[pin] for pin in nets}
        first = _named("A1", "nano", "loose", NANO, named | {"5V": "VCC", "GND": "GND"})
    else:
        header = {str(pins["pi"]["pins"][pin]["header"]): nets[pin] for pin in nets}
        first = Part("A1", "pi", "loose", {"17": "VCC"} | header | {"25": "GND"})
    strips = range(1, len(pins["field"]["rows"]) + 1)
    return Circuit("presence", (first, *(part for n in strips for part in strip(n))))


def strip(number: int) -> Iterator[Part]:
    """Yield the parts of one strip; their numbers start at 100 times the strip's own number.

    Strip 1 is connected to the reader, each other one to the strip before.
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
    into = [names.get(net, net) for net in PLUG]
    onward = [names["NEXT"] if net == "DATA" else names.get(net, net) for net in reversed(PLUG)]
    yield _row(f"J{first + 1}", "plug", on, into)
    yield _row(f"J{first + 2}", "plug", on, onward)
    lines = {n: names[f"CELL{n}"] for n in range(CELLS_A_STRIP)}
    for cell, line in lines.items():
        for place in range(SENSORS_A_CELL):
            n = first + SENSORS_A_CELL * cell + place + 1
            nets = {"VCC": "VCC", "OUT": line, "GND": "GND"}
            yield _named(f"S{n}", "hall", on, HALL, nets)
            yield _two(f"C{n}", "100n-0603", on, "VCC", "GND")
        yield _two(f"R{first + cell + 1}", "10k-0603", on, "VCC", line)
        yield _two(f"R{first + cell + 7}", "1k-0603", on, own(f"IN{cell}"), line)
    yield _two(f"C{first + 25}", "100n-0603", on, "VCC", "GND")
    yield _two(f"C{first + 26}", "10u-0805", on, "VCC", "GND")
    sentinel = read_pins()["boards"]["presence"]["sentinel_input"]
    inputs = {input_letter(n): "GND" if n == sentinel else own(f"IN{n}") for n in range(8)}
    chip = {"SH/LD": own("LOAD_IN"), "CLK": own("SCK_IN"), "QH": own("QH"), "SER": own("SER")}
    chip |= {"INH": "GND", "VCC": "VCC", "GND": "GND"}
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
    yield _two(f"R{first + 18}", "10k-0603", on, names["NEXT"], "VCC")
    yield _two(f"R{first + 20}", "10k-0603", on, seventh, "VCC")
    for n, net in enumerate(("GND", "VCC", seventh), 1):
        yield _row(f"H{first + n}", "hole", on, [net])


def cell_table() -> str:
    """Return each cell's strip and input as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("cell", "strip", "place", "input", "chip_pin"))
    for row, its in enumerate(read_pins()["field"]["rows"]):
        for place, cell in enumerate(its.split()):
            pin = HC165.index(input_letter(place)) + 1
            writer.writerow((cell, row + 1, place + 1, 8 * row + place, pin))
    return out.getvalue()


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
    return presence(), panel()
