"""Suggestions to hunters: legal, with numbers that follow from the fugitive's possible places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import pytest

from companion.core.capabilities import Suggestion
from companion.core.game import Event, Message, PublicEvent
from companion.core.placement import Cell
from companion.core.search_budget import SearchBudget
from companion.core.view import view
from companion.games.manhunt import Manhunt
from companion.games.manhunt.actions import LOOK, Arrest, Ask, Walk
from companion.games.manhunt.belief import Belief
from companion.games.manhunt.board import Board
from companion.games.manhunt.bots.likelihood import Likelihood
from companion.games.manhunt.hunters import true_answer
from companion.games.manhunt.options import F, Setup
from companion.games.manhunt.state import Hidden, Public
from companion.games.manhunt.suggestions import FugitiveHints, suggest
from tests.games.manhunt.own_maps import own_map
from tests.games.manhunt.small_map import small

GAME = Manhunt()
TURNS = 60
MAPS: dict[str, Any] = {
    "kind": small(),
    "announce": small(arrest="announce", announce="nothing", nights=2, ends=["rounds", "hideout"]),
    "direction": small(announce="direction", hunter_moves=2, may_stay=["fugitive"], questions=[]),
    "distance": small(announce="distance", fugitive_moves=2, may_stay=["hunter"], shows=[]),
    "ship": own_map("ship"),
}
Moment = tuple[Public, list[Cell], Suggestion]
"""What all know, the possible places, and what is suggested."""


def moments(content: Any, seed: int) -> Iterator[Moment]:
    """Yield the moments of a game in which hunters do what is suggested, or in half of the cases
    anything.
    """
    rng, hints, state = Random(seed), FugitiveHints(), GAME.initial()
    fugitive = GAME.bots.make(F, "greedy", SearchBudget(Random(seed), 1.0, lambda: 0.0))

    def publish(events: Iterable[Event]) -> None:
        nonlocal state
        for event in events:
            state = GAME.evolve(state, event)
            if isinstance(event, PublicEvent):
                hints.observe(event)
                fugitive.observe(event)

    publish(GAME.setup(GAME.seat_names(3), Setup(content=content), rng))
    for _ in range(TURNS):
        seat = GAME.to_move(state.public)
        if seat is None:
            return
        known = view(state, seat)
        found = hints.suggest()
        assert (found is None) == (seat == F)
        if found is None:
            actions = fugitive.act(known)
        else:
            legal = GAME.legal_actions(known)
            assert found.action in legal
            yield state.public, [*hints.odds()], found
            actions = [found.action if rng.random() < 0.5 else rng.choice(legal)]
        for action in actions:
            publish(GAME.decide(state, seat, action, rng).events)
        if found is not None and isinstance(found.action, Ask) and actions == [found.action]:
            assert len(hints.odds()) <= int(found.reason.params["left"])


def left_at_most(public: Public, places: list[Cell], ask: Ask) -> int:
    """Return how many places the answer leaves at most, by the answers from each of them."""
    answers = [true_answer(public, ask, Hidden(cell=place, trail=())) for place in places]
    return max(Counter(answers).values())


def is_true(public: Public, places: list[Cell], found: Suggestion) -> bool:
    """Return whether a reason says what follows from the possible places."""
    board: Board = public.board
    params, action = found.reason.params, found.action
    cell, count = Cell(str(params.get("cell", ""))), params.get("n")
    distances = [board.distance(cell, place) for place in places] if cell else []
    match found.reason.code.removeprefix("suggest."):
        case "only":
            return True
        case "stay":
            return action == LOOK
        case "ask":
            assert isinstance(action, Ask)
            # What was visited does not follow from where the fugitive is now.
            exact = action.question == "was_here" or params["left"] == left_at_most(
                public, places, action
            )
            return exact and 0 < int(params["left"]) < int(params["places"]) == len(places)
        case "possible":
            assert isinstance(action, Walk | Arrest)
            return cell in places and count == len(places)
        case "reach":
            within = sum(each <= board.rules.hunter_moves for each in distances)
            return (within, len(places), board.rules.hunter_moves) == (
                params["left"], params["places"], count,
            )  # fmt: skip
        case "nearest":
            return min(distances) == count
        case _:
            return False


@pytest.mark.parametrize("name", MAPS)
def test_what_is_said_is_true(name: str) -> None:
    """By any rule card each suggestion is legal, and the numbers of its reason are those of the
    possible places.
    """
    wrong = [
        (places, found)
        for seed in range(4)
        for public, places, found in moments(MAPS[name], seed)
        if not is_true(public, places, found)
    ]

    assert [] == wrong


def test_before_the_first_round_there_is_one_thing_to_do() -> None:
    """Where a hunter can do one thing alone, that is suggested and said."""
    first = next(moments(MAPS["kind"], 0))[2]

    assert Suggestion(LOOK, Message("suggest.only")) == first


def test_there_is_no_suggestion_before_a_game() -> None:
    """Without events nothing is suggested."""
    assert None is suggest(Belief(), Likelihood().weights)
