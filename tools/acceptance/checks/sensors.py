"""Boards, wires and hands: each reading is right or asked about, and no sensor discloses a
secret.
"""

from __future__ import annotations

from tools.acceptance.check import Check

M = "-m"
FUZZ = [M, "tests.sensors.serial.fuzz", "--seed", "1", "--lines"]
NOPRESS = [M, "tests.sensors.no_false_disclosure", "--frames"]
COVERED = [M, "tests.sensors.vision.covered_scenes", "--scenes"]
SERIAL = [M, "pytest", "-q", "tests/sensors/serial/test_board.py", "-k"]
CHECKS = (
    Check("9", "damaged lines", [*FUZZ, "100000"], [*FUZZ, "1000000"]),
    Check("10", "boards unplugged and plugged in again", [*SERIAL, "unplug or silence or lamps"]),
    Check(
        "10",
        "the same under a served table: taps <= 2 s, back <= 3 s",
        [M, "tools.acceptance.replug", "--times", "20"],
        [M, "tools.acceptance.replug", "--times", "100"],
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
        "13",
        "equal pawns, a radar that flickers",
        [M, "pytest", "-q", "tests/sensors/test_equal_pawns.py"],
    ),
    Check(
        "S2",
        "what `make test` tries in part: boards, photos, pages, bots",
        [M, "pytest", "-q", "-m", "soak", "tests"],
    ),
    Check(
        "S2",
        "what `make test` tries with the same examples, with new ones",
        [M, "pytest", "-q", "-m", "hypothesis", "--hypothesis-profile", "random", "tests"],
    ),
)
