"""Parse the kernel's list of mounts, proc_pid_mountinfo(5)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

OVERLAYROOT = "overlayroot"
"""The name of the mount by which Debian's overlayroot makes a system read-only."""


class Mount(Struct, frozen=True):
    """A mounted file system.

    number: of its device, major and minor
    options: of the mount and of the file system, unordered
    """

    point: Path
    kind: str
    source: str
    number: str
    options: frozenset[str]


def every_mount(mounts: str) -> Iterator[Mount]:
    """Yield the mounts of a list, in its order; skip malformed lines."""
    for line in mounts.splitlines():
        left, dash, right = line.partition(" - ")
        fields, kind = left.split(" "), right.split(" ")
        if dash and len(fields) >= 6 and len(kind) >= 2:
            options = ",".join((fields[5], *kind[2:3])).split(",")
            yield Mount(
                Path(_plain(fields[4])), kind[0], _plain(kind[1]), fields[2], frozenset(options)
            )


def mount_of(path: Path, mounts: str) -> Mount | None:
    """Return the mount of a path, None if the list names none.

    Symbolic links are followed; a path that does not exist counts at the place where it would be
    created. Of several mounts at one place the last one counts.
    """
    place, innermost = nearest_existing(path), None
    for mount in every_mount(mounts):
        if place.is_relative_to(mount.point) and (
            innermost is None or len(mount.point.parts) >= len(innermost.point.parts)
        ):
            innermost = mount
    return innermost


def nearest_existing(path: Path) -> Path:
    """Return the path or the nearest folder above it that exists, symbolic links followed."""
    resolved = path.resolve()
    return next(place for place in (resolved, *resolved.parents) if place.is_dir())


def _plain(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), text)
