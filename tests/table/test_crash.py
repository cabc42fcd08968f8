"""kill -9: the real file, a real process, killed at many points of its writing."""

from pathlib import Path
from random import Random

from tests.table.crash import kill_once


def test_acknowledged_is_kept(tmp_path: Path) -> None:
    """Whatever was acknowledged before a SIGKILL is in the log, once, and the next process goes on behind it."""
    rng = Random(1)
    for _ in range(8):
        assert 0 == kill_once(tmp_path / "data", rng).total()
