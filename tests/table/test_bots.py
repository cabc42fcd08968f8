"""A bot's seat at the table: who may give it, and what the bot gets."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.game import Game, PublicEvent, Seat
from companion.core.placement import Cell, Pawn
from companion.games.shisogari.rules import Shisogari
from companion.games.vampire_empire.rules import VampireEmpire
from companion.games.vampireradar.actions import END, Place, Walk
from companion.games.vampireradar.options import V
from companion.games.vampireradar.rules import VampireRadar
from companion.games.vwars.rules import VWars
from companion.table.errors import Refused
from tests.table.play import Play

H1, H2 = Seat("H1"), Seat("H2")


@pytest.fixture
def play(tmp_path: Path) -> Play:
    play = Play(tmp_path / "data", VampireRadar(), night_floor=0)
    play.table.lobby.bot_levels = {"vampireradar": ("greedy", "heuristic")}
    return play


def seat_line(play: Play, seat: str) -> dict[str, object]:
    line: dict[str, object] = next(
        each for each in play.table.snapshot()["seats"] if each["seat"] == seat
    )
    return line


def test_a_free_seat_is_given_and_taken_back(play: Play) -> None:
    """In the lobby a bot takes a free seat, its level is shown, and freeing it leaves the seat
    free.
    """
    play.table.seats.give(V, "greedy")
    assert {"seat": "V", "name": "", "taken": True, "bot": "greedy"} == seat_line(play, "V")

    play.table.seats.free(V)

    assert {"seat": "V", "name": None, "taken": False} == seat_line(play, "V")


def test_a_level_must_be_known(play: Play) -> None:
    """A level that does not exist is refused by name and nobody sits down."""
    with pytest.raises(Refused, match="no_such_level level=clever"):
        play.table.seats.give(V, "clever")

    assert not seat_line(play, "V")["taken"]


@pytest.mark.parametrize(
    ("game", "real"),
    [
        (VWars(), {"content": "box"}),
        (VampireEmpire(), {"content": "box"}),
        (Shisogari(), {"hands": "cards"}),
    ],
)
def test_no_bot_holds_real_cards(tmp_path: Path, game: Game, real: dict[str, str]) -> None:
    """With real cards in hands no seat is given to a bot, and beside a bot real cards are not
    chosen; each is refused and changes nothing.
    """
    table = Play(tmp_path / "data", game).table
    table.lobby.bot_levels = {game.name: ("greedy",)}
    seats = game.seat_names(game.seats[0])
    table.lobby.propose({"options": real})
    with pytest.raises(Refused, match="bot_without_hands"):
        table.seats.give(seats[1], "greedy")
    table.lobby.propose({"options": {}})
    table.seats.give(seats[1], "greedy")
    with pytest.raises(Refused, match="bot_without_hands"):
        table.lobby.propose({"options": real})

    assert {} == table.snapshot()["lobby"]["options"]
    table.seats.free(seats[1])
    table.lobby.propose({"options": real})
    assert [False] * len(seats) == [place["taken"] for place in table.snapshot()["seats"]]


def test_a_person_takes_a_bots_place_in_the_lobby(play: Play) -> None:
    """A latecomer takes a bot's seat."""
    play.table.seats.give(H1, "greedy")
    play.table.seats.claim(H1, "Ana", "01" * 32)

    assert {"seat": "H1", "name": "Ana", "taken": True} == seat_line(play, "H1")


def test_bots_take_the_free_seats_alone(play: Play) -> None:
    """Bots for all free seats leave a person's seat and another bot as they are; one refused seat
    leaves all free.
    """
    seats = play.table.seats
    with pytest.raises(Refused, match="no_such_seat"):
        seats.give_free([V, Seat("H9")], "greedy")
    assert not seat_line(play, "V")["taken"]
    seats.claim(H1, "Ana", "01" * 32)
    seats.give(H2, "heuristic")
    seats.give_free([V, H1, H2], "greedy")

    assert "Ana" == seat_line(play, "H1")["name"]
    assert ["greedy", "heuristic"] == [seat_line(play, seat)["bot"] for seat in ("V", "H2")]


def test_a_person_s_seat_in_a_game_is_given_by_himself_alone(play: Play) -> None:
    """In a game the holder may hand his own seat to a bot, and nobody else may; anybody may give a
    free seat.
    """
    table = play.start("V", "H1")
    with pytest.raises(Refused, match="seat_taken"):
        table.seats.give(H1, "greedy", by=V)
    table.seats.give(H1, "greedy", by=H1)
    table.seats.give(H2, "heuristic", by=V)
    table.seats.give_free([V, H1, H2], "greedy")

    assert "bot" not in seat_line(play, "V")
    assert ["greedy", "heuristic"] == [seat_line(play, seat)["bot"] for seat in ("H1", "H2")]
    assert table.seats.seat_of(f"{17:064x}") is None


def test_a_bot_holds_nobody_up(play: Play) -> None:
    """Votes of the table are for people: beside bots a lone person's undo needs no other
    consent.
    """
    play.table.seats.give(H1, "greedy")
    play.table.seats.give(H2, "greedy")
    table = play.start("V")
    play.night("V", Place(Cell("C3")))
    before = table.snapshot()["position"]
    table.votes.draw(V)

    assert "over" == table.snapshot()["phase"]
    assert table.snapshot()["position"] > before


def test_an_undo_takes_back_the_last_action_of_a_person(play: Play) -> None:
    """What bots did after a person's action goes with it: they would only repeat it. Where bots
    alone have acted there is nothing to take back.
    """
    play.table.seats.give(V, "greedy")
    play.table.seats.give(H2, "greedy")
    table = play.start("H1")
    play.night("V", Place(Cell("C3")))
    assert {"kind": "none", "seat": None} == table.snapshot()["undo"]
    with pytest.raises(Refused, match="nothing_to_undo"):
        table.votes.undo(H1)
    before = table.snapshot()["view"]
    walk(play, "H1")
    walked = table.snapshot()["view"]
    assert {"kind": "free", "seat": "H1"} == table.snapshot()["undo"]
    play.submit("H1", END)
    walk(play, "H2")
    assert {"kind": "vote", "seat": "H1"} == table.snapshot()["undo"]
    play.submit("H2", END)
    play.night("V", END)

    table.votes.undo(H1)
    assert {"event": "rewound", "to": 2, "steps": 4, "by": "H1"} in [
        line["event"] for line in table.snapshot()["log"]
    ]
    assert (walked, "H1") == (table.snapshot()["view"], table.snapshot()["to_move"])
    table.votes.undo(H1)
    assert (before, "H1") == (table.snapshot()["view"], table.snapshot()["to_move"])
    play.crash()
    assert (before, "H1") == (play.table.snapshot()["view"], play.table.snapshot()["to_move"])


def test_a_display_undoes_a_slip_while_a_bot_is_to_move(play: Play) -> None:
    """Who presses *Undo* on the display while a bot is to move speaks for the person whose action
    it is: a slip that told nobody anything is taken back at once.
    """
    play.table.seats.give(H2, "greedy")
    table = play.start("V", "H1")
    play.night("V", Place(Cell("C3")))
    play.submit("H1", END)
    assert "H2" == table.snapshot()["to_move"]
    table.votes.undo(H2)

    assert (None, "H1") == (table.snapshot()["vote"], table.snapshot()["to_move"])


def test_an_undo_knows_who_acted_after_a_seat_was_handed_on(play: Play) -> None:
    """A person's action stays a person's when a bot takes the seat after it."""
    play.table.seats.give(V, "greedy")
    table = play.start("H1", "H2")
    play.night("V", Place(Cell("C3")))
    walk(play, "H1")
    before = table.snapshot()["view"]
    walk(play, "H1")
    table.seats.give(H1, "greedy", by=H1)
    table.votes.undo(H2)

    assert before == table.snapshot()["view"]


def walk(play: Play, seat: str) -> None:
    """Submit the first walk that the rules allow this seat."""
    step = next(action for action in play.table.snapshot()["legal"] if action["type"] == "walk")
    play.submit(seat, Walk(pawn=Pawn(step["pawn"]), to=Cell(step["to"])))


def test_a_vampire_bot_cannot_be_freed_in_a_game(play: Play) -> None:
    """A bot keeps a seat with a secret to the end, and no person gets that secret."""
    play.table.seats.give(V, "greedy")
    table = play.start("H1")
    with pytest.raises(Refused, match="seat_kept"):
        table.seats.free(V, by=H1)
    with pytest.raises(Refused):
        table.seats.claim(V, "Mallory", "02" * 32)


def test_only_a_bot_s_view_is_handed_out(play: Play) -> None:
    """The view of a seat is for the bot that plays it; a person's seat is refused."""
    table = play.start("V")

    with pytest.raises(Refused, match="seat_taken"):
        table.bots.view(V)


def test_the_events_of_a_bot_are_public_and_go_back_with_an_undo(play: Play) -> None:
    """A bot gets the public events that stand: after an undo the withdrawn ones are gone, and an
    unpublished night is not among them.
    """
    play.table.seats.give(H1, "greedy")
    table = play.start("V")
    before = table.bots.view(H1)[2]
    play.night("V", Place(Cell("C3")))
    assert len(before) < len(table.bots.view(H1)[2])
    table.votes.undo(V)

    assert before == table.bots.view(H1)[2]
    play.night("V", Place(Cell("C3")))
    assert all(isinstance(event, PublicEvent) for event in table.bots.view(H1)[2])
    assert None is table.bots.view(H1)[1].own
    for human in ("H1", "H2"):
        play.submit(human, END)
    events = table.bots.view(H1)[2]
    play.submit("V", END)
    assert events == table.bots.view(H1)[2]
    play.clock.advance(60)
    assert events != table.bots.view(H1)[2]


def test_bots_are_there_again_after_a_restart(play: Play) -> None:
    """After a crash the table has its bots and their history as before."""
    play.table.seats.give(H1, "greedy")
    play.start("V")
    play.night("V", Place(Cell("C3")))
    before = play.table.bots.view(H1)
    play.crash()

    assert before == play.table.bots.view(H1)


def test_bots_move_on_as_people_do(play: Play) -> None:
    """In the next game everybody moves on by one seat, bots too: another player is the vampire."""
    play.table.seats.give(V, "greedy")
    table = play.start("H1", "H2")
    table.votes.draw(H1)
    table.votes.cast(H2, agree=True)
    table.open_next_game()

    assert ["Person H1", "Person H2", "greedy"] == [
        seat_line(play, seat).get("bot") or seat_line(play, seat)["name"]
        for seat in ("V", "H1", "H2")
    ]
