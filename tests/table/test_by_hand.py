"""Setting the table by hand: everybody is asked; the edit is stored, published, undone, and decided
again from the record.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import GameError, Seat
from companion.core.placement import Cell, Pawn, PositionEdit
from companion.games.vampireradar.actions import END, Place, Walk
from companion.games.vampireradar.options import V
from companion.games.vampireradar.rules import VampireRadar
from companion.table.fairness.export import export_record
from companion.table.fairness.replay import replay_record
from companion.table.storage.log import read_bodies
from tests.table.play import Play
from tests.table.toy_game import A

GAME = VampireRadar()
H1, H2 = Seat("H1"), Seat("H2")
ELSEWHERE = PositionEdit({Pawn("H1a"): Cell("D4")})


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Three people play; the vampire has hidden, H1 is to move."""
    play = Play(tmp_path / "data", GAME)
    play.start("V", "H1", "H2")
    play.night("V", Place(Cell("C4")))
    return play


def place(play: Play) -> str:
    cell: str = play.table.snapshot()["view"]["pawns"]["H1a"]
    return cell


def refusal(play: Play, seat: Seat, arrangement: PositionEdit = ELSEWHERE) -> str:
    before = play.table.snapshot()
    with pytest.raises(GameError) as refused:
        play.table.votes.set_by_hand(seat, arrangement)
    assert before is play.table.snapshot()
    return refused.value.message.code


def record(play: Play) -> list[dict[str, Any]]:
    return [json.loads(line) for line in export_record(read_bodies(play.folder), [GAME])]


def agree(play: Play, *seats: Seat) -> None:
    for seat in seats:
        play.table.votes.cast(seat, True)


def test_all_must_agree(play: Play) -> None:
    """Nothing is set before everybody has agreed, and everybody reads the arrangement."""
    play.table.votes.set_by_hand(H1, ELSEWHERE)
    agree(play, V)
    vote = play.table.snapshot()["vote"]

    assert ("A1", ["H1", "V"]) == (place(play), vote["agreed"])
    assert {"pawns": {"H1a": "D4"}, "tokens": {}} == vote["arrangement"]
    assert [
        {"code": "event.pawn_set", "params": {"pawn": "H1a", "from": "A1", "to": "D4"}}
    ] == vote["meant"]
    agree(play, H2)
    assert ("D4", None) == (place(play), play.table.snapshot()["vote"])
    assert ["by_hand_asked", "vote_agreed", "vote_agreed", "pawn_set"] == play.events()[-4:]


def test_one_no_is_enough(play: Play) -> None:
    """A refusal leaves the table as in the record."""
    play.table.votes.set_by_hand(H1, ELSEWHERE)
    play.table.votes.cast(H2, False)

    assert ("A1", None) == (place(play), play.table.snapshot()["vote"])


def test_a_move_closes_the_vote(play: Play) -> None:
    """An action before all agreed counts as a refusal: the vote is gone."""
    play.table.votes.set_by_hand(H2, ELSEWHERE)
    play.submit("H1", Walk(pawn=Pawn("H1a"), to=Cell("A2")))

    assert ("A2", None) == (place(play), play.table.snapshot()["vote"])


def test_another_arrangement_is_another_vote(play: Play) -> None:
    """While one arrangement is asked about, an agreement to another does not count."""
    play.table.votes.set_by_hand(H1, ELSEWHERE)

    assert "vote_open" == refusal(play, H2, PositionEdit({Pawn("H1a"): Cell("E5")}))


def test_not_at_night(play: Play) -> None:
    """At night nothing is set by hand, and the refusal is the same before and after the vampire has
    decided.
    """
    play.submit("H1", END)
    play.submit("H2", END)
    before = refusal(play, H1)
    play.submit("V", END)

    assert ["night_not_over", "night_not_over"] == [before, refusal(play, H1)]


def test_not_in_the_lobby(tmp_path: Path) -> None:
    """Without a game nothing can be set."""
    assert "no_game" == refusal(Play(tmp_path / "data", GAME), H1)


def test_a_game_without_pawns(tmp_path: Path) -> None:
    """A game without pieces refuses with a sentence."""
    play = Play(tmp_path / "data")
    play.start("S", "A", "B")
    play.table.surrender(Seat("S"))
    assert "no_game" == refusal(play, A)


def test_stale(play: Play) -> None:
    """An action decided before the position was edited is refused."""
    position = play.table.snapshot()["position"]
    play.table.votes.set_by_hand(H1, ELSEWHERE)
    agree(play, H2, V)

    with pytest.raises(GameError, match="stale"):
        play.table.submit(H1, [Walk(pawn=Pawn("H1a"), to=Cell("A2"))], id="late", expect=position)


def test_kept(play: Play) -> None:
    """A vote and its answers outlive the process."""
    play.table.votes.set_by_hand(H1, ELSEWHERE)
    play.crash()
    agree(play, H2, V)
    before = play.table.snapshot()
    play.crash()

    assert ("D4", before) == (place(play), play.table.snapshot())


def test_taken_back_by_all(play: Play) -> None:
    """Nobody alone takes back an agreed arrangement, the seat that asked for it included."""
    play.table.votes.set_by_hand(H1, ELSEWHERE)
    agree(play, H2, V)
    play.table.votes.undo(H1)
    assert ("D4", "undo") == (place(play), play.table.snapshot()["vote"]["what"])

    agree(play, H2, V)
    assert "A1" == place(play)


def test_the_record(play: Play) -> None:
    """The record marks the arrangement that was set by hand, and is decided again to the same
    events, undo included.
    """
    token = play.table.snapshot()["view"]["tokens"]["bullets"][0]
    play.table.votes.set_by_hand(H2, PositionEdit({Pawn("H1a"): Cell("D4")}, {Cell(token): None}))
    agree(play, H1, V)
    play.table.votes.undo(H1)
    agree(play, H2, V)
    play.table.votes.set_by_hand(H1, ELSEWHERE)
    agree(play, H2, V)
    play.submit("H1", END)
    play.table.surrender(V)
    lines = record(play)
    marked = [line for line in lines if "by_hand" in line]

    assert [("H2", token), ("H1", None)] == [
        (line["by"], next(iter(line["by_hand"].get("tokens", {})), None)) for line in marked
    ]
    report = replay_record([json.dumps(line) for line in lines], [GAME])
    assert (None, 4) == (report.wrong, report.decided)


@pytest.mark.parametrize(
    "change",
    [{"pawns": {"H1a": "E4"}}, {"pawns": {"H1z": "D4"}}, {"pawns": ["D4"]}, {"people": {}}],
)
def test_a_changed_record(play: Play, change: dict[str, Any]) -> None:
    """A record with another arrangement is refused at that line."""
    play.table.votes.set_by_hand(H1, ELSEWHERE)
    agree(play, H2, V)
    play.table.surrender(V)
    lines = record(play)
    number = next(number for number, line in enumerate(lines) if "by_hand" in line)
    lines[number]["by_hand"] = change
    report = replay_record([json.dumps(line) for line in lines], [GAME])

    assert (False, number + 1) == (report.ok, report.line)
