"""What the bots at a table may know, and when they may act. Callers hold the table's lock."""

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


def bot_turn(course: TableState) -> BotTurn | None:
    """Return whose turn it is if a bot plays that seat and could act now; None while anything is
    asked or told.
    """
    seat = course.running().to_move(course.told.public) if _goes_on(course) else None
    level = course.bots().get(seat) if seat else None
    if seat is None or level is None:
        return None
    game, public = course.running(), course.told.public
    secret = game.secret_seat(public) == seat
    timed = secret and game.secret_seconds(public) is not None
    return BotTurn(seat, level, course.moved_at, secret, timed)


def bot_view(course: TableState, seat: Seat) -> tuple[Game, View, list[PublicEvent]]:
    """Return the game, the bot's own view, and the public events that count, in order. Raises
    `Refused` for a seat that no bot plays.
    """
    _check(course, seat)
    return course.running(), view(course.told, seat), list(course.story)


def bot_history(course: TableState, seat: Seat) -> list[Event]:
    """Return all that the bot was told in this game, step by step.

    Raises `Refused` for a seat that no bot plays.
    """
    _check(course, seat)
    return snapshot.heard_by(course, seat)


def _check(course: TableState, seat: Seat) -> None:
    if seat not in course.bots():
        raise Refused("seat_taken", seat=seat)


def _goes_on(course: TableState) -> bool:
    """Return whether somebody could act now: nothing is asked, told or paused."""
    return course.playing and not (course.paused or course.telling or course.untold or course.asked)
