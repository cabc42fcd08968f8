"""Weight the vampire's tiles by models of kinds of vampires.

Each kind (`OpponentModel`) has its own weights. Kinds that fit the events better gain weight. A
tile that the rules allow keeps a little weight even if every kind excludes it, so that the tiles
with weight are exactly the belief's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from typing import NamedTuple

from msgspec import Struct

from companion.core.game import PublicEvent
from companion.games.vampireradar.bots.belief import Belief
from companion.games.vampireradar.bots.bitboard import ALL, INDEX, Bitboard, indices
from companion.games.vampireradar.bots.position import Position
from companion.games.vampireradar.events import BatEaten, PawnsKilled, TurnEnded, TurnStarted
from companion.games.vampireradar.options import V

CLOSE = 3
"""The distance to the nearest pawn, in steps, up to which distance has no weight for a hunting
vampire.
"""


class OpponentModel(Struct, frozen=True):
    """How a kind of vampire chooses the end of a night.

    kill_rate: how often it kills when it can
    heal_rate: how often it eats when it can and is healed by it

    The other parameters are bonuses of a tile on which a night may end; the exponential of their
    sum is the tile's weight.

    stay, step: for no step, for one step
    exposed: for each tile with a pawn that could shoot there
    nearly: for each tile with a pawn that could shoot there after a step
    threatened: for each tile with a pawn within reach of the next night
    distance: for each step more than `CLOSE` to the nearest pawn
    """

    kill_rate: float
    heal_rate: float
    stay: float = 0.0
    step: float = 0.0
    exposed: float = 0.0
    nearly: float = 0.0
    threatened: float = 0.0
    distance: float = 0.0

    @property
    def pace(self) -> tuple[float, float]:
        """The bonuses of a tile for staying on it, and for being one step away."""
        return exp(self.stay), exp(self.step)

    def preferences(self, ground: Bitboard, standing: int, alone: bool) -> list[float]:
        """Return the bonus of each tile for pawns on these tiles, without walks.

        alone: whether a human has so few pawns that no vampire comes near: the human would search
        there
        """
        if not (self.exposed or self.nearly or self.threatened or self.distance):
            return [1.0] * 36
        around = ground.spread(standing) & ~standing
        steps = _beyond(ground, standing) if self.distance and not alone else [0] * 36
        preferences = []
        for tile, star in enumerate(ground.stars):
            preferences.append(
                exp(
                    self.exposed * (standing & star).bit_count()
                    + self.nearly * (around & star).bit_count()
                    + self.threatened * (standing & ground.ball[tile]).bit_count()
                    + self.distance * steps[tile]
                )
            )
        return preferences


def _beyond(ground: Bitboard, standing: int) -> list[int]:
    """Return for each tile its steps beyond `CLOSE` to the nearest of these tiles."""
    beyond = [0] * 36
    reached = standing
    for _ in range(CLOSE):
        reached = ground.spread(reached)
    while reached and reached != ALL:
        for tile in indices(ALL & ~reached):
            beyond[tile] += 1
        reached = ground.spread(reached)
    return beyond


# Rounded maximum-likelihood fits to 500 to 1200 nights of each of the vampire's levels.
PLAIN = OpponentModel(kill_rate=0.85, heal_rate=0.7, stay=-0.5, step=-0.5)
"""Assumes nothing but that it hunts."""
STRAY = OpponentModel(kill_rate=0.33, heal_rate=0.33)
"""Goes anywhere."""
HUNTER = OpponentModel(kill_rate=0.97, heal_rate=0.97, distance=-3.0)
"""Kills whenever it can, and otherwise comes for the nearest pawn."""
LURKER = OpponentModel(kill_rate=0.85, heal_rate=0.85, stay=0.2, exposed=-0.8, nearly=-0.3)
"""Keeps out of lines."""
STALKER = OpponentModel(
    kill_rate=0.95, heal_rate=0.85, stay=0.4, exposed=-3.0, nearly=-0.5, threatened=1.5
)
"""Keeps out of lines, with pawns within reach."""


MIN_SHARE = 0.02
"""The least share of an even weight for a possible tile."""
MIN_MODEL_SHARE = 0.02
"""The least share of a kind of vampire."""

Weights = dict[int, float]
"""Tile to probability; a missing tile has none. Sums to 1; empty before the vampire has hidden."""
Blend = tuple[tuple[OpponentModel, float], ...]
"""Kinds of vampire with their shares."""


class PosteriorBelief:
    """A weighted fold of the public events.

    belief: the exact belief for the same events
    weights: the mixture over all kinds, equally likely at first
    """

    def __init__(self, opponent_models: Sequence[OpponentModel] = (PLAIN,)) -> None:
        self.belief = Belief()
        self.weights: Weights = {}
        self._models: list[tuple[OpponentModel, float, Weights]] = [
            (one, 1 / len(opponent_models), {}) for one in opponent_models
        ]
        self._marks: list[int] = []
        self._targets = NightTargets(0, 0, 0, False)

    @property
    def blend(self) -> Blend:
        """The kinds with their present probabilities."""
        return tuple((character, share) for character, share, _ in self._models)

    def observe(self, event: PublicEvent) -> None:
        """Fold one event."""
        before = self.belief.tiles
        self.belief.observe(event)
        ground = self.belief.ground
        match event:
            case TurnStarted(seat=seat) if seat == V:
                self._marks = []
                self._targets = night_targets(Position(self.belief.public))
            case PawnsKilled(cell=cell) | BatEaten(cell=cell):
                self._marks.append(INDEX[cell])
            case TurnEnded(seat=seat) if seat == V:
                self._fit(
                    [
                        after_night(ground, known, self._targets, self._marks, one)
                        for one, _, known in self._models
                    ]
                )
            case _ if self.belief.tiles != before:
                self._fit([known for _, _, known in self._models])

    def _fit(self, new_weights: Sequence[Mapping[int, float]]) -> None:
        """Store the new weights of each kind; their sum is the likelihood of the events for that
        kind.
        """
        tiles = self.belief.tiles
        fits = [
            sum(known.get(tile, 0.0) for tile in indices(tiles)) or 1e-6 for known in new_weights
        ]
        if not any(weights for _, _, weights in self._models):
            fits = [1.0] * len(fits)
        shares = [share * fit for (_, share, _), fit in zip(self._models, fits, strict=True)]
        whole = sum(shares)
        shares = [max(MIN_MODEL_SHARE, share / whole) for share in shares]
        whole = sum(shares)
        self._models = [
            (character, share / whole, restrict_weights(known, tiles))
            for (character, _, _), share, known in zip(
                self._models, shares, new_weights, strict=True
            )
        ]
        self.weights = mixture([(share, weights) for _, share, weights in self._models])


def mixture(parts: Sequence[tuple[float, Mapping[int, float]]]) -> Weights:
    """Return the weighted sum of weights."""
    if len(parts) == 1:
        return dict(parts[0][1])
    weights: Weights = {}
    for share, known in parts:
        for tile, weight in known.items():
            weights[tile] = weights.get(tile, 0.0) + share * weight
    return weights


def restrict_weights(weights: Mapping[int, float], tiles: int) -> Weights:
    """Return the weights restricted to these tiles, summing to 1."""
    total = sum(weights.get(tile, 0.0) for tile in indices(tiles))
    count = tiles.bit_count()
    if not count:
        return {}
    if not total:
        return dict.fromkeys(indices(tiles), 1 / count)
    floor = MIN_SHARE * total / count
    floored = {tile: max(weights.get(tile, 0.0), floor) for tile in indices(tiles)}
    whole = sum(floored.values())
    return {tile: weight / whole for tile, weight in floored.items()}


class NightTargets(NamedTuple):
    """The targets of a night.

    victims: the tiles of the pawns
    bats: the tiles of the bats
    wounds: the number of bats that would heal
    alone: whether all pawns are one human's
    """

    victims: int
    bats: int
    wounds: int
    alone: bool

    def left(self, marks: list[int]) -> tuple[int, int]:
        """Return the tiles of the pawns and bats left after a night with these kills and meals; no
        bats once a meal no longer heals.
        """
        struck = sum(1 << tile for tile in set(marks))
        meals = sum(1 for tile in marks if not self.victims >> tile & 1)
        return self.victims & ~struck, self.bats & ~struck if meals < self.wounds else 0


def night_targets(position: Position) -> NightTargets:
    """Return a vampire's targets in a position."""
    wounds = position.max_hp - position.hp if position.heals else 0
    return NightTargets(position.standing(), position.bats, wounds, len(position.bullets) == 1)


def after_night(
    ground: Bitboard,
    weights: Mapping[int, float],
    targets: NightTargets,
    marks: list[int],
    character: OpponentModel,
) -> Weights:
    """Return the weights after a night of one kind of vampire, with kills and meals on `marks` in
    order. Their sum is the likelihood of the night.
    """
    victims, bats = targets.left(marks)
    killed = any(targets.victims >> tile & 1 for tile in marks)
    ate = any(not targets.victims >> tile & 1 for tile in marks)
    layers: tuple[Weights, Weights] = (dict(weights), {})
    for tile in marks:
        layers = _struck(ground, layers, tile)
    preference = character.preferences(ground, victims, targets.alone)
    stay, step = character.pace
    after: Weights = {}
    for points, layer in zip((2, 1), layers, strict=True):
        for start, weight in layer.items():
            near = ground.near[start]
            reach = ground.ball[start] if points == 2 else near
            if killed:
                weight *= character.kill_rate
            if reach & victims:
                # It could have killed more here, with these points left, and did not.
                weight *= 1 - character.kill_rate
            if ate:
                weight *= character.heal_rate
            if reach & bats:
                weight *= 1 - character.heal_rate
            ends = ground.within_two[start] if points == 2 else ground.within_one[start]
            likes = [
                preference[end] * (stay if end == start else step)
                if near >> end & 1
                else preference[end]
                for end in ends
            ]
            share = weight / sum(likes)
            for end, like in zip(ends, likes, strict=True):
                after[end] = after.get(end, 0.0) + share * like
    return after


def after_any_night(
    ground: Bitboard,
    weights: Mapping[int, float],
    targets: NightTargets,
    marks: list[int],
    blend: Blend,
) -> Weights:
    """Return the weights after a night, summing to 1, for given shares of the kinds."""
    parts = [
        (share, after_night(ground, weights, targets, marks, one))
        for one, share in blend
        if share > MIN_MODEL_SHARE
    ]
    after = mixture(parts)
    whole = sum(after.values())
    return {tile: weight / whole for tile, weight in after.items()} if whole else {}


def _struck(
    ground: Bitboard, layers: tuple[Weights, Weights], tile: int
) -> tuple[Weights, Weights]:
    """Return the weights by points left, 2 and 1, after a kill or a meal on `tile`."""
    near, ball = ground.near[tile], ground.ball[tile]
    fresh = sum(weight for start, weight in layers[0].items() if near >> start & 1)
    walked = sum(weight for start, weight in layers[0].items() if (ball & ~near) >> start & 1)
    tired = sum(weight for start, weight in layers[1].items() if near >> start & 1)
    return {tile: fresh}, {tile: walked + tired}
