"""Damaged files of every kind that people can hand in."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tools.acceptance import damaged_files

pytestmark = pytest.mark.slow

KINDS = ("record", "heads", "settings", "backup", "log", "keys", "tags")


def test_damaged_files(tmp_path: Path) -> None:
    """Each is refused in one sentence or has its own effect; nothing is lost, and no damage is
    taken for the truth.
    """
    counts, faults = damaged_files.run(tmp_path, 25, seed=1, kinds=KINDS)

    assert [] == faults
    assert [25] * len(KINDS) == [count["refused"] + count["harmless"] for count in counts.values()]


def test_damaged_photos(tmp_path: Path) -> None:
    """The process that reads photos returns the fault of each, and never reads a tile wrongly."""
    counts, faults = damaged_files.run(tmp_path, 15, seed=1, kinds=["photo"])

    assert [] == faults
    assert 15 == counts["photo"]["refused"] + counts["photo"]["harmless"]


@pytest.mark.parametrize(("size", "taken"), [(1, True), (-1, False)])
def test_a_backup_that_swells_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, taken: bool
) -> None:
    """A backup that unpacks to more than any table writes changes nothing, however small it is
    packed.
    """
    room = damaged_files.Room(tmp_path)
    good = tmp_path / "good.backup"
    with gzip.open(good) as packed:
        unpacked_bytes = len(packed.read())
    monkeypatch.setattr(
        "companion.table.storage.backup.MAX_UNPACKED_BYTES", unpacked_bytes + min(size, 0)
    )

    assert ("harmless" if taken else "refused") == room.kinds["backup"][2](good)
