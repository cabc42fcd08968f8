"""Check that no moment depends on what a night was, nor on when it was handed in.

`python -m tools.acceptance.night_timing [--nights N] [--plant {steps,store}]`.

Real tables on the real clock, over real sockets, on a disk that takes 50 ms to sync. Nights
without a step and nights of two are played in random order. In each, the vampire's phone first
sends its night or a preview, and the other one later. Taken down is what others can measure: how
long the answer takes, how long after nightfall the next turn begins, and how long the requests of
a guest, a human's phone and a display take that follow the first message. Both kinds of night, and
both kinds of message, must give one distribution (Kolmogorov-Smirnov, p > 0.001, one retry).

Each plant must be seen. `steps`: answers leave as soon as they are computed, and a step takes
10 ms. `store`: a night is written as soon as it is handed in.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from msgspec import Struct
from msgspec.structs import replace

from companion.core.game import Action, Seat
from companion.server.rpc.replies import FixedDelayExecutor
from companion.table import reveal
from companion.table.storage.log import Log
from tests.server.client import Json
from tests.server.http.test_server import Served, until
from tools.secrecy.sockets import HttpConnection, SocketPhone, Stream

LEAST = 0.001
TABLES = 16
"""Tables at once: a night takes some seven seconds, of which the machine works a few milliseconds.
"""
FLOOR = 4
"""The shortest night in seconds: all probes end before it."""
SYNC = 0.05
"""Seconds in which the disk syncs an entry."""
WORK = 0.004
"""Seconds from a message to the requests that follow it: the table has decided its night by then.
"""
STEP = 0.01
V = Seat("V")
END: Json = {"type": "end"}
NIGHT, TURN = {"event": "night_fell"}, {"event": "turn_started", "seat": "H1"}


class Night(Struct, frozen=True):
    """A night, and the times that others can measure in it, in seconds by their names.

    first: the first message of the vampire's phone, "submit" or "preview"
    """

    steps: int
    first: str
    times: dict[str, float]


class Table:
    """One table with a vampire who walks two steps or none."""

    def __init__(self, folder: Path, rng: Random, plant: str) -> None:
        self._rng = rng
        self._served = Served(folder)
        game_table = self._served.game_table
        self._table = game_table.table
        state = self._table.journal.state
        state.settings = replace(state.settings, night_floor=FLOOR)
        self._table.lobby.propose({"options": {"stalled_after": 0}})
        vampire, human = game_table.started(2)
        server = game_table.display_fragment[:43]
        self._vampire, self._human, self._display = (
            SocketPhone.continuing(phone, server, address, self._served.port)
            for phone, address in (
                (vampire, "127.0.0.31"),
                (human, "127.0.0.32"),
                (game_table.display(), "127.0.0.1"),
            )
        )
        self._guest = HttpConnection(self._served.port, "127.0.0.33")
        self._stream = Stream.public(self._served.port, "127.0.0.1")
        assert self._vampire.request("submit", actions=[{"type": "place", "cell": "C3"}])["ok"]
        self._wait_for(TURN)
        if plant == "steps":
            game_table.context.executor = FixedDelayExecutor(0.0)
            self._slow_down()

    def nights(self, count: int) -> list[Night]:
        """Play `count` nights."""
        kinds = [(steps, first) for steps in (0, 2) for first in ("submit", "preview")]
        order = (kinds * math.ceil(count / len(kinds)))[:count]
        self._rng.shuffle(order)
        return [
            self._night(steps, first, number % 2 == 0)
            for number, (steps, first) in enumerate(order)
        ]

    def close(self) -> None:
        self._stream.connection.close()
        self._guest.close()
        for phone in (self._vampire, self._human, self._display):
            phone.sleep()
        self._served.close()

    def _night(self, steps: int, first: str, writes: bool) -> Night:
        until(lambda: bool(self._table.snapshot()["legal"]))
        assert self._human.request("submit", actions=[END])["ok"]
        night_started = self._wait_for(NIGHT)
        # Searched in every night, so that the search costs each the same.
        path = self._path()
        actions = [*path[:steps], END]
        # One that writes would delay those that do not.
        probes = self._writing() if writes else self._reading()
        with ThreadPoolExecutor(1 + len(probes)) as pool:
            answer = pool.submit(_seconds, lambda: self._send(first, actions))
            time.sleep(WORK)
            asked = {name: pool.submit(_seconds, probe) for name, probe in probes.items()}
            times = {name: future.result() for name, future in asked.items()}
            times["answer"] = answer.result()
        self._send("preview" if first == "submit" else "submit", actions)
        times["dawn"] = self._wait_for(TURN) - night_started
        return Night(steps, first, times)

    def _send(self, do: str, actions: list[Json]) -> None:
        answer = self._vampire.request(do, actions=actions)
        assert answer["ok"] or answer["code"] == "already_submitted", answer

    def _reading(self) -> dict[str, Callable[[], object]]:
        """Return what others can ask at any moment."""
        return {
            "events": self._open_events,
            "snapshot": lambda: self._get("/snapshot"),
            "hello": lambda: self._human.request("hello"),
            "aim": lambda: self._display.request("aim", seat="H1", actions=[]),
        }

    def _writing(self) -> dict[str, Callable[[], object]]:
        """Return what a human's phone can write at any moment."""
        cell = f"{self._rng.choice('ABCDEF')}{self._rng.randrange(1, 7)}"
        return {"mark": lambda: self._human.request("mark", cell=cell, mark="?")}

    def _open_events(self) -> None:
        Stream.public(self._served.port, "127.0.0.34").connection.close()

    def _get(self, path: str) -> None:
        self._guest.request("GET", path)
        self._guest.reply()

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

        def slow(seat: Seat, actions: Sequence[Action], **named: Any) -> Any:
            time.sleep(STEP * (len(actions) - 1))
            return submit(seat, actions, **named)

        self._table.submit = slow  # type: ignore[method-assign]


def _seconds(act: Callable[[], object]) -> float:
    """Return how long an act takes."""
    began = time.monotonic()
    act()
    return time.monotonic() - began


def distance(first_sample: Sequence[float], second_sample: Sequence[float]) -> float:
    """Return how far two samples' distributions are apart, 0 to 1 (Kolmogorov and Smirnov)."""
    first, second = sorted(first_sample), sorted(second_sample)
    furthest, at, by = 0.0, 0, 0
    for place in sorted((*first, *second)):
        while at < len(first) and first[at] <= place:
            at += 1
        while by < len(second) and second[by] <= place:
            by += 1
        furthest = max(furthest, abs(at / len(first) - by / len(second)))
    return furthest


def likelihood(furthest: float, first: int, second: int) -> float:
    """Return the probability that two samples of one distribution, of these sizes, are at least so
    far apart.
    """
    size = math.sqrt(first * second / (first + second))
    scaled = (size + 0.12 + 0.11 / size) * furthest
    if scaled < 0.2:
        return 1.0
    terms = ((-1.0) ** (k - 1) * math.exp(-2 * (k * scaled) ** 2) for k in range(1, 101))
    return min(1.0, max(0.0, 2 * sum(terms)))


def played(nights: int, seed: int, plant: str) -> list[Night]:
    """Play `nights` nights at several tables at the same time."""
    append = Log.append

    def slow_append(log: Log, *arguments: Any) -> None:
        time.sleep(SYNC)
        append(log, *arguments)

    with (
        patch.object(Log, "append", slow_append),
        patch.object(reveal, "STORE_LEAD", 600.0 if plant == "store" else reveal.STORE_LEAD),
        tempfile.TemporaryDirectory() as folder,
        ThreadPoolExecutor(TABLES) as pool,
    ):

        def one(table_number: int) -> list[Night]:
            table = Table(Path(folder) / f"{table_number}", Random(f"{seed} {table_number}"), plant)
            try:
                return table.nights(nights // TABLES)
            finally:
                table.close()

        return [night for some in pool.map(one, range(TABLES)) for night in some]


def compared(nights: Sequence[Night]) -> dict[str, tuple[float, float]]:
    """Return for each moment how far both kinds of night, or of message, are apart, and the
    probability of that by chance.
    """
    kinds = {
        "steps": [[night for night in nights if night.steps == steps] for steps in (0, 2)],
        "first": [
            [night for night in nights if night.first == first] for first in ("submit", "preview")
        ],
    }
    results: dict[str, tuple[float, float]] = {}
    for kind, pair in kinds.items():
        for name in sorted({name for night in nights for name in night.times}):
            one, two = (
                [night.times[name] for night in half if name in night.times] for half in pair
            )
            furthest = distance(one, two)
            results[f"{name} by {kind}"] = furthest, likelihood(furthest, len(one), len(two))
    return results


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nights", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plant", choices=["steps", "store"], default="")
    args = parser.parse_args()
    for attempt in range(2):
        nights = played(args.nights, args.seed + attempt, args.plant)
        results = compared(nights)
        for name, (furthest, chance) in results.items():
            print(f"{name}: D={furthest:.3f} p={chance:.3g}")
        middle = sorted(night.times["answer"] for night in nights)[len(nights) // 2]
        least = min(chance for _, chance in results.values())
        print(
            f"nights={len(nights)} tries={attempt + 1} answer_ms={1000 * middle:.1f} "
            f"p_least={least:.3g}",
            flush=True,
        )
        if least > LEAST:
            return 0
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
