"""Keep the last acknowledged row in a small file, to detect a log that ends too early."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import NamedTuple

from companion.platforms import WRITE_FLAGS, write_at_start


class Checkpoint(NamedTuple):
    """The number and the hash of the last acknowledged row."""

    row: int
    hash: str


def _text(checkpoint: Checkpoint) -> bytes:
    body = f"{checkpoint.row:012d} {checkpoint.hash}"
    return f"{body} {hashlib.sha256(body.encode()).hexdigest()[:16]}\n".encode()


def read_checkpoint(path: Path) -> Checkpoint | None:
    """Return the checkpoint, None if the file is missing or corrupt."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return None
    fields = raw[:12] + b" " + raw[13:77]
    if not fields[:12].isdigit() or not fields.isascii():
        return None
    checkpoint = Checkpoint(int(raw[:12]), raw[13:77].decode("ascii"))
    return checkpoint if _text(checkpoint) == raw else None


class CheckpointFile:
    """The file, open for writing in place.

    It is not synced: a power cut may leave it behind the log, never ahead.
    """

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, WRITE_FLAGS, 0o600)

    def write(self, checkpoint: Checkpoint) -> None:
        """Write the last row's number and hash; raise OSError."""
        write_at_start(self._handle, _text(checkpoint))

    def close(self) -> None:
        os.close(self._handle)
