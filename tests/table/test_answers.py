"""The table's answers about a game's secrets, as long as they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.game import Seat
from companion.table.public_log import RECENT_EVENTS
from tests.table.play import Play
from tests.table.toy_game import A, Ask, B, End, S, Shout, Step, Wait

END = End()


@pytest.fixture
def day(tmp_path: Path) -> Play:
    """The first secret turn is published; A is to move."""
    play = Play(tmp_path / "data", auto_pick_up=False)
    play.start("S", "A", "B")
    play.night("S", Step(3), END)
    return play


def disclosed_events(play: Play) -> list[str]:
    return [line["event"]["event"] for line in play.table.disclosed()]


def undo(play: Play, by: str) -> None:
    """Take the last action back, with everybody's consent if it needs that."""
    play.table.votes.undo(Seat(by))
    while vote := play.table.snapshot()["vote"]:
        play.table.votes.cast(
            next(seat for seat in vote["needed"] if seat not in vote["agreed"]), agree=True
        )


@pytest.mark.slow
def test_all_of_a_long_game(day: Play) -> None:
    """However many events follow, every answer of the game is there, also after a restart."""
    day.submit("A", Ask())
    for number in range(RECENT_EVENTS + 10):
        day.submit("A", Wait(), id=f"wait-{number}")
    day.submit("A", Ask())

    assert ["night_fell", "answered", "answered"] == disclosed_events(day)
    before = day.table.disclosed()
    day.crash()
    assert before == day.table.disclosed()


def test_what_was_taken_back(day: Play) -> None:
    """An answer that was taken back is removed; those before it stay."""
    day.submit("A", Ask())
    day.submit("A", Ask())
    undo(day, "A")

    assert ["night_fell", "answered"] == disclosed_events(day)


def test_a_nightfall_that_was_taken_back(day: Play) -> None:
    """A night that falls again counts once, and one whose turn's end was taken back not at all."""
    day.submit("A", Ask(), END)
    day.submit("B", Ask(), END)
    assert ["night_fell", "answered", "answered", "night_fell"] == disclosed_events(day)
    undo(day, "B")
    assert ["night_fell", "answered", "answered"] == disclosed_events(day)

    day.submit("B", END)
    day.night("S", Shout(), END)
    undo(day, "S")
    assert ["night_fell", "answered", "answered", "night_fell"] == disclosed_events(day)


def test_the_last_answer_that_stands(day: Play) -> None:
    """The snapshot has the last standing disclosure, whatever else was published since, and nothing
    of a night.
    """
    assert None is day.table.snapshot()["answer"]
    day.submit("A", Ask())
    last = day.table.disclosed()[-1]
    for number in range(20):
        day.submit("A", Wait(), id=f"wait-{number}")
    assert last == day.table.snapshot()["answer"]
    day.submit("A", Ask())
    undo(day, "A")
    day.submit("A", END)
    day.submit("B", END)

    assert last == day.table.snapshot()["answer"]


def test_the_next_game(day: Play) -> None:
    """A new game has none of the answers before; the lobby shows none."""
    day.submit("A", Ask())
    for seat in (S, A, B):
        day.table.votes.draw(seat)
    day.table.open_next_game(by=0)
    assert (False, []) == ("answer" in day.table.snapshot(), day.table.disclosed())
    day.table.start()

    assert ["night_fell"] == disclosed_events(day)
