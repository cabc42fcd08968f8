"""Bots for Vampire Radar, from simple rules to a search of the round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from companion.core.capabilities import Bot, Bots
from companion.core.codec import to_builtins
from companion.core.game import Action, Event, PublicEvent, Seat, View
from companion.core.game import State as State
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
from companion.games.vampireradar.layout import HOUSE_FIELD
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


VALUES: Mapping[str, tuple[Any, ...]] = {
    "adjacency": ("orthogonal", "with_diagonals"),
    "announce": ("immediate", "turn_end"),
    "bullets_each": (None, 1, 2, 3, 4, 6),
    "exhaustion": ("strict", "hopeless"),
    "lazy_landing": (False, True),
    "max_joined_walls": (2, 1, 4, 7),
    "pawns_block_shots": (False, True),
    "pawns_each": (None, 2, 3, 4),
    "pawns_per_turn": (3, 2, 1),
    "turn_order": ("fixed", "rotating"),
    "vampire_may_share": (True, False),
}
"""The values of each option, the usual one first.

`adjacency` and `max_joined_walls` are rules for laying a random field.
"""

VARIATIONS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    **{
        name: {
            "usual" if value is None else str(value).lower(): {"options": {name: value}}
            for value in values
        }
        for name, values in VALUES.items()
    },
    "field": {"random": {}, "house": {"field": to_builtins(HOUSE_FIELD)}},
}


class _Listening(Bot):
    """Pass public events alone to a belief tracker."""

    def __init__(self, tracker: BeliefTracker) -> None:
        self._tracker = tracker

    def observe(self, event: Event) -> None:
        if isinstance(event, PublicEvent):
            self._tracker.observe(event)


class VampireSeat(_Listening):
    """The vampire, from its own view."""

    def __init__(self, vampire: VampireBot) -> None:
        super().__init__(vampire)
        self._vampire = vampire

    def act(self, view: View) -> list[Action]:
        """Return a whole night, or the placing."""
        return self._vampire.act(view)


class HumanSeat(_Listening):
    """A human, from public events alone."""

    def __init__(self, human: HumanBot) -> None:
        super().__init__(human)
        self._human = human

    def act(self, view: View) -> list[Action]:
        assert view.seat is not None, "the table display has no bot"
        return [self._human.act(view.seat)]


class VampireRadarBots(Bots):
    """Bots for the vampire and for humans."""

    levels = LEVELS
    sides = ("humans", "vampire")
    by_hand = frozenset({"walk"})
    variations = VARIATIONS

    def make(self, seat: Seat, level: str, budget: SearchBudget) -> Bot:
        if seat == V:
            return VampireSeat(VAMPIRE_LEVELS[level](budget))
        return HumanSeat(HUMAN_LEVELS[level](budget))

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
