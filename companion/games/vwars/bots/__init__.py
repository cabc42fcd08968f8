"""Bots for V-Wars; each knows its own faction and hand and the public view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from companion.core.capabilities import Bot, Bots, HistoryBot
from companion.core.game import Action, Event, Seat, State, View
from companion.core.search_budget import SearchBudget
from companion.games.vwars.bots.bot import (
    LEVELS,
    allowed,
    choose_role,
    serves,
)
from companion.games.vwars.bots.heuristic import Heuristic
from companion.games.vwars.legal import legal


def decide(view: View, history: Sequence[Event], level: str, budget: SearchBudget) -> Action:
    """Return the next action of the bot at the view's seat, which is to move."""
    assert view.seat is not None
    offered = allowed(legal(view.public, view.seat, view.own))
    if level == "random":
        return budget.rng.choice(offered)
    decision = Heuristic(view.public, view.seat, view.own, history, budget.rng)
    return decision.choose(offered)


class VWarsBots(Bots):
    """Bots for every faction."""

    levels = LEVELS
    sides = ("humans", "vampires")

    def make(self, seat: Seat, level: str, budget: SearchBudget) -> Bot:
        return HistoryBot(lambda view, events: [decide(view, events, level, budget)])

    def side_of(self, state: State, seat: Seat) -> str:
        """Return the side for which a seat plays now: an Infected is a human until awakened."""
        return f"{serves(state.public, seat, state.private[seat])}s"

    def allowed(self, legal: Sequence[Action]) -> Sequence[Action]:
        return allowed(legal)

    def choose(self, offered: Sequence[Mapping[str, Any]], level: str, rng: Random) -> str:
        return choose_role(offered, level, rng)
