"""The dashboard shows the tables' status, and recovers soon after any failure."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest

from companion.config import Broker
from companion.mqtt.client import MqttClient, MqttMessage
from companion.mqtt.dashboard import MAX_PAGES, Dashboard
from companion.mqtt.directory import LOST_AFTER, MAX_STATUS_BYTES, MAX_TABLES, TableDirectory
from companion.mqtt.status import TableStatus
from companion.table.broadcast import Update
from tests.mqtt.broker import TIMEOUT, Mosquitto, broker_of, until
from tests.mqtt.tables import Tables, game_table_of, many_tables

MANY = 100


def make_state(name: str = "Table 7", **more: Any) -> bytes:
    """Return the state of a table that has just been opened."""
    status = TableStatus(
        name, 1, "lobby", "vampireradar", (), None, "", False, False, None, None, (), **more
    )
    return msgspec.json.encode(status)


def hall_with(*announcements: tuple[str, bytes]) -> TableDirectory:
    """Return a directory that is connected and has received a payload on a topic with this
    ending.
    """
    hall = TableDirectory("companion", lambda: 0.0)
    hall.set_connected(True)
    for topic, payload in announcements:
        hall.receive(MqttMessage(f"companion/{topic}", payload))
    return hall


def cards_of(hall: TableDirectory) -> dict[str, Any]:
    """Return all cards as a newly opened page receives them."""
    news = hall.since(0, 0)
    return news.cards if news else {}


def test_a_newer_state_is_left_out_with_one_sentence(caplog: pytest.LogCaptureFixture) -> None:
    """A state in a newer format is not shown, and is told once in the log, however many come."""
    newer = make_state().replace(b'"format":1', b'"format":2')
    hall = hall_with(*[(f"{each}/state", newer) for each in range(3)])

    assert {} == cards_of(hall)
    assert ["A table sends its state in format 2; this wall reads 1: update it"] == caplog.messages


def test_a_table_is_shown_lost_and_put_away() -> None:
    """A table's card shows its status, is marked as lost by its last will, and is gone when it
    closes.
    """
    hall = hall_with(("ab/availability", b"online"), ("ab/state", make_state()))
    assert ("Table 7", False) == (cards_of(hall)["ab"]["name"], cards_of(hall)["ab"]["lost"])

    hall.receive(MqttMessage("companion/ab/availability", b"lost"))
    assert cards_of(hall)["ab"]["lost"]

    before = hall.since(0, 0)
    hall.receive(MqttMessage("companion/ab/availability", b"closed"))
    after = hall.since(before.revision if before else 0, 0)
    assert {} == cards_of(hall)
    assert after is not None and {"ab": None} == after.cards


@pytest.mark.parametrize(
    ("topic", "payload"),
    [
        ("ab/state", b"{"),
        ("ab/state", b'{"name": 7}'),
        ("ab/state", b"[" * 30_000),
        ("ab/state", make_state("x" * 65)),
        ("ab/state", make_state(view={"tiles": "x" * MAX_STATUS_BYTES})),
        ("ab/state", make_state(view={"a": json.loads("[" * 40 + "]" * 40)})),
        ("ab/cd/state", make_state()),
        ("ab/announcements", make_state()),
    ],
)
def test_what_is_no_state_is_not_shown(topic: str, payload: bytes) -> None:
    """Any client of the broker may publish anything: a message that is no table's is not shown and
    breaks nothing.
    """
    assert {} == cards_of(hall_with((topic, payload)))


def test_there_is_an_end_to_tables() -> None:
    """A flood of invented tables does not fill the memory; a closed one makes room."""
    hall = hall_with(*((f"{number}/state", make_state()) for number in range(MAX_TABLES + 50)))
    assert MAX_TABLES == len(cards_of(hall))

    hall.receive(MqttMessage("companion/7/availability", b"closed"))
    hall.receive(MqttMessage("companion/new/state", make_state()))
    assert "new" in cards_of(hall)


def test_a_broker_that_forgot_has_its_time() -> None:
    """A restarted broker may have lost last wills: a table that does not reappear in time is
    lost.
    """
    clock = [0.0]
    hall = TableDirectory("companion", lambda: clock[0])
    hall.set_connected(True)
    for table in ("ab", "cd"):
        hall.receive(MqttMessage(f"companion/{table}/availability", b"online"))
        hall.receive(MqttMessage(f"companion/{table}/state", make_state()))
    hall.set_connected(False)
    hall.set_connected(True)
    hall.receive(MqttMessage("companion/cd/availability", b"online"))
    hall.mark_lost()
    assert [False, False] == [card["lost"] for card in cards_of(hall).values()]

    clock[0] = LOST_AFTER
    hall.mark_lost()
    assert {"ab": True, "cd": False} == {
        table: card["lost"] for table, card in cards_of(hall).items()
    }


def test_what_the_broker_sends_at_once_counts() -> None:
    """A table that the broker reports in the step that connects is not shown as lost later."""
    clock = [0.0]
    hall = TableDirectory("companion", lambda: clock[0])
    line = MqttClient(
        Broker("localhost", 1883),
        "wall",
        lambda: clock[0],
        topics=["companion/+/availability"],
        on_connect=lambda: hall.set_connected(True),
        on_message=hall.receive,
    )
    hall.receive(MqttMessage("companion/ab/state", make_state()))
    online = MqttMessage("companion/ab/availability", b"online")
    library = Mock(subscribe=Mock(side_effect=lambda *_: hall.receive(online)))
    line._on_connect(library, False, "")
    hall.set_connected(line.connected)
    clock[0] = LOST_AFTER
    hall.mark_lost()

    assert {"ab": False} == {table: card["lost"] for table, card in cards_of(hall).items()}


@pytest.fixture(scope="module")
def game_tables(tmp_path_factory: pytest.TempPathFactory) -> list[list[Update]]:
    """Updates of real games of three kinds, as displays received them."""
    folder = tmp_path_factory.mktemp("evenings")
    kinds = (("vampireradar", 4, 30), ("nosferatu", 2, 20), ("shisogari", 4, 15))
    return [game_table_of(folder / game, game, players, 5, most) for game, players, most in kinds]


@contextmanager
def a_wall(mosquitto: Mosquitto) -> Iterator[Dashboard]:
    """Yield a running wall."""
    wall = Dashboard(
        broker_of(mosquitto.address()), "companion", time.monotonic, "127.0.0.1", 0, "wall"
    )
    serving = threading.Thread(target=wall.run, daemon=True)
    serving.start()
    wall.start()
    try:
        yield wall
    finally:
        wall.close()


def is_right(wall: Dashboard, tables: Tables) -> bool:
    """Return whether the wall shows every table exactly as the table's own displays do, and as
    present.
    """
    cards = cards_of(wall.directory)
    return len(cards) == len(tables.lines) and all(
        cards[f"{number:012x}"]["position"] == tables.present(number).snapshot["position"]
        and not cards[f"{number:012x}"]["lost"]
        for number in range(len(tables.lines))
    )


def test_a_hundred_tables_and_a_broker_that_is_killed(
    mosquitto: Mosquitto, game_tables: list[list[Update]]
) -> None:
    """A hundred tables are shown, also after the broker was killed with all its state.

    Play goes on during the failure, and no user action is needed.
    """
    with (
        a_wall(mosquitto) as wall,
        many_tables(broker_of(mosquitto.address()), game_tables, MANY) as tables,
    ):
        until(lambda: is_right(wall, tables), "a hundred tables on the wall")
        mosquitto.stop()
        until(lambda: not wall.directory.up, "the wall's notice")
        for number in range(MANY):
            tables.move(number)
        assert not is_right(wall, tables)

        mosquitto.start()
        until(lambda: is_right(wall, tables), "a wall that is right again")


def test_pages_get_everything_and_then_updates(
    mosquitto: Mosquitto, game_tables: list[list[Update]]
) -> None:
    """A page receives all cards first, then only the changed one; the server's other answers have
    the security headers.
    """
    with (
        a_wall(mosquitto) as wall,
        many_tables(broker_of(mosquitto.address()), game_tables, 3) as tables,
    ):
        until(lambda: is_right(wall, tables), "three tables")
        with socket.create_connection(("127.0.0.1", wall.port), TIMEOUT) as page:
            page.sendall(b"GET /tables HTTP/1.1\r\nHost: localhost\r\n\r\n")
            stream = page.makefile("rb")
            first = next(line for line in stream if line.startswith(b"data: "))
            tables.move(1)
            second = next(line for line in stream if line.startswith(b"data: "))
            wall.end_pages()

    assert (True, 3) == (json.loads(first[6:])["all"], len(json.loads(first[6:])["cards"]))
    assert (False, [f"{1:012x}"]) == (
        json.loads(second[6:])["all"],
        list(json.loads(second[6:])["cards"]),
    )


def test_the_walls_addresses(tmp_path: Path) -> None:
    """Page, words and files are served with a strict policy; the number of open pages is limited;
    nothing else is answered.
    """
    wall = Dashboard(
        broker_of("mqtt://127.0.0.1:1"), "companion", time.monotonic, "127.0.0.1", 0, "wall"
    )
    client = wall.app.test_client()
    try:
        answers = {
            path: client.get(path)
            for path in (
                "/wall",
                "/static/screens/dashboard/main.js",
                "/static/i18n/nl.json",
                "/static/i18n/xx.json",
            )
        }
        pages = [client.get("/tables") for _ in range(MAX_PAGES)]
        assert 503 == client.get("/tables").status_code
        pages[0].close()
        pages[0] = client.get("/tables")
        assert 200 == pages[0].status_code
        for page in pages:
            page.close()

        assert [200, 200, 200, 404] == [answer.status_code for answer in answers.values()]
        assert (
            "default-src 'none'; script-src 'self'"
            in answers["/wall"].headers["Content-Security-Policy"]
        )
        assert "/wall" == client.get("/").headers["Location"]
        assert 400 == client.get("/wall", headers={"Host": "elsewhere.example"}).status_code
    finally:
        wall.close()
