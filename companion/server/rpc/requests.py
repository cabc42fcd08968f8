"""Request types inside the encrypted channel: one for each `do`, with its arguments."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Union

import msgspec
from msgspec import Meta, Struct

from companion.core.game import InvalidAction
from companion.core.placement import PositionEdit
from companion.core.text import is_fit_throughout

SeatName = Annotated[str, Meta(min_length=1, max_length=16, pattern=r"^[A-Za-z0-9]+$")]
PersonName = Annotated[str, Meta(max_length=200)]
Code = Annotated[str, Meta(max_length=32)]
CellText = Annotated[str, Meta(max_length=4)]


class Request(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, kw_only=True):
    """A request.

    id: 128 random bits, the same when the sender repeats it because no reply came
    expect: the public position that the sender has seen
    """

    id: Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$")]
    expect: Annotated[int, Meta(ge=0)] | None = None


class WhoAmI(Request, frozen=True, tag="hello"):
    """Get the sender's role and the snapshot.

    head: of the public events at `expect`, as stored by the sender
    """

    head: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")] | None = None


class ShowJoinOption(Request, frozen=True, tag="way"):
    """Get every join option and the QR code of one: the Wi-Fi's, or an address's."""

    index: Annotated[int, Meta(ge=0, le=100)] = 0


class PairDisplay(Request, frozen=True, tag="pair"):
    """Become a display; `code` is the one-time code of the file display-code."""

    code: Code


class OfferScreen(Request, frozen=True, tag="screen"):
    """Get the address that makes another screen a display, once."""


class OfferCamera(Request, frozen=True, tag="camera_code"):
    """Get the address that makes a spare phone the camera, once."""


class PairCamera(Request, frozen=True, tag="pair_camera"):
    """Become the camera phone; `code` is the one-time code of `camera_code`."""

    code: Code


class WatchTable(Request, frozen=True, tag="watch"):
    """Report as the camera phone whether the view changed, and get a ticket to send a frame.

    changed: false means that the view is still that of the last frame
    """

    changed: bool


class AdmitPhone(Request, frozen=True, tag="admit"):
    """Admit the phone by the code that the table shows."""

    code: Code


class ClaimSeat(Request, frozen=True, tag="claim", kw_only=True):
    """Claim a seat before the game.

    code: not needed after `admit`
    pin: moves the seat to another phone later: 4 digits, or 3 words if the table uses words
    """

    seat: SeatName
    name: PersonName = ""
    code: Code = ""
    pin: Code


class RecoverSeat(Request, frozen=True, tag="recover"):
    """Claim a seat again on another phone by its PIN or words."""

    seat: SeatName
    pin: Code


class SendShare(Request, frozen=True, tag="share", kw_only=True):
    """Add 16 random bytes to the sealed seed of the next game."""

    seal: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
    share: Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$")]


class Rename(Request, frozen=True, tag="rename"):
    """Change the sender's name."""

    name: PersonName


class Propose(Request, frozen=True, tag="propose"):
    """Propose any of game, players, options, field, start."""

    change: dict[str, Any]


class Choose(Request, frozen=True, tag="choose", kw_only=True):
    """Choose one of the lobby's choices (`what`: a role), or null for none; a display names the
    seat.
    """

    what: Annotated[str, Meta(max_length=16)]
    choice: Annotated[str, Meta(max_length=200)] | None
    seat: SeatName | None = None


class TakeTiles(Request, frozen=True, tag="take_tiles"):
    """Propose the field of the printed tiles that are seen on the table."""


TilesByCell = Annotated[
    dict[CellText, tuple[Annotated[int, Meta(ge=1, le=999)], Literal[0, 90, 180, 270]]],
    Meta(max_length=64),
]
"""Printed tiles by cell: number and turn."""


class LayTiles(Request, frozen=True, tag="lay_tiles"):
    """Propose the field of these printed tiles."""

    tiles: TilesByCell


class CheckTiles(Request, frozen=True, tag="check_tiles"):
    """Compare these printed tiles with the running game's field."""

    tiles: TilesByCell


class GetPhotoTicket(Request, frozen=True, tag="photo"):
    """Get a ticket to send one photo of the tiles to /photo."""


class GetMapTicket(Request, frozen=True, tag="map"):
    """Get a ticket to send a content file with a typed board, before a game."""


class PauseGame(Request, frozen=True, tag="pause"):
    """Stop play, or resume it."""

    on: bool


class StartGame(Request, frozen=True, tag="start"):
    """Begin the proposed game."""


class NextGame(Request, frozen=True, tag="again"):
    """Open the table for the next game; everybody moves on by `by` seats, bots too."""

    by: Annotated[int, Meta(ge=0, le=9)] = 1


class PreviewActions(Request, frozen=True, tag="preview"):
    """Get the sender's view after these actions. Nothing is stored."""

    actions: list[Any]


class TakeActions(Request, frozen=True, tag="submit"):
    """Take these actions, all or none.

    A display names the seat that acts, or means the seat to move. The reply has "pending" while a
    secret turn is not stored; it is sent again with the same id until it is.
    """

    actions: list[Any]
    seat: SeatName | None = None


class ShowAim(Request, frozen=True, tag="aim"):
    """Show everybody an action before it is taken (a shot); an empty list removes it."""

    actions: Annotated[list[Any], Meta(max_length=1)]
    seat: SeatName | None = None


class Undo(Request, frozen=True, tag="undo"):
    """Take the last action of a person back, with what bots did after it, or start a vote on it."""

    seat: SeatName | None = None


class CastVote(Request, frozen=True, tag="vote"):
    """Agree in the vote, or refuse."""

    agree: bool
    seat: SeatName | None = None


class OfferDraw(Request, frozen=True, tag="draw"):
    """Start a vote on a draw."""

    seat: SeatName | None = None


class SetPosition(Request, frozen=True, tag="by_hand"):
    """Start a vote on a position: pawns by cell, and by cell the token or null."""

    arrangement: PositionEdit
    seat: SeatName | None = None


class SwitchToPaper(Request, frozen=True, tag="on_paper"):
    """Start a vote on continuing on paper, because the phone with the secret is lost."""

    seat: SeatName | None = None


class Forfeit(Request, frozen=True, tag="forfeit"):
    """Give the game up; all seals are opened."""


class SetMark(Request, frozen=True, tag="mark"):
    """Set a shared pencil mark: "?" or "x"; "" deletes it."""

    cell: CellText
    mark: Literal["?", "x", ""]
    seat: SeatName | None = None


class ChangeSettings(Request, frozen=True, tag="settings"):
    """Change the named settings."""

    change: dict[str, bool | int]


class FreeSeat(Request, frozen=True, tag="free"):
    """Free the sender's seat, or in the lobby any by the display; else by everybody's consent."""

    seat: SeatName


class GiveSeat(Request, frozen=True, tag="give"):
    """Give a bot a free seat, a bot's or the sender's; in the lobby the display gives any."""

    seat: SeatName
    level: Annotated[str, Meta(max_length=16, pattern=r"^[a-z]+$")]


class AnswerReader(Request, frozen=True, tag="board"):
    """Answer the board reader's question.

    actions: those of the accepted reading
    """

    answer: Literal["put_back", "accept", "ignore", "listen", "reading"]
    actions: Annotated[list[Any], Meta(max_length=100)] = []


class MaintainBoard(Request, frozen=True, tag="maintain"):
    """Register the only new tag on the board as a piece, forget a piece's tags, or use a device.

    thing: "pawn:H1a", "tile:17", "token:bullet"; for "use_board" a device
    """

    step: Literal["register", "forget", "use_board"]
    thing: Annotated[str, Meta(max_length=200)]


class PlacePawn(Request, frozen=True, tag="touch"):
    """Put a pawn on a cell by touching the display, which counts like a sensor."""

    pawn: Annotated[str, Meta(max_length=8)]
    cell: CellText


class GetReveals(Request, frozen=True, tag="reveal"):
    """Get a page of the opened seals, after the game."""

    page: Annotated[int, Meta(ge=0, le=1000)] = 0


class EnterPaperPath(Request, frozen=True, tag="paper"):
    """Type a player's paper after the game, with commas between pages: "C4,C5 D5,,D4"."""

    pages: Annotated[str, Meta(max_length=900, pattern=r"^([A-Za-z]?[0-9]{1,4}|[, ])*$")]


class Noop(Request, frozen=True, tag="blank"):
    """Do nothing."""


REQUEST_TYPES: tuple[type[Request], ...] = (
    WhoAmI, ShowJoinOption, PairDisplay, OfferScreen, OfferCamera, PairCamera, WatchTable,
    AdmitPhone, ClaimSeat, RecoverSeat, SendShare, Rename, Propose, Choose, TakeTiles, LayTiles,
    CheckTiles, GetPhotoTicket, GetMapTicket, PauseGame, StartGame, NextGame, PreviewActions,
    TakeActions, ShowAim, Undo, CastVote, OfferDraw, SetPosition, SwitchToPaper, Forfeit, SetMark,
    ChangeSettings, FreeSeat, GiveSeat, AnswerReader, PlacePawn, MaintainBoard, GetReveals,
    EnterPaperPath, Noop,
)  # fmt: skip


def decode_request(value: dict[str, Any]) -> Request:
    """Return the request of a phone's JSON; raise `InvalidAction`."""
    if not is_fit_throughout(value):
        raise InvalidAction("bad_text")
    try:
        request: Request = msgspec.convert(value, Union[REQUEST_TYPES])  # noqa: UP007 - a union of a tuple
    except msgspec.ValidationError as wrong:
        raise InvalidAction("unreadable_request") from wrong
    return request
