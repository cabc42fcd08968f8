"""Mix a vampire's nights so that humans who know the mixture seldom hit.

The silent nights from all tiles that are possible for the humans are mixed together: the humans
cannot tell them apart, so each tile's mixture depends on the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.search_budget import Deadline
from companion.games.vampireradar.bots.base import Chances
from companion.games.vampireradar.bots.night_moves import Night
from companion.games.vampireradar.bots.position import Position
from companion.games.vampireradar.bots.posterior import Weights
from companion.games.vampireradar.bots.regret_matching import Mixture, RegretMatching, Start
from companion.games.vampireradar.bots.shots import Shots
from companion.games.vampireradar.bots.vampire_search import (
    Weighed,
    position_at_dawn,
    softmax_chances,
)

TEMPERATURE = 0.4
"""The temperature of the ends of a night: how much worse than the best, in hits, an end may be and
still be chosen nearly as often. Before the last hit the game is worth `WON`, so this is one chance
in thirty.
"""
STRETCHES = 10
STRETCH = 10
"""Steps of regret matching between two readings of the clock; the minimum number of steps."""


def mixed_to_hide(
    position: Position, weights: Weights, tile: int, weighed: Weighed, deadline: Deadline
) -> Chances:
    """Return the nights from `tile`, before the last hit, with their chances.

    Worth alone decides the kills and meals. Among nights with equal kills and meals, better ones
    are likelier; among nights of nearly equal worth, those that the best response hits less often.

    weights: of the tiles that are possible for the humans
    weighed: the nights with their worth
    """
    branches: dict[tuple[int, ...], list[tuple[float, float, Night]]] = {}
    for (usual, _), (calm, _), (_, night) in zip(
        softmax_chances(weighed), softmax_chances(weighed, TEMPERATURE), weighed, strict=True
    ):
        branches.setdefault(night.marks, []).append((usual, calm, night))
    chances: Chances = []
    for marks, branch in branches.items():
        ends = [night.end for _, _, night in branch]
        hidden = _hidden(position, weights, tile, marks, ends, deadline)
        joint = [share * calm for share, (_, calm, _) in zip(hidden, branch, strict=True)]
        scale = sum(usual for usual, _, _ in branch) / sum(joint)
        chances += [
            (scale * each, night.actions) for each, (_, _, night) in zip(joint, branch, strict=True)
        ]
    return chances


def _hidden(
    position: Position,
    weights: Weights,
    tile: int,
    marks: tuple[int, ...],
    ends: Sequence[int],
    deadline: Deadline,
) -> Mixture:
    """Return the mixture of the nights from `tile` with these kills and meals that the best
    response hits least often.

    ends: of these nights
    """
    ground, standing = position.ground, position.standing()
    starts = {tile: Start(weights[tile], ends)}
    if not marks:
        starts |= {
            other: Start(weight, ground.within_two[other])
            for other, weight in weights.items()
            # With a pawn in reach it would kill and so reveal its tile.
            if other != tile and not ground.ball[other] & standing
        }
    places = {end: end for start in starts.values() for end in start.places}
    shots = Shots(position_at_dawn(position, marks), places)
    matching = RegretMatching([*starts.values()], shots.best_answer)
    for _ in range(STRETCHES):
        for _ in range(STRETCH):
            matching.step()
        if deadline.spent():
            break
    return matching.mixtures()[0]
