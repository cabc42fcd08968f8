"""A question from a phone whose answer the displays read aloud: public facts alone, and nobody sees
who asked.
"""

from __future__ import annotations

from typing import Any

import pytest

from companion.table.table import MOST_QUESTIONS, QUESTION_SECONDS, WAITING_SECONDS
from tests.helpers.simulated_clock import SimulatedClock
from tests.server.client import GameTable


def questions_of(game_table: GameTable) -> Any:
    """Return the questions in the public snapshot."""
    return [*game_table.table.snapshot().get("questions", [])]


def states_of(game_table: GameTable) -> dict[int, str]:
    """Return the state of each question in the public snapshot, by its number."""
    return {each["number"]: each["state"] for each in questions_of(game_table)}


def wait(game_table: GameTable) -> None:
    """Let the time of an answer pass."""
    assert isinstance(game_table.clock, SimulatedClock)
    game_table.clock.advance(QUESTION_SECONDS)


def test_a_question_goes_to_all_screens_without_its_sender(game_table: GameTable) -> None:
    """The snapshot has what is asked, and its number, and no seat."""
    vampire, human = game_table.placed()
    assert 1 == human.request("ask_aloud", what="cell", name="C3")["number"]
    first = {"number": 1, "what": "cell", "name": "C3", "state": "asked"}
    assert [first] == questions_of(game_table)

    assert 2 == vampire.request("ask_aloud", what="answer")["number"]
    second = {"number": 2, "what": "answer", "name": "", "state": "asked"}
    assert [first, second] == questions_of(game_table)


def test_a_display_confirms_that_it_reads(game_table: GameTable) -> None:
    """A phone learns from the snapshot that a display reads its own question, now or later; what
    is read is not waited for again.
    """
    _, human = game_table.placed()
    display = game_table.display()
    human.request("ask_aloud", what="turn")
    wait(game_table)
    human.request("ask_aloud", what="turn")

    assert display.request("read_aloud", number=1)["ok"]
    assert {1: "read", 2: "asked"} == states_of(game_table)
    assert "display_only" == human.request("read_aloud", number=2)["code"]
    assert display.request("read_aloud", number=2, is_waiting=True)["ok"]
    assert {1: "read", 2: "waits"} == states_of(game_table)
    assert display.request("read_aloud", number=2)["ok"]
    assert display.request("read_aloud", number=2, is_waiting=True)["ok"]
    assert {1: "read", 2: "read"} == states_of(game_table)


@pytest.mark.parametrize(
    ("what", "name"),
    [("cell", "G7"), ("cell", "H1a"), ("cell", ""), ("pawn", "H9a"), ("pawn", "C3"), ("turn", "V")],
)
def test_what_is_not_there_is_refused(game_table: GameTable, what: str, name: str) -> None:
    """A name must be one of the public position: no phone can let a display read other words."""
    _, human = game_table.placed()
    assert "ask_unknown" == human.request("ask_aloud", what=what, name=name)["code"]
    assert [] == questions_of(game_table)


@pytest.mark.parametrize("args", [{"what": "text"}, {"what": "cell", "name": "C" * 9}, {}])
def test_other_questions_cannot_be_read(game_table: GameTable, args: dict[str, str]) -> None:
    """A question is one of four kinds, with a short name."""
    _, human = game_table.placed()
    assert "invalid_action" == human.request("ask_aloud", **args)["code"]


def test_one_question_of_each_seat_at_a_time(game_table: GameTable) -> None:
    """A seat asks again after the time of an answer, and not while its question waits for a
    display; a refused question does not count.
    """
    _, human = game_table.placed()
    display = game_table.display()
    assert "ask_unknown" == human.request("ask_aloud", what="cell", name="Z9")["code"]
    assert human.request("ask_aloud", what="turn")["ok"]
    assert "ask_later" == human.request("ask_aloud", what="turn")["code"]
    wait(game_table)
    assert human.request("ask_aloud", what="turn")["ok"]
    assert display.request("read_aloud", number=2, is_waiting=True)["ok"]
    wait(game_table)
    assert "ask_later" == human.request("ask_aloud", what="turn")["code"]
    assert display.request("read_aloud", number=2)["ok"]
    assert human.request("ask_aloud", what="turn")["ok"]


def test_nobody_keeps_others_from_asking(game_table: GameTable) -> None:
    """Beside somebody who asks as often as the table takes it, others ask at any moment, and come
    before that person's next question. A display that promised to read and is gone keeps a seat
    from asking for `WAITING_SECONDS`; old questions leave the snapshot, whoever asked.
    """
    vampire, human = game_table.placed()
    for _ in range(MOST_QUESTIONS):
        assert human.request("ask_aloud", what="turn")["ok"]
        assert "ask_later" == human.request("ask_aloud", what="turn")["code"]
        wait(game_table)
    number = human.request("ask_aloud", what="turn")["number"]
    assert number + 1 == vampire.request("ask_aloud", what="cell", name="C3")["number"]
    assert MOST_QUESTIONS == len(questions_of(game_table))
    assert number + 1 == questions_of(game_table)[-1]["number"]

    display = game_table.display()
    assert display.request("read_aloud", number=number, is_waiting=True)["ok"]
    for _ in range(round(WAITING_SECONDS / QUESTION_SECONDS)):
        assert "ask_later" == human.request("ask_aloud", what="turn")["code"]
        wait(game_table)
    assert human.request("ask_aloud", what="turn")["ok"]


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


def test_questions_end_with_their_game(game_table: GameTable) -> None:
    """The lobby shows no question of the last game, and numbers go on: no display takes the next
    game's first question for one that it has read.
    """
    vampire, human = game_table.placed()
    assert human.request("ask_aloud", what="turn")["ok"]
    assert vampire.request("surrender")["ok"]
    display = game_table.display()
    assert display.request("next_game", by=0)["ok"]
    assert [] == questions_of(game_table)
    assert display.request("start")["ok"]
    wait(game_table)
    assert 2 == human.request("ask_aloud", what="turn")["number"]
