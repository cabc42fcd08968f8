"""Bots for Nosferatu: an engine of its own on bit masks, and three levels that search with it."""

from __future__ import annotations

from companion.core.capabilities import BotPosition, Bots
from companion.core.game import Action
from companion.core.search_budget import SearchBudget
from companion.games.nosferatu.bots.levels import LEVELS, choose_turn


class NosferatuBots(Bots):
    """Bots for either side; nothing is hidden from them."""

    levels = tuple(LEVELS)
    by_hand = frozenset({"enter", "move", "jump"})

    def act(self, position: BotPosition, level: str, budget: SearchBudget) -> list[Action]:
        """Return a whole turn, all jumps of a capture included."""
        return choose_turn(position.view.public, level, budget.rng, budget.monotonic)
