"""List the levels of each side, the weakest first."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.vampireradar.bots.base import HumanBot, VampireBot
from companion.games.vampireradar.bots.humans import (
    DeepHuman,
    GreedyHuman,
    HeuristicHuman,
    RandomHuman,
    SearchingHuman,
)
from companion.games.vampireradar.bots.vampires import (
    DeepVampire,
    GreedyVampire,
    HeuristicVampire,
    RandomVampire,
    SearchingVampire,
)

HUMAN_LEVELS: Mapping[str, type[HumanBot]] = {
    "random": RandomHuman,
    "greedy": GreedyHuman,
    "heuristic": HeuristicHuman,
    "search": SearchingHuman,
    "deep": DeepHuman,
}
VAMPIRE_LEVELS: Mapping[str, type[VampireBot]] = {
    "random": RandomVampire,
    "greedy": GreedyVampire,
    "heuristic": HeuristicVampire,
    "search": SearchingVampire,
    "deep": DeepVampire,
}
LEVELS = tuple(HUMAN_LEVELS)
OFFERED_LEVELS = ("greedy", "heuristic", "search", "deep")
"""The levels that people choose from; the others are for measurements."""
