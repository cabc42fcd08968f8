"""Bots for V-Wars; each uses only its own faction and hand and the public view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from companion.core.capabilities import Bot, Bots
from companion.core.game import Action, Event, Seat, State, View
from companion.core.search_budget import SearchBudget
from companion.games.vwars import actions
from companion.games.vwars.bots.belief import Belief
from companion.games.vwars.bots.heuristic import Heuristic, serves
from companion.games.vwars.bots.memory import Memory
from companion.games.vwars.bots.plans import Planner, Vampire
from companion.games.vwars.legal import legal

LEVELS = ("random", "heuristic", "deep")
OF_PEOPLE = (
    actions.NoEvent,
    actions.Control,
    actions.Martial,
    actions.Troops,
    actions.Sympathy,
    actions.Answer,
)
"""Actions that report something of real cards, or change something by agreement."""


def bot_actions(legal: Sequence[Action]) -> Sequence[Action]:
    """Return the legal actions that report nothing of real cards and change nothing by agreement:
    a bot can do neither.
    """
    return [
        action
        for action in legal
        if not isinstance(action, OF_PEOPLE) and action != actions.Refilled(False)
    ] or legal


class VWarsBot(Bot):
    """A bot at one seat. Its memory follows the events that the seat received."""

    def __init__(self, level: str, budget: SearchBudget) -> None:
        self._level, self._rng = level, budget.rng
        self._events: list[Event] = []
        self._read = 0
        self._memory: Memory | None = None

    def observe(self, event: Event) -> None:
        self._events.append(event)

    def act(self, view: View) -> list[Action]:
        assert view.seat is not None
        public, seat, own = view.public, view.seat, view.own
        offered = bot_actions(legal(public, seat, own))
        if self._level == "random":
            return [self._rng.choice(offered)]
        is_human = serves(public, seat, own) == "human"
        is_deep = self._level == "deep"
        memory_type = Belief if is_human and is_deep else Memory
        if type(self._memory) is not memory_type:
            self._memory, self._read = memory_type(public, seat, own), 0
        self._memory.observe(public, self._events[self._read :])
        self._read = len(self._events)
        decision = (Planner if is_human else Vampire) if is_deep else Heuristic
        return [decision(public, seat, own, self._memory, self._rng).choose(offered)]


class VWarsBots(Bots):
    """Bots for every faction."""

    levels = LEVELS
    sides = ("humans", "vampires")

    def make(self, seat: Seat, level: str, budget: SearchBudget) -> Bot:
        return VWarsBot(level, budget)

    def side_of(self, state: State, seat: Seat) -> str:
        """Return the side for which a seat plays now: an Infected is a human until awakened."""
        return f"{serves(state.public, seat, state.private[seat])}s"

    def bot_actions(self, legal: Sequence[Action]) -> Sequence[Action]:
        return bot_actions(legal)

    def choose(self, offered: Sequence[Mapping[str, Any]], level: str, rng: Random) -> str:
        """Return any role at the level "random", else one with most effects."""
        does = [
            sum(
                effect["do"] != "note"
                for effect in [*role["human_effects"], *role["vampire_effects"]]
            )
            for role in offered
        ]
        best = (
            offered
            if level == "random"
            else [role for role, count in zip(offered, does, strict=True) if count == max(does)]
        )
        return str(rng.choice(best)["id"])
