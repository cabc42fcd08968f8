"""Play random games of V-Wars and check every invariant after every event.

`python -m tests.games.vwars.invariants --games 1000`; with `--level heuristic` the better bots
play, and the sides' wins by the number of players are printed.
"""

from __future__ import annotations

import argparse
from collections import Counter
from random import Random

from companion.core.game import Event, State
from companion.core.search_budget import SearchBudget
from companion.core.view import may_see, view
from companion.games.vwars.bots import LEVELS
from companion.games.vwars.content import HAND, cards
from companion.games.vwars.options import MARTIAL, Options, Setup
from companion.games.vwars.rules import VWars, sample_cards
from companion.games.vwars.state import Hidden, Public

GAME = VWars()
MOST = 3000
EVENTS = 30


def play(
    seed: int, players: int, options: Options | None = None, level: str | None = None
) -> tuple[str, str, int]:
    """Play one game; return the winner, the reason and the number of turns; raise `AssertionError`
    where an invariant breaks. Without a `level` all legal actions are equally likely.
    """
    rng = Random(seed)
    budget = SearchBudget(rng, 1.0, lambda: 0.0)
    state = GAME.initial()
    bots = {seat: GAME.bots.make(seat, level, budget) for seat in GAME.seat_names(players) if level}

    def happen(event: Event) -> None:
        nonlocal state
        state = GAME.evolve(state, event)
        for seat, bot in bots.items():
            if may_see(event, seat):
                bot.observe(event)

    for event in GAME.setup(GAME.seat_names(players), Setup(options or Options()), rng):
        happen(event)
    check_invariants(state)
    for _ in range(MOST):
        public: Public = state.public
        if public.outcome:
            return public.outcome.winner, public.outcome.reason, public.turns
        seat = GAME.to_move(public)
        assert seat is not None, "nobody is to move"
        own_view = view(state, seat)
        action = (
            bots[seat].act(own_view)[0] if level else rng.choice(list(GAME.legal_actions(own_view)))
        )
        before = state
        for event in GAME.decide(state, seat, action, rng).events:
            happen(event)
            _troops(state.public)
        check_invariants(state)
        assert set(before.public.vampires()) <= set(state.public.vampires())
        # Half of the sympathy, rounded down, is less than all.
        assert len(state.public.vampires()) == len(before.public.vampires()) or (
            bool(state.public.sympathy) == bool(before.public.sympathy)
        )
        _humans_have_not_won(before.public, state.public)
    raise AssertionError(f"the game of seed {seed} does not end")


def _humans_have_not_won(before: Public, public: Public) -> None:
    """Assert that play ends when humans have won: at once by option, else after a riot."""
    won = public.sympathy == 0 or public.martial >= MARTIAL
    if public.outcome is None and won:
        assert public.options.human_victory == "after_riot"
        assert public.turns == before.turns or public.riot is None


def _troops(public: Public) -> None:
    most = 6 if public.options.troop_cap == 6 else 100
    for city in public.cities.values():
        assert 0 <= city.human <= most
        assert 0 <= city.vampire <= most


def check_invariants(state: State) -> None:
    """Assert the invariants."""
    public: Public = state.public
    hidden: Hidden = state.hidden
    assert 0 <= public.sympathy <= 16
    assert public.outcome or public.sympathy + public.controlled < 16
    martial = [city.region for city in public.cities.values() if city.martial]
    assert len(martial) == len(set(martial))
    assert not any(city.martial and city.control == "vampire" for city in public.cities.values())
    if public.has_real_cards:
        return
    assert public.turns <= EVENTS + 1
    piles, hands = hidden.piles, state.private
    lying = [
        *piles.deck,
        *piles.discards,
        *piles.pool,
        *(card for pile in piles.regions.values() for card in pile),
    ]
    lying += [card for card in (public.riot_now, public.riot_soon) if card]
    held_cards = [card for hand in hands.values() for card in hand.cards]
    assert Counter(cards(sample_cards())) == Counter(lying + held_cards)
    for seat, player in public.players.items():
        assert player.hand == len(hands[seat].cards) <= HAND
    assert public.piles == {
        **{region: len(pile) for region, pile in piles.regions.items()},
        "pool": len(piles.pool),
        "deck": len(piles.deck),
        "discards": len(piles.discards),
        "events": len(piles.events),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--level", choices=LEVELS)
    args = parser.parse_args()
    for players in GAME.seats:
        count = args.games // len(GAME.seats) + (
            players < GAME.seats[0] + args.games % len(GAME.seats)
        )
        ends = [play(seed, players, level=args.level) for seed in range(count)]
        wins = Counter(winner for winner, _, _ in ends)
        reasons = Counter(reason for _, reason, _ in ends)
        turns = [turns for _, _, turns in ends]
        reason_counts = " ".join(f"{reason}={n}" for reason, n in sorted(reasons.items()))
        print(
            f"players={players} games={count} violations=0 humans={wins['humans']} "
            f"vampires={wins['vampires']} "
            f"longest={max(turns)} {reason_counts}"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
