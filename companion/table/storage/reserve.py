"""Reserve disk space for the end of a game: a file that is deleted when the disk is full."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from companion import platforms

RESERVE_FILE = "reserve"
RESERVE_BYTES = 4 * 1024 * 1024
LOW_SPACE_BYTES = 50_000_000
"""Free bytes below which the table warns, and allocates no reserve."""
FULL_SPACE_BYTES = 2 * RESERVE_BYTES
"""Free bytes below which a disk without a reserve is full, a released reserve included."""


def free_bytes(folder: Path) -> int:
    """Return the free bytes on a folder's disk; raise OSError."""
    return shutil.disk_usage(folder).free


def allocate(folder: Path) -> None:
    """Allocate the reserve if the disk has plenty of space; raise OSError."""
    path = folder / RESERVE_FILE
    if path.exists() or free_bytes(folder) < LOW_SPACE_BYTES:
        return
    handle = platforms.open_new(path)
    try:
        platforms.allocate_bytes(handle, RESERVE_BYTES)
    finally:
        os.close(handle)


def release(folder: Path) -> bool:
    """Delete the reserve; return whether there was one. Raises OSError."""
    try:
        (folder / RESERVE_FILE).unlink()
    except FileNotFoundError:
        return False
    return True
