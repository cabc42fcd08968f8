"""Bots for Shisogari; each uses only its own hand and the events that its seat received.

All levels lay every pair they can. The second one keeps worlds that fit the events it received. The
third one never gives, so that giving betrays the Vampire's side. On that side it plays the worlds
to the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.core.capabilities import Bot, Bots
from companion.core.game import Action, Event, Seat, State, View
from companion.core.search_budget import SearchBudget
from companion.games.shisogari import turns
from companion.games.shisogari.actions import Accuse, Give, Lay, Name
from companion.games.shisogari.bots.belief import Belief
from companion.games.shisogari.bots.policy import Policy
from companion.games.shisogari.bots.search import Search
from companion.games.shisogari.cards import ITEMS
from companion.games.shisogari.options import NEEDED
from companion.games.shisogari.state import Hand, Public

LEVELS = ("random", "heuristic", "search")


class ShisogariBot(Bot):
    """A bot at one seat. Its worlds follow the events that the seat received."""

    def __init__(self, seat: Seat, level: str, budget: SearchBudget) -> None:
        self._level, self._budget = level, budget
        self._events: list[Event] = []
        self._unread = 0
        is_reading = level == "search"
        keeps_worlds = level in ("heuristic", "search")
        self._belief = Belief(seat, budget.rng, habits=is_reading) if keeps_worlds else None

    def observe(self, event: Event) -> None:
        self._events.append(event)

    def act(self, view: View) -> list[Action]:
        return [self._choose(view)]

    def _choose(self, view: View) -> Action:
        """Return the next action of the view's seat, which is to move."""
        public: Public = view.public
        own: Hand = view.own
        assert view.seat is not None
        rng = self._budget.rng
        legal = list(turns.legal(public, view.seat, own))
        if public.step == "last_card" or len(legal) == 1:
            return rng.choice(legal)
        if self._belief is None:
            return _by_rule(public, own, legal, rng)
        deadline = self._budget.deadline()
        self._belief.observe(self._events[self._unread :])
        self._unread = len(self._events)
        if self._level == "search" and public.step == "turn":
            # Hunters never give, so giving would reveal the Vampire: it does not give either.
            legal = [action for action in legal if not isinstance(action, Give)] or legal
        if self._level == "search" and own.role != "hunter" and public.step != "name":
            return Search(self._belief, public, own, rng).choose(legal, deadline)
        return Policy(self._belief, public, own, rng).choose(legal)


def _by_rule(public: Public, own: Hand, legal: Sequence[Action], rng: Random) -> Action:
    """Return the action of a level that keeps no worlds."""
    accusing = [action for action in legal if isinstance(action, Accuse)]
    others = [action for action in legal if action not in accusing]
    laid = sum(len(pairs) for pairs in public.pairs.values())
    if accusing and (not others or laid >= NEEDED[public.players]):
        return rng.choice(accusing)
    if public.step == "name":
        return _choose_item(own, others, rng)
    if public.step == "place":
        # A pair shortens a hand: Hunters want that, and so does a Vampire with a fake pair.
        return rng.choice([action for action in others if isinstance(action, Lay)] or others)
    return rng.choice(others)


def _choose_item(own: Hand, others: Sequence[Action], rng: Random) -> Action:
    """Return an item to name that the seat holds, so that a pair of it would lie face up."""
    held = [action for action in others if isinstance(action, Name) and action.item in own.cards]
    return rng.choice(held if held and set(own.cards) & set(ITEMS) else others)


class ShisogariBots(Bots):
    """Bots for either role."""

    levels = LEVELS
    sides = ("hunters", "vampire")

    def make(self, seat: Seat, level: str, budget: SearchBudget) -> Bot:
        return ShisogariBot(seat, level, budget)

    def side_of(self, state: State, seat: Seat) -> str:
        return "hunters" if state.private[seat].role == "hunter" else "vampire"
