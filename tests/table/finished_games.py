"""Play games in which nothing is hidden to their end at a table: one hand moves for all."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.game import Seat
from companion.table.table import Table


def step(table: Table, rng: Random) -> None:
    """Take one random legal action."""
    shown = table.snapshot()
    action = table.decode([rng.choice(shown["legal"])])
    table.submit(Seat(shown["to_move"]), action, id=f"{rng.getrandbits(64):x}")


def play_on(table: Table, rng: Random) -> None:
    """Take random legal actions to the end of the game."""
    while table.snapshot()["phase"] == "play":
        step(table, rng)


def play_out(table: Table, rng: Random) -> str:
    """Start the proposed game, play random legal actions to its end; return who won."""
    table.start()
    play_on(table, rng)
    return str(table.snapshot()["outcome"]["winner"])


def play_until(table: Table, rng: Random, winner: str) -> None:
    """Play games, each out and the table reopened, until this side wins one."""
    while True:
        won = play_out(table, rng)
        table.open_next_game(by=0)
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
        step(table, rng)
    raise AssertionError("the game ended before it")
