"""The seating after another game, or another number of players, is chosen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest

from companion.core.game import Seat
from companion.games import GAMES
from tests.table.play import Play

NAMES = ["vampireradar", "nosferatu", "shisogari", "vampire_empire", "vwars"]
PEOPLE = ("Ana", "Ben", "Cleo")


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    play = Play(tmp_path / "data")
    play.table.close()
    play.games = GAMES
    play.open()
    play.table.lobby.bot_levels = dict.fromkeys(NAMES, ("greedy",)) | {"nosferatu": ()}
    yield play
    play.table.close()


def sit(play: Play, *names: str) -> None:
    """Let people sit down, each with an own key; "" is a bot."""
    seats = [Seat(place["seat"]) for place in play.table.snapshot()["seats"]]
    for number, (seat, name) in enumerate(zip(seats, names, strict=False), start=1):
        if name:
            play.table.seats.claim(seat, name, f"{number:064x}")
        else:
            play.table.seats.give(seat, "greedy")


def seated(play: Play) -> list[tuple[str, str | None]]:
    """Return each seat with its holder: a name, "bot" or None."""
    return [
        (place["seat"], "bot" if "bot" in place else place["name"])
        for place in play.table.snapshot()["seats"]
    ]


@pytest.mark.parametrize(("before", "after"), [*permutations(NAMES, 2)])
def test_people_stay_where_another_game_is_chosen(play: Play, before: str, after: str) -> None:
    """Players keep their seats with the same key as far as the new game has seats, in their order;
    a restart changes nothing.
    """
    play.table.lobby.propose({"game": before})
    sit(play, *PEOPLE)
    keys = [play.table.seats.key_of(Seat(seat)) for seat, name in seated(play) if name]

    play.table.lobby.propose({"game": after})

    places = seated(play)
    count = min(len(keys), len(places))
    assert list(PEOPLE[:count]) == [name for _, name in places if name]
    assert keys[:count] == [
        key for key in (play.table.seats.key_of(Seat(seat)) for seat, _ in places) if key
    ]
    play.crash()
    assert places == seated(play)


def test_people_come_before_bots(play: Play) -> None:
    """If a game has fewer seats, bots get up, and those that cannot play it."""
    sit(play, "", "Ana", "Ben")

    play.table.lobby.propose({"game": "vampire_empire"})
    assert [("vampire", "Ana"), ("human", "Ben")] == seated(play)

    play.table.seats.free(Seat("human"))
    play.table.seats.give(Seat("human"), "greedy")
    play.table.lobby.propose({"game": "vwars", "players": 3})
    assert [("P1", "Ana"), ("P2", "bot"), ("P3", None)] == seated(play)

    play.table.lobby.propose({"game": "nosferatu"})
    assert ["Ana", None] == [name for _, name in seated(play)]


def test_the_seat_is_kept_where_the_game_still_has_it(play: Play) -> None:
    """With another number of players each stays if that seat still exists; others take the next
    free one.
    """
    sit(play, "Ana", "Ben")
    play.table.lobby.propose({"players": 2})

    assert [("V", "Ana"), ("H1", "Ben")] == seated(play)

    play.table.lobby.propose({"players": 4})
    assert [("V", "Ana"), ("H1", "Ben"), ("H2", None), ("H3", None)] == seated(play)
