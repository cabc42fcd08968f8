"""One game between bots, from a seed: who is told what, what came of it, and whether it replays
equal.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from random import Random

from msgspec import Struct

from companion.arena.external import ProgramHumans, ProgramVampire
from companion.bots.external import PREFIX, BotFailed, ExternalBots
from companion.core.game import Action, Event, IllegalAction, PublicEvent, Seat, State
from companion.core.search_budget import SearchBudget
from companion.core.view import view
from companion.games import find_game
from companion.games.vampireradar.bots.base import HumanBot, VampireBot
from companion.games.vampireradar.bots.levels import HUMAN_LEVELS, VAMPIRE_LEVELS
from companion.games.vampireradar.options import Layout, Options, Setup, V

GAME = find_game("vampireradar")


class Faulty(Exception):
    """Error raised when a bot does what is not allowed, or a game does not replay equal: never to
    be passed over.
    """


class Contest(Struct, frozen=True):
    """One game to be played. `seed` fixes field and chance; `human_seconds` and `vampire_seconds`
    are what a decision may take. Levels are names of `bots.levels`, or "program:COMMAND" for a bot
    of other hands.
    """

    players: int
    humans: str
    vampire: str
    seed: int
    human_seconds: float = 0.01
    vampire_seconds: float = 0.01
    options: Options = Options()
    field: Layout | None = None


class Result(Struct, frozen=True):
    """What came of a game. Times are seconds of one core for each decision (of the clock for a
    program), `beliefs` the numbers of possible tiles at each end of the vampire's turn.
    """

    contest: Contest
    winner: str
    reason: str
    rounds: int
    hp: int
    pawns_left: int
    human_times: list[float]
    vampire_times: list[float]
    beliefs: list[int]

    @property
    def score(self) -> float:
        """The humans' score: 1 for a win, a half for an undecided game."""
        return 1.0 if self.winner == "humans" else 0.5 if self.winner == "draw" else 0.0


class Played(Struct, frozen=True):
    """A whole game: its result, its events, and `line`, the submissions from which it replays."""

    result: Result
    events: list[Event]
    line: list[tuple[Seat, list[Action]]]


def play(contest: Contest) -> Played:
    """Return the game of a contest, played to its end and decided anew.

    Raises `Faulty`, and `InvalidSetup`.

    A program that loses its seat loses the game for its side; the reason says why.
    """
    with ExitStack() as ending:
        humans = _humans(contest, ending)
        vampire = _vampire(contest, ending)
        game = _Running(contest, humans, vampire)
        try:
            while game.state.public.outcome is None:
                game.turn()
        except BotFailed as lost:
            winner = "humans" if lost.seat == V else "vampire"
            return Played(_result(game, winner, str(lost)), game.events, game.line)
    _decide_again(game)
    outcome = game.state.public.outcome
    return Played(_result(game, outcome.winner, outcome.reason), game.events, game.line)


def _result(game: _Running, winner: str, reason: str) -> Result:
    public = game.state.public
    return Result(
        contest=game.contest,
        winner=winner,
        reason=reason,
        rounds=public.round,
        hp=public.hp,
        pawns_left=len(public.pawns),
        human_times=game.times["humans"],
        vampire_times=game.times["vampire"],
        beliefs=game.beliefs,
    )


def _humans(contest: Contest, ending: ExitStack) -> HumanBot:
    budget = _budget(contest, "humans", contest.human_seconds)
    if not contest.humans.startswith(PREFIX):
        return HUMAN_LEVELS[contest.humans](budget)
    programs = ExternalBots(
        GAME, contest.humans.removeprefix(PREFIX), contest.human_seconds, time.monotonic
    )
    ending.callback(programs.close)
    return ProgramHumans(programs, budget)


def _vampire(contest: Contest, ending: ExitStack) -> VampireBot:
    budget = _budget(contest, "vampire", contest.vampire_seconds)
    if not contest.vampire.startswith(PREFIX):
        return VAMPIRE_LEVELS[contest.vampire](budget)
    programs = ExternalBots(
        GAME, contest.vampire.removeprefix(PREFIX), contest.vampire_seconds, time.monotonic
    )
    ending.callback(programs.close)
    return ProgramVampire(programs, budget)


def result_of(contest: Contest) -> Result:
    """Return what comes of a contest, for workers: less to send than the whole game."""
    return play(contest).result


def _budget(contest: Contest, side: str, seconds: float) -> SearchBudget:
    # The processor's time, so that whatever else the machine does makes no level weaker; a
    # program's is not known here.
    level = contest.humans if side == "humans" else contest.vampire
    clock = time.monotonic if level.startswith(PREFIX) else time.thread_time
    return SearchBudget(Random(f"{side} {contest.seed}"), seconds, clock)


def set_up(contest: Contest) -> list[Event]:
    """Return the events that start a contest."""
    setup = Setup(contest.options, contest.field)
    return GAME.setup(
        GAME.seat_names(contest.players), setup, Random(f"{contest.players} {contest.seed}")
    )


class _Running:
    """The referee of one game: hands public events to both bots, the vampire's view to the vampire
    alone.
    """

    def __init__(self, contest: Contest, humans: HumanBot, vampire: VampireBot) -> None:
        self.contest = contest
        self.humans, self.vampire = humans, vampire
        self.state: State = GAME.initial()
        self.line: list[tuple[Seat, list[Action]]] = []
        self.events: list[Event] = []
        self.times: dict[str, list[float]] = {"humans": [], "vampire": []}
        self.beliefs: list[int] = []
        self._rng = Random(0)
        self._tell(set_up(contest))

    def turn(self) -> None:
        """Let the seat to move act once."""
        seat: Seat = self.state.public.to_move
        bot = self.vampire if seat == V else self.humans
        clock = bot.budget.monotonic
        began = clock()
        actions = self.vampire.act(view(self.state, V)) if seat == V else [self.humans.act(seat)]
        self.times["vampire" if seat == V else "humans"].append(clock() - began)
        self.line.append((seat, actions))
        for action in actions:
            try:
                self._tell(list(GAME.decide(self.state, seat, action, self._rng)))
            except IllegalAction as wrong:
                if isinstance(
                    self.vampire if seat == V else self.humans, ProgramVampire | ProgramHumans
                ):
                    raise BotFailed(
                        seat, f"did what is not allowed: {action}: {wrong}", "forbidden"
                    ) from wrong
                raise Faulty(
                    f"{seat} of {self.contest} did what is not allowed: {action}: {wrong}"
                ) from wrong
        if seat == V and self.state.public.to_move == V:
            if isinstance(self.vampire, ProgramVampire):
                raise BotFailed(V, "did not end its night", "forbidden")
            raise Faulty(f"the vampire of {self.contest} did not end its night: {actions}")
        if seat == V:
            self.beliefs.append(self.humans.belief.tiles.bit_count())

    def _tell(self, events: list[Event]) -> None:
        for event in events:
            self.state = GAME.evolve(self.state, event)
            if isinstance(event, PublicEvent):
                self.humans.hear(event)
                self.vampire.hear(event)
        self.events.extend(events)


def _decide_again(game: _Running) -> None:
    """Raise `Faulty` unless the game's line gives its events again."""
    state, happened = GAME.initial(), set_up(game.contest)
    again = list(happened)
    for event in happened:
        state = GAME.evolve(state, event)
    for seat, actions in game.line:
        for action in actions:
            happened = list(GAME.decide(state, seat, action, Random(1)))
            again += happened
            for event in happened:
                state = GAME.evolve(state, event)
    if again != game.events or state.public != game.state.public:
        raise Faulty(f"{game.contest} does not replay equal")
