"""Plan a vampire's whole turn with all its moves; a hidden Vampire empties the humans' hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.core.game import Action
from companion.games.vwars.actions import Place, Reveal
from companion.games.vwars.bots.plans import Planner, infected_left
from companion.games.vwars.content import side_of, value_of

HUMAN_RESERVE = 3
"""Human cards that a hidden Vampire keeps, to put down where the humans expect them."""
DRAIN = 0.15
"""The worth to a hidden Vampire of a card that the next player must put into the pool with it: that
player then lacks the card in its turn, and its human cards are soon gone.
"""
FIRST = 10.0
"""More than any card's number."""


class Vampire(Planner):
    """One decision of a vampire, hidden or public."""

    def _beside(self, legal: Sequence[Action], base: float) -> Iterator[tuple[float, Action]]:
        for worth, action in super()._beside(legal, base):
            drains = self.is_hidden and action == Place("pool", self.public.order()[1])
            yield (base + DRAIN if drains else worth), action

    def _worth(self, action: Action) -> float:
        if isinstance(action, Reveal) and not infected_left(self.public):
            # Alone, a hidden Vampire does more for its side, and the rally brings sympathy.
            return -1.0
        return super()._worth(action)

    def _worth_of_giving(self, card: str) -> float:
        due = self.public.due
        if not self.is_hidden or due is None:
            return super()._worth_of_giving(card)
        is_human = side_of(card) == "human"
        humans = sum(side_of(each) == "human" for each in self.cards)
        if due.to is None and humans > HUMAN_RESERVE:
            return super()._worth_of_giving(card)
        # The discards show nobody a card; what goes into a pile is turned up one day.
        return FIRST * (is_human == (due.to is not None)) - value_of(card)
