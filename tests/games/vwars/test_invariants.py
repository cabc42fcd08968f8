"""Random games of V-Wars keep every invariant; a thousand of them by `python -m
tests.games.vwars.invariants`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from companion.core.game import Message, PublicEvent
from companion.core.view import view
from companion.games.vwars.options import Options, Setup
from companion.i18n import Catalog, languages, read_catalogue
from tests.games.vwars.invariants import GAME, play
from tests.helpers.repetitions import soak

OPTIONS = [
    Options(),
    Options(
        troop_cap="none",
        sputter_discards=True,
        empty_riot_pool="player_deck",
        tie="vampires",
        start="first",
    ),
    Options(roles="dealt", rally_awakening="same_city", human_victory="at_once"),
    Options(content="box"),
    Options(content="box", factions="cards"),
]


@pytest.mark.parametrize("seeds", [range(2), *soak(range(2, 6))])
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_random_games(players: int, options: Options, seeds: range) -> None:
    """84 cards over all piles and hands, troops within their bounds, one martial law a region,
    public vampires who only grow, counts that equal the piles; every game ends, with cards by turn
    31.
    """
    ends = {play(seed, players, options)[1] for seed in seeds}

    assert ends <= {"track_full", "no_events", "no_cards", "martial_law", "no_sympathy"}


@pytest.mark.slow
@pytest.mark.parametrize("players", [4, *soak(3, 5)])
def test_either_side_wins(players: int) -> None:
    """With the sample each side wins at least a tenth of forty bots' games at every number of
    players; no more are played than show it.
    """
    wins = Counter[str]()
    for seed in range(40):
        wins[play(seed, players, level="heuristic")[0]] += 1
        if min(wins["humans"], wins["vampires"]) >= 4:
            break

    assert min(wins["humans"], wins["vampires"]) >= 4


@cache
def all_messages() -> dict[str, Message]:
    """Return a message of each code in some random games."""
    return {
        message.code: message
        for options in OPTIONS
        for seed in range(8)
        for message in _messages(seed, options)
    }


@pytest.mark.slow
@pytest.mark.parametrize("language", languages())
def test_every_event_has_words(language: str) -> None:
    """Each public event has a message in every language, with everything that it names."""
    catalogue = read_catalogue(language, "vwars")
    describe = Catalog(catalogue).translate
    messages = all_messages()

    assert 60 < len(messages)
    assert [] == [
        str(message)
        for message in messages.values()
        if describe(message) == str(message) or "{" in describe(message)
    ]


def _messages(seed: int, options: Options) -> Iterator[Message]:
    rng = Random(seed)
    state = GAME.initial()
    events = GAME.setup(GAME.seat_names(4), Setup(options), rng)
    while True:
        for event in events:
            state = GAME.evolve(state, event)
            if isinstance(event, PublicEvent):
                yield event.message()
        seat = GAME.to_move(state.public)
        if seat is None:
            return
        events = list(
            GAME.decide(
                state, seat, rng.choice(list(GAME.legal_actions(view(state, seat)))), rng
            ).events
        )
