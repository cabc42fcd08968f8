"""Keep external bots at the table: one process for each seat, kept from turn to turn.

If the events it received no longer hold (after an undo, in a new game), another process replaces it
and receives all events from the beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from companion.bots.external import BotFailed, ExternalBot
from companion.core.game import Action, Event, Game, Seat, View
from companion.locks import Level, make_lock

ANSWER_SECONDS = 1.0
"""Seconds of an answer: less than the time before any bot's open action."""
FIRST_ANSWER_SECONDS = 4.0
"""Seconds beside `ANSWER_SECONDS` for a process's first answer. Both together are less than the
time before a bot's secret turn, and before the first action of an external bot, so that thinking
never shows.
"""


class _Sitting(Struct):
    """A program at its seat, the events that it received, and whether a question is open."""

    name: str
    program: ExternalBot
    told: list[Event]
    busy: bool = False


def _goes_on(sitting: _Sitting, name: str, story: Sequence[Event]) -> bool:
    """Return whether a program can be asked next, after the events `story`."""
    is_free = sitting.name == name and not sitting.busy
    return is_free and sitting.told == story[: len(sitting.told)]


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
        self._lock = make_lock(Level.BOT_PROGRAMS)
        self._sitting: dict[Seat, _Sitting] = {}
        self._closed = False

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._commands)

    def act(
        self, game: Game, seat: Seat, name: str, view: View, story: Sequence[Event]
    ) -> list[Action]:
        """Return what the program `name` does at a seat.

        story: all that the seat was told in this game
        Raises `BotFailed` for a program that misbehaves, that is not known any more, or that was
        asked a second time before it answered.
        """
        sitting = self._seated(game, seat, name, story)
        try:
            actions = sitting.program.act(view)
        except BotFailed:
            self._leave(seat, sitting)
            raise
        with self._lock:
            sitting.busy = False
            current = self._sitting.get(seat) is sitting
        if not current:
            sitting.program.close()
            raise BotFailed(seat, "was asked again meanwhile", "late")
        return actions

    def knows(self, seat: Seat, name: str, story: Sequence[Event]) -> bool:
        """Return whether the process at a seat continues; otherwise another one has to start."""
        with self._lock:
            sitting = self._sitting.get(seat)
            return sitting is not None and _goes_on(sitting, name, story)

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

    def _seated(self, game: Game, seat: Seat, name: str, story: Sequence[Event]) -> _Sitting:
        """Return the program at a seat with the whole story, free for a question."""
        with self._lock:
            sitting = self._sitting.get(seat)
            if sitting is None or not _goes_on(sitting, name, story):
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
                sitting = _Sitting(name, program, [])
                self._replace(seat, sitting)
            sitting.busy = True
            for event in story[len(sitting.told) :]:
                sitting.program.hear(event)
                sitting.told.append(event)
            return sitting

    def _leave(self, seat: Seat, lost: _Sitting) -> None:
        with self._lock:
            if self._sitting.get(seat) is lost:
                del self._sitting[seat]

    def _replace(self, seat: Seat, sitting: _Sitting | None) -> None:
        before = self._sitting.pop(seat, None)
        if before is not None:
            # A thread that waits for its answer still reads from its pipes, and closes them when
            # they end.
            before.program.kill()
            if not before.busy:
                before.program.close()
        if sitting is not None:
            self._sitting[seat] = sitting
