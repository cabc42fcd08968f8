"""Store a typed board as a content file in the data folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from companion.content.loader import load_bytes, load_file
from companion.core.game import Game
from companion.files import atomic_write

BOARD_FILE = "map.toml"
MAX_BOARD_BYTES = 65_536
"""Bytes of a board at most; a larger one is refused unread."""


class UserContent:
    """The typed board of a box: one file in a folder, for any one of the games."""

    def __init__(self, folder: Path, games: Sequence[Game]) -> None:
        self._file = folder / BOARD_FILE
        self._games = [game for game in games if game.content and game.content.board]

    def load(self) -> dict[str, dict[str, Any]]:
        """Return the stored board as part of a set-up, by its game; {} without a readable one."""
        try:
            reading = load_file(self._file, self._games)
        except OSError:
            return {}
        if reading.content is None or reading.game is None:
            return {}
        return {reading.game.name: reading.game.setup_of_board(reading.content)}

    def store(self, data: bytes) -> Mapping[str, Any]:
        """Replace the stored board if the new one is playable, and return {"game", "setup"}.

        Otherwise return {"findings": [{"line", "field", "message"}]}. Raises OSError if it
        cannot be stored.
        """
        reading = load_bytes(BOARD_FILE, data, self._games, MAX_BOARD_BYTES)
        if reading.content is None or reading.game is None:
            findings: list[dict[str, Any]] = msgspec.to_builtins(reading.errors)
            return {"findings": findings}
        atomic_write(self._file, data)
        return {"game": reading.game.name, "setup": reading.game.setup_of_board(reading.content)}
