"""The least that a pawn on a table of Python costs: a line on a pseudo-terminal, the wait, a row
that SQLite has on the disk, and a stream of flask and waitress. No rules, no state.

`python -m tools.bench.bare_stream PORT DEVICE SECONDS` sends its listeners an event `SECONDS` after
each line, stored first.
"""

from __future__ import annotations

import os
import pty
import select
import sqlite3
import subprocess
import sys
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from threading import Thread

from flask import Flask, Response
from waitress import serve  # type: ignore[import-untyped]

from tests.helpers.ports import free_port
from tools.bench.processes import first_page

EVENT_BYTES = 5000
"""Of an update in a game of Vampire Radar."""
MIME_TYPES = {"events": "text/event-stream"}
"""Of its pages that are no HTML; the benchmarks wait for /table, and a browser opens /healthz."""
THREADS = 256


class BareStream:
    """The running program; `port` is for listeners."""

    def __init__(self, master: int, port: int) -> None:
        self._master, self.port = master, port

    def put(self) -> float:
        """Send a line; return the monotonic time of it."""
        os.write(self._master, b"A1\n")
        return time.monotonic()


@contextmanager
def bare_stream(seconds: float) -> Iterator[BareStream]:
    """Run the program in a process of its own."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    port = free_port()
    module, device = ("-m", "tools.bench.bare_stream"), os.ttyname(slave)
    with subprocess.Popen([sys.executable, *module, str(port), device, str(seconds)]) as process:
        try:
            first_page(port, process)
            yield BareStream(master, port)
        finally:
            process.terminate()
    os.close(slave)
    os.close(master)


def main(port: int, device: str, seconds: float) -> None:
    """Serve until SIGTERM."""
    app, queues = Flask(__name__), list[SimpleQueue[bytes]]()

    @app.get("/<page>")
    def answer(page: str) -> Response:
        return Response(events() if page == "events" else page, mimetype=MIME_TYPES.get(page))

    def events() -> Iterator[bytes]:
        queue = SimpleQueue[bytes]()
        queues.append(queue)
        yield b"retry: 1000\n\nid: 0\ndata: 0\n\n"
        while True:
            yield queue.get()

    Thread(target=_send, args=(device, seconds, queues), daemon=True).start()
    # Waitress accepts a hundred connections unless it is told otherwise.
    serve(app, host="127.0.0.1", port=port, threads=THREADS, connection_limit=2 * THREADS)


def _send(device: str, seconds: float, queues: list[SimpleQueue[bytes]]) -> None:
    with TemporaryDirectory(prefix="bench-") as folder:
        database = sqlite3.connect(Path(folder) / "log", isolation_level=None)
        # Like the table's log: a row that is told outlives a power cut.
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        database.execute("CREATE TABLE lines (line BLOB)")
        terminal, number = os.open(device, os.O_RDWR | os.O_NOCTTY), 0
        while line := os.read(terminal, 64):
            select.select([terminal], [], [], seconds)
            database.execute("INSERT INTO lines VALUES (?)", (line,))
            number += 1
            event = b"id: %d\ndata: %b\n\n" % (number, b"x" * EVENT_BYTES)
            for queue in queues:
                queue.put(event)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], float(sys.argv[3]))
