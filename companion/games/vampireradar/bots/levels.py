"""List the levels of each side, the weakest first."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.vampireradar.bots.base import HumanBot, VampireBot
from companion.games.vampireradar.bots.humans import (
    DeepHuman,
    GreedyHuman,
    HeuristicHuman,
)
from companion.games.vampireradar.bots.vampires import (
    DeepVampire,
    GreedyVampire,
    HeuristicVampire,
)

HUMAN_LEVELS: Mapping[str, type[HumanBot]] = {
    "greedy": GreedyHuman,
    "heuristic": HeuristicHuman,
    "deep": DeepHuman,
}
VAMPIRE_LEVELS: Mapping[str, type[VampireBot]] = {
    "greedy": GreedyVampire,
    "heuristic": HeuristicVampire,
    "deep": DeepVampire,
}
LEVELS = tuple(HUMAN_LEVELS)
