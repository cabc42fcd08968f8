"""A second referee beside a game's own rules: after every action both must have the same table.

A referee keeps its own table of plain values. It gets the content, the deal, each action and the
order of each shuffled pile, and predicts everything else.
"""

from __future__ import annotations

import argparse
import json
import time
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from companion.core.codec import decode_action, encode_action, encode_event
from companion.core.game import Event, Game, Seat, State
from companion.core.view import view

MOST = 4000
"""Random play of each of these games ends within this number of actions."""
Json = dict[str, Any]


class Difference(AssertionError):
    """What the rules and the referee do not have in common, and the action after which."""


class GameEnded(Exception):
    """The game ended in the middle of an action."""


class Referee(ABC):
    """The rules, written a second time. Must override: everything abstract."""

    shuffles: deque[tuple[str, list[str]]]
    """The piles that the action shuffled, in order, each from its top."""

    def take(self, seat: str, action: Json, shuffles: Sequence[tuple[str, list[str]]]) -> None:
        """Take an action of `legal`."""
        self.shuffles = deque(shuffles)
        fields = {key: value for key, value in action.items() if key != "type"}
        with suppress(GameEnded):
            getattr(self, f"take_{action['type']}")(seat, **fields)
        if self.shuffles:
            raise Difference(f"nothing says that {self.shuffles[0][0]} is shuffled")

    def shuffled(self, pile: str, cards: Sequence[str]) -> list[str]:
        """Return the order of the pile, which must hold these cards, after its shuffle."""
        if not self.shuffles:
            raise Difference(f"{pile} is not shuffled")
        name, order = self.shuffles.popleft()
        compare(f"cards of {pile}", (pile, sorted(cards)), (name, sorted(order)))
        return list(order)

    @abstractmethod
    def legal(self, seat: str) -> list[Json]:
        """Return each action that the seat may take now."""

    @abstractmethod
    def public(self) -> Json:
        """Return the public view, as far as the referee predicts it."""

    @abstractmethod
    def predicted_part(self, table: Json) -> Json:
        """Return that part of the rules' public view, in the form of `public`."""

    @abstractmethod
    def own(self, seat: str) -> Json:
        """Return the seat's own part, as far as the referee predicts it."""

    @abstractmethod
    def predicted_own(self, own: Json) -> Json:
        """Return that part of a seat's own part of the rules' view, in the form of `own`."""


def compare(what: str, referee: object, rules: object) -> None:
    """Raise `Difference` unless both have the same value."""
    if referee != rules and _lists(referee) != _lists(rules):
        raise Difference(f"{what}: the referee has {referee!r}, the rules {rules!r}")


def _lists(value: Any) -> Any:
    """Return the value with lists for tuples, as JSON has it."""
    if isinstance(value, list | tuple):
        return [_lists(each) for each in value]
    return {key: _lists(each) for key, each in value.items()} if isinstance(value, dict) else value


def lockstep(
    game: Game,
    start: Any,
    players: int,
    seed: int,
    referee_of: Callable[[Json], Referee],
    shuffle_of: Callable[[Json], tuple[str, list[str]] | None],
    most: int = MOST,
) -> Counter[str]:
    """Play a random game from the set-up `start` with a referee beside it; return the number of
    actions of each kind, and of each end. Raise `Difference` at the first one.

    referee_of: makes the referee of the deal that the event `deal_kept` has
    shuffle_of: returns the pile and the order that an event to nobody tells
    """
    rng, counts = Random(seed), Counter[str]()
    seats = game.seat_names(players)
    events = game.setup(seats, start, rng)
    state = game.fold(events)
    kept_deal = next(each for each in map(encode_event, events) if each["event"] == "deal_kept")
    referee = referee_of(kept_deal)
    _compare(game, state, referee, seats, f"seed {seed}, {players} players, at the start")
    for number in range(most):
        mover = game.to_move(state.public)
        if mover is None:
            outcome = game.outcome(state.public)
            assert outcome is not None
            counts[f"{outcome.winner}: {outcome.reason}"] += 1
            return counts
        action = _draw(rng, referee.legal(mover))
        where = f"seed {seed}, {players} players, action {number} of {mover}: {json.dumps(action)}"
        draft = game.decide(state, mover, decode_action(game, action), rng)
        state = draft.state
        try:
            referee.take(mover, action, _shuffles(draft.events, shuffle_of))
        except Difference as difference:
            raise Difference(f"{where}: {difference}") from difference
        _compare(game, state, referee, seats, where)
        counts[action["type"]] += 1
    counts["unfinished"] += 1
    return counts


def _draw(rng: Random, legal: Sequence[Json]) -> Json:
    """Draw a kind first, so that neither many cities nor many cards outweigh the rest."""
    kind = rng.choice(sorted({action["type"] for action in legal}))
    return rng.choice([action for action in legal if action["type"] == kind])


def _shuffles(
    events: Sequence[Event], shuffle_of: Callable[[Json], tuple[str, list[str]] | None]
) -> list[tuple[str, list[str]]]:
    return [each for each in (shuffle_of(encode_event(event)) for event in events) if each]


def _compare(game: Game, state: State, referee: Referee, seats: Sequence[Seat], at: str) -> None:
    outcome = game.outcome(state.public)
    ending = {"outcome": outcome and {"winner": outcome.winner, "reason": outcome.reason}}
    table = referee.predicted_part(game.encode_view(view(state, None)) | ending)
    for field, value in referee.public().items():
        compare(f"{at}: {field}", value, table[field])
    for seat in seats:
        seat_view = view(state, seat)
        own = game.encode_view(seat_view)["own"]
        compare(f"{at}: {seat}'s own part", referee.own(seat), referee.predicted_own(own))
        compare(
            f"{at}: legal for {seat}",
            _named(referee.legal(seat)),
            _named(map(encode_action, game.legal_actions(seat_view))),
        )


def _named(actions: Any) -> list[str]:
    return sorted(json.dumps(action, sort_keys=True) for action in actions)


def print_totals(play: Callable[[int], Counter[str]], claim: str, description: str | None) -> None:
    """Play the random games that the command line asks for, each by its seed; print how often each
    kind of action and end came, with what held.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    started, total = time.monotonic(), Counter[str]()
    for seed in range(args.seed, args.seed + args.games):
        total += play(seed)
    totals = ", ".join(f"{count} {kind}" for kind, count in sorted(total.items()))
    print(f"{args.games} games, {claim}: {totals} ({time.monotonic() - started:.0f} s)")
