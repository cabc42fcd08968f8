"""Room that is kept for the end of a game: a file that is given up when the disk is full."""

from __future__ import annotations

import os
from pathlib import Path

NAME = "ballast"
BYTES = 4 * 1024 * 1024
LOW = 50_000_000
"""Free bytes below which the table warns, and lays no ballast."""


def free(folder: Path) -> int:
    """Return how many bytes this program may still write beside a folder's files; raise OSError."""
    room = os.statvfs(folder)
    return room.f_bavail * room.f_frsize


def lay(folder: Path) -> None:
    """Take the room, if it is not taken and there is plenty; raise OSError."""
    path = folder / NAME
    if path.exists() or free(folder) < LOW:
        return
    handle = os.open(path, os.O_CREAT | os.O_WRONLY, 0o600)
    try:
        os.posix_fallocate(handle, 0, BYTES)
    finally:
        os.close(handle)


def give_up(folder: Path) -> bool:
    """Give the room back; return whether there was any. Raise OSError."""
    try:
        (folder / NAME).unlink()
    except FileNotFoundError:
        return False
    return True
