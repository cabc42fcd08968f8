"""Search the vampire's nights: evaluate each by the rounds that may follow it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from math import exp
from random import Random

from companion.core.search_budget import Deadline, TimeIsUp
from companion.games.vampireradar.bots.base import Chances
from companion.games.vampireradar.bots.bitboard import tiles_of
from companion.games.vampireradar.bots.evaluate import HIT
from companion.games.vampireradar.bots.night_moves import Night, nights_from
from companion.games.vampireradar.bots.position import Position
from companion.games.vampireradar.bots.posterior import (
    Blend,
    Weights,
    after_any_night,
    night_targets,
    restrict_weights,
)
from companion.games.vampireradar.bots.turn_search import Noise, never, play_round
from companion.games.vampireradar.state import Public

WON = 12.0
PAWN = 0.4
"""Half the worth of one of four pawns to the vampire; with more pawns each is worth less."""
BULLET = 0.12
"""The cost of a bullet that the humans have left."""
THREAT = 0.5
"""The usual share of a pawn's worth for having it within reach at the next nightfall."""
SOFTMAX_TEMPERATURE = 0.12
"""The usual temperature of `softmax_chances`."""
NOISE_SPREAD = 0.13
"""Standard deviation of a human's error in the evaluation of a step, in hits. A plan against
error-free humans loses to imperfect ones, and a plan for large errors underestimates the humans: in
trials with 2 players, with errors of another shape (Gumbel) and a deviation of 0.04, 0.13, 0.26 and
0.38, the score of `search` humans was 0.39, 0.30, 0.31 and 0.56 in 200 games each, and about 0.47
without errors.
"""
MAX_BRANCHES = 4
"""The maximum number of results of a night whose next rounds are played more than once."""

Weighed = list[tuple[float, Night]]


class MeanWorth:
    """The mean of results that are added one by one; `count` is how many there are."""

    __slots__ = ("_sum", "count")

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0.0

    def mean(self) -> float:
        """Return the mean result; raise `ZeroDivisionError` without one."""
        return self._sum / self.count

    def add(self, worth: float) -> None:
        """Add one result."""
        self.count += 1
        self._sum += worth


class Branch:
    """The public result of a night: the state, the weights, and the nights that lead to it, by
    their ends, with the results of the rounds after them.

    threat: as in `night_worth`
    """

    def __init__(
        self, position: Position, weights: Weights, nights: list[Night], threat: float = THREAT
    ) -> None:
        self.position = position
        self._threat = threat
        self.weights = weights
        self.nights = {night.end: night for night in nights}
        self.outcomes = {end: MeanWorth() for end in self.nights}

    def play(self, deadline: Deadline, noise: Noise) -> None:
        """Play the round once from each night's end.

        Raises `TimeIsUp`; results so far count.
        """
        for end, position, _ in play_round(
            self.position, self.weights, tiles_of(self.nights), deadline, noise
        ):
            self.outcomes[end].add(night_worth(position, end, self._threat))

    def weighed(self) -> Weighed:
        """Return the nights that were played with the mean result of their rounds."""
        return [
            (tries.mean(), self.nights[end]) for end, tries in self.outcomes.items() if tries.count
        ]

    def promise(self) -> float:
        """Return the worth of the best night."""
        return max((worth for worth, _ in self.weighed()), default=-WON)


class NightSearch:
    """A search over the vampire's nights from the public state and weights.

    threat: as in `night_worth`
    """

    def __init__(
        self,
        public: Public,
        weights: Weights,
        blend: Blend,
        rng: Random,
        deadline: Deadline,
        threat: float = THREAT,
    ) -> None:
        self._public = public
        self._rng = rng
        self._position = Position(public)
        self._weights = weights
        self._blend = blend
        self._deadline = deadline
        self._threat = threat

    def weigh(self, tile: int, samples: int = 1) -> Weighed:
        """Return the nights from `tile` that were searched in time, with their worth to the
        vampire.

        The most promising ones come first; without time there is only the first.
        samples: the number of rounds to play. With more than one the humans' evaluations have
        random errors, and the mean counts; only the best `MAX_BRANCHES` results are played
        more than once
        """
        nights = self._most_promising(tile)
        branches: list[Branch] = []
        noise = never if samples == 1 else partial(self._rng.gauss, 0.0, NOISE_SPREAD)
        try:
            for marks in _by_marks(nights):
                branches.append(self._branch(marks))
                branches[-1].play(self._deadline, noise)
            for _ in range(samples - 1):
                branches = sorted(branches, key=Branch.promise, reverse=True)[:MAX_BRANCHES]
                for branch in branches:
                    branch.play(self._deadline, noise)
        except TimeIsUp:
            # Only the nights examined by then are known.
            pass
        return [weighed for branch in branches for weighed in branch.weighed()] or [
            (0.0, nights[0])
        ]

    def _most_promising(self, tile: int) -> list[Night]:
        position = self._position
        aims = position.ground.aims
        pawns = [at for at in position.pawns if at >= 0]

        def quick_value(night: Night) -> float:
            exposed = sum(1 for at in pawns if aims[at][night.end])
            return night.kills + 0.5 * night.meals - 0.15 * exposed

        nights = nights_from(self._public, tile, position)
        self._rng.shuffle(nights)
        return sorted(nights, key=quick_value, reverse=True)

    def _branch(self, nights: list[Night]) -> Branch:
        """Return the public state and weights after nights with the same public events."""
        before, marks = self._position, nights[0].marks
        position = position_at_dawn(before, marks)
        cells = [tile if tile >= 0 else ~tile for tile in marks]
        after = after_any_night(
            before.ground, self._weights, night_targets(before), cells, self._blend
        )
        return Branch(position, restrict_weights(after, tiles_of(after)), nights, self._threat)


def position_at_dawn(position: Position, marks: Sequence[int]) -> Position:
    """Return the position after a night with these kills and meals."""
    after = position.copy()
    for tile in marks:
        if tile < 0:
            after.eat(~tile)
        else:
            after.kill(tile)
    after.new_round()
    return after


def _by_marks(nights: list[Night]) -> Iterable[list[Night]]:
    alike: dict[tuple[int, ...], list[Night]] = {}
    for night in nights:
        alike.setdefault(night.marks, []).append(night)
    return alike.values()


def night_worth(position: Position, tile: int, threat: float) -> float:
    """Return the state's worth for a vampire on `tile` at nightfall.

    threat: the share of a pawn's worth for having it within reach
    """
    if position.hp <= 0:
        return -WON
    left = [at for at in position.pawns if at >= 0]
    bullets = sum(position.bullets) + position.tokens.bit_count()
    if not left or not bullets:
        return WON + position.hp
    pawn = PAWN * 8 / len(position.pawns)
    reach = position.ground.ball[tile]
    near = sum(1 for at in left if reach >> at & 1)
    return HIT * position.hp - pawn * (len(left) - threat * near) - BULLET * bullets


def softmax_chances(weighed: Weighed, temperature: float = SOFTMAX_TEMPERATURE) -> Chances:
    """Return the nights with their chances: better ones are likelier, so that nobody can predict
    the choice.

    temperature: how much worse, in hits, a night may be and still be chosen nearly as often as the
    best
    """
    best = max(worth for worth, _ in weighed)
    preferences = [exp((worth - best) / temperature) for worth, _ in weighed]
    whole = sum(preferences)
    return [
        (preference / whole, night.actions)
        for preference, (_, night) in zip(preferences, weighed, strict=True)
    ]
