"""The rules themselves: random games under laws that are written a second time."""

from __future__ import annotations

from tests.trust.check import Check

LAWS = ["-m", "tests.games.nosferatu_laws", "--games"]
CHECKS = (Check("G1", "random games of Nosferatu break no law", [*LAWS, "200"], [*LAWS, "1000"]),)
