"""What lies on what: the kernel's list of mounts, in the form of proc_pid_mountinfo(5)."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

OVERLAYROOT = "overlayroot"
"""What Debian's overlayroot calls the mount by which a system is read-only."""


class Mount(Struct, frozen=True):
    """A file system at its place. `options` are those of this mount and those of the file system, without order."""

    point: Path
    kind: str
    source: str
    options: frozenset[str]


def mount_of(path: Path, mounts: str) -> Mount | None:
    """Return what a path lies on, None if the list names nothing.

    Symbolic links are followed; what is not there yet lies where it would be made. Of several mounts over one another
    the last one counts.
    """
    place, found = existing(path), None
    for line in mounts.splitlines():
        left, dash, right = line.partition(" - ")
        fields, kind = left.split(" "), right.split(" ")
        if not dash or len(fields) < 6 or len(kind) < 2:
            continue
        point = Path(_plain(fields[4]))
        if place.is_relative_to(point) and (found is None or len(point.parts) >= len(found.point.parts)):
            options = ",".join((fields[5], *kind[2:3])).split(",")
            found = Mount(point, kind[0], _plain(kind[1]), frozenset(options))
    return found


def existing(path: Path) -> Path:
    """Return the path or the nearest folder above it that exists, symbolic links followed."""
    resolved = path.resolve()
    return next(place for place in (resolved, *resolved.parents) if place.is_dir())


def _plain(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), text)
