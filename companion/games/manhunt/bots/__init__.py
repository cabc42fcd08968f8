"""Bots for Manhunt at three levels, on any map: exact belief and a search one turn ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from companion.core.capabilities import Bot, Bots
from companion.core.game import Action, Event, PublicEvent, Seat, View
from companion.core.search_budget import SearchBudget
from companion.games.manhunt.belief import Belief
from companion.games.manhunt.bots.fugitive import choose_fugitive
from companion.games.manhunt.bots.hunter import choose_hunter
from companion.games.manhunt.bots.hunter_search import search_hunter
from companion.games.manhunt.bots.likelihood import Likelihood
from companion.games.manhunt.events import FugitiveMoved
from companion.games.manhunt.options import F


class ManhuntBot(Bot):
    """A bot's seat, which computes its belief from public events alone."""

    def __init__(self, seat: Seat, level: str, budget: SearchBudget) -> None:
        self._seat, self._level, self._rng = seat, level, budget.rng
        self._belief, self._likelihood = Belief(), Likelihood()
        self._weighs = level == "search" and seat != F

    def observe(self, event: Event) -> None:
        if isinstance(event, PublicEvent):
            before = self._belief.public
            self._belief.observe(event)
            if self._weighs:
                self._likelihood.observe(before, event, self._belief)

    def act(self, view: View) -> list[Action]:
        if self._seat == F:
            return choose_fugitive(self._belief, view.own, self._level, self._rng)
        if self._level == "search":
            weights = self._likelihood.weights
            return [search_hunter(self._belief, weights, self._seat, self._rng)]
        return [choose_hunter(self._belief, self._seat, self._level, self._rng)]


class ManhuntBots(Bots):
    """Bots for the fugitive and for hunters."""

    levels = ("random", "greedy", "search")
    sides = ("hunters", "fugitive")
    by_hand = frozenset({"walk"})

    def make(self, seat: Seat, level: str, budget: SearchBudget) -> Bot:
        return ManhuntBot(seat, level, budget)

    def side_before(self, seat: Seat) -> str:
        return "fugitive" if seat == F else "hunters"

    def figures(self, history: Sequence[Event]) -> Mapping[str, float]:
        """Return the rounds of the last night, and the mean number of possible places after the
        fugitive's turns.
        """
        belief, places = Belief(), list[int]()
        for event in history:
            if isinstance(event, PublicEvent):
                belief.observe(event)
                if isinstance(event, FugitiveMoved):
                    places.append(belief.places.bit_count())
        return {"rounds": belief.public.round, "belief": fmean(places) if places else 0.0}
