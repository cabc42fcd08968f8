"""The vampire's search: each night is weighed by the round that would follow it, and that by the night after."""

from __future__ import annotations

from math import exp
from random import Random

from companion.bots.bot import Chances
from companion.bots.budget import Budget, TimeIsUp
from companion.bots.foresight import play_round
from companion.bots.hunch import Blend, Weights, after_any_night, fitted, prey_of
from companion.bots.nights import Night, nights_from
from companion.bots.outlook import HIT
from companion.bots.position import Position
from companion.games.vampireradar.model import Public

WON = 12.0
PAWN = 0.4
"""Half of what one pawn of four is worth to the vampire; of more pawns each is worth less."""
BULLET = 0.12
"""What a bullet that the humans have left costs the vampire."""
PREY = 0.5
"""How much of a pawn's worth it is to have it within reach at the next nightfall."""
WARMTH = 0.12
"""How much worse, in hits, a night may be and still be chosen nearly as often as the best."""
SECOND_LOOK = 4
"""Nights that are looked at a round further."""
REPLIES = 2
"""Nights of the second round that are looked at after each."""

Weighed = list[tuple[float, Night]]


class NightSearch:
    """Weighs the vampire's nights from the public table and the public's weights."""

    def __init__(self, public: Public, weights: Weights, blend: Blend, rng: Random, budget: Budget) -> None:
        self._public = public
        self._rng = rng
        self._position = Position(public)
        self._weights = weights
        self._blend = blend
        self._budget = budget

    def weigh(self, tile: int, rounds: int) -> Weighed:
        """Return the nights from `tile` that could be looked at in time, with their worth to the vampire. Those that
        promise most at a glance are looked at first; where there is time for none the first is all that is known."""
        weighed: Weighed = []
        reached: dict[int, tuple[Position, Weights]] = {}
        for night in self._promising(self._position, tile):
            try:
                position, weights = self._round_after(self._position, self._weights, night)
            except TimeIsUp:
                return weighed or [(0.0, night)]
            weighed.append((night_worth(position, night.end), night))
            reached[id(night)] = position, weights
        return self._looked_further(weighed, reached) if rounds > 1 else weighed

    def _looked_further(self, weighed: Weighed, reached: dict[int, tuple[Position, Weights]]) -> Weighed:
        """Return the best nights, judged by the night and the round after them; those that time allows."""
        further: Weighed = []
        for worth, night in sorted(weighed, key=lambda one: -one[0])[:SECOND_LOOK]:
            position, weights = reached[id(night)]
            if position.hp <= 0 or not weights or night.end not in weights:
                further.append((worth, night))
                continue
            best = -WON
            for reply in self._promising(position, night.end)[:REPLIES]:
                try:
                    after, _ = self._round_after(position, weights, reply)
                except TimeIsUp:
                    return weighed
                best = max(best, night_worth(after, reply.end))
            further.append((best, night))
        return further

    def _promising(self, position: Position, tile: int) -> list[Night]:
        aims = position.ground.aims
        pawns = [at for at in position.pawns if at >= 0]

        def glance(night: Night) -> float:
            exposed = sum(1 for at in pawns if aims[at][night.end])
            return night.kills + 0.5 * night.meals - 0.15 * exposed

        found = nights_from(self._public, tile, position)
        self._rng.shuffle(found)
        return sorted(found, key=glance, reverse=True)

    def _round_after(self, before: Position, weights: Weights, night: Night) -> tuple[Position, Weights]:
        """Return the table and what is known of it when the humans have answered a night. Raises `TimeIsUp`."""
        position = before.copy()
        for tile in night.told:
            if tile < 0:
                position.eat(~tile)
            else:
                position.kill(tile)
        position.new_round()
        told = [tile if tile >= 0 else ~tile for tile in night.told]
        after = after_any_night(before.ground, weights, prey_of(before), told, self._blend)
        tiles = sum(1 << tile for tile in after)
        return play_round(position, fitted(after, tiles), night.end, self._budget)


def night_worth(position: Position, tile: int) -> float:
    """Return what the table is worth to a vampire on `tile` when the night falls."""
    if position.hp <= 0:
        return -WON
    left = [at for at in position.pawns if at >= 0]
    bullets = sum(position.bullets) + position.tokens.bit_count()
    if not left or not bullets:
        return WON + position.hp
    pawn = PAWN * 8 / len(position.pawns)
    reach = position.ground.ball[tile]
    prey = sum(1 for at in left if reach >> at & 1)
    return HIT * position.hp - pawn * (len(left) - PREY * prey) - BULLET * bullets


def mixed(weighed: Weighed) -> Chances:
    """Return the nights by how often each is chosen: the better the likelier, so that a watcher cannot foretell it."""
    best = max(worth for worth, _ in weighed)
    likings = [exp((worth - best) / WARMTH) for worth, _ in weighed]
    whole = sum(likings)
    return [(liking / whole, night.actions) for liking, (_, night) in zip(likings, weighed, strict=True)]
