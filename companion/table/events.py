"""Define the table's own events: seats, set-up, nights, votes, marks, settings.

They are in the same log as the game's events and are folded by `TableState`, never by a game.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import msgspec

from companion.core.codec import tag_names
from companion.core.game import AuditFinding, Event, HiddenEvent, Message, PublicEvent, Seat
from companion.core.placement import Cell, PositionEdit, Tile

VoteKind = Literal["undo", "draw", "free_seat", "by_hand", "switch_to_paper", "custom_setup"]
"""What the table votes on."""


class VoteAsked(PublicEvent, frozen=True):
    """A seat asks everybody for something; the vote on it begins."""

    what: ClassVar[VoteKind]
    by: Seat

    @property
    def freed(self) -> Seat | None:
        """The seat to be freed, which has no vote."""
        return None


class SeatClaimed(PublicEvent, frozen=True, tag="seat_claimed"):
    """Somebody sat down."""

    seat: Seat
    name: str


class SeatTried(PublicEvent, frozen=True, tag="seat_tried"):
    """Somebody tried to take a seat that was taken, or any seat after the start."""

    seat: Seat


class RecoveryTried(PublicEvent, frozen=True, tag="recovery_tried"):
    """Somebody tried to come back to this seat on a new phone: try `tries` of `of` in this game."""

    seat: Seat
    tries: int
    of: int


class LatecomerTried(PublicEvent, frozen=True, tag="latecomer_tried"):
    """Somebody sent a join code after the seats were closed."""


class ScreenPaired(PublicEvent, frozen=True, tag="screen_paired"):
    """Somebody with a seat made another screen a display."""

    by: Seat


class SeatRenamed(PublicEvent, frozen=True, tag="seat_renamed"):
    """Somebody changed their name."""

    seat: Seat
    name: str


class SeatFreed(PublicEvent, frozen=True, tag="seat_freed"):
    """A person or a bot has left the seat."""

    seat: Seat


class SeatGiven(PublicEvent, frozen=True, tag="seat_given"):
    """A bot of this level plays the seat from now on."""

    seat: Seat
    level: str


class LevelChosen(PublicEvent, frozen=True, tag="level_chosen"):
    """The table chose the level of the bot at this seat for this game, at even odds."""

    seat: Seat
    level: str


class BotEvicted(PublicEvent, frozen=True, tag="bot_evicted"):
    """The bot `level` lost the seat because of a `fault`; the seat is free, and play stops."""

    seat: Seat
    level: str
    fault: str


class SeatHandedOn(PublicEvent, frozen=True, tag="seat_handed_on"):
    """The bot `level` lost a seat with a secret; the bot `stand_in` replaces it, and play stops."""

    seat: Seat
    level: str
    fault: str
    stand_in: str


class SeatKey(HiddenEvent, frozen=True, tag="seat_key"):
    """The public key (hex) of the phone at a seat."""

    seat: Seat
    key: str


class SeatMoved(PublicEvent, frozen=True, tag="seat_moved"):
    """A seat's player is back on a new phone."""

    seat: Seat


class Proposed(PublicEvent, frozen=True, tag="proposed"):
    """The whole proposal for the next game; `setup` is the game's `setup_type` as JSON."""

    game: str
    players: int
    setup: dict[str, Any]


class TilesLaid(PublicEvent, frozen=True, tag="tiles_laid"):
    """These printed tiles make the field of the game.

    Their numbers show which tile a pawn covers in a photo, and which one was turned.
    """

    tiles: dict[Cell, Tile]


class GameStarted(PublicEvent, frozen=True, tag="game_started", omit_defaults=True):
    """A game began; the events of its set-up follow.

    key: a part of every seal of this game
    label: a note on its content
    """

    number: int
    game: str
    players: int
    key: str
    label: str = ""


class RulesOverruled(PublicEvent, frozen=True, tag="rules_overruled"):
    """A game began despite `n` warnings about its set-up: house rules, which the record keeps."""

    n: int
    warnings: tuple[Message, ...]


class CustomSetup(PublicEvent, frozen=True, tag="custom_setup"):
    """Somebody typed these fields of the set-up instead of drawing them."""

    fields: tuple[str, ...]


class CustomSetupAsked(VoteAsked, frozen=True, tag="custom_setup_asked"):
    """A seat asks everybody to begin a game with a custom set-up."""

    what = "custom_setup"


class NextGameOpened(PublicEvent, frozen=True, tag="next_game_opened"):
    """The table is open for the next game; everybody moved by `by` seats, bots too."""

    by: int


class DealSealed(PublicEvent, frozen=True, tag="deal_sealed"):
    """The secret deal is fixed: `seal` is the SHA-256 of a line that is opened after the game."""

    seal: str


class SeedSealed(PublicEvent, frozen=True, tag="seed_sealed"):
    """The seed of the next shuffle is fixed, and phones may add their shares now."""

    seal: str


class ShareGiven(HiddenEvent, frozen=True, tag="share_given"):
    """The share of the phone with this public key (both hex), secret until the game begins."""

    key: str
    share: str


class ShuffleSealed(PublicEvent, frozen=True, tag="shuffle_sealed", omit_defaults=True):
    """A game draws from the seed under `seal` and the `shares` of these seats' phones.

    custom_setup: the fields of the set-up that somebody typed instead of dealing them
    """

    seal: str
    shares: dict[Seat, str]
    custom_setup: tuple[str, ...] = ()


class NightFell(PublicEvent, frozen=True, tag="night_fell"):
    """A secret turn began; its seal will have this number."""

    number: int


class NightSealed(PublicEvent, frozen=True, tag="night_sealed"):
    """The secret turn is fixed: `seal` is the SHA-256 of a line that is opened after the game."""

    seat: Seat
    number: int
    seal: str


class NightWithdrawn(HiddenEvent, frozen=True, tag="night_withdrawn"):
    """A stored secret turn was dropped before its reveal; never published."""


class UndoAsked(VoteAsked, frozen=True, tag="undo_asked"):
    """A seat asks everybody to take the last action back."""

    what = "undo"


class DrawAsked(VoteAsked, frozen=True, tag="draw_asked"):
    """A seat asks everybody for a draw."""

    what = "draw"


class FreeAsked(VoteAsked, frozen=True, tag="free_asked"):
    """A seat asks the others to free somebody's seat during a game."""

    what = "free_seat"
    seat: Seat

    @property
    def freed(self) -> Seat | None:
        return self.seat


class ByHandAsked(VoteAsked, frozen=True, tag="by_hand_asked"):
    """A seat asks everybody to accept a position."""

    what = "by_hand"
    arrangement: PositionEdit


class SwitchToPaperAsked(VoteAsked, frozen=True, tag="switch_to_paper_asked"):
    """A seat asks everybody to continue with secrets on paper, because a phone is lost."""

    what = "switch_to_paper"


class VoteAgreed(PublicEvent, frozen=True, tag="vote_agreed"):
    """A seat agreed in the vote."""

    seat: Seat


class VoteRefused(PublicEvent, frozen=True, tag="vote_refused"):
    """A seat refused; the vote is closed."""

    seat: Seat


class VoteLapsed(PublicEvent, frozen=True, tag="vote_lapsed"):
    """Not everybody agreed in time; the vote is closed."""

    what: VoteKind


class PaperPathEntered(PublicEvent, frozen=True, tag="paper_path_entered"):
    """Somebody typed a player's paper after the game; it was checked against the events."""

    pages: tuple[tuple[str, ...], ...]
    answers: int
    wrong: tuple[AuditFinding, ...]


class Rewound(PublicEvent, frozen=True, tag="rewound"):
    """The game is back at the state after its first `to` submissions: the `steps` after them were
    taken back. Nothing was deleted.
    """

    to: int
    steps: int
    by: Seat


class Marked(PublicEvent, frozen=True, tag="marked"):
    """A shared pencil mark; "" deletes it."""

    seat: Seat
    cell: str
    mark: str


class SettingsChanged(PublicEvent, frozen=True, tag="settings_changed"):
    """The named settings were changed."""

    change: dict[str, bool | int]


class Paused(PublicEvent, frozen=True, tag="paused"):
    """Play stopped until it is resumed."""


class Resumed(PublicEvent, frozen=True, tag="resumed"):
    """Play was resumed."""


class EntriesLost(PublicEvent, frozen=True, tag="entries_lost"):
    """The log was damaged: its last `count` entries are lost (-1: an unknown number)."""

    count: int


class EntriesLeftOut(PublicEvent, frozen=True, tag="entries_left_out"):
    """Entries of the log that this release cannot read were put aside."""


class HistoryRewound(PublicEvent, frozen=True, tag="history_rewound"):
    """A screen has another head for `position`: an older data folder was put back."""

    position: int


TABLE_EVENTS: tuple[type[Event], ...] = (
    SeatClaimed, SeatTried, RecoveryTried, LatecomerTried, ScreenPaired, SeatRenamed, SeatFreed,
    SeatGiven, BotEvicted, SeatHandedOn, SeatKey, SeatMoved, Proposed, TilesLaid, GameStarted,
    RulesOverruled, NextGameOpened, SeedSealed, ShareGiven, ShuffleSealed, DealSealed, NightFell,
    NightSealed, NightWithdrawn, UndoAsked, DrawAsked, FreeAsked, ByHandAsked, SwitchToPaperAsked,
    VoteAgreed, VoteRefused, VoteLapsed, PaperPathEntered, Rewound, Marked, SettingsChanged,
    Paused, Resumed, EntriesLost, EntriesLeftOut, HistoryRewound, CustomSetup, CustomSetupAsked,
    LevelChosen,
)  # fmt: skip
INDEPENDENT_OF_GAME = tag_names(
    (
        EntriesLeftOut, EntriesLost, HistoryRewound, LatecomerTried, Paused, RecoveryTried, Resumed,
        ScreenPaired, SeatClaimed, BotEvicted, SeatFreed, SeatGiven, SeatHandedOn, SeatKey,
        SeatMoved, SeatRenamed, SeatTried, SettingsChanged,
    )
)  # fmt: skip
"""Events that are applied even if the rest of their game is left out."""


def describe_event(event: PublicEvent) -> Message:
    """Return the message of a table event: its name, and its plain fields as parameters."""
    if isinstance(event, EntriesLost) and event.count < 0:
        return Message("entries_lost_unknown")
    fields: dict[str, Any] = msgspec.to_builtins(event)
    code = fields.pop("event")
    return Message(
        code, {name: value for name, value in fields.items() if isinstance(value, str | int)}
    )
