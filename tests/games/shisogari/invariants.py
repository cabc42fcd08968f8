"""Random games of Shisogari with every invariant checked after every event.

`python -m tests.games.shisogari.invariants --games 1000`
"""

from __future__ import annotations

import argparse
from collections import Counter
from random import Random

from companion.core.game import Action, State
from companion.core.view import view
from companion.games.shisogari.actions import Accuse
from companion.games.shisogari.cards import CARDS, backs, in_play, is_real
from companion.games.shisogari.events import CardPassed
from companion.games.shisogari.options import Options, Setup
from companion.games.shisogari.rules import Shisogari

GAME = Shisogari()
MOST = 4000
ACCUSE = 0.02
"""How often a Hunter who may accuse does, so that games are long."""


def play(seed: int, options: Options | None = None, players: int | None = None) -> str:
    """Play one game and return how it ended; raise `AssertionError` where an invariant breaks."""
    rng = Random(seed)
    players = players or 4 + seed % 2
    state = GAME.initial()
    for event in GAME.setup(GAME.seat_names(players), Setup(options or Options()), rng):
        state = GAME.evolve(state, event)
    check_invariants(state)
    for _ in range(MOST):
        if outcome := GAME.outcome(state.public):
            return outcome.reason
        seat = GAME.to_move(state.public)
        assert seat is not None
        before = {name: len(card_backs) for name, card_backs in state.public.backs.items()}
        at_turn = state.public.step in ("turn", "last_card")
        for event in GAME.decide(state, seat, _chosen(state, rng), rng).events:
            if isinstance(event, CardPassed):
                assert len(event.seats) == 2
            state = GAME.evolve(state, event)
        check_invariants(state)
        if at_turn:
            start = before
        if state.public.step == "turn" and state.private:
            assert all(
                abs(len(card_backs) - start[name]) <= 1
                for name, card_backs in state.public.backs.items()
            )
    raise AssertionError(f"the game of seed {seed} does not end")


def _chosen(state: State, rng: Random) -> Action:
    seat = GAME.to_move(state.public)
    legal = list(GAME.legal_actions(view(state, seat)))
    assert legal, "nobody may do anything"
    others = [action for action in legal if not isinstance(action, Accuse)]
    return rng.choice(others if others and rng.random() > ACCUSE else legal)


def untaken(state: State) -> list[str]:
    """Return the last cards that nobody has taken: of each colour the later ones of the deal."""
    left: list[str] = []
    for letter in "wb":
        alike = [card for card in state.hidden.last if backs([card]) == letter]
        left += alike[len(alike) - state.public.last.count(letter) :]
    return left


def check_invariants(state: State) -> None:
    """Assert the invariants."""
    hands = state.private
    if not hands:
        return
    laid = [card for hand in hands.values() for pair in hand.laid for card in pair]
    all_cards = [card for hand in hands.values() for card in hand.cards] + laid
    all_cards += [hand.picked for hand in hands.values() if hand.picked]
    all_cards += untaken(state)
    boxed = [card for hand in hands.values() for card in hand.boxed]
    assert len(all_cards) == 20
    assert Counter(all_cards) + Counter(boxed) == in_play()
    roles = Counter(hand.role for hand in hands.values())
    assert roles["vampire"] == 1
    if state.public.options.pick_colour == "own":
        assert roles["kin"] <= 2
    for seat, hand in hands.items():
        assert backs(hand.cards) == state.public.backs[seat]
        pairs = state.public.pairs[seat]
        assert [pair.colour for pair in pairs] == [CARDS[one] for one, _ in hand.laid]
        for pair, cards in zip(pairs, hand.laid, strict=True):
            assert CARDS[cards[0]] == CARDS[cards[1]]
            assert pair.item is None or (is_real(cards) and pair.item == cards[0])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    args = parser.parse_args()
    ends = Counter(play(seed) for seed in range(args.games))
    print(
        f"games={args.games} violations=0 "
        f"{' '.join(f'{reason}={count}' for reason, count in sorted(ends.items()))}"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
