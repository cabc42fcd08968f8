"""VampireRader's bots, from greedy to tree search."""

from __future__ import annotations

from companion.core.capabilities import BotPosition, Bots
from companion.core.game import Action
from companion.core.search_budget import SearchBudget
from companion.games.vampireradar.bots.levels import HUMAN_LEVELS, LEVELS, VAMPIRE_LEVELS


class VampireRadarBots(Bots):
    """Bots for the vampire and for humans."""

    levels = LEVELS
    by_hand = frozenset({"walk"})
    external = True

    def act(self, position: BotPosition, level: str, budget: SearchBudget) -> list[Action]:
        """Return a night of the vampire from its own view, or an action of a human from the public
        events alone.
        """
        if position.is_secret:
            vampire = VAMPIRE_LEVELS[level](budget)
            for event in position.public_events:
                vampire.hear(event)
            return vampire.act(position.view)
        human, seat = HUMAN_LEVELS[level](budget), position.view.seat
        assert seat is not None, "the table display has no bot"
        for event in position.public_events:
            human.hear(event)
        return [human.act(seat)]
