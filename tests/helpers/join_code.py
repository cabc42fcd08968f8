"""Read a running table's join code in its data folder, as its displays show it."""

from __future__ import annotations

from pathlib import Path

from companion.server.auth.access import DISPLAY_FILE
from companion.server.auth.keystore import KeyStore, StoredKeys

KEY_LENGTH = 43


def join_fragment(folder: Path) -> str:
    """Return what follows # in the address of the join code: the table's key and four letters."""
    key = (folder / DISPLAY_FILE).read_text("ascii")[:KEY_LENGTH]
    return key + KeyStore(folder, StoredKeys("", "")).keys.code
