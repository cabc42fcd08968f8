"""The rules themselves: random games under rules that are written a second time, or with every
invariant checked.
"""

from __future__ import annotations

from tools.acceptance.check import Check

LAWS = ["-m", "tests.games.nosferatu.oracle", "--games"]
WARS = ["-m", "tests.games.vwars.invariants", "--games"]
COURT = ["-m", "tests.games.vampire_empire.invariants", "--games"]
SECOND_WARS = ["-m", "tests.games.vwars.referee", "--games"]
SECOND_COURT = ["-m", "tests.games.vampire_empire.referee", "--games"]
CHECKS = (
    Check("G1", "random games of Nosferatu break no law", [*LAWS, "200"], [*LAWS, "1000"]),
    Check("G2", "random games of V-Wars keep every invariant", [*WARS, "90"], [*WARS, "1000"]),
    Check(
        "G3",
        "random games of Vampire Empire keep every invariant",
        [*COURT, "90"],
        [*COURT, "1000"],
    ),
    Check(
        "G4",
        "random games of V-Wars are those of a second referee",
        [*SECOND_WARS, "150"],
        [*SECOND_WARS, "5000"],
    ),
    Check(
        "G5",
        "random games of Vampire Empire are those of a second referee",
        [*SECOND_COURT, "60"],
        [*SECOND_COURT, "2000"],
    ),
)
