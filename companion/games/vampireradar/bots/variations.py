"""List what `companion balance` varies: each option's values, and the field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.games.vampireradar.layout import HOUSE_FIELD
from companion.games.vampireradar.options import Layout, Options

VARIATIONS: Mapping[str, tuple[Any, ...]] = {
    "adjacency": ("orthogonal", "with_diagonals"),
    "announce": ("immediate", "turn_end"),
    "bullets_each": (None, 1, 2, 3, 4, 6),
    "exhaustion": ("strict", "hopeless"),
    "field": ("random", "house"),
    "lazy_landing": (False, True),
    "max_joined_walls": (2, 1, 4, 7),
    "pawns_block_shots": (False, True),
    "pawns_each": (None, 2, 3, 4),
    "pawns_per_turn": (3, 2, 1),
    "turn_order": ("fixed", "rotating"),
    "vampire_may_share": (True, False),
}
"""The values of each, the usual one first.

Of a random field, `adjacency` and `max_joined_walls` say how it is laid.
"""


def contests_of(names: Sequence[str]) -> Iterator[tuple[str, Options, Layout | None]]:
    """Yield a label, options and a field for each value of what is named; the others are as
    usual.
    """
    for name in names:
        for value in VARIATIONS[name]:
            shown = "usual" if value is None else str(value).lower()
            if name == "field":
                yield f"field {shown}", Options(), HOUSE_FIELD if value == "house" else None
            else:
                yield f"{name} {shown}", replace(Options(), **{name: value}), None
