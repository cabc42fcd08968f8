"""Random games of Vampire Empire with every invariant checked after every event.

`python -m tests.games.vampire_empire.invariants --games 1000`
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from companion.core.game import Action, Event, Seat, State
from companion.core.view import view
from companion.games.vampire_empire.cards import CHARACTERS, SEATS, sample_decks
from companion.games.vampire_empire.events import DeckRemade
from companion.games.vampire_empire.options import Options, Setup
from companion.games.vampire_empire.rules import VampireEmpire

GAME = VampireEmpire()
MOST = 4000
FULL = {
    seat: Counter({card.id: card.copies for card in sample_decks().card if card.deck == seat})
    for seat in SEATS
}
OPTIONS = (
    Options(),
    Options(trim=False),
    Options("box"),
    Options("box", marker_size=2, notebook=True),
)


def play(seed: int, options: Options = OPTIONS[0]) -> str:
    """Play one game and return how it ended; raise `AssertionError` where an invariant breaks."""
    remade: Counter[Seat] = Counter()
    state = GAME.initial()
    revealed: Sequence[str] = ()
    for step in playing(seed, options):
        remade.update(event.seat for event in step.events if isinstance(event, DeckRemade))
        state = step.after
        check_invariants(state)
        living = [name for name in revealed if name in state.public.living]
        assert [name for name in state.public.revealed if name in living] == living, (
            "revealed stays revealed"
        )
        revealed = state.public.revealed
        assert max(remade.values(), default=0) <= 1
    outcome = GAME.outcome(state.public)
    assert outcome is not None
    assert not any(GAME.legal_actions(view(state, seat)) for seat in SEATS)
    return outcome.reason


class Step(NamedTuple):
    """One action of a random game: the state before and after it, and its events."""

    before: State
    seat: Seat
    action: Action
    events: Sequence[Event]
    after: State


def playing(seed: int, options: Options = OPTIONS[0]) -> Iterator[Step]:
    """Yield each step of a random game; raise `AssertionError` if it does not end."""
    rng = Random(seed)
    state = _after(GAME.initial(), GAME.setup(SEATS, Setup(options), rng))
    check_invariants(state)
    for _ in range(MOST):
        if GAME.outcome(state.public):
            return
        seat, action = _chosen(state, rng)
        events = GAME.decide(state, seat, action, rng).events
        step = Step(state, seat, action, events, _after(state, events))
        yield step
        state = step.after
    raise AssertionError(f"the game of seed {seed} does not end")


def _after(state: State, events: Sequence[Event]) -> State:
    for event in events:
        state = GAME.evolve(state, event)
    return state


def _chosen(state: State, rng: Random) -> tuple[Seat, Action]:
    """Draw a kind of action first, so that neither many cards nor many values outweigh the rest."""
    mover = GAME.to_move(state.public)
    assert mover is not None
    offers = {seat: GAME.legal_actions(view(state, seat)) for seat in SEATS}
    assert offers[mover], "nobody may do anything"
    other = next(seat for seat in SEATS if seat != mover)
    seat = other if offers[other] and rng.random() < 0.1 else mover
    kinds = sorted({type(action).__name__ for action in offers[seat]})
    kind = rng.choice(kinds)
    return seat, rng.choice([action for action in offers[seat] if type(action).__name__ == kind])


def check_invariants(state: State) -> None:
    """Assert the invariants."""
    public, hidden = state.public, state.hidden
    dead = [character.character for character in public.dead]
    assert len(dead) + len(public.castle) + public.city == len(CHARACTERS)
    assert not {marker.character for marker in public.markers} - set(public.castle), (
        "markers lie only in the castle"
    )
    assert len(public.markers) <= 12
    vampires = set(hidden.deal.vampires)
    assert set(public.revealed) <= vampires - set(dead)
    assert {character.character: character.vampire for character in public.dead} == {
        name: name in vampires for name in dead
    }
    for seat, own in state.private.items():
        assert own.characters == (
            hidden.deal.vampires if seat == "vampire" else hidden.deal.trusted
        )
    if public.has_real_cards:
        assert len(public.castle) <= 3
        return
    assert Counter([*public.castle, *hidden.city, *dead]) == Counter(dict.fromkeys(CHARACTERS, 1))
    assert len(public.castle) == 3 or not public.city or public.outcome
    for seat in SEATS:
        _held_cards(state, seat)


def _held_cards(state: State, seat: Seat) -> None:
    public, hidden = state.public, state.hidden
    laid = (
        ()
        if public.fight is None
        else public.fight.attack
        if public.fight.by == seat
        else public.fight.defence
    )
    piles = {
        "hand": state.private[seat].hand,
        "deck": hidden.decks[seat],
        "cellar": hidden.cellars[seat],
    }
    piles["moat"] = hidden.moats[seat]
    fighting = [laid_card.card for laid_card in laid]
    assert FULL[seat] == sum((Counter(cards) for cards in piles.values()), Counter(fighting))
    assert {name: len(cards) for name, cards in piles.items()} == {
        name: getattr(public.piles[seat], name) for name in piles
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    args = parser.parse_args()
    ends = Counter(play(seed, OPTIONS[seed % 4]) for seed in range(args.games))
    print(
        f"games={args.games} violations=0 "
        f"{' '.join(f'{reason}={count}' for reason, count in sorted(ends.items()))}"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
