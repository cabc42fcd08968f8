"""Hints from public events alone: the odds of the fugitive's place, and a suggested action with its
reason for the hunter to move.

The action is the one of a bot at the third level.
"""

from __future__ import annotations

from random import Random

from companion.core.capabilities import Hints, Suggestion
from companion.core.game import Action, Message, PublicEvent
from companion.core.placement import Cell
from companion.games.manhunt.actions import LOOK, Arrest, Ask, Walk
from companion.games.manhunt.belief import Belief, places_that_fit
from companion.games.manhunt.board import FAR
from companion.games.manhunt.bots.hunter_search import Weights, search_hunter
from companion.games.manhunt.bots.likelihood import Likelihood
from companion.games.manhunt.events import QuestionAnswered
from companion.games.manhunt.hunters import hunter_actions
from companion.games.manhunt.options import F


def suggest(belief: Belief, weights: Weights) -> Suggestion | None:
    """Return a suggestion to the hunter to move; None in the fugitive's turn and after the end."""
    seat = belief.public.to_move
    if seat in (None, F):
        return None
    legal = hunter_actions(belief.public, seat)
    if len(legal) == 1:
        return Suggestion(legal[0], Message("suggest.only"))
    # A fixed seed breaks ties, so that repeated requests get the same suggestion.
    action = search_hunter(belief, weights, seat, Random(0))
    if LOOK in legal and _is_in_vain(belief, action):
        action = LOOK
    return Suggestion(action, _reason(belief, action))


def _is_in_vain(belief: Belief, action: Action) -> bool:
    """Return whether an action gives no information: an arrest where the fugitive cannot be, or a
    question with a known answer.
    """
    if isinstance(action, Arrest):
        return not _is_possible(belief, action)
    return isinstance(action, Ask) and _most_left(belief, action) >= belief.places.bit_count()


def _is_possible(belief: Belief, action: Arrest | Walk) -> bool:
    """Return whether the fugitive may be where an arrest or a step is made."""
    cell = action.cell if isinstance(action, Arrest) else action.to
    return bool(belief.places >> belief.board.index[cell] & 1)


def _reason(belief: Belief, action: Action) -> Message:
    places = belief.places.bit_count()
    match action:
        case Ask():
            return Message("suggest.ask", {"left": _most_left(belief, action), "places": places})
        case Arrest(cell=cell) if _is_possible(belief, action):
            return Message("suggest.possible", {"cell": cell, "n": places})
        case Walk():
            return _reason_to_walk(belief, action)
        case _:
            return Message("suggest.stay")


def _most_left(belief: Belief, ask: Ask) -> int:
    """Return the largest number of places that an answer to a question leaves."""
    cell, places = belief.public.pawns[ask.pawn], belief.places
    if ask.question == "was_here":
        left = []
        for yes in (True, False):
            twin = belief.copy()
            twin.observe(QuestionAnswered(ask.pawn, ask.question, cell, yes=yes))
            # An answer that contradicts the announcements cannot be given.
            possible = twin.contradictions == belief.contradictions
            left.append(twin.places.bit_count() if possible else 0)
        return max(left)
    names_place = ask.question == "which_of"
    asked = places_that_fit(
        belief.board, QuestionAnswered(ask.pawn, ask.question, cell, yes=not names_place)
    )
    inside = places & (~asked if names_place else asked)
    count = inside.bit_count()
    return max(min(1, count) if names_place else count, (places & ~inside).bit_count())


def _reason_to_walk(belief: Belief, walk: Walk) -> Message:
    """Return the reason for a step: the fugitive's possible places at its end, those within the
    next turn's reach, or the nearest.
    """
    board, places = belief.board, belief.places
    if board.rules.arrest == "enter" and _is_possible(belief, walk):
        return Message("suggest.possible", {"cell": walk.to, "n": places.bit_count()})
    moves = board.rules.hunter_moves
    near = (places & board.within(walk.to, moves)).bit_count()
    nearest = min(board.distance(walk.to, cell) for cell in belief.cells)
    if near or nearest == FAR:
        return Message(
            "suggest.reach",
            {"cell": walk.to, "left": near, "places": places.bit_count(), "n": moves},
        )
    return Message("suggest.nearest", {"cell": walk.to, "n": nearest})


WHOLE = 1000
"""The unit of shares."""


def odds(cells: tuple[Cell, ...]) -> dict[Cell, int]:
    """Return the share of each possible place in thousandths: equal shares, at least 1 each."""
    return dict.fromkeys(cells, max(1, round(WHOLE / len(cells)))) if cells else {}


class FugitiveHints(Hints):
    """Odds and suggestions from public events; none before the fugitive has hidden."""

    def __init__(self) -> None:
        self._belief, self._likelihood = Belief(), Likelihood()

    def observe(self, event: PublicEvent) -> None:
        before = self._belief.public
        self._belief.observe(event)
        self._likelihood.observe(before, event, self._belief)

    def odds(self) -> dict[Cell, int]:
        return odds(self._belief.cells)

    def suggest(self) -> Suggestion | None:
        return suggest(self._belief, self._likelihood.weights)
