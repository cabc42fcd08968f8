"""Define the vampire's levels. They use their own tile and the public view."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import Action
from companion.core.placement import Cell
from companion.core.search_budget import Deadline
from companion.games.vampireradar.actions import Place
from companion.games.vampireradar.bots.base import Chances, VampireBot
from companion.games.vampireradar.bots.bitboard import CELLS, INDEX, START, indices
from companion.games.vampireradar.bots.hiding import mixed_to_hide
from companion.games.vampireradar.bots.night_moves import Night, nights
from companion.games.vampireradar.bots.position import Position
from companion.games.vampireradar.bots.vampire_search import (
    THREAT,
    NightSearch,
    Weighed,
    softmax_chances,
)
from companion.games.vampireradar.state import Vampire

WEIGHING = 0.8
"""The share of the time for evaluating the nights; the deep vampire mixes them in the rest."""
SAMPLED_ROUNDS = 30
"""Rounds of the humans that the deep vampire plays after each night at most."""
NEAR = 5
"""The distance to the nearest pawn, in steps, at which the greedy vampire goes no nearer."""


def places() -> Chances:
    """Return the places where a game may begin, all equally likely."""
    return evenly([[Place(CELLS[tile])] for tile in indices(START)])


def evenly(submissions: list[list[Action]]) -> Chances:
    """Return equally likely submissions."""
    return [(1 / len(submissions), actions) for actions in submissions]


def most_preferred(ranked: Sequence[tuple[tuple[float, ...], Night]]) -> Chances:
    """Return the nights with the greatest worth, all equally likely."""
    most = max(preference for preference, _ in ranked)
    return evenly([night.actions for preference, night in ranked if preference == most])


class GreedyVampire(VampireBot):
    """Level 1: kill as many as possible, eat when hurt, otherwise stay near the pawns."""

    def chances(self, own: Vampire) -> Chances:
        if own.cell is None:
            return places()
        ground = self.belief.ground
        pawns = [INDEX[cell] for cell in self.public.pawns.values()]
        hurt = self.public.hp < self.public.max_hp and len(self.public.humans) > 1

        def preference(night: Night) -> tuple[int, int, int]:
            left = [tile for tile in pawns if not night.struck >> tile & 1]
            nearest = min((ground.far[night.end][tile] for tile in left), default=0)
            if len(self.public.humans) == 1:
                # A single human with few pawns would search near them.
                nearest = NEAR
            return night.kills, night.meals if hurt else 0, -max(NEAR, nearest)

        return most_preferred(
            [(preference(night), night) for night in nights(self.public, own.cell)]
        )


class HeuristicVampire(VampireBot):
    """Level 2: kill, heal when hurt, and otherwise hide: far from radars, out of lines, within
    reach of pawns.
    """

    def chances(self, own: Vampire) -> Chances:
        if own.cell is None:
            return places()
        return most_preferred(
            [((self._preference(night),), night) for night in nights(self.public, own.cell)]
        )

    def _preference(self, night: Night) -> float:
        ground, public = self.belief.ground, self.public
        left = [
            INDEX[cell] for cell in public.pawns.values() if not night.struck >> INDEX[cell] & 1
        ]
        tame = len(public.humans) == 1 or public.hp >= public.max_hp
        exposed = sum(1 for tile in left if ground.aims[tile][night.end])
        nearly = sum(1 for tile in left for to in ground.steps[tile] if ground.aims[to][night.end])
        threatened = sum(1 for tile in left if ground.ball[night.end] >> tile & 1)
        return (
            night.kills
            + (0 if tame else 0.8 * night.meals)
            - 0.15 * exposed
            - 0.03 * nearly
            + 0.1 * threatened
        )


class DeepVampire(VampireBot):
    """Level 3: play the humans' next round after each night, often, with different random errors of
    the humans, and mix the nearly best nights. Before its last hit it mixes them so that humans who
    know the mixture seldom hit.
    """

    exact = False

    def chances(self, own: Vampire) -> Chances:
        if own.cell is None:
            return places()
        deadline = self.budget.deadline()
        if self.public.hp > 1:
            # With more than one life it hunts: a vampire that always hides kills nobody.
            return softmax_chances(self._weighed(own.cell, deadline, THREAT))
        # The humans would search near the pawns that it can kill.
        weighed = self._weighed(own.cell, self.budget.deadline(WEIGHING), threat=0.0)
        position, weights = Position(self.public), self.posterior.weights
        return mixed_to_hide(position, weights, INDEX[own.cell], weighed, deadline)

    def _weighed(self, cell: Cell, deadline: Deadline, threat: float) -> Weighed:
        """Return the nights from `cell` that were searched in time, with their worth.

        threat: as in `night_worth`
        """
        posterior, rng = self.posterior, self.budget.rng
        search = NightSearch(self.public, posterior.weights, posterior.blend, rng, deadline, threat)
        return search.weigh(INDEX[cell], SAMPLED_ROUNDS)
