"""Hints: off by default, made from public events, the same throughout the
night.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any
from unittest.mock import patch

from companion.core.capabilities import Suggestion
from companion.games.vampireradar.options import V
from companion.games.vampireradar.suggestions import VampireHints
from tests.helpers.simulated_clock import SimulatedClock
from tests.server.client import GameTable

TIMEOUT = 60.0
suggest = VampireHints.suggest


def odds_json(game_table: GameTable) -> Any:
    answer = game_table.app.test_client().get("/odds.json")
    return (
        answer.get_json() if answer.status_code == 200 else (answer.status_code, answer.get_json())
    )


def suggestion(game_table: GameTable) -> Any:
    answer = game_table.app.test_client().get("/suggestion.json")
    return (
        answer.get_json() if answer.status_code == 200 else (answer.status_code, answer.get_json())
    )


def test_there_is_no_help_unless_the_table_wants_it(game_table: GameTable) -> None:
    """By default no hints are computed; switched on they are there for all, and gone again with the
    switch.
    """
    vampire, *_ = game_table.placed()
    assert (404, {"code": "hints_off"}) == odds_json(game_table) == suggestion(game_table)

    assert vampire.request("settings", change={"hints": True})["ok"]
    assert 16 == len(odds_json(game_table)["odds"])
    assert True is game_table.table.snapshot()["settings"]["hints"]

    assert vampire.request("settings", change={"hints": False})["ok"]
    assert (404, {"code": "hints_off"}) == odds_json(game_table) == suggestion(game_table)


def test_the_chances_are_even_before_the_first_clue(game_table: GameTable) -> None:
    """Just after the vampire has hidden, each of the 16 tiles in the middle has a sixteenth, and no
    other tile has any.
    """
    vampire, *_ = game_table.placed()
    vampire.request("settings", change={"hints": True})
    odds = odds_json(game_table)["odds"]

    assert {62, 63} >= set(odds.values())
    assert {f"{column}{row}" for column in "BCDE" for row in range(2, 6)} == set(odds)


def test_a_night_changes_nothing_until_it_is_published(game_table: GameTable) -> None:
    """Before, during and after the vampire's commit the help is the same, byte by byte, until dawn
    ends the night.
    """
    vampire, *humans = game_table.placed()
    vampire.request("settings", change={"hints": True})
    for human in humans:
        human.request("submit", actions=[{"type": "end"}])
    client = game_table.app.test_client()

    def shown() -> tuple[bytes, bytes]:
        return client.get("/odds.json").data, client.get("/suggestion.json").data

    before = shown()
    legal = game_table.table.seat_snapshot(V)["legal"]
    step = next(action for action in legal if action["type"] == "walk")

    assert vampire.request("preview", actions=[step])["ok"]
    assert before == shown()
    assert vampire.request("submit", actions=[step, {"type": "end"}])["ok"]
    assert before == shown()
    assert isinstance(game_table.clock, SimulatedClock)
    game_table.clock.advance(60)
    assert len(odds_json(game_table)["odds"]) > 16
    assert before[1] != shown()[1]


def test_there_are_no_hints_before_a_game_or_after_it(game_table: GameTable) -> None:
    """In the lobby and after the end there is no help, whatever the setting."""
    vampire, *_ = game_table.started(3)
    vampire.request("settings", change={"hints": True})
    assert {} == odds_json(game_table)["odds"]
    assert None is suggestion(game_table)["suggestion"]

    assert vampire.request("surrender")["ok"]
    assert (404, {"code": "hints_off"}) == odds_json(game_table) == suggestion(game_table)


def test_a_suggestion_is_an_action_of_the_seat_to_move(game_table: GameTable) -> None:
    """A human's turn has a suggestion at its position, which the table takes, with its reason as a
    message; an event that follows changes it, and the vampire's night has none.
    """
    vampire, *humans = game_table.placed()
    vampire.request("settings", change={"hints": True})
    first = suggestion(game_table)
    shown = first["suggestion"]

    assert game_table.table.snapshot()["position"] == first["position"]
    assert {"action", "reason"} == set(shown)
    assert shown["reason"]["code"].startswith("suggest.")
    assert humans[0].request("submit", actions=[shown["action"]])["ok"]
    assert first["position"] < suggestion(game_table)["position"]
    for human in humans:
        human.request("submit", actions=[{"type": "end"}])
    assert None is suggestion(game_table)["suggestion"]


def test_a_suggestion_is_computed_without_a_lock_of_the_table(game_table: GameTable) -> None:
    """While a suggestion is computed the table takes actions and answers for the odds. Nobody waits
    for it: others are told to ask again, and then get the same.
    """
    vampire, *humans = game_table.placed()
    vampire.request("settings", change={"hints": True})
    begun, released = Event(), Event()

    def slow(hints: VampireHints) -> Suggestion | None:
        begun.set()
        assert released.wait(TIMEOUT)
        return suggest(hints)

    with patch.object(VampireHints, "suggest", slow), ThreadPoolExecutor() as threads:
        asked = threads.submit(suggestion, game_table)
        assert begun.wait(TIMEOUT)
        acted = threads.submit(humans[0].request, "submit", actions=[{"type": "end"}])
        odds = threads.submit(odds_json, game_table)
        others = [
            threads.submit(game_table.app.test_client().get, "/suggestion.json") for _ in range(3)
        ]
        try:
            assert acted.result(TIMEOUT)["ok"]
            assert odds.result(TIMEOUT)["odds"]
            busy = [other.result(TIMEOUT) for other in others]
        finally:
            released.set()
        assert "H1" == asked.result(TIMEOUT)["suggestion"]["action"]["pawn"][:2]
    assert {(503, "2", "computing")} == {
        (each.status_code, each.headers["Retry-After"], each.get_json()["code"]) for each in busy
    }
    assert {"position", "suggestion"} == set(suggestion(game_table))
