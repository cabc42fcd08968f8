"""Play games of Nosferatu to their end at a table: nothing is hidden, so one hand moves for all."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.game import Seat
from companion.table.table import Table


def play_out(table: Table, rng: Random) -> str:
    """Start the proposed game, play random legal actions to its end; return who won."""
    table.start()
    while (shown := table.snapshot())["phase"] == "play":
        action = rng.choice(shown["legal"])
        seat = Seat(shown["to_move"])
        table.submit(seat, table.decode([action]), id=f"{rng.getrandbits(64):x}")
    return str(shown["outcome"]["winner"])


def play_until(table: Table, rng: Random, winner: str) -> None:
    """Play games, each out and the table reopened, until this side wins one."""
    while True:
        won = play_out(table, rng)
        table.again(by=0)
        if won == winner:
            return


def measured(table: Table, seat: str) -> dict[str, Any]:
    """Return what the lobby shows of the games against bots at a seat."""
    shown: dict[str, Any] = table.snapshot()["lobby"].get("measured", {}).get(seat, {})
    return shown


def play_to_last_jump(table: Table, rng: Random) -> dict[str, str]:
    """Start a game of Nosferatu and play it until one jump wins it for the villagers; return that
    jump.
    """
    table.start()
    while (shown := table.snapshot())["phase"] == "play":
        seat = Seat(shown["to_move"])
        for action in shown["legal"]:
            outcome = table.preview(seat, table.decode([action]))["view"]["outcome"]
            if outcome and outcome["winner"] == seat == "villagers":
                return dict(action)
        action = rng.choice(shown["legal"])
        table.submit(seat, table.decode([action]), id=f"{rng.getrandbits(64):x}")
    raise AssertionError("the game ended before it")
