"""A folder that no sync waits for, where what a disk does is not the question."""

from __future__ import annotations

import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")


def in_memory() -> tempfile.TemporaryDirectory[str]:
    """Make a folder in memory where the system has one (tmpfs(5)), else on the disk; it goes when
    it is left.
    """
    return tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None)
