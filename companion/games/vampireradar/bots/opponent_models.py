"""Model kinds of vampires by the chance of each tile to be the end of a night.

The numbers are rounded maximum-likelihood fits to 500 to 1200 nights of each of the vampire's
levels. `PosteriorBelief` infers the kind in a game from its events.
"""

from __future__ import annotations

from math import exp

from msgspec import Struct

from companion.games.vampireradar.bots.bitboard import ALL, Bitboard, indices

CLOSE = 3
"""The distance to the nearest pawn, in steps, up to which distance has no weight for a hunting
vampire.
"""


class OpponentModel(Struct, frozen=True):
    """How a vampire chooses.

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
