"""Whole evenings from one seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.ramdisk import in_memory
from tools import evenings

pytestmark = pytest.mark.slow

EVENINGS, GAMES_EACH = 2, 10
FIRST_SEED = 4
"""The first of two evenings in which everything of `MET` happens."""
MET = (
    "crashes", "jumps", "answers_lost", "requests_lost", "doubled", "wire_faults", "walks_sensed",
    "taken_back", "gone_on_on_paper", "told_on_paper",
)  # fmt: skip


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder for evenings, in memory if there is one."""
    with in_memory() as folder:
        yield Path(folder)


def test_evenings(folder: Path) -> None:
    """Games over bad links and a bad wire, with crashes, clock jumps and lost phones, lose nothing
    acknowledged, change no history, and are decided and proved again to the last seal.
    """
    counts = Counter[str]()
    for seed in range(FIRST_SEED, FIRST_SEED + EVENINGS):
        counts += evenings.play(folder / f"{seed}", GAMES_EACH, seed)[0]

    assert EVENINGS * GAMES_EACH == counts["games"]
    assert [] == [kind for kind in MET if not counts[kind]]


def test_the_same_seed_gives_the_same_evening(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failure can be repeated: the same seed ends in the same head, another one does not."""
    monkeypatch.setattr(evenings, "MOST_STEPS", 25)
    head = evenings.play(folder / "a", games=1, seed=5)[1]

    assert head == evenings.play(folder / "b", games=1, seed=5)[1]
    assert head != evenings.play(folder / "c", games=1, seed=6)[1]
