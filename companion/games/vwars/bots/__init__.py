"""Bots for V-Wars; each knows its own faction and hand and what everybody sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from companion.core.capabilities import BotPosition, Bots
from companion.core.game import Action
from companion.core.search_budget import SearchBudget
from companion.games.vwars.bots.bot import LEVELS, choose_action, choose_role


class VWarsBots(Bots):
    """Bots for every faction."""

    levels = LEVELS

    def act(self, position: BotPosition, level: str, budget: SearchBudget) -> list[Action]:
        return [choose_action(position.view, level, budget.rng)]

    def choose(self, offered: Sequence[Mapping[str, Any]], level: str, rng: Random) -> str:
        return choose_role(offered, level, rng)
