"""A table's status: a few facts of the public snapshot."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest

from companion.config import ClubSettings
from companion.core.game import Seat, StatusWords
from companion.games import find_game
from companion.i18n import Catalog
from companion.mqtt import publisher
from companion.mqtt.publisher import Publisher, read_table_id
from companion.mqtt.status import TableIdentity, TableStatus, announcements, table_status
from companion.mqtt.topics import Topics, discovery_message, parse_topic
from companion.table.broadcast import Update
from companion.table.seats import clean_name
from tests.server.client import GameTable
from tests.table.play import entropy_of

SIGN = TableIdentity("0123456789ab", "Table 7")


def words_of(game: str) -> StatusWords:
    return find_game(game).status_words


WORDS = words_of("vampireradar")
ENGLISH = Catalog.load("en")
REQUIRED = {"device", "origin", "components"}
"""What Home Assistant requires of a message to …/device/…/config, by
homeassistant/components/mqtt/schemas.py.
"""


def begun(game_table: GameTable) -> dict[str, Any]:
    """Return the snapshot of a game that two people have begun."""
    for number, (seat, name) in enumerate((("V", "Ana"), ("H1", "Ben"))):
        game_table.table.seats.claim(seat, name, entropy_of(number)(32).hex())  # type: ignore[arg-type]
    game_table.table.lobby.propose({"players": 2})
    game_table.table.start()
    return game_table.table.snapshot()


def test_a_state_has_the_table_s_state(game_table: GameTable) -> None:
    """Name, game, players, night, the public view, and the last announcements."""
    status = table_status(begun(game_table), SIGN, ENGLISH, words=WORDS)

    assert ("Table 7", "vampireradar", "play", True) == (
        status.name,
        status.game,
        status.phase,
        status.night,
    )
    assert [("V", "Ana"), ("H1", "Ben")] == sorted(
        ((player.seat, player.name) for player in status.players), reverse=True
    )
    assert status.view is not None and status.view["own"] is None
    assert "Night falls." == status.announcements[-1].text


def test_invented_content_is_called_so(game_table: GameTable) -> None:
    """A game of sample cards is marked from its proposal on; one of the box's own cards is not."""
    for content, is_sample in (("sample", True), ("box", False)):
        game_table.table.lobby.propose(
            {"game": "vwars", "players": 3, "options": {"content": content}}
        )
        assert (
            is_sample
            == table_status(game_table.table.snapshot(), SIGN, ENGLISH, words=WORDS).sample
        )


def test_names_of_a_content_are_sent_in_every_language(game_table: GameTable) -> None:
    """Messages name cards and places for people: in the table's own language in the sentence, as
    the content has it in the parameters, and in each language beside them; content of one language
    is named in that.
    """
    table = game_table.table
    table.lobby.propose({"game": "vwars", "players": 3})
    for number, seat in enumerate(("P1", "P2", "P3")):
        table.seats.claim(seat, f"Name {number}", entropy_of(number)(32).hex())  # type: ignore[arg-type]
    table.start()
    translations, snapshot = table.reference()["translations"], table.snapshot()
    (place, city), *_ = (
        (place, city["name"]) for place, city in snapshot["view"]["cities"].items()
    )
    message = {
        "code": "event.role_taken",
        "params": {"seat": "P1", "name": "The Smith", "city": place},
    }
    line = {"position": 9, "event": {"event": "x"}, "message": message}
    (announcement,) = announcements(
        [line], snapshot, SIGN, Catalog.load("nl", "vwars"), translations, words_of("vwars")
    )
    (plain,) = announcements(
        [line], snapshot, SIGN, Catalog.load("nl", "vwars"), words=words_of("vwars")
    )

    dutch, japanese = (translations[language] for language in ("nl", "ja"))
    assert f"Name 0 is De Smid, in {dutch[city]}" == announcement.text
    assert {"seat": "P1", "name": "The Smith", "city": city} == announcement.params
    assert {"The Smith": japanese["The Smith"], city: japanese[city]} == announcement.translations[
        "ja"
    ]
    assert (f"Name 0 is The Smith, in {city}", {}) == (plain.text, plain.translations)


@pytest.mark.parametrize(
    ("counted", "turn"), [({}, None), ({"turns": 0}, None), ({"turns": 1}, 1), ({"turns": 12}, 12)]
)
def test_a_turn_is_counted_from_the_first(
    counted: dict[str, int], turn: int | None, game_table: GameTable
) -> None:
    """Before its first turn a game has no turn's number: 0 is null."""
    snapshot = begun(game_table) | {"view": counted}

    assert turn == table_status(snapshot, SIGN, ENGLISH, words=WORDS).turn


def test_a_state_is_read_as_it_was_written(game_table: GameTable) -> None:
    """The wall reads the same values that the table wrote."""
    written = msgspec.json.encode(table_status(begun(game_table), SIGN, ENGLISH, words=WORDS))

    assert written == msgspec.json.encode(msgspec.json.decode(written, type=TableStatus))


def test_the_longest_name_is_read(game_table: GameTable) -> None:
    """A name of joined characters, which the table takes, does not hide the table from the club."""
    begun(game_table)
    name = clean_name("ě" + "\u0301" * 95)
    game_table.table.seats.rename(Seat("H1"), name)
    status = table_status(game_table.table.snapshot(), SIGN, ENGLISH, words=WORDS)
    written = msgspec.json.encode(status)

    assert name in {player.name for player in status.players}
    assert written == msgspec.json.encode(msgspec.json.decode(written, type=TableStatus))


def test_only_an_event_s_message_is_published(game_table: GameTable) -> None:
    """The key of a game and the seal of a night are public, but are not published to a broker."""
    snapshot = begun(game_table)
    key = next(
        line["event"]["key"] for line in snapshot["log"] if line["event"]["event"] == "game_started"
    )
    payload = msgspec.json.encode(table_status(snapshot, SIGN, ENGLISH, words=WORDS)).decode()

    assert "Game 1 begins." in payload
    assert key not in payload and snapshot["head"] not in payload


def test_people_are_called_by_their_names(game_table: GameTable) -> None:
    """An announcement in words names a seat as the table does: by the typed name, else by its side
    or number.
    """
    snapshot = begun(game_table)
    line = {
        "position": 9,
        "event": {"event": "x"},
        "message": {"code": "event.turn_started", "params": {"seat": "H1"}},
    }
    unnamed = snapshot | {"seats": [seat | {"name": None} for seat in snapshot["seats"]]}

    assert ["Ben is to move."] == [
        announcement.text
        for announcement in announcements([line], snapshot, SIGN, ENGLISH, words=WORDS)
    ]
    assert ["Player 1 is to move."] == [
        announcement.text
        for announcement in announcements([line], unnamed, SIGN, ENGLISH, words=WORDS)
    ]


def test_the_same_sentence_follows_itself_once(game_table: GameTable) -> None:
    """The game and the table both announce nightfall: one announcement; after another sentence it
    is announced again.
    """
    codes = ["event.night_fell", "event.night_fell", "event.turn_started", "event.night_fell"]
    lines = [
        {
            "position": position,
            "event": {"event": "x"},
            "message": {"code": code, "params": {"seat": "H1"}},
        }
        for position, code in enumerate(codes, start=7)
    ]

    published = announcements(lines, begun(game_table), SIGN, ENGLISH, words=WORDS)

    assert [(7, codes[0]), (9, codes[2]), (10, codes[3])] == [
        (each.position, each.code) for each in published
    ]


def test_names_may_stay_at_home(game_table: GameTable) -> None:
    """With `names = false` no typed name is in a status, nor in announcements of seats."""
    payload = msgspec.json.encode(
        table_status(
            begun(game_table),
            TableIdentity("0123456789ab", "Table 7", names=False),
            ENGLISH,
            words=WORDS,
        )
    ).decode()

    assert (
        "Ana" not in payload
        and "Ben" not in payload
        and "Player 1" not in payload.replace("Player 1: the seat is taken.", "")
    )


def test_events_are_published_once(game_table: GameTable) -> None:
    """Events before the publisher's start or connect are not announced; later ones are, once."""
    publisher = Publisher(ClubSettings(), SIGN, partial(Catalog.load, "en"), dict, words_of)
    snapshot = begun(game_table)
    first, second = snapshot["log"][-2:]
    publisher.update(Update(snapshot | {"position": first["position"]}, [first]))
    history = publisher.pending_messages(b"")
    publisher.update(Update(snapshot, [first, second]))
    news = publisher.pending_messages(history[-1].payload)

    assert [publisher.topics.state] == [published.topic for published in history]
    assert [publisher.topics.announcements, publisher.topics.state] == [
        published.topic for published in news
    ]
    assert [] == publisher.pending_messages(news[-1].payload)
    publisher.update(Update(snapshot, [second | {"position": second["position"] + 1}]))
    publisher.connect_messages()
    assert [] == publisher.pending_messages(news[-1].payload)


def test_a_table_keeps_its_id(tmp_path: Path) -> None:
    """The id is created once and survives a restart; a damaged one is replaced."""
    first = read_table_id(tmp_path, entropy_of(1))
    second = read_table_id(tmp_path, entropy_of(2))
    (tmp_path / "club-id").write_text("../../#")

    assert first == second
    assert first != read_table_id(tmp_path, entropy_of(3))


def test_a_disk_that_takes_no_id_stops_no_club(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder that takes no writes the table has an id for as long as it runs."""
    refuse = Mock(side_effect=OSError(30, "Read-only file system"))
    monkeypatch.setattr(publisher, "atomic_write", refuse)

    assert entropy_of(1)(6).hex() == read_table_id(tmp_path, entropy_of(1))


@pytest.mark.parametrize(
    ("topic", "meant"),
    [
        ("companion/ab/availability", ("ab", "availability")),
        ("companion/ab/state", ("ab", "state")),
        ("companion/ab/announcements", None),
        ("companion//availability", None),
        ("companion/ab/cd/availability", None),
        ("other/ab/availability", None),
        ("companion", None),
    ],
)
def test_topics_are_read(topic: str, meant: tuple[str, str] | None) -> None:
    """The wall subscribes to the club's topic, and accepts the tables' own topics below it."""
    assert meant == parse_topic("companion", topic)


def test_home_assistant_gets_what_it_requires() -> None:
    """One device with an identifier, an origin with a name, and components each with a platform and
    an own id.
    """
    message = discovery_message("homeassistant", Topics("companion", SIGN.id), SIGN, ENGLISH)
    discovery = json.loads(message.payload)

    assert ("homeassistant/device/companion_0123456789ab/config", True) == (
        message.topic,
        message.retained,
    )
    assert set() == REQUIRED - discovery.keys()
    assert discovery["device"]["identifiers"] and discovery["origin"]["name"]
    components = discovery["components"].values()
    assert {"sensor", "binary_sensor"} == {component["platform"] for component in components}
    assert len(components) == len({component["unique_id"] for component in components})
    assert "companion/0123456789ab/state" == discovery["state_topic"]
    assert "companion/0123456789ab/availability" == discovery["availability_topic"]


def test_home_assistants_templates_fit_the_state(game_table: GameTable) -> None:
    """The templates find their values in a real state, and nothing in one with the values
    removed.
    """
    from jinja2 import Environment

    payload = json.loads(
        msgspec.json.encode(table_status(begun(game_table), SIGN, ENGLISH, words=WORDS))
    )
    message = discovery_message("homeassistant", Topics("companion", SIGN.id), SIGN, ENGLISH)
    templates = {
        name: component["value_template"]
        for name, component in json.loads(message.payload)["components"].items()
    }
    rendered = {
        name: Environment().from_string(text).render(value_json=payload)
        for name, text in templates.items()
    }

    assert {
        "announcements": "Night falls.",
        "mover": "Ana",
        "game": "vampireradar",
    }.items() <= rendered.items()
    assert {
        "round": str(payload["round"]),
        "playing": "ON",
        "night": "ON",
        "sample": "OFF",
    }.items() <= rendered.items()
    assert {""} == {Environment().from_string(text).render() for text in templates.values()}
