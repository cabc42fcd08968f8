"""Bots for Nosferatu: levels that search with bit masks."""

from __future__ import annotations

from companion.core.capabilities import Bot, Bots, HistoryBot
from companion.core.game import Seat, State
from companion.core.search_budget import SearchBudget
from companion.games.nosferatu.bots.levels import LEVELS, choose_turn


class NosferatuBots(Bots):
    """Bots for either side; nothing is hidden from them."""

    levels = tuple(LEVELS)
    sides = ("vampires", "villagers")
    by_hand = frozenset({"enter", "move", "jump"})

    def make(self, seat: Seat, level: str, budget: SearchBudget) -> Bot:
        return HistoryBot(lambda view, _: choose_turn(view.public, level, budget))

    def side_of(self, state: State, seat: Seat) -> str:
        return seat

    def side_before(self, seat: Seat) -> str:
        return seat
