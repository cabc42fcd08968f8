"""Public choices of seats before a game: roles of V-Wars, none of them twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.core.game import Seat
from companion.games.vwars.rules import VWars, sample_cards
from companion.table.errors import Refused
from tests.table.play import Play

P1, P2, P3 = (Seat(f"P{number}") for number in (1, 2, 3))
ONE, TWO, THREE = (role.id for role in sample_cards().role[:3])


@pytest.fixture
def play(tmp_path: Path) -> Play:
    play = Play(tmp_path / "data", VWars())
    play.table.lobby.bot_levels = {"vwars": ("random", "heuristic")}
    play.table.lobby.propose({"players": 3})
    for number, seat in enumerate((P1, P2, P3), start=1):
        play.table.seats.claim(seat, f"Person {seat}", f"{number:064x}")
    return play


def chosen(play: Play) -> Any:
    return play.table.snapshot()["lobby"]["roles"]


def test_a_seat_chooses_and_chooses_again(play: Play) -> None:
    """A choice is shown to everybody, may be changed and taken back, and is there again after a
    restart.
    """
    offered = [role.id for role in sample_cards().role]
    assert {"roles": offered} == play.table.snapshot()["lobby"]["choices"]
    play.table.lobby.choose(P1, "roles", ONE)
    play.table.lobby.choose(P2, "roles", TWO)
    play.table.lobby.choose(P1, "roles", THREE)
    play.crash()
    assert {P1: THREE, P2: TWO} == chosen(play)

    for seat in (P1, P2):
        play.table.lobby.choose(seat, "roles", None)
    assert chosen(play) is None


@pytest.mark.parametrize(
    ("seat", "kind", "choice", "code"),
    [
        (P2, "roles", ONE, "choice_taken"),
        (P2, "roles", "nobody", "no_such_choice"),
        (P2, "options", ONE, "no_such_choice"),
        (P2, "deal", None, "no_such_choice"),
        (Seat("P4"), "roles", TWO, "no_such_seat"),
    ],
)
def test_what_cannot_be_chosen(
    play: Play, seat: Seat, kind: str, choice: str | None, code: str
) -> None:
    """Another seat's choice, an unknown choice and an unknown seat are refused, and nothing is
    stored.
    """
    play.table.lobby.choose(P1, "roles", ONE)
    before = play.table.snapshot()["position"]
    with pytest.raises(Refused) as refused:
        play.table.lobby.choose(seat, kind, choice)

    assert (code, before) == (refused.value.message.code, play.table.snapshot()["position"])


def test_who_chose_has_it(play: Play) -> None:
    """In the game each seat has the role that it chose; nobody chooses any more."""
    play.table.lobby.choose(P1, "roles", TWO)
    play.table.lobby.choose(P3, "roles", ONE)
    play.table.start()
    names = {role.id: role.name for role in sample_cards().role}
    players = play.table.snapshot()["view"]["players"]

    assert [names[TWO], names[ONE]] == [players[seat]["role"]["name"] for seat in (P1, P3)]
    assert 3 == len({player["role"]["name"] for player in players.values()})
    with pytest.raises(Refused, match="game_running"):
        play.table.lobby.choose(P2, "roles", THREE)


def test_a_choice_is_of_who_sits_there(play: Play) -> None:
    """A player who gets up, or gives the seat to a bot, leaves no choice behind; nor does a game
    leave one for the next.
    """
    for seat, role in ((P1, ONE), (P2, TWO), (P3, THREE)):
        play.table.lobby.choose(seat, "roles", role)
    play.table.seats.free(P1)
    play.table.seats.give(P2, "heuristic", P2)
    assert {P3: THREE} == chosen(play)

    play.table.lobby.propose({"options": {"roles": "dealt"}})
    assert chosen(play) is None
    assert "choices" not in play.table.snapshot()["lobby"]


def test_fewer_seats_keep_what_they_chose(play: Play) -> None:
    """With fewer players the remaining ones keep their choices, and the others' are free for
    them.
    """
    play.table.lobby.propose({"players": 4})
    play.table.seats.claim(Seat("P4"), "Person P4", f"{4:064x}")
    play.table.lobby.choose(Seat("P4"), "roles", ONE)
    play.table.lobby.choose(P1, "roles", TWO)
    play.table.lobby.propose({"players": 3})
    assert {P1: TWO} == chosen(play)

    play.table.lobby.choose(P2, "roles", ONE)
    assert {P1: TWO, P2: ONE} == chosen(play)


def test_a_person_goes_before_a_bot(play: Play) -> None:
    """A person may take the role that a bot has chosen; a bot never takes a person's, nor another
    bot's.
    """
    for seat in (P2, P3):
        play.table.seats.give(seat, "heuristic", seat)
    play.table.lobby.choose(P2, "roles", ONE)
    with pytest.raises(Refused, match="choice_taken"):
        play.table.lobby.choose(P3, "roles", ONE)
    play.table.lobby.choose(P1, "roles", ONE)

    assert {P1: ONE} == chosen(play)
    with pytest.raises(Refused, match="choice_taken"):
        play.table.lobby.choose(P2, "roles", ONE)


def test_what_is_offered_can_be_read(play: Play) -> None:
    """Before the game everybody may read the roles, in each language; in the game the reference is
    the game's.
    """
    reference = play.table.reference()
    assert [role.name for role in sample_cards().role] == [
        entry["name"] for entry in reference["choices"]["roles"]
    ]
    assert {"ja", "nl"} <= set(reference["translations"])
    play.table.start()

    assert "choices" not in play.table.reference()
