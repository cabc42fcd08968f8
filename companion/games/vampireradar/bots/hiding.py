"""Mix a vampire's nights so that humans who know the mixture seldom hit.

The silent nights from all tiles that are possible for the humans are mixed together: the humans
cannot tell them apart, so each tile's mixture depends on the others. Regret matching finds the
mixture, against the humans' best shots.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from companion.core.search_budget import Deadline
from companion.games.vampireradar.bots.base import Chances
from companion.games.vampireradar.bots.bitboard import ALL, indices, tiles_of
from companion.games.vampireradar.bots.night_moves import Night
from companion.games.vampireradar.bots.position import Position
from companion.games.vampireradar.bots.posterior import Weights
from companion.games.vampireradar.bots.vampire_search import (
    Weighed,
    position_at_dawn,
    softmax_chances,
)

Covers = list[tuple[int, ...]]
"""The covers of which the humans choose one."""


class Shots:
    """The humans' ways to hit in a round: one radar at most, then shots.

    Each human shoots from one tile, after walks. A radar before the shots is called by the same
    human or by one earlier in the turn order.
    """

    def __init__(self, position: Position, places: Mapping[int, int]) -> None:
        """List them.

        places: numbers for the tiles where the vampire can be
        """
        self._position = position
        self._places = places
        self._tiles = tiles_of(places)
        self._ground = position.ground
        plain: set[int] = set()
        radars: dict[int, set[int]] = {}
        for human, points in position.turns:
            standing = [tile for pawn, tile in position.living if position.owners[pawn] == human]
            covers = set(self._covers(human, standing, points))
            plain |= covers
            for known in radars.values():
                known |= covers
            for number, start in enumerate(standing):
                for radar in indices(self._ground.radars & ~(1 << start)):
                    left = points - self._ground.far[start][radar]
                    if left >= 0:
                        after = [*standing[:number], radar, *standing[number + 1 :]]
                        radars.setdefault(radar, set()).update(self._covers(human, after, left))
        self._ways = [self._situations([ALL], plain)]
        for radar, covers in radars.items():
            self._ways.append(self._situations(self._ground.rings[radar], covers))

    def _covers(self, human: int, standing: Iterable[int], points: int) -> Iterator[int]:
        """Yield the tiles that the shots from each tile in reach cover together."""
        bullets = self._position.bullets[human]
        reached = tiles_of(set(standing))
        seen = 0
        for left in range(points, 0, -1):
            for tile in indices(reached & ~seen):
                for lines in combinations(self._ground.lines[tile], min(left, bullets, 4)):
                    cover = 0
                    for line in lines:
                        cover |= line
                    yield cover
            seen = reached
            reached = self._ground.spread(reached)

    def best_answer(self, chances: Mapping[int, float]) -> tuple[float, list[int]]:
        """Return the chance of a hit by the best response, and the places that it hits.

        chances: of the places
        """
        most, best = -1.0, list[int]()
        for situations in self._ways:
            whole, hits = 0.0, list[int]()
            for covers in situations:
                chance, cover = max(
                    (sum([chances[place] for place in cover]), cover) for cover in covers
                )
                whole += chance
                hits += cover
            if whole > most:
                most, best = whole, hits
        return most, best

    def _situations(self, rings: Sequence[int], covers: Iterable[int]) -> list[Covers]:
        """Return, for each answer of a radar, the covers that no other cover contains."""
        situations = []
        for ring in rings:
            possible = {cover & ring & self._tiles for cover in covers}
            largest: list[int] = []
            for cover in sorted(possible, key=int.bit_count, reverse=True):
                if cover and not any(cover & more == cover for more in largest):
                    largest.append(cover)
            if largest:
                situations.append(
                    [tuple(self._places[tile] for tile in indices(cover)) for cover in largest]
                )
        return situations


Mixture = list[float]
"""The chance of each of a start's places."""
Answer = Callable[[Mapping[int, float]], tuple[float, Collection[int]]]
"""Returns the best response to the chances of the places: its chance to find, and the places where
it finds.
"""


class Start(Struct, frozen=True):
    """A start of the hidden side: its chance, and the places that it can reach."""

    chance: float
    places: Sequence[int]


class RegretMatching:
    """Mixtures of hiding places that converge to the optimal ones.

    The hidden side's start is drawn by chances that both know. From there it chooses a place to
    hide, and loses 1 if the best response to the present mixtures finds it there. Each start uses
    regret matching+; its average is weighted by the iteration.
    """

    def __init__(self, starts: Sequence[Start], answer: Answer) -> None:
        self._starts = starts
        self._answer = answer
        self._regrets = [[0.0] * len(start.places) for start in starts]
        self._totals = [[0.0] * len(start.places) for start in starts]
        self._sums = {place: 0.0 for start in starts for place in start.places}
        self._steps = 0

    def step(self) -> None:
        """Run one iteration: compute the best response and update the regrets."""
        self._steps += 1
        mixtures = [_shares(each) for each in self._regrets]
        places = set(self._answer(self._chances(mixtures))[1])
        for place in places:
            self._sums[place] += self._steps
        for start, mixture, regrets, totals in zip(
            self._starts, mixtures, self._regrets, self._totals, strict=True
        ):
            losses = [float(place in places) for place in start.places]
            mean = sum(share * loss for share, loss in zip(mixture, losses, strict=True))
            for number, (share, loss) in enumerate(zip(mixture, losses, strict=True)):
                regrets[number] = max(0.0, regrets[number] + mean - loss)
                totals[number] += self._steps * share

    def mixtures(self) -> list[Mixture]:
        """Return the mixture of each start."""
        return [_shares(totals) for totals in self._totals]

    def bounds(self) -> tuple[float, float]:
        """Return the lower and the upper bound of the game's value: the chance that the hidden side
        is found if both sides play optimally. The upper bound is the highest chance of finding its
        mixtures.
        """
        weight = self._steps * (self._steps + 1) / 2
        low = sum(
            start.chance * min(self._sums[place] for place in start.places) / weight
            for start in self._starts
        )
        return low, self._answer(self._chances(self.mixtures()))[0]

    def _chances(self, mixtures: Sequence[Mixture]) -> dict[int, float]:
        chances = dict.fromkeys(self._sums, 0.0)
        for start, mixture in zip(self._starts, mixtures, strict=True):
            for place, share in zip(start.places, mixture, strict=True):
                chances[place] += start.chance * share
        return chances


def _shares(weights: Sequence[float]) -> Mixture:
    """Return the weights scaled to the sum 1, even ones if all are 0."""
    whole = sum(weights)
    return [weight / whole if whole else 1 / len(weights) for weight in weights]


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
