"""Bots for Vampire Empire; each knows one seat's view and what that seat was told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.capabilities import Bot, Bots
from companion.core.game import Action, Event, Seat, State, View
from companion.core.search_budget import SearchBudget
from companion.games.vampire_empire.bots.bot import LEVELS, choose_action


class VampireEmpireBot(Bot):
    """Plays either side from its own view and what its seat was told."""

    def __init__(self, level: str, budget: SearchBudget) -> None:
        self._level = level
        self._rng = budget.rng
        self._heard: list[Event] = []

    def hear(self, event: Event) -> None:
        self._heard.append(event)

    def act(self, view: View) -> list[Action]:
        return [choose_action(view, self._heard, self._level, self._rng)]


class VampireEmpireBots(Bots):
    """Bots for either side."""

    levels = LEVELS
    sides = ("vampire", "human")

    def make(self, seat: Seat, level: str, budget: SearchBudget) -> Bot:
        return VampireEmpireBot(level, budget)

    def side_of(self, state: State, seat: Seat) -> str:
        return seat

    def is_asked(self, view: Mapping[str, Any]) -> bool:
        """Return whether a seat is asked for a support card."""
        return bool(view["window"])

    def is_answer_read(self, view: Mapping[str, Any]) -> bool:
        """Return whether people read what holy water showed."""
        return bool(view["step"] == "answer")
