"""What needs more than one seat's will: taking back, a draw, freeing a seat in the middle of a game."""

from __future__ import annotations

from functools import partial

from companion.clock import Clock
from companion.core.codec import encode_event
from companion.core.game import PublicEvent, Seat
from companion.table import pace
from companion.table.course import Asked, Step
from companion.table.desk import Desk, happened
from companion.table.entries import Item, Resigned
from companion.table.errors import Refused
from companion.table.events import (
    ConsentGiven,
    ConsentLapsed,
    ConsentRefused,
    DrawAsked,
    FreeAsked,
    NightWithdrawn,
    Question,
    Rewound,
    SeatFreed,
    UndoAsked,
)
from companion.table.picture import last_step

TABLE = Seat("table")
"""Who asks when nobody in particular does."""


class Consent:
    """Questions to the table, one at a time. Callers hold the desk's lock."""

    def __init__(self, desk: Desk, clock: Clock) -> None:
        self._desk = desk
        self._course = desk.course
        self._clock = clock
        self._asked: Asked | None = None
        self._turn = 0
        desk.watchers.append(self.watch)
        self.watch()

    def watch(self) -> None:
        """Let a new question lapse in time; a renewed one begins anew."""
        asked = self._course.asked
        if asked is not None and (self._asked is None or asked.what != self._asked.what):
            self._let_lapse()
        self._asked = asked

    def undo(self, by: Seat) -> None:
        """Take the last action back if it was this seat's and told nothing, else ask everybody."""
        last = self._last()
        if last.free and last.seat == by:
            self._desk.commit(self._rewind(by))
        else:
            self._ask("undo", by, UndoAsked(by))

    def draw(self, by: Seat) -> None:
        """Ask for a draw, or agree to the one that is asked for."""
        if not self._course.playing or self._course.telling:
            raise Refused("night_not_over" if self._course.telling else "no_game")
        if self._course.asked and self._course.asked.what == "draw":
            self.answer(by, agree=True)
        else:
            self._ask("draw", by, DrawAsked(by))

    def free_seat(self, seat: Seat, by: Seat) -> None:
        """Ask all others to free a seat that owns no secret."""
        if seat not in self._course.people:
            raise Refused("seat_free", seat=seat)
        if seat in self._course.told.private:
            raise Refused("seat_kept", seat=seat)
        self._ask("free_seat", by, FreeAsked(by, seat), seat)

    def answer(self, seat: Seat, *, agree: bool) -> None:
        """Agree or refuse; with the last agreement the thing is done."""
        asked = self._course.asked
        if asked is None or seat not in asked.needed:
            raise Refused("nothing_asked")
        if not agree:
            self._desk.commit(happened(ConsentRefused(seat)))
        elif seat not in asked.agreed:
            agreed = happened(ConsentGiven(seat))
            everybody = set(asked.needed) <= {*asked.agreed, seat}
            self._desk.commit([*agreed, *self._do(asked.what, asked.by, asked.seat)] if everybody else agreed)

    def resign(self, reason: str) -> list[Item]:
        """Return the items that end the game by the table's will."""
        public = self._course.told.public
        events = [encode_event(event) for event in self._course.running().resign(public, reason)]
        return [*self._withdraw(), Resigned(events)]

    def _ask(self, what: Question, by: Seat, question: PublicEvent, seat: Seat | None = None) -> None:
        asked = self._course.asked
        if asked and (asked.what, asked.seat) != (what, seat):
            raise Refused("already_asked", what=asked.what)
        if asked:
            self._let_lapse()
            return
        others = set(self._course.seated()) - {by, seat}
        self._desk.commit(happened(question) if others else [*happened(question), *self._do(what, by, seat)])

    def _do(self, what: Question, by: Seat, seat: Seat | None) -> list[Item]:
        if what == "undo":
            return self._rewind(by)
        if what == "draw":
            return self.resign("agreed")
        return happened(SeatFreed(seat)) if seat else []

    def _last(self) -> Step:
        if self._course.telling:
            raise Refused("night_not_over")
        last = last_step(self._course)
        if last is None:
            raise Refused("nothing_to_undo")
        return last

    def _rewind(self, by: Seat) -> list[Item]:
        last = self._last()
        rewound = happened(Rewound(len(self._course.spoken_steps) - 1, by))
        return [*self._withdraw(), *rewound, *self._desk.nightfall(self._course.running(), last.before.public)]

    def _withdraw(self) -> list[Item]:
        """A secret turn that was taken and not told goes without a trace: nobody may learn that it was there."""
        return happened(NightWithdrawn()) if self._course.untold else []

    def _let_lapse(self) -> None:
        self._turn += 1
        self._clock.call_at(self._clock.monotonic() + pace.CONSENT, partial(self._lapse, self._turn))

    def _lapse(self, turn: int) -> None:
        with self._desk.lock:
            if turn == self._turn and self._course.asked:
                self._desk.commit(happened(ConsentLapsed(self._course.asked.what)))
