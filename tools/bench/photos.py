"""Measure photos of tiles: the whole response over HTTP, and the delay for other requests."""

from __future__ import annotations

import statistics
import threading
import time
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.helpers.ports import free_port
from tools.bench.figure import Figure, at_most, spread
from tools.bench.played_table import GameTable
from tools.bench.processes import TIMEOUT, hosted, resident
from tools.bench.served_table import Hosting
from tools.photos.scene import Scene, random_laid
from tools.photos.views import VIEWS, photo

SHRINKING_SECONDS = 0.5
"""Seconds from a ticket to its photo: the page makes 12 MP smaller meanwhile, in 0.2 s on
an AMD EPYC and in 0.6 s on one four times slower.
"""
ROUNDS = 2
"""Number of photos of each view."""


def figures() -> Iterable[Figure]:
    """Measure photos of 3 megapixels in each view and light."""
    scene = Scene(laid=random_laid(Random(4)), card="west")
    photos = [photo(scene, view, 3) for view in VIEWS.values()]
    with TemporaryDirectory(prefix="bench-") as name:
        hosting = Hosting(name, free_port())
        with hosted(hosting) as process:
            game_table = GameTable(hosting.port, Path(name), 2, Random(14))
            before, waits, done = resident(process), [], threading.Event()
            thread = threading.Thread(target=lambda: waits.extend(poll_seconds(hosting.port, done)))
            thread.start()
            times = [answer_seconds(hosting.port, game_table, image) for image in photos * ROUNDS]
            done.set()
            thread.join()
            yield at_most(
                "photo of 3 MP sent to its answer (median)", statistics.median(times), 0.25, "s"
            )
            yield at_most("photo of 3 MP sent to its answer (slowest view)", max(times), 6, "s")
            yield spread("other requests beside them", waits, None, 100)
            yield at_most(
                "memory of the service by photos", resident(process, "VmHWM") - before, 20, "MB"
            )
            game_table.close()


def answer_seconds(port: int, game_table: GameTable, image: bytes) -> float:
    """Return the seconds from sending a photo to its response."""
    ticket = game_table.display.request("photo")["ticket"]
    headers = {"X-Ticket": ticket, "Content-Type": "application/octet-stream"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/photo", data=image, headers=headers)
    time.sleep(SHRINKING_SECONDS)
    start = time.monotonic()
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
        answer.read()
    return time.monotonic() - start


def poll_seconds(port: int, done: threading.Event) -> list[float]:
    """Return the seconds of each of many requests until `done` is set."""
    waits = []
    while not done.is_set():
        start = time.monotonic()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/snapshot", timeout=TIMEOUT) as answer:
            answer.read()
        waits.append(time.monotonic() - start)
        done.wait(0.01)
    return waits
