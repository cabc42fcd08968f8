"""A hundred tables, a real Mosquitto and the wall: the latency of updates, and the recovery
time.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from companion.i18n import Catalog
from companion.mqtt.client import MqttClient, MqttMessage
from companion.mqtt.dashboard import Dashboard
from companion.mqtt.status import TableIdentity, table_status
from companion.mqtt.topics import Topics
from tests.mqtt.broker import Mosquitto, broker_of, until
from tests.mqtt.tables import Tables, game_table_of, many_tables
from tests.mqtt.test_dashboard import a_wall, is_right
from tools.bench.figure import Figure, at_least, at_most, spread

TABLES = 100
RESTARTS = 3
DOWN = 10.0
"""Seconds without a broker: by then every table's retry pause is the longest."""
MOVES = 300
EVERY = 0.02
"""Seconds from a move at one table to the next at another."""
FLOOD = 20_000
"""Messages published as fast as one connection accepts them."""


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
                        list(_news_seconds(wall, tables)),
                        None,
                        1000,
                    )
                    slowest = max(
                        _recovery_seconds(mosquitto, wall, tables) for _ in range(RESTARTS)
                    )
                    yield at_most(
                        f"wall right again after a broker's restart, slowest of {RESTARTS}",
                        slowest,
                        5,
                        "s",
                    )
                snapshot = game_tables[0][-1].snapshot
                yield at_least(
                    "states that the wall takes in",
                    _states_per_second(mosquitto, wall, snapshot),
                    500,
                    "/s",
                )
        finally:
            mosquitto.stop()


def _news_seconds(wall: Dashboard, tables: Tables) -> Iterator[float]:
    """Yield the seconds from each move, at one table after the other, to the wall."""
    for number in range(MOVES):
        table = number % TABLES
        table_id = f"{table:012x}"
        before = tables.present(table).snapshot["position"]
        start = time.monotonic()
        tables.move(table)
        if tables.present(table).snapshot["position"] != before:
            position = tables.present(table).snapshot["position"]
            until(lambda: _position(wall, table_id) == position, "the news", pause=0.001)  # noqa: B023 - asked at once
            yield time.monotonic() - start
        time.sleep(EVERY)


def _position(wall: Dashboard, table_id: str) -> int:
    changes = wall.directory.since(0, 0)
    card_state = changes.cards.get(table_id) if changes else None
    return int(card_state["position"]) if card_state else -1


def _recovery_seconds(mosquitto: Mosquitto, wall: Dashboard, tables: Tables) -> float:
    """Return the seconds from the broker's restart until the wall is right."""
    mosquitto.stop()
    until(lambda: not wall.directory.up, "the wall's notice")
    time.sleep(DOWN)
    for number in range(TABLES):
        tables.move(number)
    mosquitto.start()
    start = time.monotonic()
    until(lambda: is_right(wall, tables), "a wall that is right again", pause=0.005)
    return time.monotonic() - start


def _states_per_second(mosquitto: Mosquitto, wall: Dashboard, snapshot: dict[str, object]) -> float:
    """Return how many states of one table a second reach the wall."""
    identity = TableIdentity("f" * 12, "Table 0")
    status = table_status(snapshot, identity, Catalog.load("en"))
    topic = Topics("companion", identity.id).state
    client = MqttClient(broker_of(mosquitto.address()), "flood", time.monotonic)
    while not client.connected:
        client.step(1)
    start = time.monotonic()
    for number in range(FLOOD):
        client.send(
            MqttMessage(
                topic,
                msgspec.json.encode(status).replace(
                    b'"position":', b'"position":%d' % (number + 1), 1
                ),
            )
        )
        while not client.idle:
            client.step(0.01)
    until(lambda: str(_position(wall, identity.id)).startswith(str(FLOOD)), "the last state")
    seconds = time.monotonic() - start
    client.close()
    return FLOOD / seconds
