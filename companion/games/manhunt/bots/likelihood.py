"""Weight the possible places by the moves of a fugitive that avoids pawns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from companion.core.game import PublicEvent
from companion.core.placement import Cell
from companion.games.manhunt.belief import Belief
from companion.games.manhunt.board import FAR, Passage
from companion.games.manhunt.events import FugitiveMoved, FugitivePlaced
from companion.games.manhunt.map_file import UNSEEN
from companion.games.manhunt.state import Public

AVOIDS = 0.8
"""The log of the factor by which one way more to the nearest pawn makes a place likelier."""
FARTHEST = 4
"""The distance in ways from the nearest pawn beyond which places count alike."""
SEEKS = 0.4
"""The log of the factor by which one way less to a target or hideout makes a place likelier."""
LEAST = 1e-4
"""The weight of a possible place to which no modelled move leads."""


class Likelihood:
    """The probability of each possible place, by public events alone."""

    def __init__(self) -> None:
        self.weights: Mapping[Cell, float] = {}

    def observe(self, before: Public, event: PublicEvent, belief: Belief) -> None:
        """Update by an event.

        Call it after `belief` has been updated; `before` is the state before the event.
        """
        weights = self.weights
        if isinstance(event, FugitivePlaced):
            weights = {cell: _preference(before, cell) for cell in belief.cells}
        elif isinstance(event, FugitiveMoved):
            weights = self._after_move(before, event)
        possible = {cell: weights.get(cell, 0.0) + LEAST for cell in belief.cells}
        whole = sum(possible.values())
        self.weights = {cell: weight / whole for cell, weight in possible.items()}

    def _after_move(self, before: Public, event: FugitiveMoved) -> Mapping[Cell, float]:
        weights = self.weights
        if event.ways is not None:
            for way in event.ways:
                weights = _after_step(before, weights, None if way == UNSEEN else way)
            return weights
        rules = before.board.rules
        after = dict(weights) if "fugitive" in rules.may_stay else {}
        for _ in range(rules.fugitive_moves):
            weights = _after_step(before, weights, None)
            for cell, weight in weights.items():
                after[cell] = after.get(cell, 0.0) + weight
        return after


def _after_step(
    public: Public, weights: Mapping[Cell, float], label: str | None
) -> Mapping[Cell, float]:
    taken = set(public.pawns.values())
    preference: dict[Cell, float] = {}
    after: dict[Cell, float] = {}
    for cell, weight in weights.items():
        ends = _ends(public, cell, label, taken)
        for to in ends:
            if to not in preference:
                preference[to] = _preference(public, to)
        whole = sum(preference[to] for to in ends)
        for to in ends:
            after[to] = after.get(to, 0.0) + weight * preference[to] / whole
    return after


def _ends(public: Public, cell: Cell, label: str | None, taken: Iterable[Cell]) -> list[Cell]:
    passages: Iterable[Passage] = public.board.steps["fugitive"][cell]
    return [
        passage.to
        for passage in passages
        if passage.to not in taken and (label is None or public.board.label(cell, passage) == label)
    ]


def _preference(public: Public, cell: Cell) -> float:
    board = public.board
    nearest = min((board.distance(pawn, cell) for pawn in public.pawns.values()), default=FAR)
    power = AVOIDS * min(nearest, FARTHEST)
    goals = board.hideouts | (board.targets - set(public.visited))
    if goals:
        power -= SEEKS * min(board.escape_distances(goal).get(cell, FAR) for goal in goals)
    return math.exp(power)
