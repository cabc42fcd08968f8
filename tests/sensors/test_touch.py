"""Taps are reconciled as sensors' observations are."""

from __future__ import annotations

import pytest

from companion.core.game import IllegalAction
from companion.core.placement import Cell, Pawn
from companion.games.vampireradar.actions import END, Walk
from companion.sensors.reader import BoardReader, BoardRefused, touch_observation
from tests.helpers.simulated_clock import SimulatedClock
from tests.sensors.fakes import Record, record

H1A = Pawn("H1a")
ROUND_THE_CORNER = [Walk(pawn=H1A, to=Cell("A2")), Walk(pawn=H1A, to=Cell("B2"))]


def make_reader(game: Record) -> BoardReader:
    return BoardReader(game.view, game.submit, SimulatedClock())


def test_the_rest_of_the_table_is_as_recorded() -> None:
    """A tap moves one pawn and agrees with the record otherwise."""
    game = record({"H1a": "A1", "H1b": "A1", "H2a": "B1"})

    observation = touch_observation(game.placement, H1A, Cell("B1"), 5.0)

    assert {
        Cell("A1"): frozenset({Pawn("H1b")}),
        Cell("B1"): frozenset({H1A, Pawn("H2a")}),
    } == observation.pawns
    assert 5.0 == observation.at


def test_a_walk_is_played_at_once() -> None:
    """A tap needs no settling and no board."""
    game = record({"H1a": "A1"})

    make_reader(game).touch(H1A, Cell("A2"))

    assert [("H1", [Walk(pawn=H1A, to=Cell("A2"))])] == game.submitted


def test_two_paths_are_asked() -> None:
    """Two steps across a corner ask for the path, and the answer plays it."""
    game = record({"H1a": "A1"})
    reader = make_reader(game)

    reader.touch(H1A, Cell("B2"))

    status = reader.status()
    assert ("touch", "ambiguous", 2) == (status["source"], status["state"], len(status["readings"]))
    assert [] == game.submitted

    reader.answer("reading", ROUND_THE_CORNER)

    assert Cell("B2") == game.state.public.pawns[H1A]
    assert ("none", "off") == (reader.status()["source"], reader.status()["state"])


def test_a_tap_on_the_own_tile_does_nothing() -> None:
    """A tap on the pawn's own tile plays nothing."""
    game = record({"H1a": "A1"})

    make_reader(game).touch(H1A, Cell("A1"))

    assert [] == game.submitted


@pytest.mark.parametrize(
    ("pawn", "cell", "code"),
    [
        ("H1a", "F6", "not_neighbours"),
        ("H2a", "C4", "not_your_pawn"),
        ("H9z", "A1", "board_no_such_pawn"),
        ("H1a", "Z9", "no_such_cell"),
    ],
)
def test_an_illegal_walk_is_refused_by_its_rule(pawn: str, cell: str, code: str) -> None:
    """A refused tap names the rule that forbids it; nothing changes."""
    game = record({"H1a": "A1", "H2a": "C3"})

    with pytest.raises(BoardRefused) as refused:
        make_reader(game).touch(Pawn(pawn), Cell(cell))

    assert code == refused.value.message.code
    assert [] == game.submitted


def test_a_tap_in_the_night_is_refused() -> None:
    """During the night nobody moves a pawn."""
    game = record({"H1a": "A1"})
    game.play(END)

    with pytest.raises(BoardRefused) as refused:
        make_reader(game).touch(H1A, Cell("A2"))

    assert "board_not_now" == refused.value.message.code


def test_a_refused_tap_ends_the_question_before() -> None:
    """A tap that is refused drops the question of an earlier one, also on the screens."""
    reader = make_reader(record({"H1a": "A1"}))
    reader.touch(H1A, Cell("B2"))
    assert "ambiguous" == reader.status()["state"]

    with pytest.raises(BoardRefused):
        reader.touch(H1A, Cell("F6"))

    assert ("off", []) == (reader.status()["state"], reader.status()["readings"])


def test_the_tables_refusal_reaches_who_tapped() -> None:
    """If the table refuses the walk (a dawn that is still being published), `touch` raises its
    reason.
    """
    game = record({"H1a": "A1"})

    def refuse(seat: object, actions: object) -> None:
        raise IllegalAction("night_not_over")

    reader = BoardReader(game.view, refuse, SimulatedClock())

    with pytest.raises(IllegalAction):
        reader.touch(H1A, Cell("A2"))


def test_without_a_game_a_tap_is_refused() -> None:
    """In the lobby there is nothing to move."""
    game = record({"H1a": "A1"})

    with pytest.raises(BoardRefused) as refused:
        BoardReader(lambda: None, game.submit, SimulatedClock()).touch(H1A, Cell("A2"))

    assert "board_no_game" == refused.value.message.code


def test_a_question_is_dropped_when_the_record_moves_on() -> None:
    """The readings of a tap are dropped when the record changes."""
    game = record({"H1a": "A1"})
    reader = make_reader(game)
    reader.touch(H1A, Cell("B2"))

    game.play(END)
    reader.game_changed()

    assert [] == reader.status()["readings"]
    with pytest.raises(BoardRefused):
        reader.answer("reading", ROUND_THE_CORNER)
