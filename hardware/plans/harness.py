"""Wiring between the boards, drawn by WireViz: this module writes its input from the circuits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from hardware.plans.circuit import PLUG, Circuit, Reader, panel, presence
from hardware.plans.source import PlanError, read_parts

COLOURS = ("BN", "OG", "YE", "GN", "BU", "VT", "GY", "WH", "TQ", "PK", "LB", "OL", "BG", "GD")
POWER_COLOURS = {"GND": "BK", "VCC": "RD", "+3V3": "RD"}


@dataclass
class Harness:
    """WireViz input: connectors, cables, and the connections between their pins."""

    circuit: Circuit
    connectors: dict[str, Any] = field(default_factory=dict)
    cables: dict[str, Any] = field(default_factory=dict)
    connections: list[Any] = field(default_factory=list)

    def part(self, ref: str, kind: str, pins: Sequence[str], labels: Sequence[str] = ()) -> None:
        """Add a part of the circuit with these of its pins; default labels are their nets."""
        part = self.circuit.part(ref)
        mpn = read_parts()["kinds"][part.kind]["mpn"]
        self.connectors[ref] = {
            "type": kind,
            **({"mpn": mpn} if mpn != "any" else {}),
            "pins": [_pin(pin) for pin in pins],
            **(
                {"pinlabels": list(labels or [part.pins[pin] for pin in pins])}
                if labels != pins
                else {}
            ),
            "show_pincount": False,
        }

    def cable(
        self, name: str, start: str, end: str, joints: Sequence[tuple[str, str]], **about: Any
    ) -> None:
        """Join pins of two connectors, one wire each."""
        part = self.circuit.part(start)
        nets = [part.pins[joint[0]] for joint in joints]
        colours = [POWER_COLOURS.get(net, COLOURS[n % len(COLOURS)]) for n, net in enumerate(nets)]
        self.cables[name] = {"wirecount": len(joints), "colors": colours, **about}
        first, last = ([_pin(joint[side]) for joint in joints] for side in (0, 1))
        self.connections.append(
            [{start: first}, {name: list(range(1, len(joints) + 1))}, {end: last}]
        )

    def text(self, title: str) -> str:
        """Return WireViz's input."""
        whole = {
            "metadata": {
                "title": title,
                "description": "Made by hardware/plans from pins.toml. Never built.",
            },
            "options": {"fontname": "DejaVu Sans", "bgcolor": "WH", "mini_bom_mode": False},
            "connectors": self.connectors,
            "cables": self.cables,
            "connections": self.connections,
        }
        return yaml.safe_dump(whole, sort_keys=False, allow_unicode=True, width=120)


def wirings() -> dict[str, str]:
    """Return every drawing's input by its file name without ending."""
    return {
        "presence/wiring-pi": presence_wiring("pi"),
        "presence/wiring-nano": presence_wiring("nano"),
        "panel/wiring": panel_wiring(),
    }


def _pin(name: str) -> int | str:
    return int(name) if name.isdigit() else name


def same_nets(circuit: Circuit, start: str, end: str) -> list[tuple[str, str]]:
    """Return the pairs of pins of two parts on the same net, in the order of the first one's pins.

    If a net is on several pins of a part, the first unused one counts.
    """
    left = dict(circuit.part(end).pins)
    pairs = []
    for pin, net in circuit.part(start).pins.items():
        match = next((other for other, its in left.items() if its == net), None)
        if match is not None:
            pairs.append((pin, match))
            del left[match]
    if not pairs:
        raise PlanError(f"{start} and {end} have no net in common")
    return pairs


STRIPS_DRAWN = 2
"""The cables after them are the same."""
PI_NAMES = {"17": "3.3 V", "21": "GPIO 9, MISO", "23": "GPIO 11, SCLK", "24": "GPIO 8, CE0",
            "25": "ground"}  # fmt: skip


def presence_wiring(reader: Reader) -> str:
    """Return the presence board's wiring: the reader, and strips each cabled to the next."""
    harness = Harness(presence(reader))
    first = harness.circuit.part("A1")
    pins = list(first.pins)
    if reader == "nano":
        harness.part("A1", "Arduino Nano", pins, [first.names[int(pin) - 1] for pin in pins])
    else:
        harness.part("A1", "Raspberry Pi, 40-pin header", pins, [PI_NAMES[pin] for pin in pins])
    before, title = "A1", {"pi": "Strips at the Pi", "nano": "Strips at a Nano"}[reader]
    for strip in range(1, STRIPS_DRAWN + 1):
        into, out = f"J{strip}01", f"J{strip}02"
        harness.part(into, f"strip {strip}: IN", list(harness.circuit.part(into).pins), _used(PLUG))
        if strip > 1:
            names = _used(reversed(PLUG))
            harness.part(before, f"strip {strip - 1}: OUT", list(harness.circuit.part(before).pins),
                         names)  # fmt: skip
            pairs = [(str(9 - int(pin)), pin) for pin in harness.circuit.part(into).pins]
        else:
            pairs = same_nets(harness.circuit, before, into)
        harness.cable(f"W{strip}", before, into, pairs, length=0.1)
        before = out
    return harness.text(f"{title}: wiring; strips 3 to 6 are cabled as strip 2")


def _used(names: Iterable[str]) -> list[str]:
    return [name for name in names if name]


def panel_wiring() -> str:
    """Return the wiring of the box at the Raspberry Pi."""
    harness = Harness(panel())
    pi = harness.circuit.part("A1")
    names = {
        "END_TURN": "GPIO 17",
        "LAMP": "GPIO 27",
        "TONE": "GPIO 18",
        "SHUTDOWN": "GPIO 3",
        "GND": "ground",
        "+3V3": "3.3 V",
    }
    harness.part(
        "A1", "Raspberry Pi, 40-pin header", list(pi.pins), [names[net] for net in pi.pins.values()]
    )
    harness.part("SW1", "button “end turn”", ["1", "2"], ["contact", "contact"])
    harness.part("R1", "330 Ω", ["1", "2"], ["", ""])
    harness.part("D1", "LED", ["2", "1"], ["long leg (+)", "short leg (−)"])
    harness.part("R2", "1 kΩ", ["1", "2"], ["", ""])
    harness.part("D2", "Schottky diode", ["1", "2"], ["bar", ""])
    harness.part("D3", "Schottky diode", ["1", "2"], ["bar", ""])
    harness.part("BZ1", "passive piezo", ["1", "2"], ["", ""])
    harness.part("SW2", "button “shut down”, optional", ["1", "2"], ["contact", "contact"])
    harness.cable("W1", "A1", "SW1", [("11", "1"), ("9", "2")], length=0.2)
    harness.cable("W2", "A1", "R1", [("13", "1")], length=0.2)
    harness.cable("W3", "R1", "D1", [("2", "2")], length=0.05)
    harness.cable("W4", "A1", "D1", [("14", "1")], length=0.2)
    harness.cable("W5", "A1", "R2", [("12", "1")], length=0.2)
    harness.cable("W9", "A1", "D2", [("1", "1")], length=0.2)
    harness.cable("W10", "R2", "D2", [("1", "2")], length=0.05)
    harness.cable("W11", "R2", "D3", [("1", "1")], length=0.05)
    harness.cable("W12", "A1", "D3", [("6", "2")], length=0.2)
    harness.cable("W6", "R2", "BZ1", [("2", "1")], length=0.05)
    harness.cable("W7", "A1", "BZ1", [("6", "2")], length=0.2)
    harness.cable("W8", "A1", "SW2", [("5", "1"), ("20", "2")], length=0.2)
    return harness.text("Panel: wiring")
