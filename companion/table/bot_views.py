"""Give a bot its own view, and say when it may act."""

from __future__ import annotations

from msgspec import Struct

from companion.core.game import Event, Game, Seat, View
from companion.core.view import view
from companion.table.errors import Refused
from companion.table.journal import JournalPart, locked
from companion.table.results import AUTO_LEVEL
from companion.table.snapshot import visible_events


class BotTurn(Struct, frozen=True):
    """A bot's seat to move.

    position: the public position of the game's last change
    branch: of the game's start, or of its last undo
    secret: whether it is a whole secret turn
    timed: whether that turn always takes the same time
    """

    seat: Seat
    level: str
    position: int
    branch: int
    secret: bool
    timed: bool = False


class BotViews(JournalPart):
    """The views of bots, and the times when they may act."""

    @locked
    def turn(self) -> BotTurn | None:
        """Return the turn of a bot that could act now; None in a vote, a reveal or a pause."""
        state, run = self.state, self.state.run
        blocked = state.paused or run.revealing or self.own_run.pending_reveal or state.vote
        if run.game is None or run.over or blocked:
            return None
        public = run.published.public
        seat = run.game.to_move(public)
        level = state.seats_of_bots().get(seat) if seat else None
        if seat is None or level is None:
            return None
        secret = run.game.secret_seat(public) == seat
        timed = secret and run.game.secret_timer.seconds(public) is not None
        return BotTurn(seat, level, run.changed_at, run.branch, secret, timed)

    def levels(self) -> dict[Seat, str]:
        """Return the bots' seats and levels; at even odds the ones that the table would choose."""
        state = self.state
        return {
            seat: state.auto_level(seat) if level == AUTO_LEVEL else level
            for seat, level in state.seats_of_bots().items()
        }

    @locked
    def view(self, seat: Seat) -> tuple[Game, View, list[Event]]:
        """Return what the bot at `seat` may know: the game, its own view, and all events that it
        received in this game, step by step; within a step, its private events first.

        Raises `Refused` for a seat that no bot plays.
        """
        if seat not in self.state.seats_of_bots():
            raise Refused("seat_taken", seat=seat)
        run = self.state.run
        return run.running(), view(run.published, seat), visible_events(self.state, seat)
