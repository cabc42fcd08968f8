"""Tests of a board's contacts and of the Nano's real firmware (`make emulator` builds its
emulator).
"""

from __future__ import annotations

from tools.acceptance.check import Check

M = "-m"
FLICKER = [M, "tests.sensors.flicker", "--hours"]
CHECKS = (
    Check(
        "W1",
        "the firmware restarted and unplugged at any byte",
        [M, "pytest", "-q", "tests/emulator"],
        [M, "pytest", "-q", "-m", "soak", "tests/emulator"],
    ),
    Check("W9", "a contact that flickers plays no part", [*FLICKER, "1"], [*FLICKER, "24"]),
)
