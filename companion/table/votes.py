"""Ask everybody: undo, a draw, freeing a seat, setting the table by hand, paper."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from companion.clock import Clock
from companion.core.codec import encode_event
from companion.core.game import PublicEvent, Seat
from companion.core.placement import PositionEdit
from companion.table.entries import ByHand, Item, OnPaper, Resigned
from companion.table.errors import Refused
from companion.table.events import (
    ByHandAsked,
    ConsentGiven,
    ConsentLapsed,
    ConsentRefused,
    DrawAsked,
    FreeAsked,
    LaidAsked,
    NightWithdrawn,
    OnPaperAsked,
    Rewound,
    SeatFreed,
    UndoAsked,
)
from companion.table.journal import Journal, table_event_items
from companion.table.snapshot import last_step
from companion.table.state import HistoryStep, Vote

VOTE_TIMEOUT = 60.0
"""Seconds for which a question to the table stays open."""
SYSTEM = Seat("table")
"""Who asks when nobody in particular does."""


class Votes:
    """Questions to the table, one at a time. Callers hold the journal's lock.

    Who asks what another seat has asked already agrees to it; who asks the own question once more
    renews its time.
    """

    def __init__(self, journal: Journal, clock: Clock, begin: Callable[[], list[Item]]) -> None:
        self._journal = journal
        self._begin = begin
        self._state = journal.state
        self._clock = clock
        self._vote: Vote | None = None
        self._turn = 0
        journal.on_commit.append(self.watch)
        self.watch()

    def watch(self) -> None:
        """Let a new question lapse in time; a renewed one begins anew."""
        asked = self._state.vote
        if asked is not None and (self._vote is None or asked.what != self._vote.what):
            self._schedule_timeout()
        self._vote = asked

    def undo(self, by: Seat) -> None:
        """Take the last action back if it was this seat's and told nothing, else ask everybody."""
        last = self._last()
        if last.is_free and last.seat == by:
            self._journal.commit(self._rewind(by))
        else:
            self._ask(UndoAsked(by), Vote("undo", by, (), ()))

    def draw(self, by: Seat) -> None:
        """Ask for a draw, or agree to the one that is asked for."""
        if not self._state.playing or self._state.run.revealing:
            raise Refused("night_not_over" if self._state.run.revealing else "no_game")
        if self._state.vote and self._state.vote.what == "draw":
            self.answer(by, agree=True)
        else:
            self._ask(DrawAsked(by), Vote("draw", by, (), ()))

    def free_seat(self, seat: Seat, by: Seat) -> None:
        """Ask all others to free a seat that owns no secret."""
        if seat not in self._state.people:
            raise Refused("seat_free", seat=seat)
        if seat in self._state.run.published.private:
            raise Refused("seat_kept", seat=seat)
        self._ask(FreeAsked(by, seat), Vote("free_seat", by, (), (), seat))

    def set_by_hand(self, by: Seat, arrangement: PositionEdit) -> None:
        """Ask everybody to take the table as it is said to stand; in an open turn only, and only
        what the game can look like.
        """
        table = self._state
        if not table.playing:
            raise Refused("no_game")
        # What is known to all decides, not whether the secret turn was taken already.
        if (
            table.run.revealing
            or table.running().secret_seat(table.run.published.public) is not None
        ):
            raise Refused("night_not_over")
        table.running().set_position(table.run.published.public, arrangement)
        self._ask(
            ByHandAsked(by, arrangement), Vote("by_hand", by, (), (), arrangement=arrangement)
        )

    def go_on_on_paper(self, by: Seat) -> None:
        """Ask everybody to go on with the secrets on paper."""
        table = self._state
        if not table.playing or table.run.revealing:
            raise Refused("night_not_over" if table.run.revealing else "no_game")
        table.running().paper.take_up(table.run.published.public)
        for seat in table.run.published.private.keys() & table.seats_of_bots().keys():
            raise Refused("seat_of_person", seat=seat)
        self._ask(OnPaperAsked(by), Vote("on_paper", by, (), ()))

    def start(self, by: Seat) -> None:
        """Begin the game that is proposed, by everybody's consent where it was laid by hand."""
        if self._state.laid_by_hand:
            self._ask(LaidAsked(by), Vote("laid", by, (), ()))
        else:
            self._journal.commit(self._begin())

    def answer(self, seat: Seat, *, agree: bool) -> None:
        """Agree or refuse; with the last agreement the thing is done.

        Who asked may take the question back.
        """
        asked = self._state.vote
        if asked is None or not (seat in asked.needed or (seat == asked.by and not agree)):
            raise Refused("nothing_asked")
        if not agree:
            self._journal.commit(table_event_items(ConsentRefused(seat)))
        elif seat not in asked.agreed:
            agreed = table_event_items(ConsentGiven(seat))
            everybody = set(asked.needed) <= {*asked.agreed, seat}
            self._journal.commit([*agreed, *self._do(asked)] if everybody else agreed)

    def resign(self, reason: str) -> list[Item]:
        """Return the items that end the game by resignation."""
        events = [
            encode_event(event)
            for event in self._state.running().resign(self._state.run.published, reason)
        ]
        return [*self._withdraw(), Resigned(events)]

    def _ask(self, question: PublicEvent, wanted: Vote) -> None:
        asked = self._state.vote
        if asked and (asked.what, asked.seat, asked.arrangement) != (
            wanted.what,
            wanted.seat,
            wanted.arrangement,
        ):
            raise Refused("already_asked", what=asked.what)
        if asked and wanted.by != asked.by and wanted.by in asked.needed:
            self.answer(wanted.by, agree=True)
        elif asked:
            self._schedule_timeout()
        else:
            others = set(self._state.seats_of_people()) - {wanted.by, wanted.seat}
            self._journal.commit(
                table_event_items(question)
                if others
                else [*table_event_items(question), *self._do(wanted)]
            )

    def _do(self, asked: Vote) -> list[Item]:
        match asked:
            case Vote(what="undo"):
                return self._rewind(asked.by)
            case Vote(what="draw"):
                return self.resign("agreed")
            case Vote(what="by_hand", arrangement=PositionEdit() as arrangement):
                events = self._state.running().set_position(
                    self._state.run.published.public, arrangement
                )
                return [ByHand(asked.by, arrangement, [encode_event(event) for event in events])]
            case Vote(what="laid"):
                return self._begin()
            case Vote(what="on_paper"):
                taken_up = self._state.running().paper.take_up(self._state.run.published.public)
                return [
                    *self._withdraw(),
                    OnPaper(asked.by, [encode_event(event) for event in taken_up]),
                ]
            case Vote(seat=seat) if seat:
                return table_event_items(SeatFreed(seat))
        return []

    def _last(self) -> HistoryStep:
        if self._state.run.revealing:
            raise Refused("night_not_over")
        last = last_step(self._state)
        if last is None:
            raise Refused("nothing_to_undo")
        return last

    def _rewind(self, by: Seat) -> list[Item]:
        last = self._last()
        rewound = table_event_items(Rewound(len(self._state.published_steps) - 1, by))
        return [
            *self._withdraw(),
            *rewound,
            *self._journal.night_fell(self._state.running(), last.before.public),
        ]

    def _withdraw(self) -> list[Item]:
        """A secret turn that was taken and not told goes without a trace: nobody may learn that it
        was there.
        """
        return table_event_items(NightWithdrawn()) if self._state.run.pending_reveal else []

    def _schedule_timeout(self) -> None:
        self._turn += 1
        self._clock.call_at(
            self._clock.monotonic() + VOTE_TIMEOUT, partial(self._time_out, self._turn)
        )

    def _time_out(self, turn: int) -> None:
        with self._journal.lock:
            asked = self._state.vote
            if turn == self._turn and asked:
                lapsed = table_event_items(ConsentLapsed(asked.what))
                self._journal.commit(
                    self._do(asked) if self._only_lost_are_silent(asked) else lapsed
                )

    def _only_lost_are_silent(self, asked: Vote) -> bool:
        """Return whether all agreed to paper except the seats whose phones may be lost."""
        silent = set(asked.needed) - set(asked.agreed)
        return asked.what == "on_paper" and silent <= self._state.run.published.private.keys()
