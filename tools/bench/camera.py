"""The cost of a camera phone: the latency from a placed pawn to the browsers, and processor
time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from subprocess import Popen
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from playwright.sync_api import Page, Playwright

from tests.helpers.chromium import chromium
from tests.helpers.ports import free_port
from tools.bench.chromium import ARGUMENTS, CHROMIUM
from tools.bench.figure import Figure, at_most, percentile
from tools.bench.played_table import Caller, GameTable, Json
from tools.bench.processes import TIMEOUT, hosted, tree_seconds
from tools.bench.served_table import Hosting
from tools.bench.stream_clients import StreamClients
from tools.photos.frame_sequence import Capture
from tools.photos.scene import random_laid

WALKS = 20
STILL_SECONDS = 20.0
MOVES, MOVE_SECONDS = 10, 1.5
"""Moves of a pawn while the processor is measured, and the seconds between them."""
TILES = 36


def figures() -> Iterable[Figure]:
    """Measure a table whose only sensor is a phone: Chromium with a drawn video as its camera."""
    with TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        capture = Capture(folder / "table.y4m", random_laid(Random(4)))
        hosting = Hosting(str(folder / "data"), free_port(), speed_up=200.0)
        with hosted(hosting) as process, phone(capture) as page:
            game_table = GameTable(
                hosting.port,
                folder / "data",
                2,
                Random(15),
                lambda display: watch(display, page, hosting.port),
            )
            yield from measure(game_table, process, capture, page, hosting.port)
            game_table.close()


@contextmanager
def phone(capture: Capture, playwright: Playwright | None = None) -> Iterator[Page]:
    """Yield a page of a browser whose camera shows the capture."""
    args = [
        *ARGUMENTS,
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={capture.path}",
    ]
    with chromium(args, CHROMIUM, playwright) as browser:
        yield browser.new_context(permissions=["camera"]).new_page()


def watch(display: Caller, page: Page, port: int) -> None:
    """Pair the page as the camera, and take the tiles in its pictures as the field."""
    code = urlsplit(display.request("camera_code")["camera"]["url"]).fragment
    page.goto(f"http://127.0.0.1:{port}/camera#{code}")
    until(page, lambda: display.get("/snapshot")["lobby"]["sheet"]["seen"] == TILES)
    display.request("take_tiles")


def until(page: Page, condition: Callable[[], bool]) -> None:
    """Wait for a condition while the page runs; raise TimeoutError."""
    end = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("the camera phone's table did not reach the state")
        page.wait_for_timeout(50)


def measure(
    game_table: GameTable, process: Popen[bytes], capture: Capture, page: Page, port: int
) -> Iterable[Figure]:
    """Yield the latency of walks, and the processor while pawns rest and move."""
    snapshot = game_table.to_humans()
    pawns: dict[str, str] = snapshot["view"]["pawns"]
    capture.show(pawns)
    until(page, lambda: board_state(game_table) == "in_sync")
    times = walk_times(game_table, capture, page, port, pawns)
    for fraction, name in ((0.5, "median"), (0.95, "p95")):
        yield at_most(
            f"pawn down to a browser, phone camera ({name})", percentile(times, fraction), 1.0, "s"
        )
    page.wait_for_timeout(5000)
    start = tree_seconds(process)
    page.wait_for_timeout(1000 * STILL_SECONDS)
    cpu_seconds = tree_seconds(process) - start
    yield at_most(
        "processor of the table, phone camera, nothing moves",
        100 * cpu_seconds / STILL_SECONDS,
        5,
        "% of a core",
    )
    start, start_time = tree_seconds(process), time.monotonic()
    walk = walks_of(snapshot)[0]
    for number in range(MOVES):
        capture.show({**pawns, walk["pawn"]: walk["to"]} if number % 2 == 0 else pawns)
        page.wait_for_timeout(1000 * MOVE_SECONDS)
    cpu_share = (tree_seconds(process) - start) / (time.monotonic() - start_time)
    yield at_most(
        "processor of the table, phone camera, a pawn moved each 1.5 s",
        100 * cpu_share,
        50,
        "% of a core",
    )


def walk_times(
    game_table: GameTable, capture: Capture, page: Page, port: int, pawns: Mapping[str, str]
) -> list[float]:
    """Return the seconds from a picture with a moved pawn until a client received the walk."""
    times = []
    snapshot = game_table.snapshot()
    walks, position = walks_of(snapshot), snapshot["position"]
    with StreamClients(port, 1) as stream_clients:
        for number in range(WALKS):
            walk = walks[number % len(walks)]
            start = capture.show({**pawns, walk["pawn"]: walk["to"]})
            until(page, lambda at=position: game_table.snapshot()["position"] > at)  # type: ignore[misc]
            received = stream_clients.after(position)
            times.append(received.moments[0] - start)
            game_table.display.request("undo", seat="H1")
            capture.show(pawns)
            until(page, lambda: board_state(game_table) == "in_sync")
            position = game_table.snapshot()["position"]
            stream_clients.forget()
            # Wait until the pictures of the change are sent; the next one comes at any moment.
            page.wait_for_timeout(1500 + 37 * number)
    return times


def board_state(game_table: GameTable) -> str:
    """Return the state of the comparison of table and record."""
    state: str = game_table.snapshot()["board"]["state"]
    return state


def walks_of(snapshot: Json) -> list[Json]:
    """Return one walk of each pawn."""
    return list(
        {
            action["pawn"]: action for action in snapshot["legal"] if action["type"] == "walk"
        }.values()
    )
