"""Play two rounds quickly in one world: the vampire has a tile, and no player searches.

The humans of a playout know the exact set of possible tiles alone; the vampire knows its tile.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.games.vampireradar.bots.bitboard import Bitboard, indices
from companion.games.vampireradar.bots.evaluate import LOST, WON, value
from companion.games.vampireradar.bots.night_moves import Night
from companion.games.vampireradar.bots.position import GONE, STOP, Position, Step

SURE, WORTH_A_TRY = 0.5, 0.25
"""Shares of the possible tiles that a line must cover: to shoot at once, and to shoot when no radar
is near.
"""
KILL_RATE = 0.9
"""How often the vampire kills when it can."""
BEST, WORST = 3.0, -6.0
"""The most and the least that one playout counts, so that none outweighs all others."""


class World:
    """A position with the vampire on `tile`, while everybody knows that it is on one of `tiles`."""

    __slots__ = ("position", "rng", "tile", "tiles")

    def __init__(self, position: Position, tile: int, tiles: int, rng: Random) -> None:
        self.position = position.copy()
        self.tile = tile
        self.tiles = tiles
        self.rng = rng

    def over(self) -> bool:
        """Whether the game has ended."""
        position = self.position
        return (
            position.hp <= 0
            or not position.standing()
            or not (any(position.bullets) or position.tokens)
        )

    def humans_turn(self) -> bool:
        """Return whether a human can still act in this round; one who cannot is passed over."""
        position = self.position
        while position.turns and position.turns[0][1] <= 0:
            position.next_human()
        return bool(position.turns)

    def take(self, step: Step) -> int:
        """Let the human to move take a step; return its answer: a radar's number, -1 for a hit,
        otherwise 99.
        """
        position, ground = self.position, self.position.ground
        if step == STOP:
            position.next_human()
            return 99
        position.spend()
        if step.to != GONE:
            if not position.walk(step.pawn, step.to):
                return 99
            distance = ground.distances[step.to][self.tile]
            self.tiles &= ground.rings[step.to][distance]
            return distance
        position.bullets[position.owners[step.pawn]] -= 1
        line = ground.lines[position.pawns[step.pawn]][step.direction]
        if line >> self.tile & 1:
            position.hp -= 1
            self.tiles &= line
            return -1
        self.tiles &= ~line
        return 99

    def usual_step(self) -> Step:
        """Return the habit of the human to move: shoot where a hit is likely, else call a radar,
        else try a shot or walk towards a radar.
        """
        position, ground, tiles = self.position, self.position.ground, self.tiles
        human, points = position.turns[0]
        own = [(pawn, tile) for pawn, tile in position.living if position.owners[pawn] == human]
        best, shot = 0, STOP
        if position.bullets[human] > 0:
            for pawn, tile in own:
                for direction, line in enumerate(ground.lines[tile]):
                    covered = (line & tiles).bit_count()
                    if covered > best:
                        best, shot = covered, Step(pawn, direction=direction)
        possible = tiles.bit_count()
        if best and best >= SURE * possible:
            return shot
        walks = [
            (ground.to_radar[to], self.rng.random(), Step(pawn, to=to))
            for pawn, at in own
            for to in ground.steps[at]
        ]
        nearest = min(walks, default=(99, 0.0, STOP))
        if nearest[0] == 0 and points > 1:
            return nearest[2]
        if best and best >= WORTH_A_TRY * possible:
            return shot
        return nearest[2]

    def night(self) -> tuple[int, ...]:
        """Play the vampire's night and begin the humans' round; return the tiles of kills."""
        position, ground, rng = self.position, self.position.ground, self.rng
        marks: list[int] = []
        points = 2
        while points:
            reach = ground.ball[self.tile] if points == 2 else ground.near[self.tile]
            prey = [tile for tile in indices(reach & position.standing())]
            if not prey or rng.random() > KILL_RATE:
                break
            to = rng.choice(prey)
            # The kill's own step is given back, a walk before it is not.
            points -= 0 if ground.near[self.tile] >> to & 1 else 1
            position.kill(to)
            marks.append(to)
            self.tile = to
        self.tiles = known_after(ground, self.tiles, marks)
        self.tile = self._hiding_place(points)
        position.new_round()
        return tuple(marks)

    def _hiding_place(self, points: int) -> int:
        """Return the end of the night: of two tiles the one at which fewer pawns can aim."""
        ground = self.position.ground
        ends = (
            (ground.within_one if points == 1 else ground.within_two)[self.tile]
            if points
            else (self.tile,)
        )
        standing = self.position.standing()
        return min(
            (self.rng.choice(ends), self.rng.choice(ends)),
            key=lambda end: (standing & ground.stars[end]).bit_count(),
        )

    def play_on(self, nights: int) -> float:
        """Return the result of play by habit to the end of the round, `nights` later, or of the
        game.
        """
        while not self.over():
            if self.humans_turn():
                self.take(self.usual_step())
            elif nights:
                self.night()
                nights -= 1
            else:
                break
        return self.worth()

    def worth(self) -> float:
        """Return the world's worth for the humans, within limits."""
        position = self.position
        if position.hp <= 0:
            return BEST
        if not position.standing():
            return WORST
        found = value(position, dict.fromkeys(indices(self.tiles), 1 / self.tiles.bit_count()))
        return WORST if found <= LOST else BEST if found >= WON else max(WORST, min(BEST, found))


def known_after(ground: Bitboard, tiles: int, marks: Sequence[int]) -> int:
    """Return where the vampire can be after a night from these tiles.

    marks: tiles of kills or meals; for several of them the result is a superset
    """
    if not marks:
        return ground.spread_twice(tiles)
    if len(marks) == 1 and not ground.near[marks[0]] & tiles:
        return ground.near[marks[0]]
    return ground.ball[marks[-1]]


def world_after(before: Position, tiles: int, night: Night, rng: Random) -> World:
    """Return the world after a night.

    tiles: where the vampire was known to be before it
    """
    struck = [tile if tile >= 0 else ~tile for tile in night.marks]
    world = World(before, night.end, known_after(before.ground, tiles, struck), rng)
    for tile in night.marks:
        if tile < 0:
            world.position.eat(~tile)
        else:
            world.position.kill(tile)
    world.position.new_round()
    return world
