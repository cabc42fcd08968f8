"""Both sides' bots that search two rounds ahead by playouts."""

from __future__ import annotations

from random import Random

from companion.core.search_budget import Deadline
from companion.games.vampireradar.bots.base import Chances
from companion.games.vampireradar.bots.mcts import RoundTree, weighed_by_playouts
from companion.games.vampireradar.bots.night_moves import Night
from companion.games.vampireradar.bots.playout import World, known_after
from companion.games.vampireradar.bots.position import Position, Step
from companion.games.vampireradar.bots.search_humans import DeepHuman
from companion.games.vampireradar.bots.vampire_search import mixed
from companion.games.vampireradar.bots.vampires import DeepVampire, places
from companion.games.vampireradar.model import Vampire

WIDTH = 8
"""Ways that are looked at by playouts: what the shallower search likes best."""
SHARE = 0.5
"""The part of the time that the shallower search may take."""


class TreeHuman(DeepHuman):
    """Level 6: what the turn search likes best is looked at through the next night and round by
    playouts.
    """

    def best(self, position: Position, steps: list[Step], deadline: Deadline) -> Step:
        weighed = self.weighed(position, steps, self.budget.deadline(SHARE))[:WIDTH]
        tree = RoundTree(position, self.hunch.weights, self.budget.rng)
        found = weighed_by_playouts(
            [worth for worth, _ in weighed],
            lambda way: tree.play(weighed[way][1]),
            self.budget,
            deadline,
        )
        return weighed[found.index(max(found))][1]


class TreeVampire(DeepVampire):
    """Level 6: what the night search likes best is looked at through two rounds by playouts."""

    def chances(self, own: Vampire) -> Chances:
        if own.cell is None:
            return places()
        budget = self.budget
        deadline = budget.deadline()
        weighed = sorted(self.weighed(own.cell, budget.deadline(SHARE)), key=lambda one: -one[0])[
            :WIDTH
        ]
        position = Position(self.public)
        tiles = self.belief.tiles
        found = weighed_by_playouts(
            [worth for worth, _ in weighed],
            lambda way: -world_after(position, tiles, weighed[way][1], budget.rng).play_on(1),
            budget,
            deadline,
        )
        return mixed([(worth, night) for worth, (_, night) in zip(found, weighed, strict=True)])


def world_after(before: Position, tiles: int, night: Night, rng: Random) -> World:
    """Return the world at the dawn after a night; the vampire was known to be on one of `tiles`
    before it.
    """
    struck = [tile if tile >= 0 else ~tile for tile in night.told]
    world = World(before, night.end, known_after(before.ground, tiles, struck), rng)
    for tile in night.told:
        if tile < 0:
            world.position.eat(~tile)
        else:
            world.position.kill(tile)
    world.position.new_round()
    return world
