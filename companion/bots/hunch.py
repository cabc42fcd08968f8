"""Where the vampire probably is: the exact set with weights, by what a vampire is likely to do.

The model is short: a vampire that can kill mostly does, and its walks lead anywhere alike. What the model finds
impossible and the rules do not keeps a little weight, so that the tiles with weight are exactly the belief's.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp

from companion.bots.belief import Belief
from companion.bots.terrain import INDEX, Terrain, indices
from companion.core.game import PublicEvent
from companion.games.vampireradar.model import BatEaten, PawnsKilled, TurnEnded, TurnStarted, V

BLOODLUST = 0.85
"""How often a vampire that can kill is thought to do it."""
LEAST = 0.02
"""The share of an even weight that a possible tile keeps at least."""
LIFT = 0.6
"""The weight of a night's standing still or walking one step, beside 1 for two steps, tile by tile."""

Weights = dict[int, float]
"""Tile to probability; tiles that are not named have none. Sums to 1, or is empty when nothing is known."""


class Hunch:
    """The weighted fold of the public events; `belief` is the exact one beside it. `wariness` is how much the vampire
    is thought to shun the lines of the pawns."""

    def __init__(self, wariness: float = 0.0) -> None:
        self._wariness = wariness
        self.belief = Belief()
        self.weights: Weights = {}
        self._told: list[int] = []
        self._victims = 0

    def hear(self, event: PublicEvent) -> None:
        """Fold one event."""
        before = self.belief.tiles
        self.belief.hear(event)
        ground = self.belief.ground
        match event:
            case TurnStarted(seat=seat) if seat == V:
                self._told = []
                self._victims = sum(1 << tile for tile in {INDEX[cell] for cell in self.belief.public.pawns.values()})
            case PawnsKilled(cell=cell) | BatEaten(cell=cell):
                self._told.append(INDEX[cell])
            case TurnEnded(seat=seat) if seat == V:
                self.weights = fitted(
                    after_night(ground, self.weights, self._victims, self._told, self._wariness), self.belief.tiles
                )
            case _ if self.belief.tiles != before:
                self.weights = fitted(self.weights, self.belief.tiles)


def fitted(weights: Mapping[int, float], tiles: int) -> Weights:
    """Return the weights of exactly these tiles, summing to 1."""
    total = sum(weights.get(tile, 0.0) for tile in indices(tiles))
    count = tiles.bit_count()
    if not count:
        return {}
    if not total:
        return dict.fromkeys(indices(tiles), 1 / count)
    floor = LEAST * total / count
    kept = {tile: max(weights.get(tile, 0.0), floor) for tile in indices(tiles)}
    whole = sum(kept.values())
    return {tile: weight / whole for tile, weight in kept.items()}


def after_night(
    ground: Terrain, weights: Mapping[int, float], victims: int, told: list[int], wariness: float = 0.0
) -> Weights:
    """Return the weights after a night in which kills and meals on `told`, in order, were heard; `victims` are the
    tiles where pawns stood. A wary vampire shuns tiles on which the pawns that are left could shoot."""
    layers: tuple[Weights, Weights] = (dict(weights), {})
    for tile in told:
        layers = _struck(ground, layers, tile)
        victims &= ~(1 << tile)
    liking = _liking(ground, victims, wariness)
    after: Weights = {}
    for points, layer in zip((2, 1), layers, strict=True):
        for start, weight in layer.items():
            reach = ground.ball[start] if points == 2 else ground.near[start]
            if reach & victims:
                weight *= 1 - BLOODLUST
            _walk_on(ground, after, start, weight, points, liking)
    return after


def _struck(ground: Terrain, layers: tuple[Weights, Weights], tile: int) -> tuple[Weights, Weights]:
    """Return the weights by points left, 2 and 1, after a kill or a meal on `tile`."""
    near, ball = ground.near[tile], ground.ball[tile]
    fresh = sum(weight for start, weight in layers[0].items() if near >> start & 1)
    walked = sum(weight for start, weight in layers[0].items() if (ball & ~near) >> start & 1)
    tired = sum(weight for start, weight in layers[1].items() if near >> start & 1)
    return {tile: fresh}, {tile: walked + tired}


def _liking(ground: Terrain, standing: int, wariness: float) -> list[float]:
    """Return how much a vampire likes to end its night on each tile."""
    if not wariness:
        return [1.0] * 36
    exposed = [0] * 36
    for tile in indices(standing):
        for line in ground.lines[tile]:
            for at in indices(line):
                exposed[at] += 1
    return [exp(-wariness * count) for count in exposed]


def _walk_on(ground: Terrain, after: Weights, start: int, weight: float, points: int, liking: list[float]) -> None:
    near = ground.near[start]
    ends = ground.within_two[start] if points == 2 else tuple(indices(near))
    likes = [LIFT * liking[end] if near >> end & 1 else liking[end] for end in ends]
    share = weight / sum(likes)
    for end, like in zip(ends, likes, strict=True):
        after[end] = after.get(end, 0.0) + share * like
