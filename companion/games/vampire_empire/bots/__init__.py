"""Bots for Vampire Empire; each uses only one seat's view and the events that it received."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.capabilities import Bot, Bots, HistoryBot
from companion.core.game import Seat, State
from companion.core.search_budget import SearchBudget
from companion.games.vampire_empire.bots.bot import LEVELS, choose_action


class VampireEmpireBots(Bots):
    """Bots for either side."""

    levels = LEVELS
    sides = ("vampire", "human")

    def make(self, seat: Seat, level: str, budget: SearchBudget) -> Bot:
        return HistoryBot(lambda view, events: [choose_action(view, events, level, budget)])

    def side_of(self, state: State, seat: Seat) -> str:
        return seat

    def side_before(self, seat: Seat) -> str:
        return seat

    def is_asked(self, view: Mapping[str, Any]) -> bool:
        """Return whether a seat is asked for a support card."""
        return bool(view["window"])

    def is_answer_read(self, view: Mapping[str, Any]) -> bool:
        """Return whether people are reading the answer of holy water."""
        return bool(view["step"] == "answer")
