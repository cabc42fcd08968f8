"""Lay out the logic boards on perfboard: the place of each part, and the wires from hole to hole.

A hole is named by its column's number and its row's letter, counted from the upper left on the
parts' side. Wires run on the other side, insulated, from pad to pad; each net is a chain of them.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from hardware.plans.circuit import Circuit, Stage, identity, stage_of
from hardware.plans.source import PlanError, read_parts

COLUMNS, ROWS = 61, 37
"""Holes of a board of 160 × 100 mm."""
Hole = tuple[int, int]
"""Column and row, from 1."""


@dataclass(frozen=True)
class Wire:
    """One wire between two pads of a net."""

    net: str
    stage: Stage
    start: Hole
    end: Hole
    start_pin: str
    end_pin: str


@dataclass(frozen=True)
class Spot:
    """Place of a part's pin 1, and the direction of its pins: "down", "right" or "left"."""

    hole: Hole
    way: str = "down"


IDENTITY: Mapping[str, Spot] = {
    "J3": Spot((3, 2), "right"),
    "J4": Spot((21, 2), "right"),
    "J5": Spot((40, 2), "right"),
    **{f"U{n + 1}": Spot((4 + 13 * n, 6)) for n in range(4)},
    **{f"C{n + 1}": Spot((13 + 13 * n, 6)) for n in range(4)},
    **{f"RN{n + 1}": Spot((10 + 13 * n, 6)) for n in range(3)},
    "R11": Spot((49, 6)),
    "R12": Spot((49, 11)),
    "C8": Spot((55, 6)),
    "U5": Spot((23, 22)),
    "C5": Spot((29, 22)),
    "U6": Spot((36, 22)),
    "C6": Spot((42, 22)),
    "U7": Spot((48, 22)),
    "C7": Spot((45, 22)),
    "C9": Spot((51, 22)),
    "C10": Spot((55, 22)),
    **{f"R{n}": Spot((2 + 4 * n, 23)) for n in range(1, 4)},
    "R4": Spot((33, 29)),
    "R5": Spot((36, 30)),
    "R6": Spot((39, 30)),
    "J1": Spot((4, 35), "right"),
    "J2": Spot((22, 35), "right"),
}


@dataclass(frozen=True)
class Board:
    """A perfboard with its parts."""

    circuit: Circuit
    spots: Mapping[str, Spot]

    @cached_property
    def pin_holes(self) -> Mapping[tuple[str, str], Hole]:
        """Return the hole of each pin of each part, the unconnected ones included.

        Raises `PlanError` if a part has no place, two pins share a hole or a pin is beyond the
        board.
        """
        kinds = read_parts()["kinds"]
        holes: dict[tuple[str, str], Hole] = {}
        taken: dict[Hole, tuple[str, str]] = {}
        for part in self.circuit.parts:
            if part.on != "logic":
                continue
            if part.ref not in self.spots:
                raise PlanError(f"{part.ref} has no place on the board")
            for pin, hole in footprint(kinds[part.kind]["footprint"], self.spots[part.ref]).items():
                if hole in taken:
                    raise PlanError(
                        f"{part.ref} and {taken[hole][0]} want the same hole {hole_name(hole)}"
                    )
                if not (1 <= hole[0] <= COLUMNS and 1 <= hole[1] <= ROWS):
                    raise PlanError(f"{part.ref} hangs over the edge at {hole}")
                holes[part.ref, pin] = hole
                taken[hole] = (part.ref, pin)
        return holes

    @cached_property
    def wires(self) -> Sequence[Wire]:
        """Return all wires, net by net, each net as the shortest chain of pads."""
        holes = self.pin_holes
        found = []
        for net, pins in sorted(self.circuit.nets("logic").items()):
            for (one, start), (other, end) in _tree(
                {f"{ref}.{pin}": holes[ref, pin] for ref, pin in pins}
            ):
                found.append(Wire(net, stage_of(net), start, end, one, other))
        return found


def hole_name(hole: Hole) -> str:
    """Return a hole's name: rows A to Z, then a to k; columns by number."""
    column, row = hole
    letter = chr(ord("A") + row - 1) if row <= 26 else chr(ord("a") + row - 27)
    return f"{letter}{column}"


def footprint(name: str, spot: Spot) -> dict[str, Hole]:
    """Return the hole of each pin of a package."""
    kind, _, size = name.partition("-")
    match kind:
        case "dip":
            offsets = _two_rows(int(size) // 2, 3)
        case "sip":
            offsets = [(0, n) for n in range(int(size))]
        case "two":
            offsets = [(0, 0), (0, int(size))]
        case "to":
            offsets = [(0, 0), (0, 1), (0, 2)]
        case _:
            raise PlanError(f"{name!r} is no package that fits a perfboard")
    column, row = spot.hole
    turned = {
        "down": [(column + across, row + along) for across, along in offsets],
        "right": [(column + along, row - across) for across, along in offsets],
        "left": [(column - along, row + across) for across, along in offsets],
    }
    return {str(pin): hole for pin, hole in enumerate(turned[spot.way], 1)}


def boards() -> tuple[Board, ...]:
    """Return the logic boards of the two builds."""
    return (Board(identity(), IDENTITY),)


def _two_rows(pins: int, apart: int) -> list[Hole]:
    return [(0, n) for n in range(pins)] + [(apart, pins - 1 - n) for n in range(pins)]


def _tree(pads: Mapping[str, Hole]) -> Iterator[tuple[tuple[str, Hole], tuple[str, Hole]]]:
    """Yield the wires of the shortest tree that joins the pads."""
    names = sorted(pads, key=lambda name: (pads[name], name))
    joined, waiting = names[:1], names[1:]
    while waiting:
        one, other = min(
            ((one, other) for one in joined for other in waiting),
            key=lambda pair: (_squared(pads[pair[0]], pads[pair[1]]), pair),
        )
        yield (one, pads[one]), (other, pads[other])
        joined.append(other)
        waiting.remove(other)


def _squared(one: Hole, other: Hole) -> int:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def wire_list(board: Board) -> str:
    """Return the wires as CSV, stage by stage, for soldering."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("stage", "net", "from", "pin", "to", "pin", "mm"))
    for wire in sorted(board.wires, key=lambda wire: (wire.stage, wire.net)):
        length = 2.54 * _squared(wire.start, wire.end) ** 0.5
        ends = (hole_name(wire.start), wire.start_pin, hole_name(wire.end), wire.end_pin)
        writer.writerow((wire.stage, wire.net, *ends, f"{length:.0f}"))
    return out.getvalue()


def place_list(board: Board) -> str:
    """Return each pin's hole, as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("part", "kind", "pin", "name", "net", "hole"))
    holes = board.pin_holes
    for part in board.circuit.parts:
        for (ref, pin), hole in holes.items():
            if ref == part.ref:
                name = part.names[int(pin) - 1] if part.names else ""
                writer.writerow(
                    (ref, part.kind, pin, name, part.pins.get(pin, ""), hole_name(hole))
                )
    return out.getvalue()
