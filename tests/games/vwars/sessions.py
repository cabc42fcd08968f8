"""A whole game of V-Wars at a table on a simulated clock: its record and its last snapshot."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from companion.core.game import Seat
from companion.games.vwars.rules import VWars
from tests.table.play import Play, give_shares

GAME = VWars()
MOST = 3000


class VWarsSession:
    """Every seat plays at random; the last one chose a role. `lines` is the record, `heads` the
    heads that a player wrote down.
    """

    def __init__(
        self, folder: Path, seed: int, players: int = 3, options: dict[str, Any] | None = None
    ) -> None:
        play, rng = Play(folder, GAME, seed), Random(seed)
        table = play.table
        table.lobby.propose({"game": GAME.name, "players": players, "options": options or {}})
        for number, seat in enumerate(GAME.seat_names(players), start=1):
            table.seats.claim(seat, f"Person {seat}", f"{number:064x}")
        for kind, ids in table.snapshot()["lobby"].get("choices", {}).items():
            table.lobby.choose(GAME.seat_names(players)[-1], kind, ids[-1])
        give_shares(table, *(f"{number:064x}" for number in range(1, players + 1)))
        table.start()
        self.heads: dict[int, str] = {}
        for turn in range(MOST):
            snapshot = table.snapshot()
            if snapshot["phase"] == "over":
                break
            if turn % 10 == 0:
                self.heads[snapshot["position"]] = snapshot["head"]
            seat = Seat(snapshot["to_move"])
            play.submit(seat, *table.decode([rng.choice(table.seat_snapshot(seat)["legal"])]))
        self.snapshot = table.snapshot()
        assert "over" == self.snapshot["phase"]
        self.private = {seat: table.seat_snapshot(seat)["own"] for seat in GAME.seat_names(players)}
        self.lines = table.record()
        table.close()

    @property
    def record(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)
