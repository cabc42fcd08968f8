"""Choose a hunter's actions at the first two levels, from public events alone."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.core.game import Action, Seat
from companion.core.placement import Cell
from companion.games.manhunt.actions import LOOK, Arrest, Ask, Walk
from companion.games.manhunt.belief import Belief
from companion.games.manhunt.board import FAR
from companion.games.manhunt.hunters import hunter_actions

SAMPLE = 60
"""The maximum number of possible places to evaluate."""
ENTER = 3.0
"""The worth of a possible place entered now, in steps saved on all of them."""
SURE = 0.5
"""The least share of possible places at which an arrest is better than a question."""


def choose_hunter(belief: Belief, seat: Seat, level: str, rng: Random) -> Action:
    """Return the next action of the hunter to move."""
    legal = hunter_actions(belief.public, seat)
    if level == "random" or len(legal) == 1:
        return rng.choice(legal)
    walks = [action for action in legal if isinstance(action, Walk)]
    unwalked = [walk for walk in walks if not belief.public.walked.get(walk.pawn)]
    if unwalked:
        pawn = unwalked[0].pawn
        best_walk = _walk(belief, [walk for walk in walks if walk.pawn == pawn], rng)
        if best_walk is not None:
            return best_walk
    asks = [action for action in legal if isinstance(action, Ask | Arrest)]
    if asks:
        return _choose_question(belief, asks, rng)
    return LOOK if LOOK in legal else rng.choice(legal)


def _walk(belief: Belief, walks: Sequence[Walk], rng: Random) -> Walk | None:
    """Return the best step of one pawn, None if standing still is better."""
    places = list(_places(belief, rng))
    pawn = walks[0].pawn
    here = belief.public.pawns[pawn]
    worth: dict[Walk | None, float] = {
        walk: _worth(belief, walk.to, places) - price(belief, walk) + rng.random() / 100
        for walk in walks
    }
    if "hunter" in belief.board.rules.may_stay:
        worth[None] = _worth(belief, here, places, stays=True)
    return max(worth, key=worth.__getitem__)


def _places(belief: Belief, rng: Random) -> Sequence[Cell]:
    cells = belief.cells
    return cells if len(cells) <= SAMPLE else rng.sample(cells, SAMPLE)


def _worth(belief: Belief, cell: Cell, places: Sequence[Cell], *, stays: bool = False) -> float:
    """Return how near a pawn on `cell` is to the places, and whether it entered one of them."""
    far = belief.board.distances(cell)
    steps = sum(far.get(place, FAR) for place in places)
    entered = 0.0 if stays or cell not in places else ENTER
    return (entered - steps) / len(places) if places else 0.0


def price(belief: Belief, walk: Walk) -> float:
    """Return the price of a scarce ticket, in steps."""
    left = belief.public.tickets[walk.pawn].get(walk.kind)
    turns = belief.board.rules.rounds - belief.public.round + 1
    return 0.0 if left is None or left >= turns else 0.3 / left


def _choose_question(belief: Belief, asks: Sequence[Action], rng: Random) -> Action:
    """Return an arrest where the fugitive probably is, else a question."""
    possible = belief.places.bit_count()
    arrests = [
        action
        for action in asks
        if isinstance(action, Arrest)
        and belief.places >> belief.board.index[action.cell] & 1
        and possible * SURE <= 1
    ]
    questions = [action for action in asks if isinstance(action, Ask)]
    if arrests or not questions:
        return rng.choice(arrests or [action for action in asks if isinstance(action, Arrest)])
    return rng.choice(questions)
