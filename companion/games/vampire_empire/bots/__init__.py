"""Bots for Vampire Empire; each knows one seat's view and the public events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.capabilities import BotPosition, Bots
from companion.core.game import Action
from companion.core.search_budget import SearchBudget
from companion.games.vampire_empire.bots.bot import LEVELS, choose_action


class VampireEmpireBots(Bots):
    """Bots for either side."""

    levels = LEVELS

    def act(self, position: BotPosition, level: str, budget: SearchBudget) -> list[Action]:
        return [choose_action(position.view, position.public_events, level, budget.rng)]

    def is_asked(self, view: Mapping[str, Any]) -> bool:
        """Return whether a seat is asked for a support card."""
        return bool(view["window"])

    def is_answer_read(self, view: Mapping[str, Any]) -> bool:
        """Return whether people read what holy water showed."""
        return bool(view["step"] == "answer")
