"""What people at the table wait for, over real sockets to a server in its own process: pages,
actions, pawns.
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
from tests.bench.chromium import BrowserStreamClient, browser_stream_client
from tests.bench.figure import Figure, at_most, spread
from tests.bench.pawns import PawnBoard
from tests.bench.played_table import GameTable, Json
from tests.bench.processes import TIMEOUT, command, first_page, hosted, processor_seconds, resident
from tests.bench.served_table import Hosting
from tests.bench.stream_clients import StreamClients
from tests.helpers.ports import free_port

STARTS = 7
GAMES = 3
ACTIONS = 300
REST = 0.1
"""The shortest settle time that may be chosen, so that many pawns can be set down; it is taken off
again.
"""
PAWNS = {10: 60, 200: 24}
"""Number of pawns set down before each number of listeners."""
ROUND = 0.9
"""Seconds from pawn to pawn: a corner that changes more than six times in ten seconds is taken to
be broken.
"""
LAST_STEPS, LAST_PAWNS, LAST_ROUND = 16, ("H1c", "H1d"), 1.0
"""How many steps of a turn's last action, by which pawns, and the seconds before each."""
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
        again = start_times(folder, folder / "evening")
        yield at_most(
            f"start to the first page, {GAMES} games in the log", statistics.median(again), 0.5, "s"
        )
        yield spread(
            "action posted to heard by 10 listeners", action_times(folder / "actions"), 2, 6
        )
        yield last_steps(folder / "last-steps")
        yield from pawns(folder)


def start_times(folder: Path, data: Path | None = None, launch: Sequence[str] = ()) -> list[float]:
    """Return how long it took from the start of the command until /table was there, in seconds."""
    times = []
    for number in range(STARTS):
        port = free_port()
        began = time.monotonic()
        with command(data or folder / f"start-{number}", port, launch=launch) as process:
            first_page(port, process)
            times.append(time.monotonic() - began)
    return times


def at_rest(folder: Path, seconds: float = 10.0) -> Iterable[Figure]:
    """Measure the command while nobody plays, its virtual board scanning."""
    port = free_port()
    with command(folder, port) as process:
        first_page(port, process)
        yield at_most("resident after the start", resident(process), MEGABYTES, "MB")
        with StreamClients(port, 10):
            yield at_most(
                "processor at rest, 10 listeners, virtual board",
                share(process, seconds),
                1,
                "% of a core",
            )
    with command(folder, port, board="none") as process:
        first_page(port, process)
        with StreamClients(port, 10):
            yield at_most(
                "processor at rest, 10 listeners, no board",
                share(process, seconds),
                1,
                "% of a core",
            )


def share(process: Popen[bytes], seconds: float) -> float:
    """Return how much of a core the process takes during the next seconds, in per cent."""
    time.sleep(1)  # the listeners' first picture
    began = processor_seconds(process)
    time.sleep(seconds)
    return 100 * (processor_seconds(process) - began) / seconds


def whole_game(folder: Path, launch: Sequence[str] = ()) -> Iterable[Figure]:
    """Play some random games of four before ten listeners, nights published without their
    pauses.
    """
    hosting = Hosting(str(folder), free_port(), board="sim", speed_up=SPEED_UP)
    with hosted(hosting, launch) as process, StreamClients(hosting.port, 10) as stream_clients:
        people = GameTable(hosting.port, folder, 4, Random(11))
        # The virtual hand follows the record more slowly than random play goes on.
        people.display.ask("board", answer="ignore")
        while people.games < GAMES:
            people.step(people.snapshot())
            stream_clients.forget()
        people.close()
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
        people = GameTable(hosting.port, folder, 2, Random(12))
        snapshot = people.to_humans()
        position, walks = snapshot["position"], lone_walks(snapshot)
        for number in range(ACTIONS):
            began = time.monotonic()
            people.display.ask("submit", actions=[walks[number % len(walks)]], seat="H1")
            heard = stream_clients.after(position)
            times += [moment - began for moment in heard.moments]
            people.display.ask("undo", seat="H1")
            position = stream_clients.after(heard.position).position
        people.close()
    return times


def pawns(folder: Path) -> Iterable[Figure]:
    """Set pawns down before few and before many listeners, and before a browser."""
    for listeners, most in ((10, 20), (200, 100)):
        yield pawns_heard(folder / f"pawns-{listeners}", listeners, most)
    with (
        play_of_pawns(folder / "browser", 10) as (people, board, port),
        browser_stream_client(port) as browser,
    ):
        yield in_browser(people, board, port, browser)


def pawns_heard(folder: Path, listeners: int, most: float, launch: Sequence[str] = ()) -> Figure:
    """Return how long it took from a pawn's last byte until each listener had received the move, in
    milliseconds; at most `most` are promised.
    """
    with play_of_pawns(folder, listeners, launch) as (people, board, port):
        with StreamClients(port, listeners) as stream_clients:
            down = set_down(people, board, stream_clients, PAWNS[listeners])
        times = [moment - began - REST for began, moments in down.values() for moment in moments]
    return spread(f"pawn down to heard by {listeners}, beyond the settle time", times, None, most)


def last_steps(folder: Path) -> Figure:
    """Return how long it took from the last byte of a turn's last step, which cannot go on, until
    each listener had received it, settling at the usual time.
    """
    times: list[float] = []
    with (
        play_of_pawns(folder, 10, rest=REST_TIME) as (people, board, port),
        StreamClients(port, 10) as stream_clients,
    ):
        board.carry(2.0)
        until_in_sync(people, board)
        snapshot = people.snapshot()
        position, walks = snapshot["position"], lone_walks(snapshot)
        last = [walk for walk in walks if walk["pawn"] in LAST_PAWNS]
        for walk in [walk for walk in walks if walk not in last][:2]:
            board.put(walk["pawn"], walk["to"])
            position = board.carry_until(stream_clients, position).position
        for number in range(LAST_STEPS):
            board.carry(LAST_ROUND)
            walk = last[number % len(last)]
            began = board.put(walk["pawn"], walk["to"])
            heard = board.carry_until(stream_clients, position)
            times += [moment - began for moment in heard.moments]
            people.display.ask("undo", seat="H1")
            until_in_sync(people, board, wanted=False)
            board.put(walk["pawn"], CORNERS[walk["pawn"]])
            position = board.carry_until(stream_clients, heard.position).position
            until_in_sync(people, board)
    return spread("a step that cannot go on: pawn down to heard by 10", times, None, 150)


def until_in_sync(people: GameTable, board: PawnBoard, wanted: bool = True) -> None:
    """Answer the host until table and record agree, or (`wanted` is False) differ; raise
    TimeoutError.
    """
    until = time.monotonic() + TIMEOUT
    while ((status := people.snapshot()["board"])["state"] == "in_sync") != wanted:
        board.carry(REST)
        if time.monotonic() > until:
            raise TimeoutError(f"table and record: {status}")


def in_browser(
    people: GameTable, board: PawnBoard, port: int, browser: BrowserStreamClient
) -> Figure:
    """Return the figure of a page that listens beside nine others, its clock brought to ours."""
    with StreamClients(port, 9) as stream_clients:
        down = set_down(people, board, stream_clients, PAWNS[10])
    heard = browser.heard()
    times = [heard[position] - began - REST for position, (began, _) in down.items()]
    return spread("pawn down to a page's script in Chromium, 9 others", times, None, 20)


@contextmanager
def play_of_pawns(
    folder: Path, listeners: int, launch: Sequence[str] = (), rest: float = REST
) -> Iterator[tuple[GameTable, PawnBoard, int]]:
    """Yield a game of two in a human's turn on a presence board with its pawns where the record has
    them.
    """
    with PawnBoard(CORNERS) as board:
        streams = listeners + 8 if listeners > 10 else 0
        hosting = Hosting(str(folder), free_port(), board.path, rest, streams, SPEED_UP)
        with hosted(hosting, launch):
            board.carry(2.0)
            people = GameTable(hosting.port, folder, 2, Random(13))
            people.to_humans()
            board.carry(2.0)
            until_in_sync(people, board)
            yield people, board, hosting.port
            people.close()


def set_down(
    people: GameTable, board: PawnBoard, stream_clients: StreamClients, count: int
) -> dict[int, tuple[float, list[float]]]:
    """Return, by position, when a pawn was down and when each listener received the move."""
    # The board was silent while the listeners came.
    board.carry(2.0)
    until_in_sync(people, board)
    snapshot = people.snapshot()
    position, walks, down = snapshot["position"], lone_walks(snapshot), {}
    for number in range(count):
        pawn, to = walks[number % len(walks)]["pawn"], walks[number % len(walks)]["to"]
        began = board.put(pawn, to)
        heard = board.carry_until(stream_clients, position)
        down[heard.position] = began, heard.moments
        people.display.ask("undo", seat="H1")
        until_in_sync(people, board, wanted=False)
        board.put(pawn, CORNERS[pawn])
        position = board.carry_until(stream_clients, heard.position).position
        board.carry(began + ROUND - time.monotonic())
        until_in_sync(people, board)
    return down


def lone_walks(snapshot: Json) -> list[Json]:
    """Return one walk of each pawn."""
    walks = {action["pawn"]: action for action in snapshot["legal"] if action["type"] == "walk"}
    return list(walks.values())
