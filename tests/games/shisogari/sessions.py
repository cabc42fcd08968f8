"""Play a whole game of Shisogari on a simulated clock, with its record and noted heads."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from companion.core.game import Seat
from companion.games.shisogari.rules import Shisogari
from tests.table.play import Play, give_shares

GAME = Shisogari()
ACCUSE = 0.15
"""How often a Hunter who may accuse does."""
MOST = 2000


class ShisogariSession:
    """Every seat plays at random; `undo` takes some declarations back. `lines` is the record,
    `kept` the heads and seals that a player wrote down.
    """

    def __init__(
        self,
        folder: Path,
        seed: int,
        players: int = 4,
        options: dict[str, Any] | None = None,
        *,
        undo: bool = False,
    ) -> None:
        self._play = Play(folder, GAME, seed)
        self._rng = Random(seed)
        table = self._play.table
        table.lobby.propose({"game": GAME.name, "players": players, "options": options or {}})
        for number, seat in enumerate(GAME.seat_names(players), start=1):
            table.seats.claim(seat, f"Person {seat}", f"{number:064x}")
        # The last phone sleeps.
        give_shares(table, *(f"{number:064x}" for number in range(1, players)))
        table.start()
        heads: dict[str, str] = {}
        undone = 0
        for turn in range(MOST):
            snapshot = table.snapshot()
            if snapshot["phase"] == "over":
                break
            if turn % 10 == 0:
                heads[str(snapshot["position"])] = snapshot["head"]
            if undo and undone < 3 and snapshot["undo"]["kind"] == "free":
                table.votes.undo(snapshot["undo"]["seat"])
                undone += 1
            else:
                self._act(Seat(snapshot["to_move"]))
        assert "over" == table.snapshot()["phase"]
        self.snapshot = table.snapshot()
        self.private = {seat: table.seat_snapshot(seat)["own"] for seat in GAME.seat_names(players)}
        self.lines = table.record()
        seals = {
            str(number): opened["seal"]
            for number, opened in enumerate(table.opened_commitments(), start=1)
        }
        self.kept = {
            "heads": heads | {str(self.snapshot["position"]): self.snapshot["head"]},
            "seals": seals,
        }
        table.close()

    @property
    def record(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    def _act(self, seat: Seat) -> None:
        legal = self._play.table.seat_snapshot(seat)["legal"]
        others = [action for action in legal if action["type"] != "accuse"]
        action = self._rng.choice(others if others and self._rng.random() > ACCUSE else legal)
        self._play.submit(seat, *self._play.table.decode([action]))
        self._play.clock.advance(10)
