"""Define bots that receive public events and act when their seat is to move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from companion.core.game import Action, PublicEvent, Seat, View
from companion.core.search_budget import SearchBudget
from companion.games.vampireradar.actions import CallRadar, TakeBullet
from companion.games.vampireradar.bots.belief import Belief
from companion.games.vampireradar.bots.posterior import PLAIN, OpponentModel, PosteriorBelief
from companion.games.vampireradar.humans import human_actions
from companion.games.vampireradar.state import Public, Vampire


class BeliefTracker:
    """A fold of the public events into odds of the vampire's tile.

    The type of `observe` accepts public events alone, so that callers cannot pass a secret.
    opponent_models: the kinds of vampire to assume
    """

    opponent_models: ClassVar[Sequence[OpponentModel]] = (PLAIN,)

    def __init__(self, budget: SearchBudget) -> None:
        self.budget = budget
        self.posterior = PosteriorBelief(self.opponent_models)

    @property
    def belief(self) -> Belief:
        return self.posterior.belief

    @property
    def public(self) -> Public:
        return self.belief.public

    def observe(self, event: PublicEvent) -> None:
        """Fold a public event; raise TypeError for any other."""
        self.posterior.observe(event)


class HumanBot(BeliefTracker, ABC):
    """A bot for human seats, from public events alone; one bot may play them all.

    Must override: `choose`.
    """

    def act(self, seat: Seat) -> Action:
        """Return one action for `seat`, whose turn it is."""
        if seat != self.public.to_move:
            raise ValueError(f"it is not the turn of {seat}")
        return self.choose(human_actions(self.public))

    @abstractmethod
    def choose(self, legal: Sequence[Action]) -> Action:
        """Return one of the legal actions; the last of them ends the turn. Must override."""


Chances = list[tuple[float, list[Action]]]
"""Whole submissions, each with its chance; the chances sum to 1."""


class VampireBot(BeliefTracker, ABC):
    """A bot for the vampire, from the public events and its own view.

    Must override: `chances`. May override: `exact`.
    """

    exact: ClassVar[bool] = True
    """Whether `chances` returns the same result every time when there is time."""

    def act(self, view: View) -> list[Action]:
        """Return the whole night, or the placing, for the vampire's own view."""
        own: Vampire = view.own
        return self.choose(own)

    def choose(self, own: Vampire) -> list[Action]:
        """Return the actions of one whole submission, drawn by their chances."""
        chances = self.chances(own)
        return self.budget.rng.choices(
            [actions for _, actions in chances], [chance for chance, _ in chances]
        )[0]

    @abstractmethod
    def chances(self, own: Vampire) -> Chances:
        """Return the submissions with their chances; `choose` draws one. Must override."""


def free_action(legal: Sequence[Action]) -> Action | None:
    """Return a free radar or bullet, if there is one: taking it is never worse."""
    return next((action for action in legal if isinstance(action, CallRadar | TakeBullet)), None)
