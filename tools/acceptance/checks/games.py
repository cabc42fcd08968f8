"""The rules themselves: random games under rules that are written a second time, or with every
invariant checked.
"""

from __future__ import annotations

from tools.acceptance.check import Check

LAWS = ["-m", "tests.games.nosferatu.oracle", "--games"]
WARS = ["-m", "tests.games.vwars.invariants", "--games"]
COURT = ["-m", "tests.games.vampire_empire.invariants", "--games"]
CHECKS = (
    Check("G1", "random games of Nosferatu break no law", [*LAWS, "200"], [*LAWS, "1000"]),
    Check("G2", "random games of V-Wars keep every invariant", [*WARS, "90"], [*WARS, "1000"]),
    Check(
        "G3",
        "random games of Vampire Empire keep every invariant",
        [*COURT, "90"],
        [*COURT, "1000"],
    ),
)
