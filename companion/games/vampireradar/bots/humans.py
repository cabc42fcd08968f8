"""The humans' levels. None of them knows more than anybody at the table."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import Action
from companion.games.vampireradar.bots.base import HumanBot, free_gift
from companion.games.vampireradar.bots.bitboard import INDEX, direction_number
from companion.games.vampireradar.bots.evaluate import value
from companion.games.vampireradar.bots.opponent_models import HUNTER, STRAY
from companion.games.vampireradar.bots.position import GONE, STOP, Position, Step
from companion.games.vampireradar.bots.posterior import Weights, fitted
from companion.games.vampireradar.model import END, Shoot, Walk

GREEDY_SHOT = 0.25
"""The share of the possible tiles that a line must cover before the greedy human shoots."""


class RandomHuman(HumanBot):
    """Level 1: anything that is allowed."""

    def choose(self, legal: Sequence[Action]) -> Action:
        return self.budget.rng.choice(legal)


class GreedyHuman(HumanBot):
    """Level 2: shoots where most tiles are possible, else walks to the nearest radar."""

    def choose(self, legal: Sequence[Action]) -> Action:
        gift = free_gift(legal)
        if gift is not None:
            return gift
        rng, tiles = self.budget.rng, self.belief.tiles
        shots = [action for action in legal if isinstance(action, Shoot)]
        walks = [action for action in legal if isinstance(action, Walk)]
        covered = [(self._covered(shot), rng.random(), shot) for shot in shots]
        if covered and max(covered)[0] >= GREEDY_SHOT * tiles.bit_count():
            return max(covered)[2]
        if walks:
            return min((self._to_radar(walk), rng.random(), walk) for walk in walks)[2]
        return END

    def _covered(self, shot: Shoot) -> int:
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
    """Level 3: weighs every action by what the position is worth after it, one action ahead."""

    characters = (STRAY, HUNTER)

    def choose(self, legal: Sequence[Action]) -> Action:
        gift = free_gift(legal)
        if gift is not None:
            return gift
        position = Position(self.public)
        allowed = set(legal)
        ranked = [
            (worth_of(position, self.hunch.weights, step), self.budget.rng.random(), step)
            for step in position.steps()
            if position.action(step) in allowed
        ]
        return position.action(max(ranked)[2])


def outcomes(
    position: Position, weights: Weights, step: Step
) -> list[tuple[float, Position, Weights]]:
    """Return what a step can lead to: the chance, the position and the weights of each answer."""
    after = position.copy()
    if step == STOP:
        after.next_human()
        return [(1.0, after, weights)]
    after.spend()
    if step.to != GONE:
        if not after.walk(step.pawn, step.to):
            return [(1.0, after, weights)]
        return [(chance, after, left) for chance, left in answers(position, weights, step.to)]
    after.bullets[position.owners[step.pawn]] -= 1
    line = position.ground.lines[position.pawns[step.pawn]][step.direction]
    struck = {tile: weight for tile, weight in weights.items() if line >> tile & 1}
    chance = sum(struck.values())
    found = []
    if chance < 1:
        missed = {tile: weight for tile, weight in weights.items() if not line >> tile & 1}
        found.append((1 - chance, after, scaled(missed)))
    if struck:
        hurt = after.copy() if found else after
        hurt.hp -= 1
        found.append((chance, hurt, scaled(struck)))
    return found


def answers(position: Position, weights: Weights, radar: int) -> list[tuple[float, Weights]]:
    """Return the chance of each answer of a radar and the weights after it."""
    split: dict[int, Weights] = {}
    distances = position.ground.distances[radar]
    for tile, weight in weights.items():
        split.setdefault(distances[tile], {})[tile] = weight
    return [(sum(left.values()), scaled(left)) for left in split.values()]


def scaled(weights: Weights) -> Weights:
    """Return the weights with the sum 1."""
    total = sum(weights.values())
    if total <= 0:
        tiles = 0
        for tile in weights:
            tiles |= 1 << tile
        return fitted({}, tiles)
    return {tile: weight / total for tile, weight in weights.items()}


def worth_of(position: Position, weights: Weights, step: Step) -> float:
    """Return what a step is worth: the mean over what it can lead to."""
    return sum(
        chance * value(after, left) for chance, after, left in outcomes(position, weights, step)
    )
