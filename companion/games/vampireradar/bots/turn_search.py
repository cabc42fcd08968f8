"""Search the rest of a round: the outcomes of each step, and its worth if the humans play well.

The search branches over public answers, never over tiles of the vampire; the weights give the
chance of each answer. It deepens by one point at a time, so there is a best step when the time is
up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.core.search_budget import Deadline, TimeIsUp
from companion.games.vampireradar.bots.bitboard import indices, tiles_of
from companion.games.vampireradar.bots.evaluate import value
from companion.games.vampireradar.bots.position import GONE, STOP, Position, Step
from companion.games.vampireradar.bots.posterior import Weights, restrict_weights


def outcomes(
    position: Position, weights: Weights, step: Step
) -> list[tuple[float, Position, Weights]]:
    """Return the possible answers to a step: the chance, the position and the weights of each."""
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
    results = []
    if chance < 1:
        missed = {tile: weight for tile, weight in weights.items() if not line >> tile & 1}
        results.append((1 - chance, after, normalize(missed)))
    if struck:
        hurt = after.copy() if results else after
        hurt.hp -= 1
        results.append((chance, hurt, normalize(struck)))
    return results


def answers(position: Position, weights: Weights, radar: int) -> list[tuple[float, Weights]]:
    """Return the chance of each answer of a radar and the weights after it."""
    split: dict[int, Weights] = {}
    distances = position.ground.distances[radar]
    for tile, weight in weights.items():
        split.setdefault(distances[tile], {})[tile] = weight
    return [(sum(left.values()), normalize(left)) for left in split.values()]


def normalize(weights: Weights) -> Weights:
    """Return the weights scaled to the sum 1."""
    total = sum(weights.values())
    if total <= 0:
        tiles = 0
        for tile in weights:
            tiles |= 1 << tile
        return restrict_weights({}, tiles)
    return {tile: weight / total for tile, weight in weights.items()}


def worth_of(position: Position, weights: Weights, step: Step) -> float:
    """Return the worth of a step: the mean over its outcomes."""
    return sum(
        chance * value(after, left) for chance, after, left in outcomes(position, weights, step)
    )


Noise = Callable[[], float]
"""Draws the error, in hits, of a human's evaluation of a step."""


def never() -> float:
    """Return no error."""
    return 0.0


def likeliest(
    position: Position, weights: Weights, deadline: Deadline, noise: Noise = never
) -> Step:
    """Return the step of the heuristic human, the first of equal ones. Raises `TimeIsUp`."""
    best, step = -1e9, STOP
    for one in position.steps():
        deadline.check()
        worth = worth_of(position, weights, one) + noise()
        if worth > best:
            best, step = worth, one
    return step


def play_round(
    position: Position,
    weights: Weights,
    tiles: int,
    deadline: Deadline,
    noise: Noise = never,
) -> Iterator[tuple[int, Position, Weights]]:
    """Yield each of the vampire's possible `tiles` with position and weights at the end of the
    round. The humans do the same for all tiles until an answer differs. Raises `TimeIsUp`.
    """
    open_ends = [(position, weights, tiles)]
    while open_ends:
        position, weights, left = open_ends.pop()
        while position.turns and position.turns[0][1] <= 0:
            position = position.copy()
            position.next_human()
        if position.hp <= 0 or not position.turns:
            for tile in indices(left):
                yield tile, position, weights
            continue
        step = likeliest(position, weights, deadline, noise)
        *others, last = outcomes(position, weights, step)
        for _, after, known in others:
            here = left & tiles_of(known)
            left ^= here
            if here:
                open_ends.append((after, known, here))
        if left:
            _, after, known = last
            open_ends.append((after, known, left))


FIRST_WIDTH = 8
"""The number of own steps to search deeper: the best ones of the shallower search."""
WIDTHS = (6, 4, 3, 2, 2, 2)
"""The number of steps to search at each later point."""

Weighed = list[tuple[float, Step]]


class TurnSearch:
    """A search to a depth in points, within a time limit."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline

    def weigh(
        self, position: Position, weights: Weights, steps: list[Step], horizon: int
    ) -> Weighed:
        """Return the steps with their worth, the best first, at most `horizon` points ahead."""
        weighed = _best_first([(worth_of(position, weights, step), step) for step in steps])
        for points in range(1, horizon):
            try:
                followed = [
                    (self._worth_after(position, weights, step, points, 0), step)
                    for _, step in weighed[:FIRST_WIDTH]
                ]
            except TimeIsUp:
                break
            # Steps that were not searched come last: their worth has another horizon.
            weighed = [*_best_first(followed), *weighed[FIRST_WIDTH:]]
        return weighed

    def _worth_after(
        self, position: Position, weights: Weights, step: Step, points: int, depth: int
    ) -> float:
        return sum(
            chance * self._best(after, left, points, depth)
            for chance, after, left in outcomes(position, weights, step)
        )

    def _best(self, position: Position, weights: Weights, points: int, depth: int) -> float:
        """Return the position's worth if the next `points` of the round are played well."""
        if position.hp > 0 and position.turns and position.turns[0][1] <= 0:
            position = position.copy()
            while position.turns and position.turns[0][1] <= 0:
                position.next_human()
        if position.hp <= 0 or not position.turns or points == 0:
            return value(position, weights)
        glanced = _best_first(
            [(self._immediate_worth(position, weights, step), step) for step in position.steps()]
        )
        if points == 1:
            return glanced[0][0]
        return max(
            self._worth_after(position, weights, step, points - 1, depth + 1)
            for _, step in glanced[: WIDTHS[depth]]
        )

    def _immediate_worth(self, position: Position, weights: Weights, step: Step) -> float:
        self._deadline.check()
        return worth_of(position, weights, step)


def _best_first(weighed: Weighed) -> Weighed:
    return sorted(weighed, key=lambda one: -one[0])
