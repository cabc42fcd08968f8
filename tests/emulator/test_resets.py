"""A restart tears the board's output at any byte; `make soak` takes every byte of both
exchanges.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from companion.sim.sensors import BoardKind

from tests.emulator.resets import tear


@pytest.mark.parametrize(
    ("kind", "every"),
    [
        ("presence", 20),
        ("identity", 704),
        pytest.param("presence", 5, marks=pytest.mark.soak),
        pytest.param("identity", 176, marks=pytest.mark.soak),
    ],
)
def test_a_reset_in_the_midst_of_what_is_sent_harms_nothing(
    built: Path, kind: BoardKind, every: int
) -> None:
    """A host meets the board, sees the whole table and sees a pawn set elsewhere, though the board
    restarts after one of the bytes: the restart is noticed, no false reading is accepted, and no
    user action is needed.
    """
    report = tear(kind, every)

    assert ([], [], []) == (report.wrong, report.unnoticed, report.stuck)
    assert report.resets >= report.bytes // every // 2
