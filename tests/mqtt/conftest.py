"""Fixtures: a broker, and a table that publishes to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.app import Application
from companion.config import ClubSettings, Settings
from tests.mqtt.broker import Mosquitto
from tests.server.client import GameTable

Opens = Callable[..., Application]


@pytest.fixture
def game_table(tmp_path: Path) -> Iterator[GameTable]:
    """A table in simulated time that publishes nothing by itself."""
    game_table = GameTable(tmp_path / "evening")
    yield game_table
    game_table.close()


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker that accepts every client."""
    broker = Mosquitto(tmp_path / "broker")
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture
def open_table(tmp_path: Path) -> Iterator[Opens]:
    """Open tables that publish to a broker; those still open are closed at the end."""
    open_ones: list[Application] = []

    def opened(address: str, name: str = "Table 7", **club: object) -> Application:
        data = str(tmp_path / f"table-{len(open_ones)}")
        ours = ClubSettings(address, name, **club)  # type: ignore[arg-type]
        settings = Settings(data=data, board="none", night_floor=0, club=ours)
        open_ones.append(Application(settings))
        open_ones[-1].start()
        return open_ones[-1]

    yield opened
    for table in open_ones:
        table.close()
