"""A game in which players set by hand what is otherwise drawn: everybody reads that, and everybody
is asked.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.game import Game, Seat
from companion.games import GAMES
from companion.games.shisogari.rules import Shisogari
from companion.table.errors import Refused
from companion.table.votes import SYSTEM
from tests.table.play import Play, start_with_all

SEATS = ("P1", "P2", "P3", "P4")
FIRST = {"first": "P2"}


def drawn(game: Game, players: int) -> dict[str, Any]:
    """Return the set-up that starts a drawn game."""
    state = game.initial()
    for event in game.setup(game.seat_names(players), game.setup_type(), Random(1)):
        state = game.evolve(state, event)
    return game.to_setup(state)


@pytest.fixture
def lobby(tmp_path: Path) -> Play:
    """Four sit in the lobby of a game of cards."""
    play = Play(tmp_path / "data", Shisogari())
    play.table.lobby.propose({"players": 4})
    for number, seat in enumerate(SEATS, start=1):
        play.table.seats.claim(Seat(seat), seat, f"{number:064x}")
    return play


def custom_setup(play: Play) -> object:
    return play.table.snapshot()["lobby"].get("custom_setup")


def open_vote(play: Play) -> object:
    vote = play.table.snapshot()["vote"]
    return vote and (vote["what"], vote["needed"], vote["agreed"])


@pytest.mark.parametrize(
    "game", [game for game in GAMES if game.custom_setup], ids=lambda game: game.name
)
def test_everybody_reads_that(tmp_path: Path, game: Game) -> None:
    """Lobby and log show a custom set-up as soon as they are proposed, and nothing of the kind
    without them.
    """
    play = Play(tmp_path / "data", game)
    choices = drawn(game, game.seats[0])
    custom = {name: choices[name] for name in game.custom_setup if name in choices}
    play.table.lobby.propose({"players": game.seats[0], **custom})
    assert ([*custom], "custom_setup") == (custom_setup(play), play.events()[-1])

    play.table.lobby.propose(dict.fromkeys(custom))
    assert (None, "proposed") == (custom_setup(play), play.events()[-1])


def test_what_is_drawn_needs_no_vote(lobby: Play) -> None:
    """A game in which all is drawn begins at once."""
    lobby.table.start()

    assert ("play", None) == (lobby.table.snapshot()["phase"], custom_setup(lobby))
    assert "custom_setup" not in lobby.events()


@pytest.mark.parametrize("by", ["P1", None])
def test_everybody_is_asked(lobby: Play, by: str | None) -> None:
    """A start by a seat or by a hand on the table needs the consent of all seated players, and the
    game is shown as custom as long as it is played.
    """
    lobby.table.lobby.propose(FIRST)
    lobby.table.start(Seat(by) if by else SYSTEM)
    agreed = [by] if by else []
    assert ("lobby", ("custom_setup", [*SEATS], agreed)) == (
        lobby.table.snapshot()["phase"],
        open_vote(lobby),
    )
    for seat in SEATS:
        lobby.table.votes.cast(Seat(seat), agree=True)

    assert ("play", ["first"], None) == (
        lobby.table.snapshot()["phase"],
        custom_setup(lobby),
        open_vote(lobby),
    )
    assert "custom_setup" in lobby.events()
    lobby.crash()
    assert ["first"] == custom_setup(lobby)


def test_one_no(lobby: Play) -> None:
    """With one refusal no game begins."""
    lobby.table.lobby.propose(FIRST)
    lobby.table.start(Seat("P1"))
    lobby.table.votes.cast(Seat("P3"), agree=False)

    assert ("lobby", None) == (lobby.table.snapshot()["phase"], open_vote(lobby))


@pytest.mark.parametrize("change", ["proposal", "seat", "free"])
def test_another_lobby_is_another_vote(lobby: Play, change: str) -> None:
    """Another proposal, or another player at a seat, voids the agreement."""
    lobby.table.lobby.propose(FIRST)
    lobby.table.start(Seat("P1"))
    match change:
        case "proposal":
            lobby.table.lobby.propose({"first": "P3"})
        case "seat":
            lobby.table.seats.free(Seat("P4"))
            lobby.table.seats.claim(Seat("P4"), "Eve", "e" * 64)
        case _:
            lobby.table.seats.free(Seat("P4"))

    assert None is open_vote(lobby)
    with pytest.raises(Refused, match="no_vote"):
        lobby.table.votes.cast(Seat("P2"), agree=True)


def test_the_next_game_is_drawn(lobby: Play) -> None:
    """After a game with a custom set-up the next one is drawn again."""
    lobby.table.lobby.propose(FIRST)
    start_with_all(lobby.table)
    for seat in SEATS:
        lobby.table.votes.draw(Seat(seat))
    lobby.table.open_next_game(by=0)

    assert None is custom_setup(lobby)
