"""Choose a hunter's actions at three levels, from public events alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from companion.core.game import Action, Seat
from companion.core.placement import Cell, Pawn
from companion.games.manhunt.actions import LOOK, Arrest, Ask, Walk
from companion.games.manhunt.belief import Belief, answered
from companion.games.manhunt.board import FAR
from companion.games.manhunt.events import QuestionAnswered
from companion.games.manhunt.hunters import hunter_actions

SAMPLE = 60
"""Possible places that are weighed at most."""
ENTER = 3.0
"""The worth of a possible place entered now, in steps saved on all of them."""
SURE = 0.5
"""The share of possible places from which an arrest is better than a question."""


def choose_hunter(belief: Belief, seat: Seat, level: str, rng: Random) -> Action:
    """Return the next action of a hunter, which is to move."""
    legal = hunter_actions(belief.public, seat)
    if level == "random" or len(legal) == 1:
        return rng.choice(legal)
    walks = [action for action in legal if isinstance(action, Walk)]
    unwalked = [walk for walk in walks if not belief.public.walked.get(walk.pawn)]
    if unwalked:
        pawn = unwalked[0].pawn
        found = _walk(belief, [walk for walk in walks if walk.pawn == pawn], level, rng)
        if found is not None:
            return found
    asks = [action for action in legal if isinstance(action, Ask | Arrest)]
    if asks:
        return _asked(belief, asks, level, rng)
    return LOOK if LOOK in legal else rng.choice(legal)


def _walk(belief: Belief, walks: Sequence[Walk], level: str, rng: Random) -> Walk | None:
    """Return the best step of one pawn, None if it is better to stand still."""
    places = list(_places(belief, rng))
    pawn = walks[0].pawn
    here = belief.public.pawns[pawn]
    others = [] if level == "greedy" else _others(belief, pawn)
    worth: dict[Walk | None, float] = {
        walk: _worth(belief, walk.to, others, places, level)
        - _price(belief, walk)
        + rng.random() / 100
        for walk in walks
    }
    if "hunter" in belief.board.rules.may_stay:
        worth[None] = _worth(belief, here, others, places, level, stays=True)
    return max(worth, key=worth.__getitem__)


def _places(belief: Belief, rng: Random) -> Sequence[Cell]:
    cells = belief.cells
    return cells if len(cells) <= SAMPLE else rng.sample(cells, SAMPLE)


def _others(belief: Belief, pawn: Pawn) -> list[Mapping[Cell, int]]:
    """Return the distances from the pawns that another one need not cover."""
    return [
        belief.board.distances(cell) for other, cell in belief.public.pawns.items() if other != pawn
    ]


def _worth(
    belief: Belief,
    cell: Cell,
    others: Sequence[Mapping[Cell, int]],
    places: Sequence[Cell],
    level: str,
    *,
    stays: bool = False,
) -> float:
    """Return how well a pawn on `cell` closes in, with the others if they are given."""
    far = belief.board.distances(cell)
    steps = 0.0
    for place in places:
        own = far.get(place, FAR)
        nearest = min((near.get(place, FAR) for near in others), default=FAR)
        # A pawn that comes second still cuts off ways.
        steps += min(own, nearest) + own / 4 if level == "search" else own
    entered = 0.0 if stays or cell not in places else ENTER
    return (entered - steps) / len(places) if places else 0.0


def _price(belief: Belief, walk: Walk) -> float:
    """Return the price of a scarce ticket, in steps."""
    left = belief.public.tickets[walk.pawn].get(walk.kind)
    turns = belief.board.rules.rounds - belief.public.round + 1
    return 0.0 if left is None or left >= turns else 0.3 / left


def _asked(belief: Belief, asks: Sequence[Action], level: str, rng: Random) -> Action:
    """Return an arrest where the fugitive probably is, else the question that divides best."""
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
    if level == "greedy":
        return rng.choice(questions)
    return max(questions, key=lambda ask: _divides(belief, ask) + rng.random() / 100)


def _divides(belief: Belief, ask: Ask) -> float:
    """Return the share of possible places that the unlikelier answer leaves."""
    cell = belief.public.pawns[ask.pawn]
    places, whole = belief.places, belief.places.bit_count() or 1
    if ask.question == "was_here":
        heard = [QuestionAnswered(ask.pawn, "was_here", cell, yes=yes) for yes in (True, False)]
        left = []
        for event in heard:
            twin = belief.copy()
            twin.observe(event)
            left.append(twin.places.bit_count())
        return 0.0 if 0 in left else 1 - max(left) / whole
    yes = answered(
        belief.board, QuestionAnswered(ask.pawn, ask.question, cell, yes=ask.question != "which_of")
    )
    share = (places & yes).bit_count() / whole
    return min(share, 1 - share)
