"""A question from a phone whose answer the displays read aloud: public facts alone, and nobody sees
who asked.
"""

from __future__ import annotations

from typing import Any

import pytest

from companion.clock import SimulatedClock
from companion.table.table import QUESTION_SECONDS
from tests.server.client import GameTable


def question_of(game_table: GameTable) -> Any:
    """Return the question in the public snapshot, None without one."""
    return game_table.table.snapshot().get("question")


def wait(game_table: GameTable) -> None:
    """Let the time of an answer pass."""
    assert isinstance(game_table.clock, SimulatedClock)
    game_table.clock.advance(QUESTION_SECONDS)


def test_a_question_goes_to_all_screens_without_its_sender(game_table: GameTable) -> None:
    """The snapshot has what is asked, and its number, and no seat."""
    vampire, human = game_table.placed()
    assert 1 == human.request("ask_aloud", what="cell", name="C3")["number"]
    first = {"number": 1, "what": "cell", "name": "C3", "is_read": False}
    assert first == question_of(game_table)

    wait(game_table)
    assert 2 == vampire.request("ask_aloud", what="answer")["number"]
    assert {"number": 2, "what": "answer", "name": "", "is_read": False} == question_of(game_table)


def test_a_display_confirms_that_it_reads(game_table: GameTable) -> None:
    """A phone learns from the snapshot that a display reads; a late confirmation of an older
    question changes nothing.
    """
    _, human = game_table.placed()
    display = game_table.display()
    human.request("ask_aloud", what="turn")
    wait(game_table)
    human.request("ask_aloud", what="turn")

    assert display.request("read_aloud", number=1)["ok"]
    assert not question_of(game_table)["is_read"]
    assert "display_only" == human.request("read_aloud", number=2)["code"]
    assert display.request("read_aloud", number=2)["ok"]
    assert question_of(game_table)["is_read"]


@pytest.mark.parametrize(
    ("what", "name"),
    [("cell", "G7"), ("cell", "H1a"), ("cell", ""), ("pawn", "H9a"), ("pawn", "C3"), ("turn", "V")],
)
def test_what_is_not_there_is_refused(game_table: GameTable, what: str, name: str) -> None:
    """A name must be one of the public position: no phone can let a display read other words."""
    _, human = game_table.placed()
    assert "ask_unknown" == human.request("ask_aloud", what=what, name=name)["code"]
    assert None is question_of(game_table)


@pytest.mark.parametrize("args", [{"what": "text"}, {"what": "cell", "name": "C" * 9}, {}])
def test_other_questions_cannot_be_read(game_table: GameTable, args: dict[str, str]) -> None:
    """A question is one of four kinds, with a short name."""
    _, human = game_table.placed()
    assert "invalid_action" == human.request("ask_aloud", **args)["code"]


def test_one_question_at_a_time(game_table: GameTable) -> None:
    """All phones together ask once within the time of an answer; a refused question does not
    count.
    """
    vampire, human = game_table.placed()
    assert "ask_unknown" == human.request("ask_aloud", what="cell", name="Z9")["code"]
    assert human.request("ask_aloud", what="turn")["ok"]
    assert "ask_later" == vampire.request("ask_aloud", what="turn")["code"]
    wait(game_table)
    assert vampire.request("ask_aloud", what="turn")["ok"]


def test_the_seat_of_a_secret_turn_asks_nothing_aloud(game_table: GameTable) -> None:
    """A question from the phone that acts in secret would tell when it is pressed: it is refused
    and published to nobody, until the secret turn is over, submitted or not. Others may ask.
    """
    vampire, human = game_table.started()
    before = game_table.table.snapshot()
    assert "ask_in_secret" == vampire.request("ask_aloud", what="turn")["code"]
    assert before is game_table.table.snapshot()
    assert vampire.request("submit", actions=[{"type": "place", "cell": "C3"}])["ok"]
    assert "ask_in_secret" == vampire.request("ask_aloud", what="turn")["code"]
    assert human.request("ask_aloud", what="turn")["ok"]


def test_nobody_asks_without_a_seat_or_a_game(game_table: GameTable) -> None:
    """Guests, displays and a lobby have no question."""
    (human,) = game_table.seated("H1")
    assert "no_game" == human.request("ask_aloud", what="turn")["code"]
    assert "not_seated" == game_table.display().request("ask_aloud", what="turn")["code"]
