"""List the outcomes of a human's step, and their worth; roll a round forward by the best steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.core.search_budget import Deadline
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
