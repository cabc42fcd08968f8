"""A real board and a camera phone replace the virtual board, each on its own thread."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.config import Settings
from companion.sensors.link import Link
from companion.sources import SensorSources
from tests.server.client import GameTable


class Device:
    """Stands in for a board or a camera; notes whether the hand-over's lock was held at its end."""

    def __init__(self, sources: SensorSources) -> None:
        self._sources = sources
        self.ends: list[bool] = []

    def close(self) -> None:
        self.ends.append(self._sources._lock.locked())

    def rescan_tiles(self) -> None:
        pass


@pytest.mark.parametrize("first", ["_real_board_linked", "_phone_linked"])
def test_the_virtual_board_is_closed_once(tmp_path: Path, first: str) -> None:
    """Whichever answers first replaces the virtual board; the other one waits until that is done,
    and closes nothing.
    """
    game_table = GameTable(tmp_path)
    settings = Settings(data=str(tmp_path))
    sources = SensorSources(
        settings, game_table.table, lambda seat, actions: True, game_table.clock, tmp_path, "", "1"
    )
    virtual: Any = Device(sources)
    sources._board, sources.uses_simulation = virtual, True
    others: Any = Device(sources)
    sources._real_board = sources._camera = others
    for linked in sorted(("_real_board_linked", "_phone_linked"), key=lambda name: name != first):
        getattr(sources, linked)(Link("up", generation=1))
    game_table.close()

    assert [True] == virtual.ends
    assert not sources.uses_simulation
