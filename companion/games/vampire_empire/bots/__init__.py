"""Bots for Vampire Empire; each uses only one seat's view and the events that it received.

The second level attacks by its own cards and the probable vampires, which it infers from the
opponent's actions, and evaluates fights against possible hands. The third one plays possible worlds
to the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from companion.core.capabilities import Bot, Bots, HistoryBot
from companion.core.game import Action, Event, Seat, View
from companion.core.search_budget import SearchBudget
from companion.games.vampire_empire import turns
from companion.games.vampire_empire.actions import DECLINE, PlaySupport
from companion.games.vampire_empire.bots.heuristic import Heuristic
from companion.games.vampire_empire.bots.search import Search

KINDS: Mapping[str, type[Heuristic]] = {"heuristic": Heuristic, "search": Search}
LEVELS = ("random", *KINDS)
RANDOM_SHARE = 0.1
"""The probability that the first level plays a support card when asked for one."""


def choose_action(view: View, history: Sequence[Event], level: str, budget: SearchBudget) -> Action:
    """Return the next action of the bot at the view's seat, which is to move."""
    assert view.seat is not None
    legal = list(turns.legal(view.public, view.seat, view.own))
    if level != "random" and not view.public.has_real_cards:
        return KINDS[level](view, history, budget).choose(legal)
    rng = budget.rng
    if level == "random" and DECLINE in legal:
        supports = [action for action in legal if isinstance(action, PlaySupport)]
        return rng.choice(supports) if supports and rng.random() < RANDOM_SHARE else DECLINE
    return rng.choice(_each_kind(legal, rng))


def _each_kind(legal: Sequence[Action], rng: Random) -> list[Action]:
    """Return one action of each kind, so that a random choice does not favour large hands."""
    shuffled = rng.sample(legal, len(legal))
    return list({type(action): action for action in shuffled}.values())


class VampireEmpireBots(Bots):
    """Bots for either side."""

    levels = LEVELS
    sides = ("vampire", "human")

    def make(self, seat: Seat, level: str, budget: SearchBudget) -> Bot:
        return HistoryBot(lambda view, events: [choose_action(view, events, level, budget)])

    def side_before(self, seat: Seat) -> str:
        return seat

    def is_asked(self, view: Mapping[str, Any]) -> bool:
        """Return whether a seat is asked for a support card."""
        return bool(view["window"])

    def is_answer_read(self, view: Mapping[str, Any]) -> bool:
        """Return whether people are reading the answer of holy water."""
        return bool(view["step"] == "answer")
