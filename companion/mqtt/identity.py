"""Identify a table to a broker."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from companion.files import atomic_write

IDENTITY_FILE = "club-id"
TABLE_ID = re.compile(r"[0-9a-f]{12}", re.ASCII)


class TableIdentity(Struct, frozen=True):
    """`id` is the table's own for ever, `name` is what people call it."""

    id: str
    name: str
    names: bool = True
    """Whether the players' names are told."""


def read_table_id(folder: Path, entropy: Callable[[int], bytes]) -> str:
    """Return the id that the data folder has for its table, made by chance at the first time: it
    says nothing of the machine, and of two tables with one name each keeps its own topics.
    """
    path = folder / IDENTITY_FILE
    kept = path.read_text(encoding="ascii", errors="replace").strip() if path.exists() else ""
    if not TABLE_ID.fullmatch(kept):
        kept = entropy(6).hex()
        atomic_write(path, kept.encode())
    return kept
