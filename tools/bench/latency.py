"""Response times for players, over real sockets to a server in its own process: pages, actions,
pawns.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from subprocess import Popen
from tempfile import TemporaryDirectory

from companion.sensors.debounce import REST_TIME
from tests.helpers.ports import free_port
from tools.bench.bare_stream import BareStream, bare_stream
from tools.bench.chromium import BrowserStreamClient, browser_stream_client
from tools.bench.figure import Figure, at_most, spread
from tools.bench.pawns import PawnBoard
from tools.bench.played_table import GameTable, Json
from tools.bench.processes import (
    TIMEOUT,
    alone,
    command,
    first_page,
    hosted,
    processor_seconds,
    resident,
)
from tools.bench.served_table import Hosting
from tools.bench.stream_clients import StreamClients

STARTS = 7
GAMES = 3
ACTIONS = 300
REST = 0.1
"""The shortest settle time in the settings, so that many pawns can be placed; it is subtracted."""
PAWNS = {10: 60, 200: 24}
"""Number of placed pawns for each number of listeners."""
PAWN_MS = 5
"""Milliseconds beyond the settle time until ten people have the move."""
BARE = "flask, waitress and SQLite alone"
NANO_BEAT = 0.4
"""Seconds between two lines of the Nano's firmware while nothing changes (`REPEAT_MS`)."""
RESTING = 30.0
"""Seconds; the kernel counts processor time in hundredths of one."""
ROUND = 0.9
"""Seconds between pawns: a contact that changes more than six times in ten seconds counts as
broken.
"""
LAST_STEPS, LAST_PAWNS, LAST_ROUND = 16, ("H1c", "H1d"), 1.0
"""Number of final steps, their pawns, and the seconds before each."""
CORNERS = {"H1a": "A1", "H1b": "F1", "H1c": "A6", "H1d": "F6"}
SPEED_UP = 200.0
MEGABYTES = 80


def figures() -> Iterable[Figure]:
    """Measure the served table."""
    with TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        yield at_most(
            "start to the first page (median)", statistics.median(start_times(folder)), 0.5, "s"
        )
        yield from at_rest(folder / "rest")
        yield from whole_game(folder / "evening")
        restart_times = start_times(folder, folder / "evening")
        yield at_most(
            f"start to the first page, {GAMES} games in the log",
            statistics.median(restart_times),
            0.5,
            "s",
        )
        yield spread(
            "action posted to heard by 10 listeners", alone(action_times, folder / "actions"), 2, 6
        )
        yield last_steps(folder / "last-steps")
        yield from pawn_figures(folder)


def start_times(folder: Path, data: Path | None = None, launch: Sequence[str] = ()) -> list[float]:
    """Return the seconds from each start of the command until /table was served."""
    times = []
    for number in range(STARTS):
        port = free_port()
        start = time.monotonic()
        with command(data or folder / f"start-{number}", port, launch=launch) as process:
            first_page(port, process)
            times.append(time.monotonic() - start)
    return times


def at_rest(folder: Path) -> Iterable[Figure]:
    """Measure the command without a game, alone and with a board that sends its usual lines."""
    port = free_port()
    with PawnBoard(CORNERS, NANO_BEAT) as board, command(folder, port, board.path) as process:
        first_page(port, process)
        yield at_most("resident after the start", resident(process), MEGABYTES, "MB")
        with StreamClients(port, 10):
            board.answer_for(2.0)
            start = processor_seconds(process)
            board.answer_for(RESTING)
            yield cpu_figure("processor at rest, 10 listeners, a board", process, start, 0.3)
    with command(folder, port, board="none") as process:
        first_page(port, process)
        with StreamClients(port, 10):
            time.sleep(1)  # the listeners' first snapshot
            start = processor_seconds(process)
            time.sleep(RESTING)
            yield cpu_figure("processor at rest, 10 listeners, no board", process, start, 0.1)


def cpu_figure(name: str, process: Popen[bytes], start: float, most: float) -> Figure:
    """Return the share of a core that the process has used in `RESTING` seconds since `start`."""
    percent = 100 * (processor_seconds(process) - start) / RESTING
    return at_most(name, percent, most, "% of a core")


def whole_game(folder: Path, launch: Sequence[str] = ()) -> Iterable[Figure]:
    """Play some random games of four with ten listeners, nights published without pauses."""
    hosting = Hosting(str(folder), free_port(), board="sim", speed_up=SPEED_UP)
    with hosted(hosting, launch) as process, StreamClients(hosting.port, 10) as stream_clients:
        game_table = GameTable(hosting.port, folder, 4, Random(11))
        # The virtual board follows the record more slowly than random play.
        game_table.display.request("board", answer="ignore")
        while game_table.games < GAMES:
            game_table.step(game_table.snapshot())
            stream_clients.forget()
        game_table.close()
        yield at_most(
            f"resident at most, {GAMES} games of 4, 10 listeners",
            resident(process, "VmHWM"),
            MEGABYTES,
            "MB",
        )


def action_times(folder: Path) -> list[float]:
    """Return the seconds from each posted walk until each listener received it."""
    hosting = Hosting(str(folder), free_port(), speed_up=SPEED_UP)
    times: list[float] = []
    with hosted(hosting), StreamClients(hosting.port, 10) as stream_clients:
        game_table = GameTable(hosting.port, folder, 2, Random(12))
        snapshot = game_table.to_humans()
        position, walks = snapshot["position"], walk_per_pawn(snapshot)
        for number in range(ACTIONS):
            start = time.monotonic()
            game_table.display.request("submit", actions=[walks[number % len(walks)]], seat="H1")
            received = stream_clients.after(position)
            times += [moment - start for moment in received.moments]
            game_table.display.request("undo", seat="H1")
            position = stream_clients.after(received.position).position
        game_table.close()
    return times


def pawn_figures(folder: Path) -> Iterable[Figure]:
    """Place pawns with few and with many listeners, and with a browser."""
    for listeners, max_ms in ((10, PAWN_MS), (200, 100)):
        yield pawn_latency(folder / f"pawns-{listeners}", listeners, max_ms)
    with (
        board_game(folder / "browser", 10) as (game_table, board, port),
        browser_stream_client(port) as browser,
    ):
        times = in_browser(game_table, board, port, browser)
    name = "pawn down to a page's script in Chromium, 9 others"
    yield spread(name, times, None, PAWN_MS, {BARE: bare_times_in_browser()})


def pawn_latency(folder: Path, listeners: int, max_ms: float, launch: Sequence[str] = ()) -> Figure:
    """Return the milliseconds from a pawn's last byte until each listener had received the move;
    the budget is `max_ms`.
    """
    with board_game(folder, listeners, launch) as (game_table, board, port):
        with StreamClients(port, listeners) as stream_clients:
            moments_by_position = set_down(game_table, board, stream_clients, PAWNS[listeners])
        times = [
            moment - start - REST
            for start, moments in moments_by_position.values()
            for moment in moments
        ]
    name = f"pawn down to heard by {listeners}, beyond the settle time"
    return spread(name, times, None, max_ms, {BARE: bare_times(listeners)})


def bare_times(listeners: int) -> list[float]:
    """Return the times of a program that does nothing but wait and send, beside the same load."""
    with bare_stream(REST) as bare, StreamClients(bare.port, listeners) as stream_clients:
        moments_by_number = put_often(bare, stream_clients, PAWNS[listeners])
    return [
        moment - start - REST for start, moments in moments_by_number.values() for moment in moments
    ]


def bare_times_in_browser() -> list[float]:
    """Return the same of a page that listens beside nine others."""
    with bare_stream(REST) as bare, browser_stream_client(bare.port) as browser:
        with StreamClients(bare.port, 9) as stream_clients:
            moments_by_number = put_often(bare, stream_clients, PAWNS[10])
        received = browser.received()
    return [received[number] - start - REST for number, (start, _) in moments_by_number.items()]


def put_often(
    bare: BareStream, stream_clients: StreamClients, count: int
) -> dict[int, tuple[float, list[float]]]:
    """Return, by number, when a line was sent and when each listener received its event."""
    moments_by_number = {}
    for number in range(1, count + 1):
        start = bare.put()
        moments_by_number[number] = start, stream_clients.after(number - 1).moments
        time.sleep(ROUND - REST)
    return moments_by_number


def last_steps(folder: Path) -> Figure:
    """Return the time from the last byte of a turn's final step until each listener had received
    it, at the usual settle time.
    """
    times: list[float] = []
    with (
        board_game(folder, 10, rest=REST_TIME) as (game_table, board, port),
        StreamClients(port, 10) as stream_clients,
    ):
        board.answer_for(2.0)
        until_in_sync(game_table, board)
        snapshot = game_table.snapshot()
        position, walks = snapshot["position"], walk_per_pawn(snapshot)
        last = [walk for walk in walks if walk["pawn"] in LAST_PAWNS]
        for walk in [walk for walk in walks if walk not in last][:2]:
            board.put(walk["pawn"], walk["to"])
            position = board.answer_until_received(stream_clients, position).position
        for number in range(LAST_STEPS):
            board.answer_for(LAST_ROUND)
            walk = last[number % len(last)]
            start = board.put(walk["pawn"], walk["to"])
            received = board.answer_until_received(stream_clients, position)
            times += [moment - start for moment in received.moments]
            game_table.display.request("undo", seat="H1")
            until_in_sync(game_table, board, in_sync=False)
            board.put(walk["pawn"], CORNERS[walk["pawn"]])
            position = board.answer_until_received(stream_clients, received.position).position
            until_in_sync(game_table, board)
    return spread("a step that cannot go on: pawn down to heard by 10", times, None, 150)


def until_in_sync(game_table: GameTable, board: PawnBoard, in_sync: bool = True) -> None:
    """Answer the host until table and record agree, or (`in_sync` is False) differ; raise
    TimeoutError.
    """
    deadline = time.monotonic() + TIMEOUT
    while ((status := game_table.snapshot()["board"])["state"] == "in_sync") != in_sync:
        board.answer_for(REST)
        if time.monotonic() > deadline:
            raise TimeoutError(f"table and record: {status}")


def in_browser(
    game_table: GameTable, board: PawnBoard, port: int, browser: BrowserStreamClient
) -> list[float]:
    """Return the times of a page that listens beside nine others, in this process's clock."""
    with StreamClients(port, 9) as stream_clients:
        moments_by_position = set_down(game_table, board, stream_clients, PAWNS[10])
    received = browser.received()
    return [
        received[position] - start - REST for position, (start, _) in moments_by_position.items()
    ]


@contextmanager
def board_game(
    folder: Path, listeners: int, launch: Sequence[str] = (), rest: float = REST
) -> Iterator[tuple[GameTable, PawnBoard, int]]:
    """Yield a game of two in a human's turn on a presence board, with its pawns placed as
    recorded.
    """
    with PawnBoard(CORNERS) as board:
        streams = listeners + 8 if listeners > 10 else 0
        hosting = Hosting(str(folder), free_port(), board.path, rest, streams, SPEED_UP)
        with hosted(hosting, launch):
            board.answer_for(2.0)
            game_table = GameTable(hosting.port, folder, 2, Random(13))
            game_table.to_humans()
            board.answer_for(2.0)
            until_in_sync(game_table, board)
            yield game_table, board, hosting.port
            game_table.close()


def set_down(
    game_table: GameTable, board: PawnBoard, stream_clients: StreamClients, count: int
) -> dict[int, tuple[float, list[float]]]:
    """Return, by position, when a pawn was placed and when each listener received the move."""
    # The board was silent while the listeners connected.
    board.answer_for(2.0)
    until_in_sync(game_table, board)
    snapshot = game_table.snapshot()
    position, walks, moments_by_position = snapshot["position"], walk_per_pawn(snapshot), {}
    for number in range(count):
        pawn, to = walks[number % len(walks)]["pawn"], walks[number % len(walks)]["to"]
        start = board.put(pawn, to)
        received = board.answer_until_received(stream_clients, position)
        moments_by_position[received.position] = start, received.moments
        game_table.display.request("undo", seat="H1")
        until_in_sync(game_table, board, in_sync=False)
        board.put(pawn, CORNERS[pawn])
        position = board.answer_until_received(stream_clients, received.position).position
        board.answer_for(start + ROUND - time.monotonic())
        until_in_sync(game_table, board)
    return moments_by_position


def walk_per_pawn(snapshot: Json) -> list[Json]:
    """Return one walk of each pawn."""
    walks = {action["pawn"]: action for action in snapshot["legal"] if action["type"] == "walk"}
    return list(walks.values())
