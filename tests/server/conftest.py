"""A table for an evening, in simulated time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.client import GameTable


@pytest.fixture
def game_table(tmp_path: Path) -> Iterator[GameTable]:
    game_table = GameTable(tmp_path / "data")
    yield game_table
    game_table.close()
