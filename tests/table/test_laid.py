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


def laid(play: Play) -> object:
    return play.table.snapshot()["lobby"].get("laid")


def open_vote(play: Play) -> object:
    vote = play.table.snapshot()["vote"]
    return vote and (vote["what"], vote["needed"], vote["agreed"])


@pytest.mark.parametrize("game", [game for game in GAMES if game.laid], ids=lambda game: game.name)
def test_everybody_reads_that(tmp_path: Path, game: Game) -> None:
    """Lobby and log show parts laid by hand as soon as they are proposed, and nothing of the kind
    without them.
    """
    play = Play(tmp_path / "data", game)
    choices = drawn(game, game.seats[0])
    laid_by_hand = {name: choices[name] for name in game.laid if name in choices}
    play.table.lobby.propose({"players": game.seats[0], **laid_by_hand})
    assert ([*laid_by_hand], "laid_by_hand") == (laid(play), play.events()[-1])

    play.table.lobby.propose(dict.fromkeys(laid_by_hand))
    assert (None, "proposed") == (laid(play), play.events()[-1])


def test_what_is_drawn_needs_no_vote(lobby: Play) -> None:
    """A game in which all is drawn begins at once."""
    lobby.table.start()

    assert ("play", None) == (lobby.table.snapshot()["phase"], laid(lobby))
    assert "laid_by_hand" not in lobby.events()


@pytest.mark.parametrize("by", ["P1", None])
def test_everybody_is_asked(lobby: Play, by: str | None) -> None:
    """A start by a seat or by a hand on the table needs the consent of all seated players, and the
    game is shown as laid by hand as long as it is played.
    """
    lobby.table.lobby.propose(FIRST)
    lobby.table.start(Seat(by) if by else SYSTEM)
    agreed = [by] if by else []
    assert ("lobby", ("laid", [*SEATS], agreed)) == (
        lobby.table.snapshot()["phase"],
        open_vote(lobby),
    )
    for seat in SEATS:
        lobby.table.votes.cast(Seat(seat), agree=True)

    assert ("play", ["first"], None) == (
        lobby.table.snapshot()["phase"],
        laid(lobby),
        open_vote(lobby),
    )
    assert "laid_by_hand" in lobby.events()
    lobby.crash()
    assert ["first"] == laid(lobby)


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
    """After a game laid by hand the next one is drawn again."""
    lobby.table.lobby.propose(FIRST)
    start_with_all(lobby.table)
    for seat in SEATS:
        lobby.table.votes.draw(Seat(seat))
    lobby.table.open_next_game(by=0)

    assert None is laid(lobby)
