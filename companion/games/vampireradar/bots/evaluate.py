"""Evaluate a position for the humans, given weights of the vampire's tiles.

The unit is one hit. The value adds up the expected hits of the rest of the round, the pawns that
the next night may cost, bullets, and the pawns' distance to radars. There is no search here.
"""

from __future__ import annotations

from companion.games.vampireradar.bots.bitboard import indices
from companion.games.vampireradar.bots.position import Position
from companion.games.vampireradar.bots.posterior import Weights

WON, LOST = 12.0, -12.0
HIT = 1.0
PAWN = 0.6
"""The cost of losing one of four pawns; it is less with more pawns."""
STRIKES = 0.8
"""The assumed rate at which a vampire kills when it can."""
SHORT, EMPTY = 0.7, 0.5
"""Factors of the cost of the next night when the humans have fewer bullets in hand than the vampire
has lives, and when they have none. Hiding pawns is no way to win, and bullets on the field win
nothing.
"""
BULLETS = (0.0, 0.7, 1.1, 1.4, 1.6, 1.7, 1.75)
"""The worth of a hand by its number of bullets."""
RADAR_NEAR = (0.02, 0.06, 0.03, 0.01)
"""The worth of a pawn by its steps to a radar: landing again takes two steps."""
READY = 2
"""Pawns near radars that count for each human."""
KNOWLEDGE = 0.4
"""The worth of knowing the vampire's tile at nightfall; less by the number of possible tiles."""
BULLET_BY_DISTANCE = (0.3, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0)
"""The worth, by the bullets in hand, of a pawn next to another bullet."""
FARTHER = 0.8
"""Factor by which the worth falls with each step of distance."""


def value(position: Position, weights: Weights) -> float:
    """Return the position's worth to the humans now."""
    if position.hp <= 0:
        return WON
    bullets = sum(position.bullets)
    if not bullets and not position.tokens:
        return LOST
    hits = min(float(position.hp), expected_hits(position, weights))
    if bullets + position.tokens.bit_count() < position.hp:
        hits -= 2.0
    return HIT * (hits - position.hp) + standing_worth(position, weights)


def expected_hits(position: Position, weights: Weights) -> float:
    """Return the expected hits of the rest of the round. Each human shoots at once or calls a radar
    first, whichever is better, and repeats a shot that hit.
    """
    hits = 0.0
    for human, points in position.turns:
        shots = min(points, position.bullets[human])
        if shots <= 0:
            continue
        tiles = {tile for pawn, tile in position.living if position.owners[pawn] == human}
        best, second = two_best_lines(position, tiles, weights)
        now = best * shots + (1 - best) * max(0, shots - 1) * min(1.0, second / max(1 - best, 0.05))
        hits += max(now, _after_radar(position, tiles, weights, min(points - 1, shots)))
    return hits


def two_best_lines(position: Position, tiles: set[int], weights: Weights) -> tuple[float, float]:
    """Return the chances of the likeliest and the second likeliest hit from any of the tiles."""
    best = second = 0.0
    aims = position.ground.aims
    for tile in tiles:
        chances = [0.0, 0.0, 0.0, 0.0]
        row = aims[tile]
        for at, weight in weights.items():
            for direction in row[at]:
                chances[direction] += weight
        for chance in chances:
            if chance > best:
                best, second = chance, best
            elif chance > second:
                second = chance
    return best, second


def _after_radar(position: Position, tiles: set[int], weights: Weights, shots: int) -> float:
    """Return the expected hits after calling a radar first, 0 if one step reaches none."""
    ground = position.ground
    if shots <= 0:
        return 0.0
    most = 0.0
    for tile in tiles:
        for radar in ground.steps[tile]:
            if ground.radars >> radar & 1:
                most = max(most, radar_chance(position, tiles, weights, radar))
    return most * shots


def radar_chance(position: Position, tiles: set[int], weights: Weights, radar: int) -> float:
    """Return the chance that the best shot hits after a radar's answer."""
    aims, distances = position.ground.aims, position.ground.distances[radar]
    best: dict[int, float] = {}
    for tile in (*tiles, radar):
        row = aims[tile]
        chances: dict[tuple[int, int], float] = {}
        for at, weight in weights.items():
            answer = distances[at]
            for direction in row[at]:
                key = (answer, direction)
                chances[key] = chances.get(key, 0.0) + weight
        for (answer, _), chance in chances.items():
            if chance > best.get(answer, 0.0):
                best[answer] = chance
    return sum(best.values())


def standing_worth(position: Position, weights: Weights) -> float:
    """Return the worth of pawns, hands and knowledge at nightfall."""
    pieces, kills_from = _static_values(position)
    kills = sum(weight * kills_from[tile] for tile, weight in weights.items())
    known = sum(weight * weight for weight in weights.values())
    bullets = sum(position.bullets)
    danger = 1.0 if bullets >= position.hp else SHORT if bullets else EMPTY
    return pieces - danger * STRIKES * 2 * pawn_worth(position) * kills + KNOWLEDGE * known


def pawn_worth(position: Position) -> float:
    """Return the worth of one of a human's remaining pawns."""
    return PAWN * 4 / len(position.pawns)


def _static_values(position: Position) -> tuple[float, list[int]]:
    """Return the worth of the pieces, and for each tile the pawns that a vampire could kill in a
    night from there. Cached, since a search meets the same pieces often.
    """
    key = (*position.pawns, *position.bullets, position.tokens)
    values = position.cache.get(key)
    if values is None:
        worth = sum(BULLETS[count] for count in position.bullets) + _places_worth(position)
        values = position.cache[key] = (worth, most_kills(position))
    return values


def _places_worth(position: Position) -> float:
    ground = position.ground
    near: dict[int, list[float]] = {}
    to_token: dict[int, int] = {}
    tokens = list(indices(position.tokens))
    worth = 0.0
    for pawn, tile in position.living:
        human = position.owners[pawn]
        worth += 2 * pawn_worth(position)
        steps = ground.to_radar[tile]
        if steps < len(RADAR_NEAR):
            near.setdefault(human, []).append(RADAR_NEAR[steps])
        row = ground.far[tile]
        if BULLET_BY_DISTANCE[position.bullets[human]]:
            to_token[human] = min([to_token.get(human, 99), *(row[token] for token in tokens)])
    worth += sum(
        BULLET_BY_DISTANCE[position.bullets[human]] * FARTHER ** (steps - 1)
        for human, steps in to_token.items()
    )
    return worth + sum(sum(sorted(ready)[-READY:]) for ready in near.values())


def most_kills(position: Position) -> list[int]:
    """Return, for each tile, the most pawns that a night from there can kill: those on a tile in
    reach and on all tiles connected with that one.
    """
    ground = position.ground
    by_tile: dict[int, int] = {}
    for _, tile in position.living:
        by_tile[tile] = by_tile.get(tile, 0) + 1
    most = [0] * 36
    open_tiles = set(by_tile)
    while open_tiles:
        group, edge = [], [open_tiles.pop()]
        while edge:
            tile = edge.pop()
            group.append(tile)
            joined = [to for to in ground.steps[tile] if to in open_tiles]
            open_tiles.difference_update(joined)
            edge += joined
        kills = sum(by_tile[tile] for tile in group)
        for tile in group:
            for start in ground.within_two[tile]:
                if kills > most[start]:
                    most[start] = kills
    return most
