"""How a round would go on: the humans play by the heuristic, and the vampire stands where it is thought to stand."""

from __future__ import annotations

from companion.bots.budget import Budget
from companion.bots.humans import outcomes, worth_of
from companion.bots.hunch import Weights
from companion.bots.position import STOP, Position, Step


def likeliest(position: Position, weights: Weights, budget: Budget) -> Step:
    """Return what the heuristic human does; of equal steps the first. Raises `TimeIsUp`."""
    best, step = -1e9, STOP
    for one in position.steps():
        budget.check()
        worth = worth_of(position, weights, one)
        if worth > best:
            best, step = worth, one
    return step


def play_round(position: Position, weights: Weights, tile: int, budget: Budget) -> tuple[Position, Weights]:
    """Return position and weights when all humans have acted, the vampire being on `tile` all the while. Raises
    `TimeIsUp`."""
    while position.turns and position.hp > 0:
        if position.turns[0][1] <= 0:
            position = position.copy()
            position.next_human()
            continue
        step = likeliest(position, weights, budget)
        for _, after, left in outcomes(position, weights, step):
            position, known = after, left
            if tile in left:
                break
        weights = known
    return position, weights
