"""Keep the board of the household's own box as a content file in the data folder."""

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
"""Bytes of a board; a larger one is refused unread."""


class UserContent:
    """The board of the household's own box, as one file in a folder, for whichever of the games it
    is.
    """

    def __init__(self, folder: Path, games: Sequence[Game]) -> None:
        self._file = folder / BOARD_FILE
        self._games = [game for game in games if game.content and game.content.board]

    def load(self) -> dict[str, dict[str, Any]]:
        """Return the part of the set-up that the kept board is, by its game; {} if there is none
        that can be read.
        """
        try:
            reading = load_file(self._file, self._games)
        except OSError:
            return {}
        if reading.content is None or reading.game is None:
            return {}
        return {reading.game.name: reading.game.setup_of_board(reading.content)}

    def store(self, data: bytes) -> Mapping[str, Any]:
        """Keep a file in place of the one before, if it can be played on: {"game", "setup"}. Else
        nothing is kept: {"findings": [{"line", "field", "said"}]}. Raises OSError where it cannot
        be stored.
        """
        reading = load_bytes(BOARD_FILE, data, self._games, MAX_BOARD_BYTES)
        if reading.content is None or reading.game is None:
            shown: list[dict[str, Any]] = msgspec.to_builtins(reading.errors)
            return {"findings": shown}
        atomic_write(self._file, data)
        return {"game": reading.game.name, "setup": reading.game.setup_of_board(reading.content)}
