"""The maps that are shipped, as a table reads them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from companion.content.loader import LoadedContent, load_bytes
from companion.games import manhunt
from companion.games.manhunt.map_file import FORMAT, MapFile
from companion.games.nosferatu import Nosferatu

FOLDER = Path(manhunt.__path__[0]) / "maps"
NAMES = ("town", "quarter", "ship")


class _Maps(Nosferatu):
    name = "manhunt"
    content = FORMAT


def read_map(name: str, data: bytes) -> LoadedContent:
    """Read a map file as a table does."""
    return load_bytes(name, data, [_Maps()])


@cache
def own_map(name: str) -> MapFile:
    """Return a shipped map by its name."""
    content = read_map(name, (FOLDER / f"{name}.toml").read_bytes()).content
    assert isinstance(content, MapFile)
    return content
