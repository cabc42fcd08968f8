"""Replace small files atomically: a power cut leaves the old one or the new one. Guard those that
matter against flipped bits.
"""

from __future__ import annotations

import hashlib
import logging
import os
from contextlib import suppress
from pathlib import Path
from typing import Literal

from companion.platforms import flush, flush_path, open_new, replace, set_access

_logger = logging.getLogger("companion.files")

DIGEST_BYTES = 64
"""Hex digits of the SHA-256 in the last line of a guarded file."""


def atomic_write(path: Path, content: bytes, mode: int = 0o600, group: int | None = None) -> None:
    """Replace the file at `path` atomically.

    mode: permissions, readable by the owner alone unless given, from the first moment on.
    group: number of its group.
    """
    aside = path.with_name(path.name + ".new")
    # Remove the rest of an earlier attempt, never open it: it may be a link.
    aside.unlink(missing_ok=True)
    descriptor = open_new(aside)
    with os.fdopen(descriptor, "wb") as file:
        set_access(descriptor, mode, group)
        file.write(content)
        file.flush()
        flush(descriptor)
    replace(aside, path)
    flush_path(path.parent)


class GuardedFile:
    """A small file that ends with its SHA-256, and a copy beside it, named `.copy`.

    The copy has the same content, not an earlier one: a key that was deleted is in neither.

    damage: what `read` met: nothing; damage of the file or its copy, "mended" from the other one;
    or of both, so that the content is "lost"
    """

    def __init__(self, path: Path) -> None:
        self.damage: Literal["", "mended", "lost"] = ""
        self.path = path
        self._copy = path.with_name(f"{path.name}.copy")

    def read(self) -> bytes | None:
        """Return the content, None if there is none.

        Logs damage. A damaged or missing one of the two files is written again; if neither is
        sound, both are kept under other names. Raises OSError.
        """
        sealed = {path: path.read_bytes() for path in (self.path, self._copy) if path.exists()}
        sound = {path: content for path, content in sealed.items() if _is_sound(content)}
        if not sealed:
            return None
        if not sound:
            self.damage = "lost"
            for path in sealed:
                aside = free_name(path.with_name(f"{path.name}.corrupt"))
                path.rename(aside)
                _logger.warning("%s was damaged, as was its copy; it is kept as %s", path, aside)
            return None
        content = sound[self.path] if self.path in sound else sound[self._copy]
        if damaged := [path for path in sealed if path not in sound]:
            self.damage = "mended"
            _logger.warning("%s was damaged and is mended from its copy", damaged[0])
        if [content] * 2 != [*sealed.values()]:
            # A disk that takes no writes has one sound file still.
            with suppress(OSError):
                self._write(content)
        return content[: -DIGEST_BYTES - 2]

    def write(self, content: bytes) -> None:
        """Replace the content of both files; raise OSError, then `read` returns the old content."""
        self._write(b"%s\n%s\n" % (content, hashlib.sha256(content).hexdigest().encode()))

    def _write(self, sealed: bytes) -> None:
        # The copy first: it is read only if the file is damaged.
        atomic_write(self._copy, sealed)
        atomic_write(self.path, sealed)


def _is_sound(sealed: bytes) -> bool:
    content, digest = sealed[: -DIGEST_BYTES - 2], sealed[-DIGEST_BYTES - 2 :]
    return digest == b"\n%s\n" % hashlib.sha256(content).hexdigest().encode()


def free_name(path: Path) -> Path:
    """Return the first path of `path`-1, `path`-2 … at which nothing is."""
    number = 1
    while (aside := path.with_name(f"{path.name}-{number}")).exists():
        number += 1
    return aside
