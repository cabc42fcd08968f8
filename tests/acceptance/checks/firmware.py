"""Tests of the boards' real firmware in its emulator (`make emulator` builds it)."""

from __future__ import annotations

from tests.acceptance.check import Check

M = "-m"
FLICKER = [M, "tests.sensors.flicker", "--hours"]
FUZZ = [M, "tests.emulator.fuzz", "--frames"]
SCANS = [M, "tests.emulator.scans", "--tables"]
SIXTY = [M, "tests.emulator.whole_tables", "--tables"]
RESETS = [M, "tests.emulator.resets", "--board"]
REPLUGS = [M, "tests.emulator.replugs", "--times"]
CHECKS = (
    Check(
        "W1", "the firmware's damaged frames, presence board", [*FUZZ, "20000"], [*FUZZ, "1000000"]
    ),
    Check(
        "W2",
        "the firmware's damaged frames, identity board",
        [*FUZZ, "5000", "--board", "identity"],
        [*FUZZ, "1000000", "--board", "identity"],
    ),
    Check("W3", "the firmware unplugged, presence board", [*REPLUGS, "20"], [*REPLUGS, "1000"]),
    Check(
        "W4",
        "the firmware unplugged, identity board",
        [*REPLUGS, "20", "--board", "identity"],
        [*REPLUGS, "1000", "--board", "identity"],
    ),
    Check(
        "W5",
        "the firmware restarted in what it sends, presence",
        [*RESETS, "presence", "--every", "5"],
        [*RESETS, "presence"],
    ),
    Check(
        "W6",
        "the firmware restarted in what it sends, identity",
        [*RESETS, "identity", "--every", "53"],
        [*RESETS, "identity"],
    ),
    Check(
        "W7",
        "no scan of pawns longer than 400 ms of firmware time",
        [*SCANS, "30"],
        [*SCANS, "1000"],
    ),
    Check("W9", "a contact that flickers plays no part", [*FLICKER, "1"], [*FLICKER, "24"]),
    Check("W10", "60 of 60 things found through the firmware", [*SIXTY, "10"], [*SIXTY, "200"]),
    Check(
        "W11",
        "no scan of sixteen pawns longer than 400 ms, whatever their tags",
        [*SCANS, "5", "--pawns", "16", "--any"],
        [*SCANS, "300", "--pawns", "16", "--any"],
    ),
)
