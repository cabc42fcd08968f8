"""The JSON-lines protocol, and whole games from an independent implementation of the rules."""

from __future__ import annotations

import json
import re
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.cli.content import with_named_content
from companion.core.codec import to_builtins
from companion.core.content import load_packaged, strip_translations
from companion.core.game import Game, Message
from companion.games import GAMES, find_game
from companion.games.manhunt.map_file import MapFile
from companion.games.vampire_empire.cards import sample_decks
from companion.games.vwars.rules import sample_cards
from companion.i18n import Catalog
from companion.rules_protocol import MAX_LINE_BYTES, RulesServer, read_lines

HERE = Path(__file__).parent
RECORDS = sorted((HERE / "fixtures" / "games").glob("*.jsonl"))
EVERY = [
    pytest.param(game, players, id=f"{game.name}-{players}")
    for game in GAMES
    for players in game.seats
]


def referee(game: str = "vampireradar") -> RulesServer:
    return RulesServer(find_game(game), Catalog.load("en").translate)


def ask(server: RulesServer, request: object) -> dict[str, Any]:
    return server.answer(json.dumps(request))


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[pytest.mark.soak] if number % 4 else [], id=path.stem)
        for number, path in enumerate(RECORDS)
    ],
)
def test_whole_games_are_accepted_action_by_action(path: Path) -> None:
    """Each action is offered among as many, causes the same public events and passes the turn on
    alike; the game ends with the same winner, hands, pawns, tokens and vampire.
    """
    new, *steps, end = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    server = referee()
    reply = ask(server, new)
    assert "warnings" not in reply
    for number, step in enumerate(steps, 2):
        assert (number, step["legal"]) == (number, len(reply["legal"]))
        assert step["actions"][0] in reply["legal"]
        reply = ask(server, {"seat": step["seat"], "actions": step["actions"]})
        assert step["public"] == [
            _trimmed(event, to) for event, to in zip(reply["public"], step["public"], strict=True)
        ]
        assert step["to_move"] == reply["to_move"]
    view = ask(server, {"view": "V"})["view"]
    assert end == {
        "winner": reply["outcome"]["winner"],
        "vampire_cell": view["own"]["cell"],
        "vampire_hp": view["hp"],
        "bullets": view["bullets"],
        "pawns": {**dict.fromkeys(view["gone"]), **view["pawns"]},
        "tokens": {kind: sorted(cells) for kind, cells in view["tokens"].items()},
    }


def _trimmed(event: dict[str, Any], to: dict[str, Any]) -> dict[str, Any]:
    """Events may carry more fields than the record's."""
    return {key: value for key, value in event.items() if key in to}


def test_there_are_whole_games_to_play() -> None:
    """All forty games are there: the test above cannot pass on nothing."""
    assert 40 == len(RECORDS)


def test_design_example() -> None:
    """The protocol's example: who is to move, a refusal in words with the state unchanged, a
    view.
    """
    server = referee()
    new = ask(server, {"new": {"players": 3, "seed": 5}})
    assert (True, 1, "vampireradar", "V") == (
        new["ok"],
        new["protocol"],
        new["game"],
        new["to_move"],
    )
    placed = ask(server, {"seat": "V", "actions": [{"type": "place", "cell": "E5"}]})
    assert [{"event": "vampire_hid", "cell": "E5"}] == placed["private"]["V"]
    refused = ask(server, {"seat": "H1", "actions": [{"type": "walk", "pawn": "H1a", "to": "B2"}]})

    assert {"code": "illegal_action", "message": "A1 and B2 are not neighbours."} == refused[
        "error"
    ]
    assert ("H1", 2) == (
        ask(server, {"view": "H1"})["view"]["to_move"],
        placed["public"][1]["actions_left"],
    )
    assert None is ask(server, {"view": "H1"})["view"]["own"]


def test_a_list_is_all_or_nothing() -> None:
    """If one action of a list is illegal, none has happened."""
    server = referee()
    ask(server, {"new": {"players": 2, "seed": 1}})
    ask(server, {"seat": "V", "actions": [{"type": "place", "cell": "E5"}]})
    before = ask(server, {"view": None})
    walk = {"type": "shoot", "pawn": "H1a", "direction": "N"}

    assert not ask(
        server,
        {"seat": "H1", "actions": [walk, {"type": "shoot", "pawn": "H2a", "direction": "N"}]},
    )["ok"]
    assert before == ask(server, {"view": None})


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ({"optoins": {}}, 'optoins: there is no "optoins" here. Is "options" meant?'),
        (
            {"options": {"turn_order": "rotatin"}},
            'options.turn_order: "rotatin" is none of: fixed, rotating. Is "rotating" meant?',
        ),
        ({"options": {"pawns_each": 99}}, "options.pawns_each: this is at most 8, not 99."),
        ({"options": {"pth": 1}}, 'options.pth: there is no "pth" here. Is "path" meant?'),
        (
            {"field": {"tiles": ["." * 9, 3], "walls": []}},
            "field.tiles[2]: this has to be a text, not 3.",
        ),
        (
            {"options": {"lazy_landing": None}},
            "options.lazy_landing: this is true or false, not null.",
        ),
        ({"x" * 900: 1}, f'"{"x" * 39}…" here.'),
    ],
)
def test_a_refused_set_up_is_named_by_field_and_value(new: dict[str, Any], why: str) -> None:
    """Which field, which value, and what may be meant; a long value is shortened."""
    error = ask(referee(), {"new": {"players": 2, **new}})["error"]

    assert ("invalid_setup", "This set-up cannot be read.") == (error["code"], error["message"])
    assert 1 == len(error["why"])
    assert why in error["why"][0]
    assert len(error["why"][0]) < 300


@pytest.mark.parametrize(
    ("game", "field", "value", "why"),
    [
        ("manhunt", "places.1.number", 1, "places[2].number: place 1 was there before."),
        ("vwars", "city.1.region", "nowhere", 'city[2].region: there is no "nowhere".'),
        ("vampire_empire", "card.1.id", "same", 'card[2].id: the id "same" was given before.'),
    ],
)
def test_refused_content_is_named_by_field(game: str, field: str, value: object, why: str) -> None:
    """Content in a set-up that contradicts itself is refused with each field and reason."""
    loaded = {
        "manhunt": load_packaged("companion.games.manhunt", "maps/town.toml", MapFile),
        "vwars": sample_cards(),
        "vampire_empire": sample_decks(),
    }[game]
    content = to_builtins(strip_translations(loaded))
    table, index, key = field.split(".")
    content[table][int(index)][key] = value
    if game == "vampire_empire":
        content[table][0][key] = value
    server = RulesServer(find_game(game), Catalog.load("en", game).translate)

    error = ask(server, {"new": {"players": 3 if game == "vwars" else 2, "content": content}})

    assert "invalid_setup" == error["error"]["code"]
    assert why in error["error"]["why"]


def test_no_refusal_uses_a_librarys_words() -> None:
    """A refused action has a reason for each wrong field, quotes at most 40 letters of it, and
    nothing of msgspec or Python.
    """
    server = referee()
    ask(server, {"new": {"players": 2, "seed": 1}})
    wrong: list[Any] = [None, 3, [], "x" * 3000, {"type": None}, {"type": "walc"}, {"to": "A1"}]
    wrong += [{"type": "walk", "to": None}, {"type": "walk", "to": 3}, {"type": "walk", "to": []}]
    wrong += [{"type": "walk", "pawn": "x" * 3000, "to": 4, "extra": 1}]

    for action in wrong:
        error = ask(server, {"seat": "V", "actions": [action]})["error"]

        text = "".join([error["message"], *error["why"]])
        assert ("invalid_action", True) == (error["code"], bool(error["why"]))
        assert not re.search(r"`|\$|None|True|NoneType|Expected|Object|x{41}", text), text


def test_a_refused_content_file_is_named_by_line_and_field(tmp_path: Path) -> None:
    """Up to ten faults are listed as by `companion content check`; a path that no system takes, or
    of a user that there is not, is refused in words.
    """
    deck = tmp_path / "deck.toml"
    cards = 'card = [{ id = "a", deck = "vampir", kind = "combat", name = "A" }]\n'
    deck.write_text(
        f'format = 1\ngame = "vampire_empire"\ntitle = "T"\nlanguage = "nl"\nsample = '
        f"false\n{cards}"
    )
    server = RulesServer(
        find_game("vampire_empire"), Catalog.load("en").translate, with_named_content
    )

    def refused(name: str) -> dict[str, Any]:
        error: dict[str, Any] = ask(server, {"new": {"players": 2, "options": {"content": name}}})[
            "error"
        ]
        return error

    error = refused(str(deck))
    why = 'deck.toml:6: card[1].deck: "vampir" is none of: human, vampire. Is "vampire" meant?'
    assert ("invalid_content", [why]) == (error["code"], error["why"])
    deck.write_text(
        'game = "vampire_empire"\n' + "".join(f"k{number} = 1\n" for number in range(50))
    )
    assert 10 == len(refused(str(deck))["why"])
    for name in ("~nobody-here/deck.toml", "/dev/zero", str(tmp_path), "x" * 5000):
        assert "invalid_content" == refused(name)["code"]
    assert "invalid_action" == refused("a\0b")["code"] == refused("\ud83e")["code"]


def test_lines_are_read_to_a_bounded_length() -> None:
    """A line that is too long is refused and no more than that is kept; the lines after it are
    answered.
    """
    stream = BytesIO(b"x" * (3 * MAX_LINE_BYTES) + b"\n" + b'\xff\n{"view": null}')
    lines = [*read_lines(stream)]
    answers = [json.loads(answer)["error"]["message"] for answer in referee().run(lines)]
    expected = [
        Message("line_too_long", {"most": MAX_LINE_BYTES}),
        Message("not_json"),
        Message("no_game_yet"),
    ]

    assert max(map(len, lines)) <= MAX_LINE_BYTES + 2
    assert [Catalog.load("en").translate(each) for each in expected] == answers


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "invalid_action"),
        ("{", "invalid_action"),
        ("[" * 100_000, "invalid_action"),
        ("[]", "invalid_action"),
        ('{"seat": "H1"}', "invalid_action"),
        ('{"seat": "H9", "actions": [{"type": "end"}]}', "invalid_action"),
        ('{"seat": "H1", "actions": []}', "invalid_action"),
        ('{"seat": "H1", "actions": [{"type": "end"}], "more": 1}', "invalid_action"),
        ('{"view": "H7"}', "invalid_action"),
        ('{"seat": "H1", "actions": [{"type": "end"}]}', "illegal_action"),
        ('{"new": {"players": 5}}', "invalid_setup"),
        ('{"new": {"players": true}}', "invalid_setup"),
        ('{"new": {"players": 2, "seed": "x"}}', "invalid_setup"),
        ('{"new": {"players": 2, "optoins": {}}}', "invalid_setup"),
        ('{"new": {"players": 2, "options": {"turn_order": "random"}}}', "invalid_setup"),
        ('{"new": {"players": 2, "field": {"tiles": ["......"], "walls": []}}}', "invalid_setup"),
        ("x" * (MAX_LINE_BYTES + 1), "invalid_action"),
        (r'{"new": {"players": 2, "options": {"path": "\ud83e"}}}', "invalid_action"),
        (r'{"new": {"players": 2, "options": {"\ud83e": 1}}}', "invalid_action"),
        (r'{"seat": "V", "actions": [{"type": "place", "cell": "C\u0000"}]}', "invalid_action"),
        ('{"view": NaN}', "invalid_action"),
        ('{"view": 1e999}', "invalid_action"),
        ('{"view": ' + "[" * 60 + "]" * 60 + "}", "invalid_action"),
        ('{"new": {"players": 2, "seed": ' + "9" * 60_000 + "}}", "invalid_action"),
    ],
)
def test_bad_lines_are_refused_in_words(line: str, code: str) -> None:
    """What cannot be read or done is refused with a code and a sentence; the game is as it was."""
    server = referee()
    ask(server, {"new": {"players": 3, "seed": 5}})
    before = ask(server, {"view": "V"})
    reply = server.answer(line)

    assert (False, code) == (reply["ok"], reply["error"]["code"])
    assert " " in reply["error"]["message"]
    assert before == ask(server, {"view": "V"})


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_only_seats_of_this_game_are_known(game: Game, players: int) -> None:
    """A seat that only a game of more players has may neither look nor act; each seat of this game
    may look.
    """
    server = referee(game.name)
    ask(server, {"new": {"players": players, "seed": 1}})
    seats = game.seat_names(players)
    refused = {"code": "invalid_action", "message": "There is no such seat"}

    assert all(ask(server, {"view": seat})["ok"] for seat in seats)
    for seat in set(game.seat_names(game.seats[-1])) - set(seats):
        assert refused == ask(server, {"view": seat})["error"]
        assert (
            refused
            == ask(
                server, {"seat": seat, "actions": [{"type": game.actions[0].__struct_config__.tag}]}
            )["error"]
        )


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_numbers_of_players_are_named(game: Game) -> None:
    """A wrong number of players is refused with the numbers there are; a single number is not named
    as a range.
    """
    least, most = game.seats[0], game.seats[-1]
    numbers = f"{least}" if least == most else f"{least} to {most}"

    for wrong in (None, least - 1, most + 1, True, str(least)):
        refused = ask(referee(game.name), {"new": {"players": wrong}})["error"]
        assert {
            "code": "invalid_setup",
            "message": f"This game is for {numbers} players",
        } == refused


def test_another_game_is_refused_as_another_game() -> None:
    """The answer to a `new` line of another game names the game of these rules; it is no record."""
    refused = ask(referee(), {"new": {"game": "vwars", "players": 3}})["error"]

    assert (
        "These are the rules of vampireradar; this line asks for another game."
        == refused["message"]
    )


def test_interrupts_are_shown() -> None:
    """Beside the box both players of Vampire Empire may type what a card changes: what the seat
    that is not to move may do stands under its name and is accepted from it.
    """
    server, rng = referee("vampire_empire"), Random(3)
    reply = ask(server, {"new": {"players": 2, "seed": 1, "options": {"content": "box"}}})
    kinds = set()
    for _ in range(300):
        if reply["to_move"] is None:
            break
        assert reply["to_move"] not in reply["interrupts"]
        kinds |= {
            offered_action["type"]
            for offered in reply["interrupts"].values()
            for offered_action in offered
        }
        offers = [(reply["to_move"], offered_action) for offered_action in reply["legal"]]
        offers += [
            (seat, offered_action)
            for seat, offered in reply["interrupts"].items()
            for offered_action in offered
        ]
        seat, action = rng.choice(offers)
        reply = ask(server, {"seat": seat, "actions": [action]})
        assert reply["ok"]

    assert {kind.__struct_config__.tag for kind in find_game("vampire_empire").interrupts} == kinds


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_nobody_interrupts_where_all_lies_with_the_companion(game: Game) -> None:
    """With the default options no seat may act out of turn; the field is there and empty."""
    assert (
        {} == ask(referee(game.name), {"new": {"players": game.seats[0], "seed": 1}})["interrupts"]
    )


def test_before_a_game() -> None:
    """Without a game there is nothing to act in or look at."""
    for request in ({"view": None}, {"seat": "V", "actions": [{"type": "end"}]}):
        assert "Start a game first." == ask(referee(), request)["error"]["message"]


def test_doubtful_set_ups_are_warned_about() -> None:
    """A doubtful field or start is accepted, with a warning in words each."""
    tiles = ["r.....", "......", "......", "......", "......", "......"]
    reply = ask(
        referee(),
        {
            "new": {
                "players": 2,
                "field": {"tiles": tiles, "walls": ["A1-B1"]},
                "start": dict.fromkeys(("H1a", "H1b", "H1c", "H1d"), "C3"),
            }
        },
    )

    assert reply["ok"]
    assert any("corner" in warning for warning in reply["warnings"])


def test_run_answers_line_by_line() -> None:
    """Each line has one line as its answer; empty lines are passed over."""
    answers = list(referee().run(['{"new": {"players": 2, "seed": 1}}\n', "\n", "nonsense\n"]))

    assert [True, False] == [json.loads(answer)["ok"] for answer in answers]
