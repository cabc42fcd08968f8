"""Bots for V-Wars; each uses only its own faction and hand and the public view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from companion.core.capabilities import Bot, Bots
from companion.core.game import Action, Event, Seat, State, View
from companion.core.search_budget import SearchBudget
from companion.games.vwars.bots.belief import PoolBelief
from companion.games.vwars.bots.bot import (
    LEVELS,
    bot_actions,
    choose_role,
    serves,
)
from companion.games.vwars.bots.heuristic import Heuristic
from companion.games.vwars.bots.memory import Memory
from companion.games.vwars.bots.plans import Planner, Vampire
from companion.games.vwars.legal import legal


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
        memory_type = PoolBelief if is_human and is_deep else Memory
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
        return choose_role(offered, level, rng)
