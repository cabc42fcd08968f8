"""Search two rounds: a tree over public information, grown by playouts of worlds that fit it.

Each playout draws the vampire's tile from the weights, goes down the tree by what the humans do and
receive (so that one plan serves all worlds that look alike), adds a leaf, and plays this round, a
night and the round after it to their end. A shallower search's result counts as `PRIOR_VISITS`
playouts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import log, sqrt
from random import Random
from statistics import fmean

from companion.core.search_budget import Deadline, SearchBudget
from companion.games.vampireradar.bots.bitboard import tiles_of
from companion.games.vampireradar.bots.playout import World
from companion.games.vampireradar.bots.position import Position, Step
from companion.games.vampireradar.bots.posterior import Weights

PLAYOUTS = 5000
"""Playouts for each second of a decision; a slower machine stops at the deadline."""
PRIOR_VISITS = 30
"""Playouts that the shallower search's result counts as."""
UCB_C = 0.7
"""The exploration bonus of rarely tried steps, in hits."""
NIGHTS = 1
"""Nights in a playout of the humans: it plays this round and the next."""
WIDTH = 8
"""Candidates for playouts: the best of the shallower search."""
SHARE = 0.5
"""The shallower search's share of the time."""


class MctsStats:
    """The number of tries of one candidate, and the sum of their results."""

    __slots__ = ("count", "whole")

    def __init__(self, count: float = 0.0, mean: float = 0.0) -> None:
        self.count = count
        self.whole = count * mean

    def mean(self) -> float:
        """Return the mean result, 0 without a try."""
        return self.whole / self.count if self.count else 0.0

    def add(self, worth: float) -> None:
        """Add one result."""
        self.count += 1
        self.whole += worth


def to_try(tries: Sequence[MctsStats]) -> int:
    """Return the number of the candidate to try now, by UCB1."""
    curious = UCB_C * sqrt(log(1 + sum(one.count for one in tries)))
    return max(
        range(len(tries)),
        key=lambda number: tries[number].mean() + curious / sqrt(1 + tries[number].count),
    )


def weighed_by_playouts(
    first: Sequence[float], play: Callable[[int], float], budget: SearchBudget, deadline: Deadline
) -> list[float]:
    """Return the worth of each candidate.

    first: its worth by a shallower search
    play: plays one playout of a candidate, by number
    Worth is relative to the best of `first`, whose playouts set the scale.
    """
    best = max(first)
    likeliest = first.index(best)
    tries = [MctsStats(PRIOR_VISITS, worth - best) for worth in first]
    most = max(1, int(PLAYOUTS * budget.seconds))
    usual: list[float] = []
    for number in range(most):
        if deadline.spent():
            break
        if number <= most // 10:
            usual.append(play(likeliest))
            continue
        level = fmean(usual)
        way = to_try(tries)
        tries[way].add(play(way) - level)
    return [one.mean() for one in tries]


class Node:
    """An information set of the humans.

    Steps join it one by one with its visits, those of the habits first.
    """

    __slots__ = ("after", "steps", "tries", "waiting")

    def __init__(self, world: World) -> None:
        usual = world.usual_step()
        others = [step for step in world.position.steps() if step != usual]
        world.rng.shuffle(others)
        self.steps: list[Step] = [usual]
        self.waiting = others
        self.tries = [MctsStats()]
        self.after: dict[Hashable, Node] = {}
        """The next information set by the step's number and the events until somebody is to move.
        """

    def step(self) -> int:
        """Return the number of the step to try now."""
        met = sum(one.count for one in self.tries)
        if self.waiting and len(self.steps) < sqrt(1 + met):
            self.steps.append(self.waiting.pop())
            self.tries.append(MctsStats())
            return len(self.steps) - 1
        return to_try(self.tries)


class RoundTree:
    """The humans' tree from a position and the public's weights."""

    def __init__(self, position: Position, weights: Weights, rng: Random) -> None:
        self._position = position
        self._places = list(weights)
        self._shares = list(weights.values())
        self._tiles = tiles_of(weights)
        self._rng = rng
        self._after: dict[Hashable, Node] = {}

    def play(self, step: Step) -> float:
        """Play one world from a first step on, and add its result to the tree."""
        tile = self._rng.choices(self._places, self._shares)[0]
        world = World(self._position, tile, self._tiles, self._rng)
        nights = NIGHTS
        known = self._after
        way: tuple[Hashable, ...] = (step, world.take(step))
        met: list[MctsStats] = []
        while not world.over():
            if not world.humans_turn():
                if not nights:
                    break
                nights -= 1
                way = (*way, *world.night(), "dawn")
                continue
            node = known.get(way)
            if node is None:
                known[way] = Node(world)
                break
            number = node.step()
            met.append(node.tries[number])
            known, way = node.after, (number, world.take(node.steps[number]))
        worth = world.play_on(nights)
        for one in met:
            one.add(worth)
        return worth
