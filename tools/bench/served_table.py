"""A table in a process of its own, with more listeners or shorter nights than the command allows.

`python -m tools.bench.served_table JSON` serves the `Hosting` until its standard input ends.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable
from random import Random

import msgspec
from msgspec import Struct

from companion.app import Application
from companion.clock import SystemClock
from companion.config import ClubSettings, Settings, SettleSettings
from companion.process import configure_malloc
from companion.server.http.limits import MAX_CONNECTIONS, StreamLimits
from companion.server.http.server import SERVER_THREADS, make_server
from companion.table.votes import VOTE_TIMEOUT

SPARE = 24
"""Threads and connections in addition to those of the streams."""


class Hosting(Struct, frozen=True):
    """Settings of a served table: nights and bots are `speed_up` times faster; `seed` fixes all
    random values; a `broker` receives the table's status.
    """

    folder: str
    port: int
    board: str = "none"
    rest: float = 0.75
    streams: int = 0
    speed_up: float = 1.0
    hosts: tuple[str, ...] = ()
    seed: int | None = None
    broker: str = ""


class FastClock(SystemClock):
    """The computer's clock, with faster bots and nights.

    A vote keeps its time: a slow page may still offer an answer.
    """

    def __init__(self, speed_up: float) -> None:
        super().__init__()
        self._speed_up = speed_up

    def call_at(self, when: float, action: Callable[[], None]) -> None:
        now = self.monotonic()
        wait = when - now
        super().call_at(when if wait > VOTE_TIMEOUT / 2 else now + wait / self._speed_up, action)


def host(hosting: Hosting) -> None:
    """Serve until SIGTERM, or until the standard input ends."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    serve(hosting)


def serve(hosting: Hosting) -> None:
    """Serve until SIGTERM. Without `streams` the limits are those of the command."""
    configure_malloc()  # as the command does
    settings = Settings(
        data=hosting.folder,
        host="127.0.0.1",
        hosts=hosting.hosts,
        port=hosting.port,
        board=hosting.board,
        night_floor=0,
        auto_pick_up=False,
        settle=SettleSettings(rest=hosting.rest),
        club=ClubSettings(broker=hosting.broker, name="Table"),
    )
    stream_count = hosting.streams
    limits = StreamLimits(streams=stream_count, per_address=stream_count) if stream_count else None
    clock, seed = FastClock(hosting.speed_up), hosting.seed
    if seed is None:
        companion = Application(settings, clock, limits=limits)
    else:
        companion = Application(settings, clock, Random(seed).randbytes, Random(seed), limits)
    server = make_server(
        companion.app,
        settings.host,
        settings.port,
        threads=max(SERVER_THREADS, stream_count + SPARE),
        connections=max(MAX_CONNECTIONS, 2 * stream_count),
    )

    def end(*_: object) -> None:
        companion.table.journal.broadcaster.close()
        sys.exit(0)

    signal.signal(signal.SIGTERM, end)
    if hosting.board == "sim":
        companion.sources.simulate(0)
    gc.freeze()  # as the command does
    companion.start()
    server.run()
    server.close()
    companion.close()


def _end_with_parent() -> None:
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    host(msgspec.json.decode(sys.argv[1], type=Hosting))
