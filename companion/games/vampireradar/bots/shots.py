"""List the humans' ways to hit the vampire in one round: one radar at most, then shots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from companion.games.vampireradar.bots.bitboard import ALL, indices, tiles_of
from companion.games.vampireradar.bots.position import Position

Covers = list[tuple[int, ...]]
"""The covers of which the humans choose one."""


class Shots:
    """The humans' ways to hit in a round.

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
