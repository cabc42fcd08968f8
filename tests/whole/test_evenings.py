"""Whole evenings from one seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.whole import evenings


def test_evenings(tmp_path: Path) -> None:
    """Games over bad links and a bad wire, with crashes and clock jumps, lose nothing acknowledged, change no
    history, and are decided and proved anew to the last seal."""
    happened, _ = evenings.play(tmp_path, games=6, seed=2)

    assert 6 == happened["games"]
    for what in ("crashes", "jumps", "answers_lost", "requests_lost", "doubled", "wire_faults", "walks_sensed"):
        assert happened[what] > 0, what


def test_the_same_seed_gives_the_same_evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure can be played again: the same seed ends in the same head, another one does not."""
    monkeypatch.setattr(evenings, "MOST_STEPS", 25)
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "c").mkdir()
    head = evenings.play(tmp_path / "a", games=1, seed=5)[1]

    assert head == evenings.play(tmp_path / "b", games=1, seed=5)[1]
    assert head != evenings.play(tmp_path / "c", games=1, seed=6)[1]
