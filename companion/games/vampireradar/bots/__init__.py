"""Bots for Vampire Radar, from simple rules to a search of the round."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from companion.core.capabilities import Bot, Bots
from companion.core.game import Action, Event, PublicEvent, Seat, View
from companion.core.search_budget import SearchBudget
from companion.games.vampireradar.bots.base import BeliefTracker, HumanBot, VampireBot
from companion.games.vampireradar.bots.belief import Belief
from companion.games.vampireradar.bots.humans import (
    DeepHuman,
    GreedyHuman,
    HeuristicHuman,
)
from companion.games.vampireradar.bots.vampires import (
    DeepVampire,
    GreedyVampire,
    HeuristicVampire,
)
from companion.games.vampireradar.events import TurnEnded, VampirePlaced
from companion.games.vampireradar.options import V

HUMAN_LEVELS: Mapping[str, type[HumanBot]] = {
    "greedy": GreedyHuman,
    "heuristic": HeuristicHuman,
    "deep": DeepHuman,
}
VAMPIRE_LEVELS: Mapping[str, type[VampireBot]] = {
    "greedy": GreedyVampire,
    "heuristic": HeuristicVampire,
    "deep": DeepVampire,
}
LEVELS = tuple(HUMAN_LEVELS)


class PublicListener(Bot):
    """A bot whose beliefs come from public events alone.

    decide: returns the seat's actions; only the vampire's uses the view
    """

    def __init__(self, tracker: BeliefTracker, decide: Callable[[View], list[Action]]) -> None:
        self._tracker, self._decide = tracker, decide

    def observe(self, event: Event) -> None:
        if isinstance(event, PublicEvent):
            self._tracker.observe(event)

    def act(self, view: View) -> list[Action]:
        return self._decide(view)


class VampireRadarBots(Bots):
    """Bots for the vampire and for humans."""

    levels = LEVELS
    sides = ("humans", "vampire")
    by_hand = frozenset({"walk"})

    def make(self, seat: Seat, level: str, budget: SearchBudget) -> Bot:
        if seat == V:
            vampire = VAMPIRE_LEVELS[level](budget)
            return PublicListener(vampire, lambda view: vampire.act(view))
        human = HUMAN_LEVELS[level](budget)
        return PublicListener(human, lambda _: [human.act(seat)])

    def side_before(self, seat: Seat) -> str:
        return "vampire" if seat == V else "humans"

    def figures(self, history: Sequence[Event]) -> Mapping[str, float]:
        """Return the rounds that began, and the mean number of possible tiles after the vampire's
        turns.
        """
        belief, tiles = Belief(), list[int]()
        for event in history:
            if isinstance(event, PublicEvent):
                belief.observe(event)
                if isinstance(event, VampirePlaced) or event == TurnEnded(V):
                    tiles.append(belief.tiles.bit_count())
        return {"rounds": belief.public.round, "belief": fmean(tiles) if tiles else 0.0}
