"""The tests' own facts about the parts: pin numbers from datasheets, and readers of the drawings.

Nothing here is taken from hardware/plans: a fault there must not be found right by itself.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

CHECKOUT = Path(__file__).resolve().parent.parent.parent
HARDWARE = CHECKOUT / "hardware"

HC165_INPUTS = {"A": 11, "B": 12, "C": 13, "D": 14, "E": 3, "F": 4, "G": 5, "H": 6}
POWER_SHIFTER_DRAINS = (4, 5, 6, 7, 14, 15, 16, 17)
"""The pins of a TPIC6B595's outputs 0 to 7 (SLIS032B)."""
NANO_PORTS = {
    **{f"D{n}": f"PD{n}" for n in range(8)},
    **{f"D{8 + n}": f"PB{n}" for n in range(6)},
    **{f"A{n}": f"PC{n}" for n in range(6)},
}
MEGA_PORTS = {
    **{str(49 - n): f"PL{n}" for n in range(8)},
    **{str(53 - n): f"PB{n}" for n in range(4)},
    "2": "PE4",
}

Pin = tuple[str, str]
"""A part and the number of its pin."""


def rows(path: Path) -> list[dict[str, str]]:
    """Return the lines of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def expand(refs: str) -> list[str]:
    """Return the references of a parts list's line: "C1-C3 C7" is C1, C2, C3, C7."""
    names = []
    for word in refs.split():
        first, _, last = word.partition("-")
        if last:
            letters = first.rstrip("0123456789")
            names += [
                f"{letters}{n}"
                for n in range(int(first[len(letters) :]), int(last[len(letters) :]) + 1)
            ]
        else:
            names.append(first)
    return names


def pins_header(board: str) -> dict[str, str]:
    """Return a board's macros in firmware/common/pins.h by name; pins as "PB3"."""
    text = (CHECKOUT / "firmware" / "common" / "pins.h").read_text(encoding="utf-8")
    part = text.split(f"defined(BOARD_{board.upper()})")[1]
    part = re.split(r"#(?:elif|endif)", part)[0]
    macros = dict(re.findall(r"#define (\w+) (.+)", part))
    ports = {
        name.removesuffix("_PORT"): value
        for name, value in macros.items()
        if name.endswith("_PORT")
    }
    return macros | {name: f"P{port[-1]}{macros[f'{name}_BIT']}" for name, port in ports.items()}


def signals(macros: Mapping[str, str]) -> dict[str, str]:
    """Return the pins of a board's header by signal."""
    return {name: value for name, value in macros.items() if re.fullmatch(r"P[A-L][0-7]", value)}


class Joined:
    """Sets of pins that wires join."""

    def __init__(self) -> None:
        self._parent: dict[Any, Any] = {}

    def root(self, thing: Any) -> Any:
        """Return the representative of all pins joined to this one."""
        self._parent.setdefault(thing, thing)
        while self._parent[thing] != thing:
            thing = self._parent[thing]
        return thing

    def join(self, first: Any, second: Any) -> None:
        self._parent[self.root(first)] = self.root(second)

    def groups(self, things: Iterable[Any]) -> set[frozenset[Any]]:
        """Return these pins by their joined sets."""
        members: dict[Any, set[Any]] = defaultdict(set)
        for thing in things:
            members[self.root(thing)].add(thing)
        return {frozenset(group) for group in members.values()}


def soldered(build: str) -> Joined:
    """Return the pins of a logic board as its wires join them, by holes alone, as a multimeter
    measures.
    """
    folder = HARDWARE / build / "board"
    joined = Joined()
    for wire in rows(folder / "wires.csv"):
        joined.join(wire["from"], wire["to"])
    for place in rows(folder / "places.csv"):
        joined.join((place["part"], place["pin"]), place["hole"])
    return joined


def cabled(*wirings: str) -> Joined:
    """Return the pins that the cables of these drawings' inputs join; a label stands for its
    pin.
    """
    joined = Joined()
    for name in wirings:
        harness = yaml.safe_load((HARDWARE / f"{name}.yml").read_text(encoding="utf-8"))
        for connection in harness["connections"]:
            (start, first), (_, wires), (end, last) = (
                next(iter(item.items())) for item in connection
            )
            assert len(first) == len(wires) == len(last)
            for near_pin, far_pin in zip(first, last, strict=True):
                joined.join((start, str(near_pin)), (end, str(far_pin)))
        for connector, about in harness["connectors"].items():
            labels = about.get("pinlabels", [])
            for pin, label in zip(
                about.get("pins", range(1, len(labels) + 1)), labels, strict=bool(labels)
            ):
                joined.join((connector, f"label {label}"), (connector, str(pin)))
    return joined
