"""Input from outside: every interface answers any input."""

from __future__ import annotations

from tools.acceptance.check import Check
from tools.acceptance.damaged_inputs import EDGES

M = "-m"
CHECKS = tuple(
    Check(
        "E1",
        f"bent inputs are answered: {edge}",
        [M, "tools.acceptance.damaged_inputs", "--inputs", "10000", edge],
        [M, "tools.acceptance.damaged_inputs", "--inputs", "100000", edge],
    )
    for edge in EDGES
)
