"""The tests' own facts about the parts: pin numbers from datasheets, and readers of the drawings.

Nothing here is taken from hardware/plans: a fault there must not be found right by itself.
"""

from __future__ import annotations

import csv
import re
import tomllib
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml

CHECKOUT = Path(__file__).resolve().parent.parent.parent
HARDWARE = CHECKOUT / "hardware"
STRIP = HARDWARE / "presence" / "strip"

HC165_INPUTS = {"A": 11, "B": 12, "C": 13, "D": 14, "E": 3, "F": 4, "G": 5, "H": 6}
NANO_PORTS = {
    **{f"D{n}": f"PD{n}" for n in range(8)},
    **{f"D{8 + n}": f"PB{n}" for n in range(6)},
    **{f"A{n}": f"PC{n}" for n in range(6)},
}
PI_HEADER = {9: 21, 11: 23, 8: 24}
"""Pins of the Pi's header by BCM number: MISO, SCLK and CE0 of its first SPI."""

Pin = tuple[str, str]
"""A part and the number of its pin."""


def pins() -> dict[str, Any]:
    """Return pins.toml."""
    return tomllib.loads((HARDWARE / "pins.toml").read_text(encoding="utf-8"))


def rows(path: Path) -> list[dict[str, str]]:
    """Return the lines of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def gerber(name: str) -> str:
    """Return one of the strip's Gerber or drill files."""
    with zipfile.ZipFile(STRIP / "gerbers.zip") as archive:
        return archive.read(name).decode()


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


def wires(name: str) -> dict[str, list[tuple[Pin, Pin]]]:
    """Return the pins that each cable of a drawing's input joins."""
    harness = yaml.safe_load((HARDWARE / f"{name}.yml").read_text(encoding="utf-8"))
    joints: dict[str, list[tuple[Pin, Pin]]] = {}
    for connection in harness["connections"]:
        (start, first), (cable, _), (end, last) = (next(iter(item.items())) for item in connection)
        joints[cable] = [
            ((start, str(near)), (end, str(far))) for near, far in zip(first, last, strict=True)
        ]
    return joints


def labels(name: str) -> Iterator[tuple[Pin, str]]:
    """Yield each pin of a drawing's input that has a label."""
    harness = yaml.safe_load((HARDWARE / f"{name}.yml").read_text(encoding="utf-8"))
    for connector, about in harness["connectors"].items():
        if "pinlabels" in about:
            for pin, label in zip(about["pins"], about["pinlabels"], strict=True):
                yield (connector, str(pin)), label


def cabled(name: str) -> Joined:
    """Return the pins that a drawing's cables join; a label stands for its pin."""
    joined = Joined()
    for joints in wires(name).values():
        for near, far in joints:
            joined.join(near, far)
    for (connector, pin), label in labels(name):
        joined.join((connector, f"label {label}"), (connector, pin))
    return joined


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
