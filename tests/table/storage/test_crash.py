"""kill -9, and system calls that fail: a real game, a real process, real system calls."""

from pathlib import Path

import pytest

from tests.helpers.repetitions import soak
from tests.table.storage import crash
from tests.table.storage.invariants import WRONGS
from tests.table.storage.namespace import in_own_mounts

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("points", [8, *soak(20)])
def test_killed_anywhere(tmp_path: Path, points: int) -> None:
    """A game that is killed at any of some calls loses no acknowledged entry, makes none twice, and
    opens again; the next copy is the whole log.
    """
    counts = crash.run(tmp_path, points, seed=1)

    assert points == counts["points"]
    assert {} == {kind: counts[kind] for kind in WRONGS if counts[kind]}


@pytest.mark.parametrize("points", [2, *soak(5)])
@pytest.mark.parametrize("error", ["ENOSPC", "EIO", "EROFS"])
def test_a_failing_call(tmp_path: Path, error: str, points: int) -> None:
    """A call that fails once is refused or ends the program, and either way no acknowledged entry
    is lost; a game that went on has the same end as an undisturbed one.
    """
    counts = crash.run(tmp_path, points, seed=2, error=error)

    assert points == counts["points"]
    assert {} == {kind: counts[kind] for kind in WRONGS if counts[kind]}


def test_a_disk_that_fills_up(tmp_path: Path) -> None:
    """A full disk refuses and changes nothing; with room again the same turn goes on. If there was
    a reserve it is given up, and the game goes on although the disk is full.
    """
    reported = in_own_mounts("tests.table.storage.full_disk", str(tmp_path / "disk")).split()

    assert ["stuck=True", "went_on=True", "played=60", "storage=full"] == reported


def test_a_read_only_disk(tmp_path: Path) -> None:
    """A table whose folder takes no writes is shown, each request is refused with the reason, and
    once the folder takes writes the game goes on by itself.
    """
    assert (
        "page=200 refused=disk_readonly storage=ok"
        == in_own_mounts("tests.table.storage.readonly", str(tmp_path / "data")).strip()
    )
