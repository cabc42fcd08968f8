"""Play games of bots from seeds, on this machine's cores; check their replays."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from random import Random
from typing import Any

from msgspec import Struct

from companion.bots.external import PREFIX, BotFailed, ExternalBot
from companion.core.capabilities import Bot, Bots
from companion.core.game import (
    Action,
    Draft,
    Event,
    Game,
    IllegalAction,
    InvalidSetup,
    Outcome,
    Seat,
    State,
)
from companion.core.search_budget import SearchBudget
from companion.core.shape import convert
from companion.core.view import may_see, view
from companion.games import find_game

DRAW = "draw"
MOST_TURNS = 5000
"""Decisions after which a game counts as a draw."""


class ArenaError(Exception):
    """Error raised when a bot breaks a rule, or a game does not replay equal: the run must end."""


class Contest(Struct, frozen=True):
    """One game to play.

    levels: for each side of `Bots.sides` the name of a level, or "program:COMMAND"
    seed: fixes all random numbers
    seconds: the time limit of a decision
    setup: the `setup_type` JSON
    """

    game: str
    players: int
    levels: Mapping[str, str]
    seed: int
    seconds: float = 0.01
    setup: Mapping[str, Any] = {}


class GameResult(Struct, frozen=True):
    """The result of a game.

    times: for each side the seconds of each decision: of one core, of the clock for a program
    figures: the values of `Bots.figures`
    """

    contest: Contest
    winner: str
    reason: str
    times: Mapping[str, list[float]]
    figures: Mapping[str, float]

    def score(self, side: str) -> float:
        """Return a side's score: 1 for a win, a half for a draw."""
        return 1.0 if self.winner == side else 0.5 if self.winner == DRAW else 0.0


class PlayedGame(Struct, frozen=True):
    """A whole game; `line` has the submissions from which it replays."""

    result: GameResult
    events: list[Event]
    line: list[tuple[Seat, list[Action]]]


def bots_of(name: str) -> Bots:
    """Return the bots of a game; raise ValueError for a game without bots."""
    bots = find_game(name).bots
    if bots is None:
        raise ValueError(f"{name} has no bots")
    return bots


def play(contest: Contest) -> PlayedGame:
    """Play a contest to its end, then decide the same actions once more.

    A program that loses its seat loses the game for its side; the reason says why.
    Raises `ArenaError`, and `InvalidSetup`.
    """
    with ExitStack() as stack:
        running = _Running(contest, stack)
        try:
            outcome = running.play()
        except BotFailed as lost:
            sides = running.bots.sides
            failed = running.bots.side_of(running.state, lost.seat)
            outcome = Outcome(sides[1 - sides.index(failed)], str(lost))
    _check_replay(running)
    figures = running.bots.figures(running.events)
    result = GameResult(contest, outcome.winner, outcome.reason, running.times, figures)
    return PlayedGame(result, running.events, running.line)


def result_of(contest: Contest) -> GameResult:
    """Return the result of a contest, for workers: less to send than the whole game."""
    return play(contest).result


def set_up(contest: Contest, rng: Random) -> list[Event]:
    """Return the events that start a contest."""
    game = find_game(contest.game)
    setup = convert(contest.setup, game.setup_type, InvalidSetup, "unreadable_setup")
    return game.setup(game.seat_names(contest.players), setup, rng)


def _chance(contest: Contest) -> Random:
    return Random(f"{contest.players} {contest.seed}")


class _Running:
    """Run one game: give each bot its own view and the events of its seat."""

    def __init__(self, contest: Contest, stack: ExitStack) -> None:
        self.contest = contest
        self.game: Game = find_game(contest.game)
        self.bots = bots_of(contest.game)
        self.line: list[tuple[Seat, list[Action]]] = []
        self.events: list[Event] = []
        self.times: dict[str, list[float]] = {side: [] for side in self.bots.sides}
        self.state: State = self.game.initial()
        self._stack = stack
        self._players: dict[tuple[Seat, str], Bot] = {}
        self._rng = _chance(contest)
        draft = Draft(self.game.evolve, self.state)
        draft.emit(*set_up(contest, self._rng))
        self._tell(draft)

    def play(self) -> Outcome:
        """Let the seats act until the game ends. Raises `BotFailed`."""
        for _ in range(MOST_TURNS):
            outcome = self.game.outcome(self.state.public)
            if outcome is not None:
                return outcome
            self._turn()
        return Outcome(DRAW, "unfinished")

    def _turn(self) -> None:
        """Let the seat to move act once."""
        public = self.state.public
        seat = self.game.to_move(public)
        assert seat is not None, "a game without an outcome goes on"
        is_secret = self.game.secret_seat(public) == seat
        side = self.bots.side_of(self.state, seat)
        bot = self._player(seat, side)
        clock = _clock(self.contest.levels[side])
        began = clock()
        actions = bot.act(view(self.state, seat))
        self.times[side].append(clock() - began)
        self._submit(seat, actions)
        after = self.state.public
        if is_secret and self.game.to_move(after) == self.game.secret_seat(after) == seat:
            raise self._fault(seat, f"did not end its turn: {actions}")

    def _submit(self, seat: Seat, actions: list[Action]) -> None:
        taken: list[Action] = []
        self.line.append((seat, taken))
        for action in actions:
            try:
                draft = self.game.decide(self.state, seat, action, self._rng)
            except IllegalAction as wrong:
                raise self._fault(seat, f"did what is not allowed: {action}: {wrong}") from wrong
            taken.append(action)
            self._tell(draft)

    def _fault(self, seat: Seat, why: str) -> Exception:
        """Return the error of an illegal action: a program loses its seat, a bot has a defect."""
        level = self.contest.levels[self.bots.side_of(self.state, seat)]
        if level.startswith(PREFIX):
            return BotFailed(seat, why, "forbidden")
        return ArenaError(f"{seat} of {self.contest} {why}")

    def _player(self, seat: Seat, side: str) -> Bot:
        """Return the bot that plays a seat for a side, with all events that the seat received."""
        if (seat, side) not in self._players:
            bot = self._players[seat, side] = self._made(seat, self.contest.levels[side])
            for event in self.events:
                if may_see(event, seat):
                    bot.observe(event)
        return self._players[seat, side]

    def _made(self, seat: Seat, level: str) -> Bot:
        seconds = self.contest.seconds
        if not level.startswith(PREFIX):
            rng = Random(f"{seat} {self.contest.seed}")
            return self.bots.make(seat, level, SearchBudget(rng, seconds, _clock(level)))
        program = ExternalBot(self.game, level.removeprefix(PREFIX), seat, seconds, time.monotonic)
        self._stack.callback(program.close)
        return program

    def _tell(self, draft: Draft) -> None:
        self.state = draft.state
        for event in draft.events:
            for (seat, _), bot in self._players.items():
                if may_see(event, seat):
                    bot.observe(event)
        self.events.extend(draft.events)


def _clock(level: str) -> Callable[[], float]:
    """Return the clock of a level: processor time, so that other programs on the machine make no
    level weaker. For a program, whose processor time cannot be read here, it is real time.
    """
    return time.monotonic if level.startswith(PREFIX) else time.thread_time


def _check_replay(running: _Running) -> None:
    """Raise `ArenaError` unless the game's line gives its events again."""
    game, rng = running.game, _chance(running.contest)
    events = set_up(running.contest, rng)
    state = game.fold(events)
    for seat, actions in running.line:
        for action in actions:
            draft = game.decide(state, seat, action, rng)
            events.extend(draft.events)
            state = draft.state
    if events != running.events or state.public != running.state.public:
        raise ArenaError(f"{running.contest} does not replay equal")


BATCH = 4
"""Games that a worker receives at a time."""


def on_cores(contests: Sequence[Contest], workers: int) -> Iterator[GameResult]:
    """Yield the result of each contest, in order, from `workers` processes; 1 is this process."""
    if workers == 1:
        yield from map(result_of, contests)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(result_of, contests, chunksize=BATCH)
