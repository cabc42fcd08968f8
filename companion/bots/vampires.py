"""The vampire's levels. They know their own place and what everybody knows."""

from __future__ import annotations

from companion.bots.bot import VampireBot
from companion.bots.characters import HUNTER, STRAY
from companion.bots.nightfall import NightSearch, mixed
from companion.bots.nights import Night, nights
from companion.bots.terrain import CELLS, INDEX, START, indices
from companion.core.game import Action
from companion.games.vampireradar.model import Place, Vampire

NEAR = 3
"""Steps to the nearest pawn from which the greedy vampire goes no nearer."""


class RandomVampire(VampireBot):
    """Level 1: step by step anything that is allowed, the end of the night included."""

    def choose(self, own: Vampire) -> list[Action]:
        rng = self.thinking.rng
        if own.cell is None:
            return [Place(CELLS[rng.choice(list(indices(START)))])]
        left = [night.actions for night in nights(self.public, own.cell)]
        done: list[Action] = []
        while following := [actions[len(done)] for actions in left if len(actions) > len(done)]:
            done.append(rng.choice([step for number, step in enumerate(following) if step not in following[:number]]))
            left = [actions for actions in left if actions[: len(done)] == done]
        return done


class GreedyVampire(VampireBot):
    """Level 2: kills as many as it can, eats when hurt, else keeps near the pawns."""

    def choose(self, own: Vampire) -> list[Action]:
        rng = self.thinking.rng
        if own.cell is None:
            return [Place(CELLS[rng.choice(list(indices(START)))])]
        ground = self.belief.ground
        pawns = [INDEX[cell] for cell in self.public.pawns.values()]
        hurt = self.public.hp < self.public.max_hp and len(self.public.humans) > 1

        def liking(night: Night) -> tuple[int, int, int, float]:
            left = [tile for tile in pawns if not night.struck >> tile & 1]
            nearest = min((ground.far[night.end][tile] for tile in left), default=0)
            if len(self.public.humans) == 1:
                # Near one human's few pawns it would be looked for.
                nearest = NEAR
            return night.kills, night.meals if hurt else 0, -max(NEAR, nearest), rng.random()

        return max(nights(self.public, own.cell), key=liking).actions


class HeuristicVampire(VampireBot):
    """Level 3: kills, heals when hurt, and else hides: far from radars, out of lines, within reach of prey."""

    def choose(self, own: Vampire) -> list[Action]:
        rng = self.thinking.rng
        if own.cell is None:
            return [Place(CELLS[rng.choice(list(indices(START)))])]
        ranked = [(self._liking(night), rng.random(), night) for night in nights(self.public, own.cell)]
        return max(ranked, key=lambda one: one[:2])[2].actions

    def _liking(self, night: Night) -> float:
        ground, public = self.belief.ground, self.public
        left = [INDEX[cell] for cell in public.pawns.values() if not night.struck >> INDEX[cell] & 1]
        tame = len(public.humans) == 1 or public.hp >= public.max_hp
        exposed = sum(1 for tile in left if ground.aims[tile][night.end])
        nearly = sum(1 for tile in left for to in ground.steps[tile] if ground.aims[to][night.end])
        prey = sum(1 for tile in left if ground.ball[night.end] >> tile & 1)
        return night.kills + (0 if tame else 0.8 * night.meals) - 0.15 * exposed - 0.03 * nearly + 0.1 * prey


class SearchingVampire(VampireBot):
    """Level 4: looks at how the humans' next round would go after each night, and mixes what is nearly best."""

    rounds = 1

    def choose(self, own: Vampire) -> list[Action]:
        rng = self.thinking.rng
        if own.cell is None:
            return [Place(CELLS[rng.choice(list(indices(START)))])]
        search = NightSearch(self.public, self.hunch.weights, self.hunch.blend, rng, self.thinking)
        return mixed(search.weigh(INDEX[own.cell], self.rounds), rng).actions


class DeepVampire(SearchingVampire):
    """Level 5: looks a second night and round further at the nights that came out best, against humans who learn
    from its nights which kind of vampire it is."""

    characters = (STRAY, HUNTER)
    rounds = 2
