"""The speed of single components: the rules, a field, the log, the reconciler."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from random import Random

from companion.arena.match import Contest, play
from companion.core.game import Event, PublicEvent, View
from companion.core.view import view
from companion.games import GAMES, find_game
from companion.games.nosferatu.bots.engine import position_of, turns
from companion.games.nosferatu.bots.search import Search
from companion.games.nosferatu.movement import exposed_cells
from companion.games.nosferatu.options import FIELD, VILLAGERS
from companion.games.vampireradar.actions import Walk
from companion.games.vampireradar.bots.belief import Belief, Mark, night
from companion.games.vampireradar.bots.bitboard import Bitboard
from companion.games.vampireradar.events import BatEaten, PawnsKilled, TurnEnded, TurnStarted
from companion.games.vampireradar.layout import random_layout
from companion.games.vampireradar.options import Options, V
from companion.games.vampireradar.state import Public
from companion.sensors.observation import Observation
from companion.sensors.reconcile import reconcile
from companion.table.settings import TableSettings
from companion.table.storage.log import Log
from companion.table.table import Table
from tests.games.nosferatu.test_bots import POSITIONS
from tests.games.nosferatu.test_rules import at
from tests.helpers.simulated_clock import SimulatedClock
from tools.bench.figure import Figure, at_least, at_most, beside, percentile, spread
from tools.bench.processes import alone
from tools.secrecy.random_games import begin

GAME = find_game("vampireradar")
PEERS = Path(__file__).with_name("other_engines.py")


def figures() -> Iterable[Figure]:
    """Measure the components."""
    rates = peer_rates()
    yield at_least(
        "rules: legal actions, decide, evolve, events kept; one core",
        alone(actions_a_second),
        415_000,
        "actions/s",
        rates,
    )
    for name, actions in rates.items():
        yield beside(f"  beside it: {name}", actions, "actions/s")
    yield at_most(
        "a random legal field", 1000 * percentile(alone(field_times), 0.99), 5, "ms at p99"
    )
    yield at_most(
        "belief: the exact set, per vampire's turn", 1_000_000 * alone(belief_time), 0.3, "µs"
    )
    yield at_least(
        "Nosferatu's bot: positions looked at; one core",
        alone(positions_a_second),
        20_000,
        "positions/s",
    )
    yield at_most(
        "Nosferatu: cells safe from every chain, the hardest positions known",
        alone(safe_cells_ms),
        50,
        "ms",
    )
    yield spread("reconcile one walk of a named pawn", alone(reconcile_times), None, 1)
    yield spread("submit, kept with fsync (WAL, FULL)", alone(submit_times), None, 10)


def positions_a_second(depth: int = 4, games: int = 3) -> float:
    """Return the positions that the search visits in a second of one core, from the empty board,
    the published position and a late one.
    """
    starts = [position_of(POSITIONS[name][0].public) for name in ("start", "example", "late")]
    position_count, seconds_spent = 0, 0.0
    for seed in range(games):
        for position in starts:
            search, start = Search(), time.process_time()
            search.best(turns(position), depth, Random(seed))
            position_count, seconds_spent = (
                position_count + search.positions,
                seconds_spent + time.process_time() - start,
            )
    return position_count / seconds_spent


HARD_POSITIONS = (
    ".sw...w.w.w.......w.w..w.w..w.w...w..",
    ".xx..w....w..ww...wsw.xww.ww...w.xx..",
    "..w.xwwwwx.......ws.w.xwww.x..w...x..",
)
"""Positions with the longest search of captures, found by changing a random one piece by piece."""


def safe_cells_ms() -> float:
    """Return the longest time in ms of one core to find the cells that no capture can reach."""
    longest = 0.0
    for rows in HARD_POSITIONS:
        letters = dict(zip(FIELD.cells, rows, strict=True))
        pieces = " ".join(f"{letter} {cell}" for cell, letter in letters.items() if letter != ".")
        public = at(pieces, "w", "villagers", entry_safe="chain").public
        start = time.process_time()
        exposed_cells(public, VILLAGERS)
        longest = max(longest, 1000 * (time.process_time() - start))
    return longest


def actions_a_second(seconds: float = 4.0) -> float:
    """Return the actions of random play that the public API processes in a second of one core,
    without set-up.
    """
    rng, count, seconds_spent, players = Random(1), 0, 0.0, 0
    while seconds_spent < seconds:
        state, events = begin(GAME, 2 + players % 3, rng)
        events_kept: list[Event] = [*events]
        players += 1
        start = time.process_time()
        while (seat := GAME.to_move(state.public)) is not None:
            legal = GAME.legal_actions(view(state, seat))
            draft = GAME.decide(state, seat, legal[int(rng.random() * len(legal))], rng)
            state = draft.state
            events_kept += draft.events
            count += 1
        seconds_spent += time.process_time() - start
    return count / seconds_spent


def peer_rates() -> dict[str, float]:
    """Return the actions a second of other engines in random play, measured now in another
    process.
    """
    python = Path(sys.prefix) / "peers/bin/python"
    output = subprocess.run(
        [python, "-W", "ignore", PEERS], check=True, stdout=subprocess.PIPE, timeout=300
    ).stdout
    rates: dict[str, float] = json.loads(output.splitlines()[-1])
    return rates


def field_times(count: int = 500) -> list[float]:
    """Return the seconds of one core for each random field."""
    rng, times = Random(2), []
    for _ in range(count):
        start = time.process_time()
        random_layout(rng, Options())
        times.append(time.process_time() - start)
    return times


def belief_time(games: int = 60) -> float:
    """Return the seconds of one core that the exact set takes for a vampire's turn, over all turns
    of games between simple bots.
    """
    turns = [turn for number in range(games) for turn in bot_nights(number)]
    rounds = 2_000_000 // len(turns) // 10
    start = time.process_time()
    for _ in range(rounds):
        for ground, dusk, tiles, marks in turns:
            night(ground, dusk, tiles, marks)
    return (time.process_time() - start) / rounds / len(turns)


def bot_nights(number: int) -> Iterable[tuple[Bitboard, Public, int, list[Mark]]]:
    """Yield the arguments of `night` for each night of a game of greedy bots."""
    belief = Belief()
    dusk, tiles, marks = belief.public, 0, list[Mark]()
    levels = {"humans": "greedy", "vampire": "greedy"}
    game = play(Contest(GAME.name, 2 + number % 3, levels, number))
    for event in (event for event in game.events if isinstance(event, PublicEvent)):
        if isinstance(event, TurnEnded) and event.seat == V and dusk.placed:
            yield belief.ground, dusk, tiles, marks
        belief.observe(event)
        if isinstance(event, TurnStarted) and event.seat == V:
            dusk, tiles, marks = belief.public, belief.tiles, []
        if isinstance(event, PawnsKilled | BatEaten):
            marks.append(event)


def reconcile_times(count: int = 500) -> list[float]:
    """Return the seconds of one core to explain one pawn moved by one step, for each try."""
    rng, times = Random(4), []
    state, _ = begin(GAME, 4, rng)
    first = GAME.seat_names(4)[0]
    state = GAME.decide(state, first, GAME.legal_actions(view(state, first))[0], rng).state
    seat = GAME.to_move(state.public)
    board_view = View(seat, state.public)
    walks = [action for action in GAME.physical_actions(board_view) if isinstance(action, Walk)]
    for number in range(count):
        placement = GAME.placement(GAME.preview(board_view, walks[number % len(walks)]))
        observation = Observation("serial", 0.0, placement.pawns, None, None, None, frozenset())
        start = time.process_time()
        reconcile(GAME, board_view, observation)
        times.append(time.process_time() - start)
    return times


def submit_times(count: int = 400) -> list[float]:
    """Return the seconds of each submission until it is on the disk and published."""
    rng, clock = Random(5), SimulatedClock()
    times: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        table = Table(
            GAMES,
            Log(Path(folder) / "data"),
            clock,
            Random(6).randbytes,
            rng,
            TableSettings(night_floor=0),
        )
        table.seats.claim(GAME.seat_names(4)[0], "Bench", "01" * 32)
        table.lobby.propose({"players": 4, "options": {"bullets_each": 6}})
        table.start()
        while len(times) < count:
            board_view = table.board_view()
            if board_view is None:
                table.open_next_game(by=0)
                table.start()
                continue
            seat = GAME.to_move(board_view[1].public)
            assert seat is not None
            legal = table.decode(table.seat_snapshot(seat)["legal"])
            secret = GAME.secret_seat(board_view[1].public) == seat
            action = (
                legal[-1]
                if secret and legal[-1] in legal and len(legal) < 16
                else rng.choice(legal)
            )
            start = time.perf_counter()
            table.submit(seat, [action], id=rng.randbytes(8).hex())
            times.append(time.perf_counter() - start)
            clock.advance(60)
        table.close()
    return times
