"""Identify a table to a broker."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from companion.files import atomic_write

IDENTITY_FILE = "club-id"
TABLE_ID = re.compile(r"[0-9a-f]{12}", re.ASCII)


class TableIdentity(Struct, frozen=True):
    """`id`: never changes. `name`: for people."""

    id: str
    name: str
    names: bool = True
    """Whether to publish the players' names."""


def read_table_id(folder: Path, entropy: Callable[[int], bytes]) -> str:
    """Return the table's id, stored in the data folder and drawn at random the first time.

    It identifies no machine, and keeps the topics of two tables with one name apart.
    """
    path = folder / IDENTITY_FILE
    identity = path.read_text(encoding="ascii", errors="replace").strip() if path.exists() else ""
    if not TABLE_ID.fullmatch(identity):
        identity = entropy(6).hex()
        # A folder that takes no writes gets another one at the next start.
        with suppress(OSError):
            atomic_write(path, identity.encode())
    return identity
