"""Replace small files atomically: a power cut leaves the old one or the new one."""

from __future__ import annotations

import os
from pathlib import Path


def atomic_write(path: Path, content: bytes, mode: int = 0o600, group: int | None = None) -> None:
    """Replace the file at `path` atomically.

    mode: permissions, readable by the owner alone unless given, from the first moment on.
    group: number of its group.
    """
    aside = path.with_name(path.name + ".new")
    # Remove the rest of an earlier attempt, never open it: it may be a link.
    aside.unlink(missing_ok=True)
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        if group is not None:
            os.fchown(descriptor, -1, group)
        os.fchmod(descriptor, mode)
        file.write(content)
        file.flush()
        os.fsync(descriptor)
    os.replace(aside, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
