"""How fast 200 screens receive updates while others do not read: `python -m
tests.server.http.listeners`.

A display posts marks at a fixed rate over a socket; fast listeners, in their own process, note when
each update has arrived whole, counted from before the post; slow ones connect and never read. Times
are of one machine's monotonic clock.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import selectors
import socket
import tempfile
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path

from companion.clock import SystemClock
from companion.server.http.limits import StreamLimits
from companion.server.http.server import make_server
from tests.server.client import GameTable
from tools.bench.played_table import Caller

MOST_MS, MOST_POST_MS = 100.0, 150.0


def connect(port: int, *, small: bool = False) -> socket.socket:
    listener = socket.socket()
    if small:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    listener.connect(("127.0.0.1", port))
    listener.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return listener


def listen(port: int, count: int, last: int, pipe: Connection) -> None:
    """Follow `count` streams until each has received position `last`; send each update's arrival
    times.
    """
    arrivals: list[tuple[int, float]] = []
    pending: dict[socket.socket, bytes] = {connect(port): b"" for _ in range(count)}
    with selectors.DefaultSelector() as selector:
        for opened in pending:
            selector.register(opened, selectors.EVENT_READ, opened)
        pipe.send("ready")
        while pending:
            for key, _ in selector.select(10):
                listener: socket.socket = key.data
                *messages, pending[listener] = (pending[listener] + listener.recv(1 << 20)).split(
                    b"\n\n"
                )
                moment = time.monotonic()
                ids = [
                    int(message.split(b"id: ")[1].split(b"\n")[0])
                    for message in messages
                    if b"id: " in message
                ]
                arrivals.extend((number, moment) for number in ids)
                if last in ids:
                    selector.unregister(listener)
                    del pending[listener]
    pipe.send(arrivals)


def measure(fast: int, slow: int, events: int, rate: float) -> tuple[list[float], list[float]]:
    """Return, sorted, the milliseconds from each post to each arrival, and those of each post
    itself.
    """
    clock = SystemClock()
    everybody = fast + slow + 8
    with tempfile.TemporaryDirectory() as folder:
        game_table = GameTable(
            Path(folder), clock, limits=StreamLimits(everybody, everybody), release=0.1
        )
        server = make_server(
            game_table.app, "127.0.0.1", 0, threads=everybody, connections=2 * everybody
        )
        port = int(server.effective_port)
        running = threading.Thread(target=server.run, daemon=True)
        running.start()
        fragment = game_table.display_fragment
        display = Caller(port, fragment[:43])
        display.request("pair", code=fragment[43:])
        stuck = [connect(port, small=True) for _ in range(slow)]
        ours, theirs = multiprocessing.get_context("spawn").Pipe()
        start = game_table.table.snapshot()["position"]
        listeners = multiprocessing.get_context("spawn").Process(
            target=listen, args=(port, fast, start + events, theirs)
        )
        listeners.start()
        ours.recv()
        while len(game_table.context.stream_slots) < fast + slow:
            time.sleep(0.05)
        published_at, posts = {}, []
        seat = game_table.table.snapshot()["seats"][1]["seat"]
        for number in range(1, events + 1):
            time.sleep(1 / rate)
            published_at[start + number] = time.monotonic()
            display.request(
                "mark", cell=f"{'ABCDEF'[number % 6]}{number % 6 + 1}", mark="?", seat=seat
            )
            posts.append(1000 * (time.monotonic() - published_at[start + number]))
        display.close()
        arrivals = ours.recv()
        listeners.join()
        game_table.close()
        for listener in stuck:
            listener.close()
        server.close()
        running.join(10)
        clock.close()
        game_table.context.executor.close()
    return sorted(
        1000 * (moment - published_at[number])
        for number, moment in arrivals
        if number in published_at
    ), sorted(posts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fast", type=int, default=200)
    parser.add_argument("--slow", type=int, default=20)
    parser.add_argument("--events", type=int, default=100)
    parser.add_argument("--rate", type=float, default=10.0, help="events a second")
    args = parser.parse_args()
    waits, posts = measure(args.fast, args.slow, args.events, args.rate)
    expected = args.fast * args.events
    p50, p99 = waits[len(waits) // 2], waits[len(waits) * 99 // 100]
    post = posts[len(posts) * 99 // 100]
    report = {"heard": len(waits), "of": expected, "p50_ms": round(p50, 1), "p99_ms": round(p99, 1)}
    print(json.dumps(report | {"post_p99_ms": round(post, 1)}))
    return 0 if len(waits) == expected and p99 <= MOST_MS and post <= MOST_POST_MS else 1


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        raise SystemExit(main())
