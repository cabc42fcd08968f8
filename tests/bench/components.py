"""What the pieces take by themselves: the rules, a field, the log, the reconciler."""

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
from companion.clock import SimulatedClock
from companion.core.game import Event, PublicEvent, View
from companion.core.view import view
from companion.games import GAMES, find_game
from companion.games.nosferatu.bots.engine import position_of, turns
from companion.games.nosferatu.bots.search import Search
from companion.games.nosferatu.movement import exposed
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
from tests.bench.figure import Figure, at_least, at_most, beside, percentile, spread
from tests.games.nosferatu.test_bots import POSITIONS
from tests.games.nosferatu.test_rules import at
from tests.secrecy.random_games import begin

GAME = find_game("vampireradar")
PEERS = Path(__file__).with_name("other_engines.py")


def figures() -> Iterable[Figure]:
    """Measure the pieces."""
    others = peers()
    yield at_least(
        "rules: legal actions, decide, evolve, events kept; one core",
        actions_a_second(),
        415_000,
        "actions/s",
        others,
    )
    for name, actions in others.items():
        yield beside(f"  beside it: {name}", actions, "actions/s")
    yield at_most("a random legal field", 1000 * percentile(field_times(), 0.99), 5, "ms at p99")
    yield at_most("belief: the exact set, per vampire's turn", 1_000_000 * belief_time(), 0.3, "µs")
    yield at_least(
        "Nosferatu's bot: positions looked at; one core",
        positions_a_second(),
        20_000,
        "positions/s",
    )
    yield at_most(
        "Nosferatu: cells safe from every chain, the hardest positions known",
        safe_cells_ms(),
        50,
        "ms",
    )
    yield spread("reconcile one walk of a named pawn", reconcile_times(), None, 1)
    yield spread("submit, kept with fsync (WAL, FULL)", submit_times(), None, 10)


def positions_a_second(depth: int = 4, games: int = 3) -> float:
    """Return how many positions the search looks at in a second of one core, from the empty board,
    the published position and one late in the game.
    """
    starts = [position_of(POSITIONS[name][0].public) for name in ("start", "example", "late")]
    looked, spent = 0, 0.0
    for seed in range(games):
        for position in starts:
            search, began = Search(), time.process_time()
            search.best(turns(position), depth, Random(seed))
            looked, spent = looked + search.positions, spent + time.process_time() - began
    return looked / spent


HARD_POSITIONS = (
    ".sw...w.w.w.......w.w..w.w..w.w...w..",
    ".xx..w....w..ww...wsw.xww.ww...w.xx..",
    "..w.xwwwwx.......ws.w.xwww.x..w...x..",
)
"""Where the search of captures is longest, found by changing a random position a piece at a time.
"""


def safe_cells_ms() -> float:
    """Return the longest time in ms of one core to find the cells that are safe from every jump of
    a capture.
    """
    longest = 0.0
    for rows in HARD_POSITIONS:
        letters = dict(zip(FIELD.cells, rows, strict=True))
        pieces = " ".join(f"{letter} {cell}" for cell, letter in letters.items() if letter != ".")
        public = at(pieces, "w", "villagers", entry_safe="chain").public
        began = time.process_time()
        exposed(public, VILLAGERS)
        longest = max(longest, 1000 * (time.process_time() - began))
    return longest


def actions_a_second(seconds: float = 4.0) -> float:
    """Return how many actions of random play the public API takes in a second of one core, set-up
    left out.
    """
    rng, taken, spent, players = Random(1), 0, 0.0, 0
    while spent < seconds:
        state, events = begin(GAME, 2 + players % 3, rng)
        kept: list[Event] = [*events]
        players += 1
        began = time.process_time()
        while (seat := GAME.to_move(state.public)) is not None:
            legal = GAME.legal_actions(view(state, seat))
            for event in GAME.decide(state, seat, legal[int(rng.random() * len(legal))], rng):
                state = GAME.evolve(state, event)
                kept.append(event)
            taken += 1
        spent += time.process_time() - began
    return taken / spent


def peers() -> dict[str, float]:
    """Return the actions a second of other engines in random play, measured now by a process of
    their own.
    """
    python = Path(sys.prefix) / "peers/bin/python"
    output = subprocess.run(
        [python, "-W", "ignore", PEERS], check=True, stdout=subprocess.PIPE, timeout=300
    ).stdout
    found: dict[str, float] = json.loads(output.splitlines()[-1])
    return found


def field_times(count: int = 500) -> list[float]:
    """Return how long random fields took, in seconds of one core."""
    rng, times = Random(2), []
    for _ in range(count):
        began = time.process_time()
        random_layout(rng, Options())
        times.append(time.process_time() - began)
    return times


def belief_time(games: int = 60) -> float:
    """Return what the exact set takes for a vampire's turn, in seconds of one core: all turns of
    games between simple bots.
    """
    turns = [turn for number in range(games) for turn in bot_nights(number)]
    rounds = 2_000_000 // len(turns) // 10
    began = time.process_time()
    for _ in range(rounds):
        for ground, dusk, tiles, told in turns:
            night(ground, dusk, tiles, told)
    return (time.process_time() - began) / rounds / len(turns)


def bot_nights(number: int) -> Iterable[tuple[Bitboard, Public, int, list[Mark]]]:
    """Yield each night of a game of greedy bots as `night` takes it."""
    belief = Belief()
    dusk, tiles, told = belief.public, 0, list[Mark]()
    levels = {"humans": "greedy", "vampire": "greedy"}
    game = play(Contest(GAME.name, 2 + number % 3, levels, number))
    for event in (event for event in game.events if isinstance(event, PublicEvent)):
        if isinstance(event, TurnEnded) and event.seat == V and dusk.placed:
            yield belief.ground, dusk, tiles, told
        belief.observe(event)
        if isinstance(event, TurnStarted) and event.seat == V:
            dusk, tiles, told = belief.public, belief.tiles, []
        if isinstance(event, PawnsKilled | BatEaten):
            told.append(event)


def reconcile_times(count: int = 500) -> list[float]:
    """Return how long it took to explain one pawn moved by one step, in seconds of one core."""
    rng, times = Random(4), []
    state, _ = begin(GAME, 4, rng)
    for event in GAME.decide(
        state, GAME.seat_names(4)[0], GAME.legal_actions(view(state, GAME.seat_names(4)[0]))[0], rng
    ):
        state = GAME.evolve(state, event)
    seat = GAME.to_move(state.public)
    seen = View(seat, state.public)
    walks = [action for action in GAME.physical_actions(seen) if isinstance(action, Walk)]
    for number in range(count):
        placement = GAME.placement(GAME.preview_public(seen, walks[number % len(walks)]))
        observation = Observation("serial", 0.0, placement.pawns, None, None, None, frozenset())
        began = time.process_time()
        reconcile(GAME, seen, observation)
        times.append(time.process_time() - began)
    return times


def submit_times(count: int = 400) -> list[float]:
    """Return how long submissions took until they were on the disk and published, in seconds."""
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
            running = table.board_view()
            if running is None:
                table.again(by=0)
                table.start()
                continue
            seat = GAME.to_move(running[1].public)
            assert seat is not None
            legal = table.decode(table.seat_snapshot(seat)["legal"])
            secret = GAME.secret_seat(running[1].public) == seat
            action = (
                legal[-1]
                if secret and legal[-1] in legal and len(legal) < 16
                else rng.choice(legal)
            )
            began = time.perf_counter()
            table.submit(seat, [action], id=rng.randbytes(8).hex())
            times.append(time.perf_counter() - began)
            clock.advance(60)
        table.close()
    return times
