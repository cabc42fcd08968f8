"""Bots play whole games on any map, from what their seat may know."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from companion.arena.match import Contest, result_of
from companion.core.capabilities import Bot
from companion.core.game import Event, State
from companion.core.search_budget import SearchBudget
from companion.core.view import may_see, view
from companion.games.manhunt import Manhunt
from companion.games.manhunt.board import Board
from companion.games.manhunt.options import MAPS, F, Setup
from companion.games.manhunt.rules import own_map
from tests.games.manhunt.small_map import small
from tests.helpers.repetitions import soak

LEVELS = ("random", "greedy", "search")


def played(hunters: str, fugitive: str, seed: int, **rules: Any) -> State:
    """Play a game of three seats; an action that is not legal raises."""
    game, rng = Manhunt(), Random(seed)
    seats = game.seat_names(3)
    bots: dict[str, Bot] = {
        seat: game.bots.make(
            seat, fugitive if seat == F else hunters, SearchBudget(rng, 1.0, lambda: 0.0)
        )
        for seat in seats
    }
    state = game.initial()

    def observe(events: Iterable[Event]) -> None:
        nonlocal state
        for event in events:
            state = game.evolve(state, event)
            for seat in seats:
                if may_see(event, seat):
                    bots[seat].observe(event)

    observe(game.setup(seats, Setup(content=small(**rules)), rng))
    while seat := game.to_move(state.public):
        for action in bots[seat].act(view(state, seat)):
            observe(game.decide(state, seat, action, rng).events)
    return state


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"arrest": "announce", "announce": "nothing", "nights": 2, "ends": ["rounds", "hideout"]},
        {"announce": "distance", "fugitive_moves": 2, "ends": ["targets"], "may_stay": []},
        {"announce": "direction", "hunter_moves": 2, "may_stay": ["fugitive"], "questions": []},
    ],
    ids=["kind", "announce", "targets", "direction"],
)
def test_every_level_plays_by_every_card(level: str, rules: dict[str, Any]) -> None:
    """Games of all levels end, whatever the card shows."""
    for seed in range(4):
        assert played(level, level, seed, **rules).public.outcome is not None


@pytest.mark.parametrize("name", ["town", *soak("ship")])
@pytest.mark.slow
def test_the_third_level_catches_more_than_the_second(name: str) -> None:
    """On our maps, against a fugitive of the third level, hunters of the third level win more often
    than those of the second.
    """

    def won(level: str) -> int:
        levels = {"hunters": level, "fugitive": "search"}
        setup = {"options": {"content": name}}
        games = [Contest("manhunt", 3, levels, seed, setup=setup) for seed in range(12)]
        return sum(result_of(game).winner == "hunters" for game in games)

    assert won("search") > won("greedy")


@pytest.mark.parametrize("name", MAPS)
def test_no_start_is_close_to_a_hideout(name: str) -> None:
    """From a start of our maps no hideout is reached in three turns, so that hunters have a
    chance.
    """
    content = own_map(name)
    board = Board(content)
    most = 3 * content.rules.fugitive_moves
    near = [
        (start, hideout)
        for start in board.starts("fugitive")
        for hideout in board.hideouts
        if board.escape_distances(hideout)[start] <= most
    ]

    assert [] == near


@pytest.mark.slow
def test_higher_levels_win_more() -> None:
    """On the small map either side's search wins more against random play than random play does."""
    rounds = range(60)

    def caught(hunters: str, fugitive: str) -> int:
        rules: dict[str, Any] = {"shows": [], "questions": []}
        ends = [played(hunters, fugitive, seed, **rules).public.outcome for seed in rounds]
        return sum(end is not None and end.winner == "hunters" for end in ends)

    usual = caught("random", "random")
    assert caught("search", "random") > usual > caught("random", "search")
