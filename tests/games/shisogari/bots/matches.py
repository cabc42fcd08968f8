"""Whole games of Shisogari's bots, each from what its own seat may know.

`python -m tests.games.shisogari.bots.matches --games 100 --hunters heuristic --vampires
heuristic` prints who wins how often.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from random import Random

from companion.core.game import Event, Outcome, Seat
from companion.core.view import may_see, view
from companion.games.shisogari.bots.bot import LEVELS, choose_action
from companion.games.shisogari.rules import Shisogari

GAME = Shisogari()
MOST = 2000


def match(seed: int, players: int, hunters: str, vampires: str) -> Outcome:
    """Play a game between two levels: one for the present Hunters, one for the Vampire's side."""
    rng = Random(seed)
    state = GAME.initial()
    heard: dict[Seat, list[Event]] = {seat: [] for seat in GAME.seat_names(players)}
    events = GAME.setup(GAME.seat_names(players), GAME.setup_type(), rng)
    for _ in range(MOST):
        for event in events:
            state = GAME.evolve(state, event)
            for other, told in heard.items():
                told += [event] if may_see(event, other) else []
        if outcome := GAME.outcome(state.public):
            return outcome
        seat = GAME.to_move(state.public)
        assert seat is not None
        level = hunters if state.private[seat].role == "hunter" else vampires
        action = choose_action(view(state, seat), heard[seat], level, rng)
        assert action in GAME.legal_actions(view(state, seat))
        events = list(GAME.decide(state, seat, action, rng))
    raise AssertionError("no end")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--hunters", choices=LEVELS, default="heuristic")
    parser.add_argument("--vampires", choices=LEVELS, default="heuristic")
    given = parser.parse_args()
    for players in (4, 5):
        began = time.process_time()
        seeds = range(given.seed, given.seed + given.games)
        ends = Counter(
            str(match(seed, players, given.hunters, given.vampires).reason) for seed in seeds
        )
        share = 100 * ends["vampire_found"] / given.games
        told = " ".join(f"{reason}={count}" for reason, count in sorted(ends.items()))
        spent = time.process_time() - began
        print(
            f"players={players} games={given.games} hunters_win={share:.0f}% {told} "
            f"seconds={spent:.0f}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
