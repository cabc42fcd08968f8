"""Boards, wires and hands: each reading is right or asked about, and no sensor discloses a
secret.
"""

from __future__ import annotations

from tests.acceptance.check import Check

M = "-m"
FUZZ = [M, "tests.sensors.serial.fuzz", "--seed", "1", "--frames"]
NOPRESS = [M, "tests.sensors.no_false_disclosure", "--frames"]
LOCATE = [M, "tests.sensors.rfid.locate_accuracy", "--boards"]
COVERED = [M, "tests.sensors.vision.covered_scenes", "--scenes"]
PHYSICS = ["--physics", "all"]
SERIAL = [M, "pytest", "-q", "tests/sensors/serial/test_board.py", "-k"]
CHECKS = (
    Check("9", "damaged frames", [*FUZZ, "100000"], [*FUZZ, "1000000"]),
    Check("10", "boards unplugged and plugged in again", [*SERIAL, "unplug or silence or reset"]),
    Check(
        "10",
        "the same under a served table: taps <= 2 s, back <= 3 s",
        [M, "tests.acceptance.replug", "--times", "20"],
        [M, "tests.acceptance.replug", "--times", "100"],
    ),
    Check("11", "strangers, and boards of other versions", [*SERIAL, "stranger or protocol"]),
    Check("12", "noise without a press", [*NOPRESS, "100000"], [*NOPRESS, "1000000"]),
    Check(
        "12",
        "hands, cups and dice under a camera, and a knocked one",
        [*COVERED, "50"],
        [*COVERED, "1000"],
    ),
    Check(
        "12",
        "a bumped table",
        [M, "pytest", "-q", "tests/sensors", "-k", "bumped or gone_mad or all_cells"],
    ),
    Check(
        "12",
        "tags and loops that answer otherwise than calculated",
        [*LOCATE, "5", *PHYSICS],
        [*LOCATE, "1667", *PHYSICS],
    ),
    Check(
        "13",
        "equal pawns, a radar that flickers",
        [M, "pytest", "-q", "tests/sensors/test_equal_pawns.py"],
    ),
    Check(
        "S1",
        "no thing on a wrong cell, no tile in a wrong turn",
        [*LOCATE, "100"],
        [*LOCATE, "3000"],
    ),
    Check(
        "S1",
        "the same on calibrated boards, sixteen pawns",
        [*LOCATE, "100", "--calibrated", "by_hand", "--pawns", "16"],
        [*LOCATE, "3000", "--calibrated", "by_hand", "--pawns", "16"],
    ),
    Check(
        "S2",
        "what `make test` tries in part: boards, photos, pages, bots",
        [M, "pytest", "-q", "-m", "soak", "tests"],
    ),
)
