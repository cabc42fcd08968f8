"""The time of the exact belief on a map of 200 places, event by event over 24 rounds."""

from __future__ import annotations

import time
from collections.abc import Iterable
from random import Random

from companion.core.game import PublicEvent
from companion.core.view import view
from companion.games.manhunt.belief import Belief
from companion.games.manhunt.events import FugitiveMoved, QuestionAnswered
from companion.games.manhunt.map_file import MapFile, Place, Rules, Way
from companion.games.manhunt.options import Setup
from companion.games.manhunt.rules import Manhunt
from tools.bench.figure import Figure, at_most, percentile

ACROSS, DOWN = 20, 10
ROUNDS = 24
GAMES = 10


def figures() -> Iterable[Figure]:
    """Measure updates of the belief, including those that recompute a night."""
    move_times, answer_times = update_times()
    label = f"belief on {ACROSS * DOWN} places, {ROUNDS} rounds"
    yield at_most(
        f"{label}: a turn of the fugitive", 1000 * percentile(move_times, 0.99), 1, "ms at p99"
    )
    yield at_most(f"{label}: an answer", 1000 * percentile(answer_times, 0.99), 1, "ms at p99")


def grid() -> MapFile:
    """Return a map of streets with two kinds of ways and all questions."""
    numbers = [(x, y) for y in range(DOWN) for x in range(ACROSS)]
    places = tuple(
        Place(number=1 + x + ACROSS * y, name=f"{x} {y}", x=40 * x, y=40 * y) for x, y in numbers
    )
    across = [
        Way(between=(1 + x + ACROSS * y, 2 + x + ACROSS * y), kind="street" if y % 2 else "rail")
        for x, y in numbers
        if x + 1 < ACROSS
    ]
    down = [
        Way(between=(1 + x + ACROSS * y, 1 + x + ACROSS * (y + 1)), kind="street")
        for x, y in numbers
        if y + 1 < DOWN
    ]
    rules = Rules(
        rounds=ROUNDS, hunters=5, questions=("was_here", "is_here", "within"), arrest="announce"
    )
    return MapFile(
        game="manhunt",
        title="Grid",
        language="en",
        sample=False,
        places=places,
        ways=(*across, *down),
        rules=rules,
    )


def update_times() -> tuple[list[float], list[float]]:
    """Return the seconds of each turn's update and of each answer's, in random games."""
    game, content = Manhunt(), grid()
    move_times: list[float] = []
    answer_times: list[float] = []
    for seed in range(GAMES):
        rng, belief = Random(seed), Belief()
        events = game.setup(game.seat_names(6), Setup(content=content), rng)
        state = game.initial()
        while True:
            for event in events:
                state = game.evolve(state, event)
                if isinstance(event, PublicEvent):
                    start = time.perf_counter()
                    belief.observe(event)
                    seconds = time.perf_counter() - start
                    move_times += [seconds] if isinstance(event, FugitiveMoved) else []
                    answer_times += [seconds] if isinstance(event, QuestionAnswered) else []
            seat = game.to_move(state.public)
            if seat is None:
                break
            legal = list(game.legal_actions(view(state, seat)))
            events = list(game.decide(state, seat, rng.choice(legal), rng).events)
    return move_times, answer_times
