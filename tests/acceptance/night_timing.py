"""Check that no moment depends on how many steps a night had.

`python -m tests.acceptance.night_timing [--nights N] [--plant]`.

Real tables on the real clock, over real sockets. Nights without a step and nights of two are played
in random order; taken down are the moments that others can see: how long the answer to the
vampire's commit takes, and how long after nightfall the next turn begins. Each must come from one
distribution (Kolmogorov-Smirnov, p > 0.001, one retry). With `--plant` answers leave as soon as
they are computed, and a step takes 10 ms: that must be seen.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

from companion.core.game import Action, Seat
from companion.server.rpc.fixed_delay import FixedDelayExecutor
from tests.secrecy.sockets import SocketPhone, Stream
from tests.server.client import Json
from tests.server.http.test_server import Served, until

LEAST = 0.001
TABLES = 16
"""Tables at once: a night takes some five seconds, of which the machine works a few milliseconds.
"""
STEP = 0.01
V = Seat("V")
END: Json = {"type": "end"}
NIGHT, TURN = {"event": "night_fell"}, {"event": "turn_started", "seat": "H1"}


class Night(Struct, frozen=True):
    """The times of a night that others can measure, in seconds."""

    steps: int
    answer: float
    dawn: float


class Table:
    """One table with a vampire who walks two steps or none."""

    def __init__(self, folder: Path, rng: Random, plant: bool) -> None:
        self._rng = rng
        self._served = Served(folder)
        game_table = self._served.game_table
        self._table = game_table.table
        self._table.lobby.propose({"options": {"stalled_after": 0}})
        vampire, self._human = game_table.started(2)
        server = game_table.display_fragment[:43]
        self._vampire = SocketPhone(
            game_table.app, server, vampire.secret, "127.0.0.31", self._served.port
        )
        self._stream = Stream.public(self._served.port, "127.0.0.1")
        assert self._vampire.request("submit", actions=[{"type": "place", "cell": "C3"}])["ok"]
        self._wait_for(TURN)
        if plant:
            game_table.context.executor = FixedDelayExecutor(0.0)
            self._slow_down()

    def nights(self, count: int) -> list[Night]:
        """Play `count` nights."""
        order = [0, 2] * (count // 2)
        self._rng.shuffle(order)
        return [self._night(steps) for steps in order]

    def close(self) -> None:
        self._stream.connection.close()
        self._vampire.sleep()
        self._served.close()

    def _night(self, steps: int) -> Night:
        until(lambda: bool(self._table.snapshot()["legal"]))
        assert self._human.request("submit", actions=[END])["ok"]
        night_started = self._wait_for(NIGHT)
        # Searched in every night, so that the search costs each the same.
        path = self._path()
        sent_at = time.monotonic()
        assert self._vampire.request("submit", actions=[*path[:steps], END])["ok"]
        answered_at = time.monotonic()
        return Night(steps, answered_at - sent_at, self._wait_for(TURN) - night_started)

    def _path(self) -> list[Json]:
        """Return two legal steps."""
        path: list[Json] = []
        for _ in range(2):
            actions = self._table.decode([*path]) if path else []
            legal = (
                self._table.preview(V, actions)["legal"]
                if actions
                else self._table.seat_snapshot(V)["legal"]
            )
            path.append(self._rng.choice([action for action in legal if action["type"] == "walk"]))
        return path

    def _wait_for(self, expected: Json) -> float:
        """Return when the public stream sent this event."""
        while True:
            chunk, _ = self._stream.read()
            payloads = [line[6:] for line in chunk.split(b"\n") if line.startswith(b"data: ")]
            if any(
                expected.items() <= each["event"].items()
                for text in payloads
                for each in json.loads(text)["events"]
            ):
                return time.monotonic()

    def _slow_down(self) -> None:
        submit = self._table.submit

        def slow(seat: Seat, actions: Sequence[Action], **named: Any) -> None:
            time.sleep(STEP * (len(actions) - 1))
            submit(seat, actions, **named)

        self._table.submit = slow  # type: ignore[method-assign, assignment]


def likelihood(first_sample: Sequence[float], second_sample: Sequence[float]) -> float:
    """Return the probability that two samples of one distribution differ at least as much
    (Kolmogorov and Smirnov).
    """
    places = sorted((*first_sample, *second_sample))
    first, second = sorted(first_sample), sorted(second_sample)
    furthest, at, by = 0.0, 0, 0
    for place in places:
        while at < len(first) and first[at] <= place:
            at += 1
        while by < len(second) and second[by] <= place:
            by += 1
        furthest = max(furthest, abs(at / len(first) - by / len(second)))
    size = math.sqrt(
        len(first_sample) * len(second_sample) / (len(first_sample) + len(second_sample))
    )
    scaled = (size + 0.12 + 0.11 / size) * furthest
    if scaled < 0.2:
        return 1.0
    terms = ((-1.0) ** (k - 1) * math.exp(-2 * (k * scaled) ** 2) for k in range(1, 101))
    return min(1.0, max(0.0, 2 * sum(terms)))


def played(nights: int, seed: int, plant: bool) -> list[Night]:
    """Play `nights` nights at several tables at the same time."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(TABLES) as pool:

        def one(table_number: int) -> list[Night]:
            table = Table(Path(folder) / f"{table_number}", Random(f"{seed} {table_number}"), plant)
            try:
                return table.nights(nights // TABLES)
            finally:
                table.close()

        return [night for some in pool.map(one, range(TABLES)) for night in some]


def compared(nights: Sequence[Night]) -> dict[str, float]:
    """Return for each moment the probability that both kinds of night are alike."""
    kinds = [[night for night in nights if night.steps == steps] for steps in (0, 2)]
    return {
        name: likelihood(*([getattr(night, name) for night in kind] for kind in kinds))
        for name in ("answer", "dawn")
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nights", type=int, default=160)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plant", action="store_true")
    args = parser.parse_args()
    for attempt in range(2):
        nights = played(args.nights, args.seed + attempt, args.plant)
        compared_by = compared(nights)
        middle = sorted(night.answer for night in nights)[len(nights) // 2]
        p_values = " ".join(f"p_{name}={value:.3g}" for name, value in compared_by.items())
        print(
            f"nights={len(nights)} tries={attempt + 1} answer_ms={1000 * middle:.1f} {p_values}",
            flush=True,
        )
        if min(compared_by.values()) > LEAST:
            return 0
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
