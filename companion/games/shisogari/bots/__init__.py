"""Bots for Shisogari; each uses only its own hand and the events that its seat received."""

from __future__ import annotations

from companion.core.capabilities import Bot, Bots
from companion.core.game import Seat, State
from companion.core.search_budget import SearchBudget
from companion.games.shisogari.bots.bot import LEVELS, ShisogariBot


class ShisogariBots(Bots):
    """Bots for either role."""

    levels = LEVELS
    sides = ("hunters", "vampire")

    def make(self, seat: Seat, level: str, budget: SearchBudget) -> Bot:
        return ShisogariBot(seat, level, budget)

    def side_of(self, state: State, seat: Seat) -> str:
        return "hunters" if state.private[seat].role == "hunter" else "vampire"
