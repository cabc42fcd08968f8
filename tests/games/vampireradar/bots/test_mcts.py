"""The two-round search: its worlds fit what is public, its budget holds, and it takes what playouts
rate best.
"""

from __future__ import annotations

from random import Random

import pytest

from companion.core.placement import Cell
from companion.core.search_budget import Deadline, SearchBudget
from companion.games.vampireradar.bots.bitboard import INDEX, START
from companion.games.vampireradar.bots.mcts import PLAYOUTS, RoundTree, weighed_by_playouts
from companion.games.vampireradar.bots.playout import World
from companion.games.vampireradar.bots.position import Position, Step
from tests.games.vampireradar.builders import scene


def budget(seconds: float, tick: float = 0.0) -> SearchBudget:
    """Return a budget whose clock advances by `tick` at each reading."""
    clock = [0.0]

    def now() -> float:
        clock[0] += tick
        return clock[0]

    return SearchBudget(Random(1), seconds, now)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_vampire_of_a_playout_is_where_it_can_be(players: int) -> None:
    """Through whole playouts the vampire's tile is one of the possible ones, and each move fits:
    life never falls below zero, and nobody shoots without bullets.
    """
    for seed in range(30):
        rng = Random(seed)
        public = scene(players=players).public
        world = World(
            Position(public), rng.choice([INDEX[Cell("C3")], INDEX[Cell("D4")]]), START, rng
        )
        for _ in range(60):
            if world.over():
                break
            if world.humans_turn():
                world.take(world.usual_step())
            else:
                world.night()
            assert world.tiles >> world.tile & 1
            assert 0 <= world.position.hp <= world.position.max_hp
            assert min(world.position.bullets) >= 0


def test_the_best_way_is_found_against_the_first_word() -> None:
    """An action that the shallower search rates lower is taken when playouts rate it higher, and
    not after only a few.
    """
    playout_values = [0.0, 1.0, 0.2]
    first = [1.0, 0.9, 0.8]

    many = weighed_by_playouts(
        first, playout_values.__getitem__, budget(1.0), Deadline(1.0, lambda: 0.0)
    )
    few = weighed_by_playouts(
        first, playout_values.__getitem__, budget(0.001), Deadline(1.0, lambda: 0.0)
    )

    assert 1 == many.index(max(many))
    assert 0 == few.index(max(few))


def test_the_budget_holds() -> None:
    """The time gives the number of playouts, and the deadline ends them on a slower machine; one is
    played at least.
    """
    played: list[int] = []

    def play(way: int) -> float:
        played.append(way)
        return 0.0

    weighed_by_playouts([0.0, 0.0], play, budget(0.1), Deadline(0.1, lambda: 0.0))
    assert PLAYOUTS // 10 == len(played)
    played.clear()
    slow = budget(0.1, tick=0.01)
    weighed_by_playouts([0.0, 0.0], play, slow, Deadline(0.1, slow.monotonic))
    assert len(played) in (8, 9)


def test_a_vampire_that_is_known_is_shot_at() -> None:
    """Of a shot that must hit and one that cannot the tree's playouts rate the first higher."""
    public = scene("D1", {"H1a": "A1"}, players=2, hp=1).public
    tree = RoundTree(Position(public), {INDEX[Cell("D1")]: 1.0}, Random(3))
    north, east = Step(0, direction=0), Step(0, direction=1)

    assert tree.play(east) > sum(tree.play(north) for _ in range(20)) / 20
