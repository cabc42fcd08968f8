"""Seats of an arena's game that external programs play."""

from __future__ import annotations

from collections.abc import Sequence

from companion.bots.external import BotFailed, ExternalBots
from companion.core.game import Action, PublicEvent, Seat, View
from companion.core.search_budget import SearchBudget
from companion.games.vampireradar.bots.base import Chances, HumanBot, VampireBot
from companion.games.vampireradar.options import V
from companion.games.vampireradar.state import Vampire


class ProgramHumans(HumanBot):
    """The human seats, each played by a process of its own."""

    def __init__(self, programs: ExternalBots, budget: SearchBudget) -> None:
        super().__init__(budget)
        self._programs = programs

    def hear(self, event: PublicEvent) -> None:
        super().hear(event)
        self._programs.hear(event)

    def act(self, seat: Seat) -> Action:
        actions = self._programs.ask(seat, View(seat, self.public))
        if len(actions) != 1:
            raise BotFailed(
                seat, f"must answer with one action, not with {len(actions)}", "forbidden"
            )
        return actions[0]

    def choose(self, legal: Sequence[Action]) -> Action:
        raise NotImplementedError("a program chooses in its own process")


class ProgramVampire(VampireBot):
    """The vampire, played by a process."""

    def __init__(self, programs: ExternalBots, budget: SearchBudget) -> None:
        super().__init__(budget)
        self._programs = programs

    def hear(self, event: PublicEvent) -> None:
        super().hear(event)
        self._programs.hear(event)

    def act(self, view: View) -> list[Action]:
        return self._programs.ask(V, view)

    def chances(self, own: Vampire) -> Chances:
        raise NotImplementedError("a program chooses in its own process")
