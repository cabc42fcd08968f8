"""A hundred tables, a real Mosquitto and the wall: how soon it shows what happens, and how soon it
is right again.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from companion.i18n import Catalog
from companion.mqtt.client import MqttClient, MqttMessage
from companion.mqtt.dashboard import Dashboard
from companion.mqtt.identity import TableIdentity
from companion.mqtt.status import encode_json, table_status
from companion.mqtt.topics import Topics
from tests.bench.figure import Figure, at_least, at_most, spread
from tests.mqtt.broker import Mosquitto, broker_of, until
from tests.mqtt.tables import Tables, game_table_of, many_tables
from tests.mqtt.test_dashboard import a_wall, is_right

TABLES = 100
RESTARTS = 3
DOWN = 10.0
"""Seconds that the broker is away: by then every table waits as long as it ever does."""
MOVES = 300
EVERY = 0.02
"""Seconds from a move at some table to the next one at another."""
FLOOD = 20_000
"""Bulletins published as fast as one connection takes them."""


def figures() -> Iterator[Figure]:
    """Measure the club."""
    with tempfile.TemporaryDirectory() as folder:
        game_tables = [game_table_of(Path(folder) / "evening", "vampireradar", 4, 5)]
        mosquitto = Mosquitto(Path(folder) / "broker")
        mosquitto.start()
        try:
            with a_wall(mosquitto) as wall:
                with many_tables(broker_of(mosquitto.address()), game_tables, TABLES) as tables:
                    until(lambda: is_right(wall, tables), "the wall")
                    yield spread(
                        "from a table's news to the wall, 100 tables",
                        list(_news(wall, tables)),
                        None,
                        1000,
                    )
                    slowest = max(_restart(mosquitto, wall, tables) for _ in range(RESTARTS))
                    yield at_most(
                        f"wall right again after a broker's restart, slowest of {RESTARTS}",
                        slowest,
                        5,
                        "s",
                    )
                snapshot = game_tables[0][-1].snapshot
                yield at_least(
                    "states that the wall takes in", _flood(mosquitto, wall, snapshot), 500, "/s"
                )
        finally:
            mosquitto.stop()


def _news(wall: Dashboard, tables: Tables) -> Iterator[float]:
    """Yield how long each of many moves, at one table after the other, took to the wall."""
    for number in range(MOVES):
        table = number % TABLES
        card = f"{table:012x}"
        before = tables.present(table).snapshot["position"]
        start = time.monotonic()
        tables.move(table)
        if tables.present(table).snapshot["position"] != before:
            wanted = tables.present(table).snapshot["position"]
            until(lambda: _position(wall, card) == wanted, "the news", pause=0.001)  # noqa: B023 - asked at once
            yield time.monotonic() - start
        time.sleep(EVERY)


def _position(wall: Dashboard, card: str) -> int:
    news = wall.directory.since(0, 0)
    shown = news.cards.get(card) if news else None
    return int(shown["position"]) if shown else -1


def _restart(mosquitto: Mosquitto, wall: Dashboard, tables: Tables) -> float:
    """Return how long the wall was wrong after the broker listened again."""
    mosquitto.stop()
    until(lambda: not wall.directory.up, "the wall's notice")
    time.sleep(DOWN)
    for number in range(TABLES):
        tables.move(number)
    mosquitto.start()
    start = time.monotonic()
    until(lambda: is_right(wall, tables), "a wall that is right again", pause=0.005)
    return time.monotonic() - start


def _flood(mosquitto: Mosquitto, wall: Dashboard, snapshot: dict[str, object]) -> float:
    """Return how many states of one table a second reach the wall."""
    identity = TableIdentity("f" * 12, "Table 0")
    told = table_status(snapshot, identity, Catalog.load("en"))
    topic = Topics("companion", identity.id).state
    line = MqttClient(broker_of(mosquitto.address()), "flood", time.monotonic)
    while not line.connected:
        line.step(1)
    start = time.monotonic()
    for number in range(FLOOD):
        line.send(
            MqttMessage(
                topic, encode_json(told).replace(b'"position":', b'"position":%d' % (number + 1), 1)
            )
        )
        while not line.idle:
            line.step(0.01)
    until(lambda: str(_position(wall, identity.id)).startswith(str(FLOOD)), "the last state")
    seconds = time.monotonic() - start
    line.close()
    return FLOOD / seconds
