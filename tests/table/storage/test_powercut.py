"""A power cut: every state that a disk may then hold."""

from pathlib import Path

import pytest

from tests.helpers.repetitions import soak
from tests.table.storage import powercut
from tests.table.storage.invariants import WRONGS

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("states", [60, *soak(200)])
def test_nothing_acknowledged_is_lost(tmp_path: Path, states: int) -> None:
    """Each of many distinct states that a power cut may leave of a game opens, and holds every
    acknowledged entry; the next copy is the whole log.
    """
    counts = powercut.run(tmp_path, states, seed=1)

    assert states == counts["states"]
    assert {} == {kind: counts[kind] for kind in WRONGS if counts[kind]}


def test_the_simulator_sees(tmp_path: Path) -> None:
    """With synchronous=NORMAL the same game loses acknowledged entries, and the check finds
    that.
    """
    counts = powercut.run(tmp_path, 60, seed=1, sync="normal")

    assert counts["acked_lost"] > 0
