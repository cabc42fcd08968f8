"""A folder in memory without waits for a disk, for tests that do not test the disk."""

from __future__ import annotations

import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")


def in_memory() -> tempfile.TemporaryDirectory[str]:
    """Make a folder in memory if the system has one (tmpfs(5)), else on the disk; it is removed at
    the end.
    """
    return tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None)
