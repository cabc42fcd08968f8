"""Define the humans' levels. All of them use public events alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from companion.core.game import Action
from companion.games.vampireradar.actions import END, Shoot, Walk
from companion.games.vampireradar.bots.base import HumanBot, free_action
from companion.games.vampireradar.bots.bitboard import INDEX, direction_number
from companion.games.vampireradar.bots.position import Position
from companion.games.vampireradar.bots.posterior import (
    HUNTER,
    LURKER,
    STALKER,
    STRAY,
    OpponentModel,
)
from companion.games.vampireradar.bots.turn_search import TurnSearch, worth_of

GREEDY_SHOT = 0.25
"""The share of the possible tiles that a line must cover before the greedy human shoots."""
FARTHEST = 7
"""The maximum search depth in points."""


class GreedyHuman(HumanBot):
    """Level 1: shoot along the line with the most possible tiles, otherwise walk to the nearest
    radar.
    """

    def choose(self, legal: Sequence[Action]) -> Action:
        gift = free_action(legal)
        if gift is not None:
            return gift
        rng, tiles = self.budget.rng, self.belief.tiles
        shots = [action for action in legal if isinstance(action, Shoot)]
        walks = [action for action in legal if isinstance(action, Walk)]
        covered = [(self._tiles_in_line(shot), rng.random(), shot) for shot in shots]
        if covered and max(covered)[0] >= GREEDY_SHOT * tiles.bit_count():
            return max(covered)[2]
        if walks:
            return min((self._to_radar(walk), rng.random(), walk) for walk in walks)[2]
        return END

    def _tiles_in_line(self, shot: Shoot) -> int:
        ground, tile = self.belief.ground, INDEX[self.public.pawns[shot.pawn]]
        return (
            ground.lines[tile][direction_number(shot.direction)] & self.belief.tiles
        ).bit_count()

    def _to_radar(self, walk: Walk) -> int:
        row = self.belief.ground.far[INDEX[walk.to]]
        return min(
            (row[radar] for radar in range(36) if self.belief.ground.radars >> radar & 1),
            default=99,
        )


class HeuristicHuman(HumanBot):
    """Level 2: take the action with the best position after it."""

    opponent_models = (STRAY, HUNTER)

    def choose(self, legal: Sequence[Action]) -> Action:
        gift = free_action(legal)
        if gift is not None:
            return gift
        position = Position(self.public)
        allowed = set(legal)
        ranked = [
            (worth_of(position, self.posterior.weights, step), self.budget.rng.random(), step)
            for step in position.steps()
            if position.action(step) in allowed
        ]
        return position.action(max(ranked)[2])


class DeepHuman(HumanBot):
    """Level 3: search the turns of all humans who still act in the round, with each answer of a
    radar and of a shot, as deep as time allows.
    """

    opponent_models: ClassVar[Sequence[OpponentModel]] = (STRAY, HUNTER, LURKER, STALKER)

    def choose(self, legal: Sequence[Action]) -> Action:
        gift = free_action(legal)
        if gift is not None:
            return gift
        deadline = self.budget.deadline()
        position, allowed = Position(self.public), set(legal)
        steps = [step for step in position.steps() if position.action(step) in allowed]
        self.budget.rng.shuffle(steps)
        horizon = min(FARTHEST, sum(points for _, points in position.turns))
        weighed = TurnSearch(deadline).weigh(position, self.posterior.weights, steps, horizon)
        return position.action(weighed[0][1])
