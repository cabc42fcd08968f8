"""List the variations of `companion balance`: each option's values, and the field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.codec import to_builtins
from companion.games.vampireradar.layout import HOUSE_FIELD

VALUES: Mapping[str, tuple[Any, ...]] = {
    "adjacency": ("orthogonal", "with_diagonals"),
    "announce": ("immediate", "turn_end"),
    "bullets_each": (None, 1, 2, 3, 4, 6),
    "exhaustion": ("strict", "hopeless"),
    "lazy_landing": (False, True),
    "max_joined_walls": (2, 1, 4, 7),
    "pawns_block_shots": (False, True),
    "pawns_each": (None, 2, 3, 4),
    "pawns_per_turn": (3, 2, 1),
    "turn_order": ("fixed", "rotating"),
    "vampire_may_share": (True, False),
}
"""The values of each option, the usual one first.

`adjacency` and `max_joined_walls` are rules for laying a random field.
"""

VARIATIONS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    **{
        name: {
            "usual" if value is None else str(value).lower(): {"options": {name: value}}
            for value in values
        }
        for name, values in VALUES.items()
    },
    "field": {"random": {}, "house": {"field": to_builtins(HOUSE_FIELD)}},
}
