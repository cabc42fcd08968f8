"""Bots for Shisogari; each knows its own hand and what its seat was told."""

from __future__ import annotations

from companion.core.capabilities import Bot, Bots
from companion.core.game import Action, Event, Seat, State, View
from companion.core.search_budget import SearchBudget
from companion.games.shisogari.bots.bot import LEVELS, choose_action


class ShisogariBot(Bot):
    """Plays either role from its own hand and from all that its seat was told."""

    def __init__(self, level: str, budget: SearchBudget) -> None:
        self._level = level
        self._rng = budget.rng
        self._heard: list[Event] = []

    def hear(self, event: Event) -> None:
        self._heard.append(event)

    def act(self, view: View) -> list[Action]:
        return [choose_action(view, self._heard, self._level, self._rng)]


class ShisogariBots(Bots):
    """Bots for either role."""

    levels = LEVELS
    sides = ("hunters", "vampire")

    def make(self, seat: Seat, level: str, budget: SearchBudget) -> Bot:
        return ShisogariBot(level, budget)

    def side_of(self, state: State, seat: Seat) -> str:
        return "hunters" if state.private[seat].role == "hunter" else "vampire"
