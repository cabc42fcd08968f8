"""Bots for Shisogari; each knows its own hand and what its seat was told."""

from __future__ import annotations

from companion.core.capabilities import BotPosition, Bots
from companion.core.game import Action
from companion.core.search_budget import SearchBudget
from companion.games.shisogari.bots.bot import LEVELS, choose_action


class ShisogariBots(Bots):
    """Bots for either role."""

    levels = LEVELS

    def act(self, position: BotPosition, level: str, budget: SearchBudget) -> list[Action]:
        return [choose_action(position.view, position.heard(), level, budget.rng)]
