"""Give a bot its own view, and say when it may act. Callers hold the table's lock."""

from __future__ import annotations

from msgspec import Struct

from companion.core.game import Event, Game, PublicEvent, Seat, View
from companion.core.view import view
from companion.table import snapshot
from companion.table.errors import Refused
from companion.table.state import TableState


class BotTurn(Struct, frozen=True):
    """A bot's seat to move. `position` is the public position of the game's last change, `secret`
    whether it is a whole secret turn, `timed` whether that always takes the same time.
    """

    seat: Seat
    level: str
    position: int
    secret: bool
    timed: bool = False


def bot_turn(table: TableState) -> BotTurn | None:
    """Return whose turn it is if a bot plays that seat and could act now; None while anything is
    asked or told.
    """
    seat = table.running().to_move(table.run.published.public) if _goes_on(table) else None
    level = table.seats_of_bots().get(seat) if seat else None
    if seat is None or level is None:
        return None
    game, public = table.running(), table.run.published.public
    secret = game.secret_seat(public) == seat
    timed = secret and game.secret_timer.seconds(public) is not None
    return BotTurn(seat, level, table.changed_at, secret, timed)


def bot_view(table: TableState, seat: Seat) -> tuple[Game, View, list[PublicEvent]]:
    """Return the game, the bot's own view, and the public events that count, in order. Raises
    `Refused` for a seat that no bot plays.
    """
    _check(table, seat)
    return table.running(), view(table.run.published, seat), list(table.run.public_history)


def bot_history(table: TableState, seat: Seat) -> list[Event]:
    """Return all that the bot was told in this game, step by step.

    Raises `Refused` for a seat that no bot plays.
    """
    _check(table, seat)
    return snapshot.heard_by(table, seat)


def _check(table: TableState, seat: Seat) -> None:
    if seat not in table.seats_of_bots():
        raise Refused("seat_taken", seat=seat)


def _goes_on(table: TableState) -> bool:
    """Return whether somebody could act now: nothing is asked, told or paused."""
    return table.playing and not (
        table.paused or table.run.revealing or table.run.pending_reveal or table.vote
    )
