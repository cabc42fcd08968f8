"""Records of Vampire Radar that a cheating table could hand out: each function forges a true one.

The positions of their events have no gap.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from companion.table.fairness.commitment import commit

Line = dict[str, Any]
Forge = Callable[[Sequence[str]], list[str]]

RADAR: Line = {"event": "radar_called", "pawn": "H1a", "cell": "A1", "distance": 9}


def announced_by_the_table(lines: Sequence[str]) -> list[str]:
    """A false answer stands on a line of the table's own."""
    values = _values(lines)
    at = _first(values, "opened") + 1
    values.insert(at, {"table": RADAR, "position": _positions(values[at - 2])[-1] + 0.5})
    return _numbered(values)


def acted_by_the_table(lines: Sequence[str]) -> list[str]:
    """The events of a human's action stand on lines of the table's own."""
    values = _values(lines)
    at = _open_action(values)
    events = zip(values[at]["public"], values[at]["positions"], strict=True)
    values[at : at + 1] = [{"table": event, "position": position} for event, position in events]
    return _numbered(values)


def beside_an_opened_line(lines: Sequence[str]) -> list[str]:
    """A false answer stands on the line that opens a seal."""
    values = _values(lines)
    at = _first(values, "opened")
    values[at] |= {"public": [RADAR], "positions": [_positions(values[at - 1])[-1] + 0.5]}
    return _numbered(values)


def as_an_undo(lines: Sequence[str]) -> list[str]:
    """A line that undoes an action announces something else."""
    values = _values(lines)
    at = _first(values, "rewound")
    values[at]["rewound"] |= RADAR
    return _numbered(values)


def two_kinds(lines: Sequence[str]) -> list[str]:
    """A line of the table's own has an action too."""
    values = _values(lines)
    at = _open_action(values)
    last = _positions(values[at])[-1]
    values[at] |= {"table": {"event": "paused"}, "position": last + 0.5}
    return _numbered(values)


def never_sealed(lines: Sequence[str]) -> list[str]:
    """No secret turn was sealed, and none is opened."""
    return _numbered([value for value in _values(lines) if not _is_seal(value)])


def last_not_sealed(lines: Sequence[str]) -> list[str]:
    """The last secret turn was not sealed, and it is not opened."""
    values = _values(lines)
    for _ in range(2):
        del values[max(number for number, value in enumerate(values) if _is_seal(value))]
    return _numbered(values)


def sealed_late(lines: Sequence[str]) -> list[str]:
    """A seal was published after the events of its secret turn."""
    values = _values(lines)
    at = next(number for number, value in enumerate(values) if _has_sealed(value))
    turn = next(value for value in values[at:] if "actions" in value)
    values[at]["position"] = _positions(turn)[-1] + 0.5
    return _numbered(values)


def sealed_by_another_seat(lines: Sequence[str]) -> list[str]:
    values = _values(lines)
    next(value for value in values if _has_sealed(value))["table"]["seat"] = "H1"
    return _numbered(values)


def last_not_opened(lines: Sequence[str]) -> list[str]:
    """The last seal is not opened."""
    values = _values(lines)
    del values[max(number for number, value in enumerate(values) if "opened" in value)]
    return _numbered(values)


def opened_late(lines: Sequence[str]) -> list[str]:
    """A seal is opened only after the next action."""
    values = _values(lines)
    opened = values.pop(_first(values, "opened"))
    at = [number for number, value in enumerate(values) if "actions" in value][1]
    values.insert(at + 1, opened)
    return _numbered(values)


def in_another_order(lines: Sequence[str]) -> list[str]:
    """The events of two actions were published in the other order than their lines have."""
    values = _values(lines)
    one, other = [value for value in values if "actions" in value][:2]
    for position in range(len(one["positions"])):
        one["positions"][position] = _positions(other)[-1] + (position + 1) / 10
    return _numbered(values)


def before_the_start(lines: Sequence[str]) -> list[str]:
    """A seal has a position from before the game, where no head holds it."""
    values = _values(lines)
    seal = next(value for value in values if _has_sealed(value))
    position = seal["position"]
    seal["position"] = values[0]["position"]
    for value in values:
        if "position" in value and value["position"] > position:
            value["position"] -= 1
        if "positions" in value:
            value["positions"] = [at - (at > position) for at in value["positions"]]
    return [json.dumps(value) for value in values]


def one_nonce(lines: Sequence[str]) -> list[str]:
    """All secret turns are sealed with the first nonce: equal turns would have equal seals."""
    values, seals = _values(lines), dict[str, str]()
    opened = [value for value in values if "opened" in value]
    first, last = json.loads(opened[0]["opened"])["nonce"], None
    for value in opened:
        turn = json.loads(value["opened"]) | {"nonce": first} | ({"prev": last} if last else {})
        value["opened"] = json.dumps(turn, sort_keys=True, separators=(",", ":"))
        last = seals[value["seal"]] = commit(value["opened"])
        value["seal"] = last
    for value in values:
        if _has_sealed(value):
            value["table"]["seal"] = seals.get(value["table"]["seal"], value["table"]["seal"])
    return [json.dumps(value) for value in values]


UNCOMPUTED: tuple[Forge, ...] = (
    announced_by_the_table,
    acted_by_the_table,
    beside_an_opened_line,
    as_an_undo,
    two_kinds,
)
UNSEALED: tuple[Forge, ...] = (never_sealed, last_not_sealed, sealed_late, sealed_by_another_seat)
CLOSED: tuple[Forge, ...] = (last_not_opened, opened_late)
MISPLACED: tuple[Forge, ...] = (in_another_order, before_the_start)


def _values(lines: Sequence[str]) -> list[Line]:
    return [json.loads(line) for line in lines]


def _open_action(values: Sequence[Line]) -> int:
    return next(
        number for number, value in enumerate(values) if "actions" in value and value["seat"] != "V"
    )


def _has_sealed(value: Line) -> bool:
    return bool(value.get("table", {}).get("event") == "night_sealed")


def _is_seal(value: Line) -> bool:
    return "opened" in value or _has_sealed(value)


def _first(values: Sequence[Line], kind: str) -> int:
    return next(number for number, value in enumerate(values) if kind in value)


def _positions(value: Line) -> list[float]:
    positions: list[float] = value.get("positions", [])
    return positions + ([value["position"]] if "position" in value else [])


def _numbered(values: Sequence[Line]) -> list[str]:
    """Return the lines with their positions in the same order, without a gap."""
    start = values[0]["position"]
    taken = sorted({position for value in values for position in _positions(value)})
    rank = {position: start + number for number, position in enumerate(taken)}
    for value in values:
        if "position" in value:
            value["position"] = rank[value["position"]]
        if "positions" in value:
            value["positions"] = [rank[position] for position in value["positions"]]
    return [json.dumps(value) for value in values]
