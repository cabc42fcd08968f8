"""A table for an evening, in simulated time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.ramdisk import in_memory
from tests.server.client import GameTable


@pytest.fixture
def game_table(tmp_path: Path) -> Iterator[GameTable]:
    game_table = GameTable(tmp_path / "data")
    yield game_table
    game_table.close()


@pytest.fixture(scope="module")
def unchanged_table() -> Iterator[GameTable]:
    """One table for all cases of a module that change nothing at it."""
    with in_memory() as folder:
        game_table = GameTable(Path(folder) / "data")
        yield game_table
        game_table.close()
