"""A whole game of Vampire Empire at a table on a simulated clock: its record."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from companion.core.game import Action, Seat
from companion.core.search_budget import SearchBudget
from companion.games.vampire_empire.bots import LEVELS, choose_action
from companion.games.vampire_empire.cards import SEATS
from companion.games.vampire_empire.rules import VampireEmpire
from tests.table.play import Play

GAME = VampireEmpire()
MOST = 4000


class VampireEmpireSession:
    """The better bots play both seats, or with `options` two random players. `lines` is the record,
    `picture` and `private` are what everybody and each seat saw at the end.
    """

    def __init__(self, folder: Path, seed: int, options: dict[str, Any] | None = None) -> None:
        self._play, self._rng = Play(folder, GAME, seed), Random(seed)
        table = self._play.table
        table.lobby.bot_levels = {GAME.name: LEVELS}
        table.lobby.propose({"game": GAME.name, "players": 2, "options": options or {}})
        for number, seat in enumerate(SEATS, start=1):
            table.seats.claim(seat, seat, f"{number:064x}") if options else table.seats.give(
                seat, "heuristic"
            )
        table.start()
        for _ in range(MOST):
            if table.snapshot()["phase"] == "over":
                break
            seat, action = self._by_chance() if options else self._by_bots()
            self._play.submit(seat, action)
        self.snapshot = table.snapshot()
        assert "over" == self.snapshot["phase"]
        self.private = {seat: table.seat_snapshot(seat)["own"] for seat in SEATS}
        self.lines = table.record()
        table.close()

    @property
    def record(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    def _by_bots(self) -> tuple[Seat, Action]:
        mover = Seat(self._play.table.snapshot()["to_move"])
        _, view, history = self._play.table.bots.view(mover)
        budget = SearchBudget(self._rng, 1.0, lambda: 0.0)
        return mover, choose_action(view, history, "heuristic", budget)

    def _by_chance(self) -> tuple[Seat, Action]:
        mover = Seat(self._play.table.snapshot()["to_move"])
        legal = self._play.table.seat_snapshot(mover)["legal"]
        kind = self._rng.choice(sorted({action["type"] for action in legal}))
        action = self._rng.choice([action for action in legal if action["type"] == kind])
        return mover, self._play.table.decode([action])[0]
