"""Wiring between the boards, drawn by WireViz: this module writes its input from the circuits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from hardware.plans.circuit import (
    LOOPS_A_COMB,
    Circuit,
    identity,
    panel,
    presence,
)
from hardware.plans.source import PlanError, read_parts, read_pins

COLOURS = ("BN", "OG", "YE", "GN", "BU", "VT", "GY", "WH", "TQ", "PK", "LB", "OL", "BG", "GD")
POWER_COLOURS = {"GND": "BK", "+5V": "RD", "+3V3": "RD", "+15V": "RD"}


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

    def place(self, name: str, kind: str, labels: Sequence[str]) -> None:
        """Add a place that is no part: a strip of sensors, an edge of the field."""
        self.connectors[name] = {"type": kind, "pinlabels": list(labels), "show_pincount": False}

    def cable(
        self, name: str, start: str, end: str, joints: Sequence[tuple[str, str]], **about: Any
    ) -> None:
        """Join pins of two connectors, one wire each."""
        part = next((part for part in self.circuit.parts if part.ref == start), None)
        nets = [part.pins[joint[0]] if part else "" for joint in joints]
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
        "presence/wiring": presence_wiring(),
        "identity/wiring": identity_wiring(),
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


def _join(
    harness: Harness,
    name: str,
    start: str,
    end: str,
    nets: Iterable[str] | None = None,
    **about: Any,
) -> None:
    pairs = same_nets(harness.circuit, start, end)
    if nets is not None:
        wanted = set(nets)
        pairs = [pair for pair in pairs if harness.circuit.part(start).pins[pair[0]] in wanted]
    harness.cable(name, start, end, pairs, **about)


def presence_wiring() -> str:
    """Return the presence board's wiring: the Nano, and six strips each cabled to the next."""
    harness = Harness(presence())
    nano = harness.circuit.part("A1")
    pins = [pin for pin in nano.pins if nano.names[int(pin) - 1] != "GND2"]
    harness.part("A1", "Arduino Nano", pins, [nano.names[int(pin) - 1] for pin in pins])
    before = "A1"
    for strip in range(1, 7):
        into, out = f"J{strip}01", f"J{strip}02"
        labels = ["GND", "LOAD", "DATA", "SCK", "+5V"]
        harness.part(into, f"strip {strip}: in", list("12345"), labels)
        if strip > 1:
            harness.part(before, f"strip {strip - 1}: out", list("12345"), labels)
        # By the plug's pins: each cable has the same colours, also the one cut for the Nano.
        pairs = sorted(same_nets(harness.circuit, before, into), key=lambda pair: pair[1])
        harness.cable(f"W{strip}", before, into, pairs, length=0.1)
        before = out
    return harness.text("Presence board: wiring")


def identity_wiring() -> str:
    """Return the identity board's wiring: Mega, reader, boost module, the two combs of loops."""
    harness = Harness(identity())
    circuit, board = harness.circuit, read_pins()["boards"]["identity"]
    mega, header = circuit.part("A1"), circuit.part("J1")
    ports = {pin["arduino"]: pin["pin"] for pin in board["pins"].values()}
    labels = [
        f"{mega.pins[pin]} ({ports[pin]})" if pin in ports else mega.pins[pin] for pin in mega.pins
    ]
    harness.part("A1", "Arduino Mega 2560", list(mega.pins), labels)
    harness.part("J1", "logic board: Mega", list(header.pins))
    _join(harness, "WM", "A1", "J1", length=0.2)
    harness.part("J2", "logic board: reader", list(circuit.part("J2").pins))
    reader = circuit.part("A2")
    pins = list(reader.pins)
    harness.part("A2", "reader module", pins, pins)
    harness.part("C91", "10 nF", ["1", "2"], ["", ""])
    harness.cable("WD", "A2", "C91", [("RF 50 Ω", "1")], length=0.02)
    _join(harness, "WT", "J2", "A2", length=0.15)
    harness.part("J5", "logic board: 15 V", list(circuit.part("J5").pins))
    outputs = list(circuit.part("A3").pins)
    harness.part("A3", "boost module, set to 15 V", outputs, outputs)
    _join(harness, "WB", "J5", "A3", length=0.1)
    for comb, edge in enumerate(("rows (west edge)", "columns (south edge)")):
        ref, place = f"J{comb + 3}", f"COMB{comb + 1}"
        harness.part(ref, f"logic board: {edge}", list(circuit.part(ref).pins))
        loops = [f"loop {n}" for n in range(LOOPS_A_COMB * comb, LOOPS_A_COMB * (comb + 1))]
        harness.place(place, f"resonators of the {edge}", [*loops, "+5V", "RF", "RF GND"])
        harness.cable(
            f"WK{comb + 1}", ref, place, [(str(n), str(n)) for n in range(1, 15)], length=0.5
        )
        harness.cable(
            f"WX{comb + 1}", "C91", place, [("2", "15")], length=0.5, type="coaxial, 50 Ω"
        )
        harness.cable(
            f"WS{comb + 1}",
            "A2",
            place,
            [("GND", "16")],
            length=0.5,
            type=f"shield of WX{comb + 1}",
        )
    return harness.text("Identity board: wiring")


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
