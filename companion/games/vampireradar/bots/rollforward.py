"""Roll a round forward: humans play by the heuristic, and the vampire stays on one tile."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.core.search_budget import Deadline
from companion.games.vampireradar.bots.bitboard import indices, tiles_of
from companion.games.vampireradar.bots.outcomes import outcomes, worth_of
from companion.games.vampireradar.bots.position import STOP, Position, Step
from companion.games.vampireradar.bots.posterior import Weights

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
