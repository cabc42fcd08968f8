"""Choose a hunter's actions at the third level: close the ways of escape from the fugitive's likely
places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from companion.core.game import Action, Seat
from companion.core.placement import Cell
from companion.games.manhunt.actions import LOOK, Arrest, Ask, Walk
from companion.games.manhunt.belief import Belief, places_that_fit
from companion.games.manhunt.board import FAR
from companion.games.manhunt.bots.escape import covered, open_ways
from companion.games.manhunt.bots.hunter import price
from companion.games.manhunt.events import QuestionAnswered
from companion.games.manhunt.hunters import hunter_actions

LIKELIEST = 40
"""The maximum number of places to evaluate, the likeliest first."""
ENTER = 6.0
"""The worth of an arrest; halving the places that the fugitive reaches in one turn is worth 1."""
NEAR = 0.3
"""The worth of a step nearer to where the fugitive is."""
FARTHEST = 20
"""The distance in ways beyond which all places count as equally far."""
SURE = 0.4
"""The least chance at which an arrest is better than a question."""

Weights = Mapping[Cell, float]


def search_hunter(belief: Belief, weights: Weights, seat: Seat, rng: Random) -> Action:
    """Return the next action of the hunter to move."""
    legal = hunter_actions(belief.public, seat)
    if len(legal) == 1:
        return legal[0]
    likely = dict(sorted(weights.items(), key=lambda each: -each[1])[:LIKELIEST])
    walks = [action for action in legal if isinstance(action, Walk)]
    for pawn in belief.public.pawns_of(seat):
        own = [walk for walk in walks if walk.pawn == pawn]
        best_walk = own and _walk(belief, likely, own, rng)
        if best_walk:
            return best_walk
    asks = [action for action in legal if isinstance(action, Ask | Arrest)]
    if asks:
        return _choose_question(belief, likely, asks, rng)
    return LOOK if LOOK in legal else rng.choice(legal)


def _walk(belief: Belief, likely: Weights, walks: Sequence[Walk], rng: Random) -> Walk | None:
    """Return a pawn's first step to the best place in its reach this turn, None to stand still."""
    public, board = belief.public, belief.board
    pawn = walks[0].pawn
    left = board.rules.hunter_moves - public.walked.get(pawn, 0)
    enters = board.rules.arrest == "enter"
    others = [cell for each, cell in public.pawns.items() if each != pawn]
    worth: dict[Walk | None, float] = {}
    here = public.pawns[pawn]
    if "hunter" in board.rules.may_stay or public.walked.get(pawn):
        worth[None] = _blocking_worth(belief, likely, here, others)
    for walk in walks:
        passed = likely.get(walk.to, 0.0) * ENTER * enters - price(belief, walk)
        ends = [walk.to]
        if left > 1:
            ends += board.beside(walk.to)
        worth[walk] = (
            passed
            + rng.random() / 1000
            + max(
                _blocking_worth(belief, likely, end, others)
                + (likely.get(end, 0.0) * ENTER * enters if end != walk.to else 0.0)
                for end in ends
            )
        )
    return max(worth, key=worth.__getitem__)


def _blocking_worth(belief: Belief, likely: Weights, cell: Cell, others: Iterable[Cell]) -> float:
    """Return the worth of a pawn on a place: the fewer ways of escape stay open, the higher."""
    board = belief.board
    barred, far = covered(board, [cell, *others]), board.distances(cell)
    return -sum(
        weight * (open_ways(board, place, barred) + NEAR * min(far.get(place, FAR), FARTHEST))
        for place, weight in likely.items()
    )


def _choose_question(
    belief: Belief, likely: Weights, asks: Sequence[Action], rng: Random
) -> Action:
    """Return the likeliest arrest if its chance is at least `SURE`, else the question with the most
    information.
    """
    arrests = {
        action: likely.get(action.cell, 0.0) for action in asks if isinstance(action, Arrest)
    }
    questions = [action for action in asks if isinstance(action, Ask)]
    best = max(arrests, key=arrests.__getitem__, default=None)
    if best is not None and (arrests[best] >= SURE or not questions):
        return best
    return max(questions, key=lambda ask: _least_share(belief, ask) + rng.random() / 100)


def _least_share(belief: Belief, ask: Ask) -> float:
    """Return the share of possible places that fit the less likely answer."""
    cell = belief.public.pawns[ask.pawn]
    places, whole = belief.places, belief.places.bit_count() or 1
    if ask.question == "was_here":
        answers = [QuestionAnswered(ask.pawn, "was_here", cell, yes=yes) for yes in (True, False)]
        left = []
        for event in answers:
            twin = belief.copy()
            twin.observe(event)
            left.append(twin.places.bit_count())
        return 0.0 if 0 in left else 1 - max(left) / whole
    yes = places_that_fit(
        belief.board, QuestionAnswered(ask.pawn, ask.question, cell, yes=ask.question != "which_of")
    )
    share = (places & yes).bit_count() / whole
    return min(share, 1 - share)
