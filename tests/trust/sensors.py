"""Boards, wires and hands: what is read is right or asked about, and no sensor draws a secret
out.
"""

from __future__ import annotations

from tests.trust.check import Check

M = "-m"
FUZZ = [M, "tests.board.fuzz", "--seed", "1", "--frames"]
NOPRESS = [M, "tests.board.nopress", "--frames"]
SERIAL = [M, "pytest", "-q", "tests/board/test_serial_board.py", "-k"]
CHECKS = (
    Check("9", "damaged frames", [*FUZZ, "100000"], [*FUZZ, "1000000"]),
    Check("10", "boards unplugged and plugged in again", [*SERIAL, "unplug or silence or reset"]),
    Check(
        "10",
        "the same under a served table: taps <= 2 s, back <= 3 s",
        [M, "tests.trust.replug", "--times", "20"],
        [M, "tests.trust.replug", "--times", "100"],
    ),
    Check("11", "strangers, and boards of other versions", [*SERIAL, "stranger or protocol"]),
    Check("12", "noise without a press", [*NOPRESS, "100000"], [*NOPRESS, "1000000"]),
    Check(
        "12",
        "a bumped table",
        [M, "pytest", "-q", "tests/board", "-k", "bumped or gone_mad or all_cells"],
    ),
    Check(
        "13",
        "equal pawns, a radar that flickers",
        [M, "pytest", "-q", "tests/board/test_equal_pawns.py"],
    ),
)
