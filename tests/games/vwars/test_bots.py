"""V-Wars' bots: whole games from their own views alone, and what they plan and remember."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from random import Random

import pytest

from companion.arena.match import Contest, play
from companion.bots.runner import THINK_SECONDS
from companion.core.game import Action, Event, Seat, State
from companion.core.search_budget import SearchBudget
from companion.core.view import may_see, view
from companion.games import GAMES
from companion.games.vwars.actions import (
    Assassinate,
    Deploy,
    Investigate,
    Move,
    Place,
    Put,
    Reveal,
    Stay,
)
from companion.games.vwars.bots import LEVELS
from companion.games.vwars.bots.belief import Belief
from companion.games.vwars.bots.evaluate import CARD_CHANCES, RiotOdds, riot_odds
from companion.games.vwars.bots.memory import Memory
from companion.games.vwars.content import side_of
from companion.games.vwars.events import (
    Assassinated,
    Awakened,
    CardAsked,
    CardGiven,
    CardPut,
    GameSetUp,
    Investigated,
    RiotBegan,
    RiotCardTurned,
    RiotCleared,
    RiotsSlid,
    TurnStarted,
)
from companion.games.vwars.options import POOL, Options, Setup
from companion.games.vwars.state import CardsDue, Hand
from companion.table.fairness.export import export_record
from companion.table.fairness.verify import verify_record
from companion.table.storage.log import read_bodies
from companion.table.table import Table
from tests.games.vwars import invariants
from tests.games.vwars.builders import (
    CITY,
    GAME,
    P1,
    P2,
    P3,
    P4,
    P5,
    REGION,
    begun,
    quiet,
    with_city,
    with_player,
    with_public,
)
from tests.games.vwars.test_invariants import OPTIONS
from tests.helpers.bot_table import bot_table, play_out

pytestmark = pytest.mark.slow

WIN_AT, MASSACRE_AT = 6, 8
HUMAN = Hand("human", (f"{CITY}-h2", f"{CITY}-h3", f"{CITY}-v1"))


@pytest.mark.parametrize(
    ("players", "level"),
    [
        pytest.param(players, level, marks=() if (first + second) % 3 == 0 else pytest.mark.soak)
        for first, players in enumerate(GAME.seats)
        for second, level in enumerate(LEVELS)
    ],
)
def test_whole_games(players: int, level: str) -> None:
    """Games of bots end and replay equal until both sides have won one, at most twelve."""
    levels = dict.fromkeys(GAME.bots.sides, level)
    winners: set[str] = set()
    for seed in range(12):
        winners.add(play(Contest(GAME.name, players, levels, seed)).result.winner)
        if len(winners) == 2:
            break

    assert {"humans", "vampires"} == winners


PHONES = [options for options in OPTIONS if options.factions == "phones"]


@pytest.mark.parametrize(
    ("options", "level"),
    [
        pytest.param(options, level, marks=() if first == second else pytest.mark.soak)
        for first, options in enumerate(PHONES)
        for second, level in enumerate(LEVELS)
    ],
    ids=str,
)
def test_bots_with_every_option(options: Options, level: str) -> None:
    """With every option, with real cards too, bots take legal actions until the end; no bot holds
    real cards.
    """
    ends = {invariants.play(seed, 5, options, level)[1] for seed in range(2)}

    assert ends <= {"track_full", "no_events", "no_cards", "martial_law", "no_sympathy"}


def _choice(state: State, history: Sequence[Event] = (), *, level: str = "heuristic") -> Action:
    budget = SearchBudget(Random(9), THINK_SECONDS, lambda: 0.0)
    bot = GAME.bots.make(P1, level, budget)
    for event in history:
        bot.observe(event)
    return bot.act(view(state, P1))[0]


def _before_riot(human: int, vampire: int, hand: Hand = HUMAN) -> State:
    """Return the state in which P1 stands in the city of the next riot, with the second one nowhere
    and no cards in the region.
    """
    state = with_city(quiet(begun()), human=human, vampire=vampire)
    state = with_player(state, P1, city=CITY, hand=len(hand.cards))
    return State(
        with_public(
            state,
            riot_now=f"{CITY}-h4",
            riot_soon=None,
            event=None,
            next_event=None,
            piles={**state.public.piles, REGION: 3},
        ).public,
        {**state.private, P1: hand},
        state.hidden,
    )


def test_humans_assassinate_where_the_riot_comes() -> None:
    """In the city of the riot a human first removes the vampire troops, then adds its own."""
    assert Assassinate() == _choice(_before_riot(0, 2))
    assert Deploy(CITY) == _choice(_before_riot(0, 0))


def test_a_hidden_vampire_acts_like_a_human() -> None:
    """A hidden Vampire removes vampire troops and adds human ones, so that its actions tell nobody
    who it is.
    """
    hand = Hand("vampire", HUMAN.cards)

    assert Assassinate() == _choice(_before_riot(0, 2, hand))
    assert Deploy(CITY) == _choice(_before_riot(0, 0, hand))


def test_humans_name_whom_they_suspect() -> None:
    """A human names the Vampire when the others are certainly not it, and nobody before."""
    state = with_public(_before_riot(0, 0), sympathy=8)

    assert Investigate(P3) == _choice(state, [Investigated(P2, P1, False)])
    assert Deploy(CITY) == _choice(state)


def _memory(events: Sequence[Event], hand: Hand = HUMAN, players: int = 5) -> Memory:
    public = begun(players).public
    memory = Memory(public, P1, hand)
    memory.observe(public, events)
    return memory


def test_who_investigates_is_not_the_vampire() -> None:
    """Who names somebody does not hold the Vampire card, nor does who was named in error."""
    suspicion = _memory([Investigated(P2, P3, False)]).suspicion()

    assert {P2: 0.0, P3: 0.0, P4: 0.5, P5: 0.5} == suspicion


def test_who_acts_for_the_humans_is_suspected_less() -> None:
    """An assassination of vampire troops makes a seat less suspected, a turn without any action
    more.
    """
    suspicion = _memory(
        [TurnStarted(P2), Assassinated(P2, CITY, "vampire"), TurnStarted(P3), TurnStarted(P4)]
    ).suspicion()

    assert suspicion[P3] > suspicion[P4] == suspicion[P5]
    assert suspicion[P3] > suspicion[P2]
    assert 1.0 == pytest.approx(sum(suspicion.values()))


def test_who_did_not_join_is_not_asked_again() -> None:
    """A seat that did not join when it was asked is no Infected."""
    assert [P3, P4, P5] == _memory([Awakened(P2, P2, False)]).fellows()


def test_cards_are_remembered_where_they_lie() -> None:
    """A seat remembers its own cards in a region and the turned ones that went back there; what
    the riot lost lies there no more.
    """
    put, turned = f"{CITY}-h2", f"{CITY}-v3"
    memory = _memory(
        [
            CardPut(P1, put, REGION),
            RiotBegan(CITY),
            RiotCardTurned(turned, "vampire", 3, 0, 3),
            RiotCleared(REGION, 2, False),
        ]
    )

    assert [put, turned] == memory.cards[REGION]
    assert [] == _memory([CardPut(P1, put, REGION), RiotCleared(REGION, 0, True)]).cards[REGION]


def _belief(events: Sequence[Event], hand: Hand = HUMAN) -> Belief:
    public = begun(5).public
    belief = Belief(public, P1, hand)
    belief.observe(public, events)
    return belief


def _put_and_turned(card: str) -> list[Event]:
    """Return a turn in which P2 and P3 put a card into a region, and a riot that turns `card`."""
    return [
        CardGiven(P2, REGION),
        CardGiven(P3, REGION),
        RiotBegan(CITY),
        RiotCardTurned(card, side_of(card), 2, 0, 2),
    ]


def test_who_put_vampire_cards_is_suspected() -> None:
    """When a vampire card turns up where P2 and P3 put cards, both are suspected more than the
    others; when a human card does, less.
    """
    vampire = _belief(_put_and_turned(f"{CITY}-v2")).suspicion()
    human = _belief(_put_and_turned(f"{CITY}-h2")).suspicion()

    assert vampire[P2] == vampire[P3] > 0.25 > vampire[P4] == vampire[P5]
    assert human[P2] == human[P3] < 0.25 < human[P4] == human[P5]


def test_a_known_card_betrays_nobody() -> None:
    """A card that the seat put down itself, or that was turned before, makes nobody suspected."""
    card = f"{CITY}-v2"
    known = [CardPut(P1, card, REGION), CardGiven(P1, REGION)]
    again = [RiotCleared(REGION, 3, False), *_put_and_turned(card)[2:]]

    assert {P2: 0.25, P3: 0.25, P4: 0.25, P5: 0.25} == _belief(
        [*known, *_put_and_turned(card), *again]
    ).suspicion()


def test_a_human_with_a_belief_names_nobody_on_a_weak_suspicion() -> None:
    """At `deep` a human names who is surely the Vampire, not who let actions go."""
    state = with_public(_before_riot(0, 0), sympathy=8)
    idle = [TurnStarted(P2), TurnStarted(P3)]

    assert Investigate(P2) == _choice(state, idle, level="heuristic")
    assert Deploy(CITY) == _choice(state, idle, level="deep")
    assert Investigate(P3) == _choice(state, [Investigated(P2, P1, False)], level="deep")


def _filled(fills: int, *, slides: int = 0) -> list[Event]:
    """Return the start of a game, riots from its pool, and a turn in which P2 has P3 fill it."""
    start = GAME.setup(GAME.seat_names(3), Setup(), Random(0))
    begins = [event for event in start if isinstance(event, GameSetUp)]
    fill = [CardAsked(P2, (P2, P3), POOL), CardGiven(P2, POOL), CardGiven(P3, POOL)]
    return [*begins, *[RiotsSlid(None, f"{CITY}-h2", "pool")] * slides, *fill * fills]


def test_who_fills_a_full_pool_is_suspected() -> None:
    """At `deep` a human names, of two others, the one that has the other put a card into a pool
    that needs none; at `heuristic` it does not.
    """
    state = with_public(_before_riot(0, 0), sympathy=8)

    assert Investigate(P2) == _choice(state, _filled(1), level="deep")
    assert not isinstance(_choice(state, _filled(4), level="heuristic"), Investigate)


def test_who_fills_a_low_pool_is_not_suspected() -> None:
    """At `deep` a human finds nothing in a card for a pool that needs it; of four others it is not
    sure after one card for a full one, but after two.
    """
    public = begun(5).public

    def suspicion(fills: int, slides: int) -> float:
        belief = Belief(public, P1, HUMAN)
        belief.observe(public, _filled(fills, slides=slides))
        return belief.suspicion()[P2]

    assert 0.25 == suspicion(1, slides=1) < suspicion(1, slides=0) < Belief.sure
    assert suspicion(2, slides=0) > Belief.sure


def test_a_human_goes_to_a_riot_two_regions_away() -> None:
    """At `deep` a human plans several moves, at `heuristic` one."""
    state = with_player(_before_riot(0, 3), P1, city="fernhollow")
    first = _choice(state, level="deep")

    assert isinstance(first, Move) and state.public.cities[first.city].region == "frost"
    assert Move(CITY) == _choice(with_player(state, P1, city=first.city), level="deep")
    assert not isinstance(_choice(state), Move)


def _vampire(state: State, city: str) -> State:
    """Return the state in which P1 is a public vampire in a city."""
    return with_player(state, P1, vampire=True, city=city)


def test_a_public_vampire_goes_to_a_riot_two_regions_away() -> None:
    """At `deep` a public vampire plans several moves, at `heuristic` one."""
    hand = Hand("vampire", HUMAN.cards)
    state = _before_riot(3, 0, hand)
    first = _choice(_vampire(state, "fernhollow"), level="deep")

    assert isinstance(first, Move) and state.public.cities[first.city].region == "frost"
    assert Move(CITY) == _choice(_vampire(state, first.city), level="deep")
    assert not isinstance(_choice(_vampire(state, "fernhollow")), Move)


def test_a_public_vampire_goes_to_whom_it_may_awaken() -> None:
    """With an Infected left, a public vampire goes to a seat that may be the one, two regions away;
    without one it does not.
    """
    for players, goes in ((4, True), (3, False)):
        state = with_public(quiet(begun(players)), riot_now=None, riot_soon=None)
        for seat in GAME.seat_names(players)[1:]:
            state = with_player(state, seat, city=CITY)
        assert goes == isinstance(_choice(_vampire(state, "fernhollow"), level="deep"), Move)


def test_a_hidden_vampire_empties_the_next_hand() -> None:
    """At `deep` a hidden Vampire has the next player put a card into the pool with it."""
    assert Place("pool", P2) == _choice(
        _before_riot(0, 0, Hand("vampire", HUMAN.cards)), level="deep"
    )


def test_a_hidden_vampire_puts_down_human_cards() -> None:
    """At `deep` a hidden Vampire puts its least human card into a pile, and discards a vampire
    card; a public one puts a vampire card into a pile.
    """
    state = _before_riot(0, 0, Hand("vampire", HUMAN.cards))

    def asked(state: State, to: str | None) -> Action:
        due = CardsDue((P1,), to, None if to else CITY)
        return _choice(with_public(state, step="card", due=due), level="deep")

    assert Put(f"{CITY}-h2") == asked(state, REGION) == asked(state, POOL)
    assert Put(f"{CITY}-v1") == asked(state, None)
    assert Put(f"{CITY}-v1") == asked(with_player(state, P1, vampire=True), REGION)


def test_the_vampire_goes_public_at_a_rally_if_it_has_fellows() -> None:
    """At `deep` the Vampire goes public after a rally if there are Infected, else it stays."""
    hand = Hand("vampire", HUMAN.cards)
    for players, action in ((3, Stay()), (4, Reveal()), (5, Reveal())):
        state = with_public(quiet(begun(players)), step="rally", asked=(P1,))
        state = State(state.public, {**state.private, P1: hand}, state.hidden)
        assert action == _choice(state, level="deep")


def _by_rules(human: int, vampire: int, cards: Sequence[tuple[str, int]]) -> str:
    """Return how a riot ends that turns these cards, by the rules' text."""
    troops, up = {"human": human, "vampire": vampire}, {"human": 0, "vampire": 0}
    for side, value in cards:
        enemy = "vampire" if side == "human" else "human"
        if troops[enemy]:
            troops[enemy] = max(troops[enemy] - value, 0)
            continue
        up[side] += value
        strength = troops[side] + up[side]
        if strength >= WIN_AT:
            return side if strength < MASSACRE_AT else f"{side}_massacre"
    return "sputter"


@pytest.mark.parametrize("eighths", [0, 3, 8])
@pytest.mark.parametrize("troops", [(0, 0), (4, 0), (3, 2), (0, 5)])
def test_riot_odds(troops: tuple[int, int], eighths: int) -> None:
    """The odds of a riot are those of all orders of three cards by the rules."""
    sums = dict.fromkeys((*RiotOdds._fields, "sputter"), 0.0)
    for cards in product(product(("human", "vampire"), CARD_CHANCES), repeat=3):
        chance = 1.0
        for side, (_, each) in cards:
            chance *= each * (eighths if side == "human" else 8 - eighths) / 8
        sums[_by_rules(*troops, [(side, value) for side, (value, _) in cards])] += chance

    found = riot_odds(*troops, 0, 0, 3, eighths)
    assert pytest.approx([sums[name] for name in RiotOdds._fields]) == list(found)


def _assert_own(table: Table, seat: Seat) -> None:
    """Assert that a bot's events give exactly its own view."""
    state = GAME.initial()
    _, own_view, history = table.bots.view(seat)
    for event in history:
        assert may_see(event, seat)
        state = GAME.evolve(state, event)
    assert own_view == view(state, seat)


def test_at_a_table(tmp_path: Path) -> None:
    """Five bots of all levels play a whole evening at a table, and the record is proved."""
    with bot_table(tmp_path) as (table, clock):
        table.lobby.propose({"game": GAME.name, "players": 5})
        for number, seat in enumerate(GAME.seat_names(5)):
            table.seats.give(seat, LEVELS[number % len(LEVELS)])
        clock.advance(1)
        table.start()
        play_out(table, clock)
        for seat in GAME.seat_names(5):
            _assert_own(table, seat)
        proof = verify_record(export_record(read_bodies(tmp_path), GAMES), GAMES)
        assert proof.ok, proof.wrong
