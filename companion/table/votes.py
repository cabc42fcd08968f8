"""Ask everybody: undo, a draw, freeing a seat, setting the table by hand, paper."""

from __future__ import annotations

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
from companion.table.journal import Journal, JournalPart, locked, table_event_items
from companion.table.lobby import Lobby
from companion.table.run import HistoryStep
from companion.table.snapshot import steps_to_undo
from companion.table.state import Vote
from companion.table.storage.log import NO_REQUEST, RequestId

VOTE_TIMEOUT = 60.0
"""Seconds for which a question to the table stays open."""
VOTE_RETRY_SECONDS = 3.0
"""Seconds after which closing an expired question is tried again, if the disk refused it."""
SYSTEM = Seat("table")
"""The asking seat of a question by no seat."""


class Votes(JournalPart):
    """Questions to the table, one at a time.

    A seat that repeats another seat's question agrees to it; a seat that repeats its own question
    renews its time.
    """

    def __init__(self, journal: Journal, clock: Clock, lobby: Lobby) -> None:
        super().__init__(journal)
        self._lobby = lobby
        self._clock = clock
        self._vote: Vote | None = None
        self._turn = 0
        journal.on_commit.append(self._watch)
        self._watch()

    def _watch(self) -> None:
        """Let a new question lapse in time; asking it again renews its time."""
        asked = self.state.vote
        if asked is not None and (self._vote is None or asked.what != self._vote.what):
            self._schedule_timeout()
        self._vote = asked

    @locked
    def undo(self, by: Seat, request: RequestId = NO_REQUEST) -> None:
        """Take the last action of a person back if it was this seat's and nothing was disclosed
        since, else ask everybody. What bots did after it goes with it.

        Raises `Refused` ("night_not_over", "nothing_to_undo").
        """
        steps = self._steps_to_undo()
        if steps[0].seat == by and all(step.is_free for step in steps):
            self.journal.commit(self._rewind(by), request)
        else:
            self._ask(UndoAsked(by), Vote("undo", by, (), ()), request)

    @locked
    def draw(self, by: Seat, request: RequestId = NO_REQUEST) -> None:
        """Ask for a draw, or agree to a draw that another seat proposed."""
        if not self.state.run.playing or self.state.run.revealing:
            raise Refused("night_not_over" if self.state.run.revealing else "no_game")
        self._ask(DrawAsked(by), Vote("draw", by, (), ()), request)

    @locked
    def free_seat(self, seat: Seat, by: Seat, request: RequestId = NO_REQUEST) -> None:
        """Ask all others to free a seat that owns no secret."""
        if seat not in self.state.people:
            raise Refused("seat_free", seat=seat)
        if seat in self.state.run.published.private:
            raise Refused("seat_kept", seat=seat)
        self._ask(FreeAsked(by, seat), Vote("free_seat", by, (), (), seat), request)

    @locked
    def set_by_hand(
        self, by: Seat, arrangement: PositionEdit, request: RequestId = NO_REQUEST
    ) -> None:
        """Ask everybody to accept a position, against the rules of moving too; in an open turn.

        Raises `Refused` ("no_game", "night_not_over"), and `IllegalAction` for a position that the
        game cannot have.
        """
        if not self.state.run.playing:
            raise Refused("no_game")
        run, game = self.state.run, self.state.run.running()
        # The public state decides: whether a secret turn was submitted must not show here.
        if run.revealing or game.secret_seat(run.published.public) is not None:
            raise Refused("night_not_over")
        game.set_position(run.published.public, arrangement)
        wanted = Vote("by_hand", by, (), (), arrangement=arrangement)
        self._ask(ByHandAsked(by, arrangement), wanted, request)

    @locked
    def go_on_on_paper(self, by: Seat, request: RequestId = NO_REQUEST) -> None:
        """Ask everybody to continue with the secrets on paper, by day or in a secret turn.

        The seat with the lost phone is asked too; if it is silent until the question lapses, it
        agrees. Raises `Refused` ("no_game", "night_not_over", "seat_of_person" if a bot holds the
        secret), and `IllegalAction` if the game has no paper.
        """
        if not self.state.run.playing or self.state.run.revealing:
            raise Refused("night_not_over" if self.state.run.revealing else "no_game")
        published = self.state.run.published
        self.state.run.running().paper.take_up(published.public)
        for seat in published.private.keys() & self.state.seats_of_bots().keys():
            raise Refused("seat_of_person", seat=seat)
        self._ask(OnPaperAsked(by), Vote("on_paper", by, (), ()), request)

    def ask_to_start(self, by: Seat, request: RequestId = NO_REQUEST) -> None:
        """Ask everybody to begin the proposed game, which somebody laid by hand."""
        self._ask(LaidAsked(by), Vote("laid", by, (), ()), request)

    @locked
    def answer(self, seat: Seat, agree: bool, request: RequestId = NO_REQUEST) -> None:
        """Agree or refuse; the last agreement carries the question out.

        The seat that asked may take the question back. Raises `Refused` ("nothing_asked").
        """
        asked = self.state.vote
        if asked is None or not (seat in asked.needed or (seat == asked.by and not agree)):
            raise Refused("nothing_asked")
        if not agree:
            self.commit_events(ConsentRefused(seat), request=request)
        elif seat not in asked.agreed:
            agreed = table_event_items(ConsentGiven(seat))
            everybody = set(asked.needed) <= {*asked.agreed, seat}
            self.journal.commit([*agreed, *self._do(asked)] if everybody else agreed, request)

    def resign(self, reason: str) -> list[Item]:
        """Return the items that end the game by resignation."""
        events = self.state.run.running().resign(self.state.run.published, reason)
        return [*self._withdraw(), Resigned([encode_event(event) for event in events])]

    def _ask(self, question: PublicEvent, wanted: Vote, request: RequestId) -> None:
        asked = self.state.vote
        if asked and (asked.what, asked.seat, asked.arrangement) != (
            wanted.what,
            wanted.seat,
            wanted.arrangement,
        ):
            raise Refused("already_asked", what=asked.what)
        if asked and wanted.by != asked.by and wanted.by in asked.needed:
            self.answer(wanted.by, agree=True, request=request)
        elif asked:
            self._schedule_timeout()
        else:
            others = set(self.state.seats_of_people()) - {wanted.by, wanted.seat}
            asking = table_event_items(question)
            self.journal.commit(asking if others else [*asking, *self._do(wanted)], request)

    def _do(self, asked: Vote) -> list[Item]:
        game, public = self.state.run.game, self.state.run.published.public
        match asked:
            case Vote(what="undo"):
                return self._rewind(asked.by)
            case Vote(what="draw"):
                return self.resign("agreed")
            case Vote(what="by_hand", arrangement=PositionEdit() as arrangement) if game:
                events = game.set_position(public, arrangement)
                return [ByHand(asked.by, arrangement, [encode_event(event) for event in events])]
            case Vote(what="laid"):
                return self._lobby.begin()
            case Vote(what="on_paper") if game:
                taken_up = [encode_event(event) for event in game.paper.take_up(public)]
                return [*self._withdraw(), OnPaper(asked.by, taken_up)]
            case Vote(seat=seat) if seat:
                return table_event_items(SeatFreed(seat))
        return []

    def _steps_to_undo(self) -> list[HistoryStep]:
        if self.state.run.revealing:
            raise Refused("night_not_over")
        steps = steps_to_undo(self.state)
        if not steps:
            raise Refused("nothing_to_undo")
        return steps

    def _rewind(self, by: Seat) -> list[Item]:
        steps, length = self._steps_to_undo(), len(self.state.run.published_steps)
        # One event a submission: each reader of the public log takes back one group of events.
        rewound = [Rewound(length - count, by) for count in range(1, len(steps) + 1)]
        return [
            *self._withdraw(),
            *table_event_items(*rewound),
            *self.journal.night_fell(self.state.run.running(), steps[0].before.public),
        ]

    def _withdraw(self) -> list[Item]:
        """Drop a secret turn that was submitted and not revealed, without any public trace."""
        return table_event_items(NightWithdrawn()) if self.state.run.pending_reveal else []

    def _schedule_timeout(self) -> None:
        self._turn += 1
        self._clock.call_at(
            self._clock.monotonic() + VOTE_TIMEOUT, partial(self._time_out, self._turn)
        )

    @locked
    def _time_out(self, turn: int) -> None:
        asked = self.state.vote
        if turn != self._turn or asked is None:
            return
        lapsed = table_event_items(ConsentLapsed(asked.what))
        try:
            self.journal.commit(self._do(asked) if self._only_lost_are_silent(asked) else lapsed)
        except Refused:
            self._clock.call_at(
                self._clock.monotonic() + VOTE_RETRY_SECONDS, partial(self._time_out, turn)
            )

    def _only_lost_are_silent(self, asked: Vote) -> bool:
        """Return whether all agreed to paper except the seats whose phones may be lost."""
        silent = set(asked.needed) - set(asked.agreed)
        return asked.what == "on_paper" and silent <= self.state.run.published.private.keys()
