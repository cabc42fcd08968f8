"""Keep external bots at the table: one process for each seat, kept from turn to turn.

After an undo and in a new game another process replaces it and receives all events from the
beginning, also if they are the same as before: the time of an answer shows whether a process has to
start, so that must not depend on private events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from companion.bots.external import BotFailed, ExternalBot
from companion.core.game import Action, Event, Game, Seat, View
from companion.locks import LockRank, make_lock

ANSWER_SECONDS = 1.0
"""Seconds of an answer: less than the time before any bot's open action."""
FIRST_ANSWER_SECONDS = 4.0
"""Additional seconds for a process's first answer. Both together are less than the time before a
bot's secret turn, and before the first action of an external bot, so that the computing time never
shows.
"""


class _SeatedProgram(Struct):
    """A program at its seat.

    branch: of the line of play in which it was started
    received: the number of its events so far
    busy: whether a question is open
    """

    name: str
    program: ExternalBot
    branch: int
    received: int = 0
    busy: bool = False


class ExternalBotPool:
    """External bot programs by name, each with its command.

    `monotonic` is the clock used for timeouts. May be called by several threads at once.
    """

    def __init__(
        self,
        commands: Mapping[str, str],
        monotonic: Callable[[], float],
        seconds: float = ANSWER_SECONDS,
        start: float = FIRST_ANSWER_SECONDS,
    ) -> None:
        self._commands = dict(commands)
        self._monotonic = monotonic
        self._seconds = seconds
        self._start = start
        self._lock = make_lock(LockRank.BOT_PROGRAMS)
        self._sitting: dict[Seat, _SeatedProgram] = {}
        self._closed = False

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._commands)

    def act(
        self, game: Game, seat: Seat, name: str, view: View, history: Sequence[Event], branch: int
    ) -> list[Action]:
        """Return the actions of the program `name` at a seat.

        history: all events that the seat received in this game
        branch: `GameRun.branch`; while it is the same, `history` only grows
        Raises `BotFailed` for a program that misbehaves, that is not configured any more, or that
        was asked a second time before it answered.
        """
        seated = self._seated(game, seat, name, history, branch)
        try:
            actions = seated.program.act(view)
        except Exception:
            # After any error its question stays open: this process cannot continue.
            self._leave(seat, seated)
            seated.program.close()
            raise
        with self._lock:
            seated.busy = False
            current = self._sitting.get(seat) is seated
        if not current:
            seated.program.close()
            raise BotFailed(seat, "was asked again before it answered", "late")
        return actions

    def is_running(self, seat: Seat, name: str, branch: int) -> bool:
        """Return whether the process at a seat continues; otherwise another one has to start."""
        with self._lock:
            return self._free(seat, name, branch) is not None

    def stop(self, seat: Seat) -> None:
        """End the program at a seat, if one runs."""
        with self._lock:
            self._replace(seat, None)

    def close(self) -> None:
        """End all programs and start no more."""
        with self._lock:
            self._closed = True
            for seat in list(self._sitting):
                self._replace(seat, None)

    def _free(self, seat: Seat, name: str, branch: int) -> _SeatedProgram | None:
        """Return the program that can be asked next, None if another process has to start."""
        seated = self._sitting.get(seat)
        if seated is None or seated.busy or (seated.name, seated.branch) != (name, branch):
            return None
        return seated

    def _seated(
        self, game: Game, seat: Seat, name: str, history: Sequence[Event], branch: int
    ) -> _SeatedProgram:
        """Return the program at a seat with the whole history, free for a question."""
        with self._lock:
            seated = self._free(seat, name, branch)
            if seated is None:
                if self._closed or name not in self._commands:
                    raise BotFailed(seat, f"has no program {name} any more", "gone")
                program = ExternalBot(
                    game,
                    self._commands[name],
                    seat,
                    self._seconds,
                    self._monotonic,
                    self._start,
                    quiet=True,
                )
                seated = _SeatedProgram(name, program, branch)
                self._replace(seat, seated)
            seated.busy = True
            for event in history[seated.received :]:
                seated.program.observe(event)
            seated.received = len(history)
            return seated

    def _leave(self, seat: Seat, lost: _SeatedProgram) -> None:
        with self._lock:
            if self._sitting.get(seat) is lost:
                del self._sitting[seat]

    def _replace(self, seat: Seat, seated: _SeatedProgram | None) -> None:
        before = self._sitting.pop(seat, None)
        if before is not None:
            # A thread that waits for its answer still reads from its pipes, and closes them when
            # they end.
            before.program.kill()
            if not before.busy:
                before.program.close()
        if seated is not None:
            self._sitting[seat] = seated
