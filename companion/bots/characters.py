"""What kinds of vampire there are: how each is likely to spend a night.

The numbers are rounded from fits (greatest likelihood) to 500 to 1200 nights of each of the vampire's levels. Which
kind sits at the table is learned from what is heard during the game (`Hunch`).
"""

from __future__ import annotations

from math import exp

from msgspec import Struct

from companion.bots.terrain import Terrain


class Character(Struct, frozen=True):
    """How a vampire chooses. `bloodlust` is how often it kills when it can, and `hunger` how often it eats when it can
    and is healed by it; the others are added up for a tile on which a night may end, and the exponential of the sum is
    how much the tile is liked: for staying (`stay`), for one step (`step`), for each tile with a pawn that could shoot
    there (`exposed`) or could after a step (`nearly`), for each tile with a pawn within reach of the next night
    (`prey`), for each step to the nearest pawn, three at most (`distance`)."""

    bloodlust: float
    hunger: float
    stay: float = 0.0
    step: float = 0.0
    exposed: float = 0.0
    nearly: float = 0.0
    prey: float = 0.0
    distance: float = 0.0

    @property
    def pace(self) -> tuple[float, float]:
        """How much more a tile is liked for staying on it, and for being one step away."""
        return exp(self.stay), exp(self.step)

    def likings(self, ground: Terrain, standing: int) -> list[float]:
        """Return how much each tile is liked when pawns stand on these tiles, walks apart."""
        if not (self.exposed or self.nearly or self.prey or self.distance):
            return [1.0] * 36
        near = ground.spread(standing)
        around, ball = near & ~standing, ground.spread_twice(standing)
        liked = []
        for tile, star in enumerate(ground.stars):
            steps = 0 if standing >> tile & 1 else 1 if near >> tile & 1 else 2 if ball >> tile & 1 else 3
            liked.append(
                exp(
                    self.exposed * (standing & star).bit_count()
                    + self.nearly * (around & star).bit_count()
                    + self.prey * (standing & ground.ball[tile]).bit_count()
                    + self.distance * steps
                )
            )
        return liked


PLAIN = Character(bloodlust=0.85, hunger=0.7, stay=-0.5, step=-0.5)
"""Nothing is known of it but that it hunts."""
STRAY = Character(bloodlust=0.33, hunger=0.33)
"""Goes anywhere."""
HUNTER = Character(bloodlust=0.97, hunger=0.97, distance=-0.2)
"""Kills whenever it can, and stays where it can again."""
LURKER = Character(bloodlust=0.85, hunger=0.85, stay=0.2, exposed=-0.8, nearly=-0.3)
"""Keeps out of lines."""
STALKER = Character(bloodlust=0.95, hunger=0.85, stay=0.4, exposed=-3.0, nearly=-0.5, prey=1.5)
"""Keeps out of lines, with prey within reach."""
