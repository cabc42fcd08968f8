"""The table's own events, beside the game's: who sits where, nights, undo and consent, marks,
settings.

They are kept in the same log and folded by `table/state.py`, never by a game.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from companion.core.game import AuditFinding, Event, Message, PublicEvent, Seat, UnseenEvent
from companion.core.placement import Cell, PositionEdit, Tile

VoteKind = Literal["undo", "draw", "free_seat", "by_hand", "on_paper", "laid"]
"""What the table can be asked to agree to."""


class SeatClaimed(PublicEvent, frozen=True, tag="seat_claimed"):
    """Somebody sat down."""

    seat: Seat
    name: str


class SeatTried(PublicEvent, frozen=True, tag="seat_tried"):
    """Somebody wanted a seat that was taken."""

    seat: Seat


class RecoveryTried(PublicEvent, frozen=True, tag="recovery_tried"):
    """Somebody gave a code to come back to this seat on a new phone: the `tries`-th of `of` in this
    game.
    """

    seat: Seat
    tries: int
    of: int


class LatecomerTried(PublicEvent, frozen=True, tag="latecomer_tried"):
    """Somebody brought a joining code after the seats were closed."""


class ScreenPaired(PublicEvent, frozen=True, tag="screen_paired"):
    """Somebody with a seat let another screen be touched as a display."""

    by: Seat


class SeatRenamed(PublicEvent, frozen=True, tag="seat_renamed"):
    """Somebody gave another name."""

    seat: Seat
    name: str


class SeatFreed(PublicEvent, frozen=True, tag="seat_freed"):
    """Somebody got up."""

    seat: Seat


class SeatGiven(PublicEvent, frozen=True, tag="seat_given"):
    """A bot of this level plays the seat from now on."""

    seat: Seat
    level: str


class SeatForfeited(PublicEvent, frozen=True, tag="seat_forfeited"):
    """The program `level` may not play the seat any more, because of a `fault`; the seat is free,
    and play stops.
    """

    seat: Seat
    level: str
    fault: str


class SeatHandedOn(PublicEvent, frozen=True, tag="seat_handed_on"):
    """The same of a seat that owns a secret: the bot `stand_in` plays on there."""

    seat: Seat
    level: str
    fault: str
    stand_in: str


class SeatKey(UnseenEvent, frozen=True, tag="seat_key"):
    """The public key (hex) of the phone at a seat; told to nobody."""

    seat: Seat
    key: str


class SeatMoved(PublicEvent, frozen=True, tag="seat_moved"):
    """A seat's player is back on a new phone."""

    seat: Seat


class Proposed(PublicEvent, frozen=True, tag="proposed"):
    """What is to be played next: the whole proposal, `setup` being the game's `setup_type` as
    JSON.
    """

    game: str
    players: int
    setup: dict[str, Any]


class TilesLaid(PublicEvent, frozen=True, tag="tiles_laid"):
    """These printed tiles make the field of the game: without their numbers nobody could say of a
    photo which of them pawns cover, or which one was turned.
    """

    tiles: dict[Cell, Tile]


class GameStarted(PublicEvent, frozen=True, tag="game_started", omit_defaults=True):
    """A game began; the game's own events of its set-up follow. `key` goes into every seal of this
    game, `label` says what is to be known of its content.
    """

    number: int
    game: str
    players: int
    key: str
    label: str = ""


class RulesOverruled(PublicEvent, frozen=True, tag="rules_overruled"):
    """A game began though `n` things about its set-up were doubtful: house rules, said and kept in
    the record.
    """

    n: int
    doubts: tuple[Message, ...]


class LaidByHand(PublicEvent, frozen=True, tag="laid_by_hand"):
    """These fields of what is proposed, or of the game that begins, somebody laid by hand instead
    of letting them be drawn.
    """

    fields: tuple[str, ...]


class LaidAsked(PublicEvent, frozen=True, tag="laid_asked"):
    """Somebody wants to begin a game that was laid by hand; everybody is asked."""

    by: Seat


class TableReopened(PublicEvent, frozen=True, tag="table_reopened"):
    """After a game the table is open for the next; with `swap` everybody moved on by one seat."""

    swap: bool


class DealSealed(PublicEvent, frozen=True, tag="deal_sealed"):
    """What was dealt in secret is fixed: `seal` is the SHA-256 of a line that is opened after the
    game.
    """

    seal: str


class SeedSealed(PublicEvent, frozen=True, tag="seed_sealed"):
    """Before a game: the seed of its shuffle is fixed, and phones may add to it now."""

    seal: str


class ShareGiven(UnseenEvent, frozen=True, tag="share_given"):
    """What the phone with this public key adds (both hex) to the sealed seed; told to nobody before
    the game.
    """

    key: str
    share: str


class ShuffleSealed(PublicEvent, frozen=True, tag="shuffle_sealed", omit_defaults=True):
    """A game draws from the seed under `seal` and the `shares` of these seats' phones; `given` are
    the fields of its set-up that it deals otherwise, and that somebody had laid down.
    """

    seal: str
    shares: dict[Seat, str]
    given: tuple[str, ...] = ()


class NightFell(PublicEvent, frozen=True, tag="night_fell"):
    """A secret turn began; `number` is the one that its seal will bear."""

    number: int


class NightSealed(PublicEvent, frozen=True, tag="night_sealed"):
    """The secret turn is fixed: `seal` is the SHA-256 of a line that is opened after the game."""

    seat: Seat
    number: int
    seal: str


class NightWithdrawn(UnseenEvent, frozen=True, tag="night_withdrawn"):
    """A secret turn that was taken and not yet told fell away; nobody is told that there was
    one.
    """


class UndoAsked(PublicEvent, frozen=True, tag="undo_asked"):
    """A seat asks everybody to take the last action back."""

    by: Seat


class DrawAsked(PublicEvent, frozen=True, tag="draw_asked"):
    """A seat asks everybody for a draw."""

    by: Seat


class FreeAsked(PublicEvent, frozen=True, tag="free_asked"):
    """A seat asks the others to free somebody's seat during a game."""

    by: Seat
    seat: Seat


class ByHandAsked(PublicEvent, frozen=True, tag="by_hand_asked"):
    """A seat asks everybody to take the table as it says that it stands."""

    by: Seat
    arrangement: PositionEdit


class OnPaperAsked(PublicEvent, frozen=True, tag="on_paper_asked"):
    """A seat asks everybody to go on with the secrets on paper, since a phone is lost."""

    by: Seat


class ConsentGiven(PublicEvent, frozen=True, tag="consent_given"):
    """A seat agreed to what is being asked."""

    seat: Seat


class ConsentRefused(PublicEvent, frozen=True, tag="consent_refused"):
    """A seat refused; the question is closed."""

    seat: Seat


class ConsentLapsed(PublicEvent, frozen=True, tag="consent_lapsed"):
    """Not everybody agreed in time; the question is closed."""

    what: VoteKind


class PaperTold(PublicEvent, frozen=True, tag="paper_told"):
    """After a game: what a player had kept on paper was typed, page by page, and held against all
    that was told.
    """

    pages: tuple[tuple[str, ...], ...]
    answers: int
    wrong: tuple[AuditFinding, ...]


class Rewound(PublicEvent, frozen=True, tag="rewound"):
    """The game stands again where it stood after its first `to` submissions; nothing was
    deleted.
    """

    to: int
    by: Seat


class Marked(PublicEvent, frozen=True, tag="marked"):
    """A shared pencil mark; "" rubs it out."""

    seat: Seat
    cell: str
    mark: str


class SettingsChanged(PublicEvent, frozen=True, tag="settings_changed"):
    """The table's manners were changed; only what is named."""

    change: dict[str, bool | int]


class Paused(PublicEvent, frozen=True, tag="paused"):
    """Play stopped until it is resumed."""


class Resumed(PublicEvent, frozen=True, tag="resumed"):
    """Play goes on."""


class EntriesLost(PublicEvent, frozen=True, tag="entries_lost"):
    """The log was found damaged: its last `count` entries are gone (-1: nobody can say how
    many).
    """

    count: int


class EntriesLeftOut(PublicEvent, frozen=True, tag="entries_left_out"):
    """The log holds something that this release cannot read: it was put aside, and the table goes
    on without it.
    """


class HistoryRewound(PublicEvent, frozen=True, tag="history_rewound"):
    """Somebody's screen remembers another record than this table has: at `position` the two part.
    An older data folder was put back, or another one.
    """

    position: int


TABLE_EVENTS: tuple[type[Event], ...] = (
    SeatClaimed, SeatTried, RecoveryTried, LatecomerTried, ScreenPaired, SeatRenamed, SeatFreed,
    SeatGiven, SeatForfeited, SeatHandedOn, SeatKey, SeatMoved, Proposed, TilesLaid, GameStarted,
    RulesOverruled, TableReopened, SeedSealed, ShareGiven, ShuffleSealed, DealSealed, NightFell,
    NightSealed, NightWithdrawn, UndoAsked, DrawAsked, FreeAsked, ByHandAsked, OnPaperAsked,
    ConsentGiven, ConsentRefused, ConsentLapsed, PaperTold, Rewound, Marked, SettingsChanged,
    Paused, Resumed, EntriesLost, EntriesLeftOut, HistoryRewound, LaidByHand, LaidAsked,
)  # fmt: skip


def describe_event(event: PublicEvent) -> Message:
    """Return what is said of one of the table's own events: its name, and its plain fields as
    parameters.
    """
    fields: dict[str, Any] = msgspec.to_builtins(event)
    code = fields.pop("event")
    return Message(
        code, {name: value for name, value in fields.items() if isinstance(value, str | int)}
    )
