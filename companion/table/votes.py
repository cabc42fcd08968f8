"""Hold votes of the table: undo, a draw, freeing a seat, setting the table by hand, paper."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from companion.clock import Clock
from companion.core.codec import encode_event
from companion.core.game import Seat
from companion.core.placement import PositionEdit
from companion.table.entries import ByHand, Item, Resigned, SwitchedToPaper
from companion.table.errors import Refused
from companion.table.events import (
    ByHandAsked,
    CustomSetupAsked,
    DrawAsked,
    FreeAsked,
    NightWithdrawn,
    Rewound,
    SeatFreed,
    SwitchToPaperAsked,
    UndoAsked,
    VoteAgreed,
    VoteAsked,
    VoteLapsed,
    VoteRefused,
)
from companion.table.journal import Journal, JournalPart, locked, table_event_items
from companion.table.lobby import Lobby
from companion.table.run import HistoryStep
from companion.table.snapshot import is_free, steps_to_undo
from companion.table.state import Vote
from companion.table.storage.log import NO_REQUEST, RequestId

VOTE_TIMEOUT = 60.0
"""Seconds for which a vote stays open."""
VOTE_RETRY_SECONDS = 3.0
"""Seconds after which closing an expired vote is tried again, if the disk refused it."""
SYSTEM = Seat("table")
"""The seat of a vote that no seat started."""


class Votes(JournalPart):
    """Votes of the table, one at a time.

    A seat that starts another seat's vote again agrees to it; a seat that starts its own vote
    again renews its time.
    """

    def __init__(self, journal: Journal, clock: Clock, lobby: Lobby) -> None:
        super().__init__(journal)
        self._lobby = lobby
        self._clock = clock
        self._vote: Vote | None = None
        self._timeout = 0
        journal.on_commit.append(self._watch)
        self._watch()

    def _watch(self) -> None:
        """Let a new vote lapse in time; starting it again renews its time."""
        vote = self.state.vote
        if vote is not None and (self._vote is None or vote.asked.what != self._vote.asked.what):
            self._schedule_timeout()
        self._vote = vote

    @locked
    def undo(self, by: Seat, request: RequestId = NO_REQUEST) -> None:
        """Take the last action of a person back, and what bots did after it: at once if it was this
        seat's, disclosed nothing and no bot has acted, else by a vote.

        A display names the seat to move. If that is a bot's, it stands for the person whose action
        is taken back. Raises `Refused` ("night_not_over", "nothing_to_undo").
        """
        steps = self._steps_to_undo()
        if by in self.state.seats_of_bots():
            by = steps[0].seat
        if steps[0].seat == by and is_free(steps):
            self.journal.commit(self._rewind(by), request)
        else:
            self._start(UndoAsked(by), request)

    @locked
    def draw(self, by: Seat, request: RequestId = NO_REQUEST) -> None:
        """Start a vote on a draw, or agree to a draw that another seat proposed."""
        if not self.state.run.playing or self.state.run.revealing:
            raise Refused("night_not_over" if self.state.run.revealing else "no_game")
        self._start(DrawAsked(by), request)

    @locked
    def free_seat(self, seat: Seat, by: Seat, request: RequestId = NO_REQUEST) -> None:
        """Start a vote of all others on freeing a seat that owns no secret."""
        if seat not in self.state.people:
            raise Refused("seat_free", seat=seat)
        if seat in self.state.run.published.private:
            raise Refused("seat_kept", seat=seat)
        self._start(FreeAsked(by, seat), request)

    @locked
    def set_by_hand(
        self, by: Seat, arrangement: PositionEdit, request: RequestId = NO_REQUEST
    ) -> None:
        """Start a vote on a position, against the rules of moving too; in an open turn.

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
        self._start(ByHandAsked(by, arrangement), request)

    @locked
    def switch_to_paper(self, by: Seat, request: RequestId = NO_REQUEST) -> None:
        """Start a vote on continuing with the secrets on paper, by day or in a secret turn.

        The seat with the lost phone votes too; if it is silent until the vote lapses, it agrees.
        Raises `Refused` ("no_game", "night_not_over", "seat_of_person" if a bot holds the
        secret), and `IllegalAction` if the game has no paper.
        """
        if not self.state.run.playing or self.state.run.revealing:
            raise Refused("night_not_over" if self.state.run.revealing else "no_game")
        published = self.state.run.published
        self.state.run.running().paper.switch_to_paper(published.public)
        for seat in published.private.keys() & self.state.seats_of_bots().keys():
            raise Refused("seat_of_person", seat=seat)
        self._start(SwitchToPaperAsked(by), request)

    def start_custom_setup(self, by: Seat, request: RequestId = NO_REQUEST) -> None:
        """Start a vote on beginning the proposed game, which has a custom set-up."""
        self._start(CustomSetupAsked(by), request)

    @locked
    def cast(self, seat: Seat, agree: bool, request: RequestId = NO_REQUEST) -> None:
        """Agree or refuse; the last agreement carries the vote out.

        The seat that started the vote may withdraw it. Raises `Refused` ("no_vote").
        """
        vote = self.state.vote
        if vote is None or not (seat in vote.needed or (seat == vote.asked.by and not agree)):
            raise Refused("no_vote")
        if not agree:
            self.commit_events(VoteRefused(seat), request=request)
        elif seat not in vote.agreed:
            agreed = table_event_items(VoteAgreed(seat))
            everybody = set(vote.needed) <= {*vote.agreed, seat}
            self.journal.commit(
                [*agreed, *self._carry_out(vote.asked)] if everybody else agreed, request
            )

    def resign(self, reason: str) -> list[Item]:
        """Return the items that end the game by resignation."""
        events = self.state.run.running().resign(self.state.run.published, reason)
        return [*self._withdraw(), Resigned([encode_event(event) for event in events])]

    def _start(self, asked: VoteAsked, request: RequestId) -> None:
        current = self.state.vote
        if current and replace(current.asked, by=asked.by) != asked:
            raise Refused("vote_open", what=current.asked.what)
        if current and asked.by != current.asked.by and asked.by in current.needed:
            self.cast(asked.by, agree=True, request=request)
        elif current:
            self._schedule_timeout()
        else:
            others = set(self.state.seats_of_people()) - {asked.by, asked.freed}
            started = table_event_items(asked)
            self.journal.commit(started if others else [*started, *self._carry_out(asked)], request)

    def _carry_out(self, asked: VoteAsked) -> list[Item]:
        game, public = self.state.run.game, self.state.run.published.public
        match asked:
            case UndoAsked(by=by):
                return self._rewind(by)
            case DrawAsked():
                return self.resign("agreed")
            case ByHandAsked(by=by, arrangement=arrangement) if game:
                events = game.set_position(public, arrangement)
                return [ByHand(by, arrangement, [encode_event(event) for event in events])]
            case CustomSetupAsked():
                return self._lobby.begin()
            case SwitchToPaperAsked(by=by) if game:
                paper_events = [encode_event(event) for event in game.paper.switch_to_paper(public)]
                return [*self._withdraw(), SwitchedToPaper(by, paper_events)]
            case FreeAsked(seat=seat):
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
        steps = self._steps_to_undo()
        to = len(self.state.run.published_steps) - len(steps)
        return [
            *self._withdraw(),
            *table_event_items(Rewound(to, len(steps), by)),
            *self.journal.night_fell(self.state.run.running(), steps[0].before.public),
        ]

    def _withdraw(self) -> list[Item]:
        """Drop a secret turn that was submitted and not revealed, without any public trace."""
        return table_event_items(NightWithdrawn()) if self.state.run.pending_reveal else []

    def _schedule_timeout(self) -> None:
        self._timeout += 1
        self._clock.call_at(
            self._clock.monotonic() + VOTE_TIMEOUT, partial(self._time_out, self._timeout)
        )

    @locked
    def _time_out(self, timeout: int) -> None:
        vote = self.state.vote
        if timeout != self._timeout or vote is None:
            return
        lapsed = table_event_items(VoteLapsed(vote.asked.what))
        try:
            is_agreed = self._only_lost_are_silent(vote)
            self.journal.commit(self._carry_out(vote.asked) if is_agreed else lapsed)
        except Refused:
            self._clock.call_at(
                self._clock.monotonic() + VOTE_RETRY_SECONDS, partial(self._time_out, timeout)
            )

    def _only_lost_are_silent(self, vote: Vote) -> bool:
        """Return whether all agreed to paper except the seats whose phones may be lost."""
        silent = set(vote.needed) - set(vote.agreed)
        return (
            vote.asked.what == "switch_to_paper"
            and silent <= self.state.run.published.private.keys()
        )
