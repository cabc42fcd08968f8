"""Shisogari's bots: whole games from their own views alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from companion.arena.match import Contest, play
from companion.core.game import Action, Event, Seat, State
from companion.core.search_budget import Deadline, SearchBudget
from companion.core.view import may_see, view
from companion.games import GAMES
from companion.games.shisogari.actions import Take
from companion.games.shisogari.bots import LEVELS, ShisogariBot
from companion.games.shisogari.bots.belief import Belief, Particle
from companion.games.shisogari.bots.search import Search
from companion.games.shisogari.cards import backs
from companion.games.shisogari.events import (
    CardPassed,
    CardPicked,
    CardPlaced,
    Dealt,
    GameSetUp,
    ItemNamed,
    PairLaid,
    PartnerChosen,
    TurnStarted,
)
from companion.games.shisogari.options import Options
from companion.games.shisogari.rules import Shisogari
from companion.games.shisogari.state import Hand, Public
from companion.table.fairness.export import export_record
from companion.table.fairness.verify import verify_record
from companion.table.storage.log import read_bodies
from companion.table.table import Table
from tests.helpers.bot_table import bot_table, play_out

pytestmark = pytest.mark.slow

GAME = Shisogari()
P1, P2, P3 = GAME.seat_names(4)[:3]


@pytest.mark.parametrize(
    ("players", "level", "games"),
    [
        (4, "random", 20),
        (4, "heuristic", 6),
        pytest.param(4, "random", 60, marks=pytest.mark.soak),
        pytest.param(5, "heuristic", 20, marks=pytest.mark.soak),
    ],
)
def test_whole_games(players: int, level: str, games: int) -> None:
    """Every game of bots ends, and both sides win some."""
    levels = dict.fromkeys(GAME.bots.sides, level)
    winners = {
        play(Contest(GAME.name, players, levels, seed)).result.winner for seed in range(games)
    }

    assert {"hunters", "vampire"} == winners


def test_games_of_searching_bots() -> None:
    """Both sides win some games of bots that search; how far they search depends on the machine."""
    levels = dict.fromkeys(GAME.bots.sides, "search")
    winners = set[str | None]()
    for seed in range(40):
        winners.add(play(Contest(GAME.name, 4, levels, seed)).result.winner)
        if {"hunters", "vampire"} <= winners:
            break

    assert {"hunters", "vampire"} == winners


def test_a_bot_uses_its_own_view_alone() -> None:
    """The other seats' hands do not change a bot's choice."""
    rng = Random(3)
    state = GAME.initial()
    events = GAME.setup(GAME.seat_names(4), GAME.setup_type(), rng)
    for event in events:
        state = GAME.evolve(state, event)
    seat = GAME.to_move(state.public)
    assert seat is not None
    received = [event for event in events if may_see(event, seat)]
    others: Mapping[Seat, Hand] = {
        other: hand if other == seat else replace(hand, cards=hand.cards[::-1], role="kin")
        for other, hand in state.private.items()
    }
    blind = State(state.public, others)

    for level in LEVELS:
        assert act(state, seat, level, received) == act(blind, seat, level, received)


def act(state: State, seat: Seat, level: str, received: Sequence[Event]) -> list[Action]:
    """Return the actions of a bot that received these events, with a clock that stands still."""
    bot = ShisogariBot(seat, level, SearchBudget(Random(9), 1.0, lambda: 0.0))
    for event in received:
        bot.observe(event)
    return bot.act(view(state, seat))


def assert_own(table: Table, seat: Seat) -> None:
    """Assert that a bot's events give exactly its own view."""
    state = GAME.initial()
    _, own_view, history = table.bots.view(seat)
    for event in history:
        assert may_see(event, seat)
        state = GAME.evolve(state, event)
    assert own_view == view(state, seat)


def test_who_was_bitten_knows_by_whom() -> None:
    """A Hunter who picks a Bloodsucking card has no doubt whose it was; a witness of the laid pair
    suspects the giver.
    """
    deal = {
        "P1": ("crucifix", "dagger", "stake", "bible", "garlic"),
        "P2": ("crucifix", "stake", "white_bloodsucking", "black_bloodsucking", "white_blank"),
        "P3": ("holy_water", "dagger", "stake", "garlic", "bible"),
        "P4": ("holy_water", "crucifix", "garlic", "bible", "black_blank"),
    }
    back_colours = {seat: backs(cards) for seat, cards in deal.items()}
    events: list[Event] = [
        GameSetUp(4, Options(), back_colours),
        TurnStarted(P1),
        PartnerChosen(P1, "take", P2),
        ItemNamed(P1, "crucifix"),
        CardPicked(P1, P2, 1, "white"),
    ]
    own: list[Event] = [
        CardPassed(P1, P2, "white_bloodsucking"),
        CardPlaced(P1, "white_bloodsucking", "dagger", True),
    ]
    odds = []
    for seat in (P1, P3):
        belief = Belief(seat, Random(4))
        belief.observe(
            [
                Dealt(seat, "hunter", deal[seat]),
                *events,
                *(own if seat == P1 else []),
                PairLaid(P1, "white", None),
            ]
        )
        odds.append(belief.odds[P2])

    assert odds[0] > 0.99
    assert odds[1] > 0.4


def _give_of_p2(*, habits: bool) -> float:
    """Return the odds of P2 after it chose to give, as P1 sees them."""
    belief = Belief(P1, Random(4), habits=habits)
    belief.observe(
        [
            Dealt(P1, "hunter", ("crucifix", "dagger", "stake", "bible", "garlic")),
            GameSetUp(4, Options(), {"P1": "wwbbb", "P2": "wwbbb", "P3": "wwwbb", "P4": "wwwbb"}),
            TurnStarted(P2),
            PartnerChosen(P2, "give", P3),
        ]
    )
    return belief.odds[P2]


def test_who_gives_is_suspected() -> None:
    """The fourth level counts a gift against the giver; the third one does not."""
    assert 1 / 3 == pytest.approx(_give_of_p2(habits=False))
    assert _give_of_p2(habits=True) > 0.6


@pytest.mark.parametrize("players", GAME.seats)
def test_the_fourth_level_never_gives(players: int) -> None:
    """In whole games of the fourth level nobody gives."""
    levels = dict.fromkeys(GAME.bots.sides, "search")
    events = play(Contest(GAME.name, players, levels, 1)).events
    chosen = [event.way for event in events if isinstance(event, PartnerChosen)]

    assert {"take"} == set(chosen)


def test_the_vampire_takes_a_last_card() -> None:
    """The fourth level's Vampire sees that taking the last card of a hand wins."""
    hands = {
        P1: ("crucifix", "white_bloodsucking", "black_bloodsucking", "stake"),
        P2: ("dagger", "holy_water", "garlic", "bible"),
        P3: ("holy_water",),
        GAME.seat_names(4)[3]: ("dagger", "bible", "stake", "garlic"),
    }
    world = Particle(P1, {seat: list(cards) for seat, cards in hands.items()})
    belief = Belief(P1, Random(1))
    belief.odds, belief.worlds = {P1: 1.0}, {P1: [world]}
    public = Public(
        Options(),
        {seat: backs(cards) for seat, cards in hands.items()},
        dict.fromkeys(hands, ()),
        P1,
    )
    search = Search(belief, public, Hand("vampire", hands[P1]), Random(1))

    chosen = search.choose([Take(seat) for seat in hands if seat != P1], Deadline(1.0, lambda: 0.0))
    assert Take(P3) == chosen


def test_at_a_table(tmp_path: Path) -> None:
    """Four bots play a whole evening at a table, with secret placings in time, and the record is
    proved.
    """
    with bot_table(tmp_path) as (table, clock):
        table.lobby.propose({"game": "shisogari", "players": 4})
        for number in range(1, 5):
            table.seats.give(Seat(f"P{number}"), LEVELS[number % len(LEVELS)])
        table.start()
        play_out(table, clock)
        for number in range(1, 5):
            assert_own(table, Seat(f"P{number}"))
        proof = verify_record(export_record(read_bodies(tmp_path), GAMES), GAMES)
        assert proof.ok, proof.wrong
