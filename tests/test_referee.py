"""The JSON-lines protocol, and whole games from an independent implementation of the rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.games import find_game
from companion.referee import LONGEST_LINE, Referee
from companion.sentences import Sentences

HERE = Path(__file__).parent
SHARED = HERE.parent.parent / "shared" / "games"
OWN = HERE / "fixtures" / "games"
GAMES = sorted((SHARED if SHARED.is_dir() else OWN).glob("*.jsonl"))


def referee() -> Referee:
    return Referee(find_game("vampireradar"), Sentences.load("en").say)


def ask(judge: Referee, request: object) -> dict[str, Any]:
    return judge.answer(json.dumps(request))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_whole_games_are_accepted_action_by_action(path: Path) -> None:
    """Each action is offered among as many, causes the same public events and passes the turn on alike; the
    game ends with the same winner, hands, pawns, tokens and vampire."""
    new, *steps, end = [json.loads(line) for line in path.read_text().splitlines()]
    judge = referee()
    reply = ask(judge, new)
    assert "warnings" not in reply
    for number, step in enumerate(steps, 2):
        assert (number, step["legal"]) == (number, len(reply["legal"]))
        assert step["actions"][0] in reply["legal"]
        reply = ask(judge, {"seat": step["seat"], "actions": step["actions"]})
        assert step["public"] == [
            _trimmed(event, to) for event, to in zip(reply["public"], step["public"], strict=True)
        ]
        assert step["to_move"] == reply["to_move"]
    view = ask(judge, {"view": "V"})["view"]
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
    """At least the fixtures are there: this test cannot pass on nothing."""
    assert len(GAMES) >= 4


def test_design_example() -> None:
    """The protocol's example: who is to move, a refusal in words with the state unchanged, a view."""
    judge = referee()
    new = ask(judge, {"new": {"players": 3, "seed": 5}})
    assert (True, 1, "vampireradar", "V") == (new["ok"], new["protocol"], new["game"], new["to_move"])
    placed = ask(judge, {"seat": "V", "actions": [{"type": "place", "cell": "E5"}]})
    assert [{"event": "vampire_hid", "cell": "E5"}] == placed["private"]["V"]
    refused = ask(judge, {"seat": "H1", "actions": [{"type": "walk", "pawn": "H1a", "to": "B2"}]})

    assert {"code": "illegal_action", "message": "A1 and B2 are not neighbours."} == refused["error"]
    assert ("H1", 2) == (ask(judge, {"view": "H1"})["view"]["to_move"], placed["public"][1]["actions_left"])
    assert None is ask(judge, {"view": "H1"})["view"]["own"]


def test_a_list_is_all_or_nothing() -> None:
    """If one action of a list is illegal, none has happened."""
    judge = referee()
    ask(judge, {"new": {"players": 2, "seed": 1}})
    ask(judge, {"seat": "V", "actions": [{"type": "place", "cell": "E5"}]})
    before = ask(judge, {"view": None})
    walk = {"type": "shoot", "pawn": "H1a", "direction": "N"}

    assert not ask(judge, {"seat": "H1", "actions": [walk, {"type": "shoot", "pawn": "H2a", "direction": "N"}]})["ok"]
    assert before == ask(judge, {"view": None})


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
        ("x" * (LONGEST_LINE + 1), "invalid_action"),
    ],
)
def test_bad_lines_are_refused_in_words(line: str, code: str) -> None:
    """What cannot be read or done is refused with a code and a sentence; the game is as it was."""
    judge = referee()
    ask(judge, {"new": {"players": 3, "seed": 5}})
    before = ask(judge, {"view": "V"})
    reply = judge.answer(line)

    assert (False, code) == (reply["ok"], reply["error"]["code"])
    assert " " in reply["error"]["message"]
    assert before == ask(judge, {"view": "V"})


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
