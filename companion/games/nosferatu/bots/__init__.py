"""Bots for Nosferatu: three levels that search with bit masks."""

from __future__ import annotations

from companion.core.capabilities import Bot, Bots
from companion.core.game import Action, Event, Seat, State, View
from companion.core.search_budget import SearchBudget
from companion.games.nosferatu.bots.levels import LEVELS, choose_turn


class NosferatuBot(Bot):
    """A bot for either side."""

    def __init__(self, level: str, budget: SearchBudget) -> None:
        self._level = level
        self._budget = budget

    def hear(self, event: Event) -> None:
        """Keep nothing: the view is enough."""

    def act(self, view: View) -> list[Action]:
        """Return a whole turn, all jumps of a capture included."""
        return choose_turn(view.public, self._level, self._budget)


class NosferatuBots(Bots):
    """Bots for either side; nothing is hidden from them."""

    levels = tuple(LEVELS)
    sides = ("vampires", "villagers")
    by_hand = frozenset({"enter", "move", "jump"})

    def make(self, seat: Seat, level: str, budget: SearchBudget) -> Bot:
        return NosferatuBot(level, budget)

    def side_of(self, state: State, seat: Seat) -> str:
        return seat
