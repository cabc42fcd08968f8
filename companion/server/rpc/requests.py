"""Every request inside the encrypted channel: its arguments, its rights and what it does.

Replies depend on what the sender's seat may know and on nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, Union

import msgspec
from msgspec import Meta, field, to_builtins

from companion.core.game import InvalidAction, Seat
from companion.core.placement import Cell, Pawn, PositionEdit, Tile
from companion.core.text import all_text_is_printable
from companion.server.auth.access import Denied, Principal
from companion.server.auth.join import describe_options, qr_svg
from companion.server.context import ServerContext
from companion.server.rpc.replies import Reply
from companion.server.rpc.request import (
    ActingRequest,
    DisplayRequest,
    GuestRequest,
    Request,
    SeatName,
    SeatRequest,
    Sender,
)
from companion.table.errors import Refused
from companion.table.journal import QuestionKind

PersonName = Annotated[str, Meta(max_length=200)]
Code = Annotated[str, Meta(max_length=32)]
CellText = Annotated[str, Meta(max_length=4)]
REVEALS_PER_PAGE = 8
"""Opened lines in one reply."""

# Screens and phones


class WhoAmI(GuestRequest, frozen=True, tag="hello"):
    """Get the sender's role and the snapshot.

    head: of the public events at `expect`, as stored by the sender
    """

    is_repeatable: ClassVar = True
    reply_has: ClassVar = "everything"

    head: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")] | None = None

    def execute(self, server: ServerContext, sender: Sender) -> Reply:
        self.check_head(server, sender.principal)
        return _invitation(server, sender.principal) | {
            "admitted": server.access.is_admitted(sender.key),
            "recovery": server.access.recovery,
        }

    def check_head(self, server: ServerContext, principal: Principal) -> None:
        """Compare a head that a seat's phone or a display, no other, stored with the record."""
        if principal == Principal() or self.head is None or self.expect is None:
            return
        try:
            server.table.check_memory(self.expect, self.head)
        except Refused:
            # The disk refuses writes: everything else is refused too, and the screen will try
            # again.
            return


class ShowJoinOption(DisplayRequest, frozen=True, tag="way"):
    """Get every join option and the QR code of one: the Wi-Fi's, or an address's."""

    is_repeatable: ClassVar = True

    index: Annotated[int, Meta(ge=0, le=100)] = 0

    def execute(self, server: ServerContext, sender: Sender) -> Reply:
        return describe_options(server.join_options(), self.index)


class PairDisplay(GuestRequest, frozen=True, tag="pair"):
    """Become a display; `code` is the one-time code of the file display-code."""

    reply_has: ClassVar = "everything"

    code: Code

    def execute(self, server: ServerContext, sender: Sender) -> Reply:
        # A reloaded display still has its used code in its address.
        if not sender.principal.display:
            server.access.pair(sender.key, self.code, sender.address)
        return _invitation(server, Principal(display=True))


class OfferScreen(SeatRequest, frozen=True, tag="screen"):
    """Get the address that makes another screen a display, once."""

    def execute(self, server: ServerContext, sender: Sender) -> Reply:
        return {"screen": _page_code(server, "table", server.access.offer_screen(sender.seat))}


class OfferCamera(Request, frozen=True, tag="camera_code"):
    """Get the address that makes a spare phone the camera, once."""

    def execute(self, server: ServerContext, sender: Sender) -> Reply:
        server.camera.frames.check()
        return {"camera": _page_code(server, "camera", server.access.offer_camera())}


class PairCamera(GuestRequest, frozen=True, tag="pair_camera"):
    """Become the camera phone; `code` is the one-time code of `camera_code`."""

    code: Code

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.access.pair_camera(sender.key, self.code, sender.address)


class WatchTable(GuestRequest, frozen=True, tag="watch"):
    """Report as the camera phone whether the view changed, and get a ticket to send a frame.

    changed: false means that the view is still that of the last frame
    """

    changed: bool

    def execute(self, server: ServerContext, sender: Sender) -> Reply:
        if not server.access.is_camera(sender.key):
            raise Denied("not_seated")
        frames = server.camera.frames
        frames.check()
        if not self.changed:
            frames.confirm()
        ticket = server.camera.tickets.issue() if self.changed and frames.admit() else None
        return {"ticket": ticket, "reading": to_builtins(frames.reading)}


class AdmitPhone(GuestRequest, frozen=True, tag="admit"):
    """Admit the phone by the code that the table shows."""

    code: Code

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.access.admit(sender.key, self.code, sender.address)


class Noop(GuestRequest, frozen=True, tag="blank"):
    """Do nothing."""

    is_repeatable: ClassVar = True

    def execute(self, server: ServerContext, sender: Sender) -> None:
        pass


# Seats


class ClaimSeat(GuestRequest, frozen=True, tag="claim", kw_only=True):
    """Claim a seat before the game.

    code: not needed after `admit`
    pin: moves the seat to another phone later: 4 digits, or 3 words if the table uses words
    """

    reply_has: ClassVar = "everything"

    seat: SeatName
    name: PersonName = ""
    code: Code = ""
    pin: Code

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.access.claim(
            sender.key, Seat(self.seat), self.name, self.code, self.pin, sender.address
        )


class RecoverSeat(GuestRequest, frozen=True, tag="recover"):
    """Claim a seat again on another phone by its PIN or words."""

    reply_has: ClassVar = "everything"

    seat: SeatName
    pin: Code

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.access.recover(sender.request_id, Seat(self.seat), self.pin)


class Rename(SeatRequest, frozen=True, tag="rename"):
    """Change the sender's name."""

    name: PersonName

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.table.seats.rename(sender.seat, self.name, sender.request_id)


class FreeSeat(Request, frozen=True, tag="free"):
    """Free the sender's seat, or in the lobby any by the display; else by everybody's consent."""

    seat: SeatName

    def execute(self, server: ServerContext, sender: Sender) -> None:
        playing = server.table.snapshot()["phase"] == "play"
        if not (playing or sender.principal.display or sender.seat == self.seat):
            raise Denied("not_your_seat")
        server.table.seats.free(Seat(self.seat), sender.seat, sender.request_id)
        if self.seat != sender.seat and not server.access.closed:
            server.access.change_code()


class GiveSeat(Request, frozen=True, tag="give"):
    """Give a bot a free seat, a bot's or the sender's; in the lobby the display gives any."""

    seat: SeatName
    level: Annotated[str, Meta(max_length=16, pattern=r"^[a-z]+$")]

    def execute(self, server: ServerContext, sender: Sender) -> None:
        seats = {place["seat"]: place for place in server.table.snapshot()["seats"]}
        is_persons = seats.get(self.seat, {}).get("taken") and "bot" not in seats[self.seat]
        if is_persons and not (sender.principal.display or sender.seat == self.seat):
            raise Denied("not_your_seat")
        server.table.seats.give(Seat(self.seat), self.level, sender.seat, sender.request_id)


class GiveFreeSeats(Request, frozen=True, tag="give_free"):
    """Give bots those of the named seats that are free."""

    seats: Annotated[list[SeatName], Meta(min_length=1, max_length=16)]
    level: Annotated[str, Meta(max_length=16, pattern=r"^[a-z]+$")]

    def execute(self, server: ServerContext, sender: Sender) -> None:
        # A seat twice would be given twice.
        seats = [Seat(seat) for seat in dict.fromkeys(self.seats)]
        server.table.seats.give_free(seats, self.level, sender.request_id)


# The lobby

TilesByCell = Annotated[
    dict[CellText, tuple[Annotated[int, Meta(ge=1, le=999)], Literal[0, 90, 180, 270]]],
    Meta(max_length=64),
]
"""Printed tiles by cell: number and turn."""


class SendShare(SeatRequest, frozen=True, tag="share", kw_only=True):
    """Add 16 random bytes to the sealed seed of the next game."""

    seal: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
    share: Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$")]

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.table.seeds.give_share(sender.key, self.seal, self.share)


class Propose(Request, frozen=True, tag="propose"):
    """Propose any of game, players, options, field, start."""

    change: dict[str, Any]

    def execute(self, server: ServerContext, sender: Sender) -> None:
        with server.access.keep_admitted():
            server.table.lobby.propose(self.change)


class Choose(Request, frozen=True, tag="choose", kw_only=True):
    """Choose one of the lobby's choices (`what`: a role), None for none; a display names a seat."""

    what: Annotated[str, Meta(max_length=16)]
    choice: Annotated[str, Meta(max_length=200)] | None
    seat: SeatName | None = None

    def authorize(self, server: ServerContext, principal: Principal) -> Seat:
        if principal.display and self.seat:
            return Seat(self.seat)
        if principal.seat is None:
            raise Denied("not_seated")
        if self.seat not in (None, principal.seat):
            raise Denied("not_your_seat")
        return principal.seat

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.table.lobby.choose(sender.seat, self.what, self.choice)


class TakeTiles(Request, frozen=True, tag="take_tiles"):
    """Propose the field of the printed tiles that are seen on the table."""

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.table.lobby.propose_tiles()


class LayTiles(Request, frozen=True, tag="lay_tiles"):
    """Propose the field of these printed tiles."""

    tiles: TilesByCell

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.table.lobby.propose_tiles(_tiles_by_cell(self.tiles))


class CheckTiles(Request, frozen=True, tag="check_tiles"):
    """Compare these printed tiles with the running game's field."""

    is_repeatable: ClassVar = True

    tiles: TilesByCell

    def execute(self, server: ServerContext, sender: Sender) -> Reply:
        return {"steps": server.table.lobby.check_tiles(_tiles_by_cell(self.tiles))}


class GetPhotoTicket(Request, frozen=True, tag="photo"):
    """Get a ticket to send one photo of the tiles to /photo."""

    def execute(self, server: ServerContext, sender: Sender) -> Reply:
        server.photo_decoder.prepare()
        return {"ticket": server.tickets.issue()}


class GetMapTicket(Request, frozen=True, tag="map"):
    """Get a ticket to send a content file with a typed board, before a game."""

    def execute(self, server: ServerContext, sender: Sender) -> Reply:
        server.table.lobby.check_open()
        return {"ticket": server.tickets.issue()}


class ChangeSettings(Request, frozen=True, tag="settings"):
    """Change the named settings."""

    change: dict[str, bool | int]

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.table.change_settings(self.change, sender.request_id)


class StartGame(Request, frozen=True, tag="start"):
    """Begin the proposed game."""

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.table.start(sender.seat, sender.request_id)


class OpenNextGame(Request, frozen=True, tag="next_game"):
    """Open the table for the next game; everybody moves on by `by` seats, bots too."""

    by: Annotated[int, Meta(ge=0, le=9)] = 1

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.table.open_next_game(self.by, sender.request_id)

    def finish(self, server: ServerContext) -> None:
        # The disk may have refused the new keys when the game was opened.
        server.access.rotate_keys()


# Play


class PreviewActions(SeatRequest, frozen=True, tag="preview"):
    """Get the sender's view after these actions. Nothing is stored."""

    is_repeatable: ClassVar = True
    reply_has: ClassVar = "result"

    actions: list[Any]

    def execute(self, server: ServerContext, sender: Sender) -> Reply:
        return server.table.preview(sender.seat, server.table.decode(self.actions))


class TakeActions(ActingRequest, frozen=True, tag="submit"):
    """Take these actions, all or none.

    The reply has "pending" while a secret turn is not stored; it is sent again with the same id
    until it is. Other actions under the same id are refused.
    """

    is_repeatable: ClassVar = True

    actions: list[Any]

    def execute(self, server: ServerContext, sender: Sender) -> Reply | None:
        actions = server.table.decode(self.actions)
        receipt = server.table.submit(sender.seat, actions, id=self.id, expect=self.expect)
        return None if receipt.is_stored else {"pending": True}


class ShowAim(ActingRequest, frozen=True, tag="aim"):
    """Show everybody an action before it is taken (a shot); an empty list removes it."""

    actions: Annotated[list[Any], Meta(max_length=1)]

    def execute(self, server: ServerContext, sender: Sender) -> None:
        actions = server.table.decode(self.actions) if self.actions else []
        server.table.aim(sender.seat, actions)


class SetMark(ActingRequest, frozen=True, tag="mark"):
    """Set a shared pencil mark: "?" or "x"; "" deletes it."""

    cell: CellText
    mark: Literal["?", "x", ""]

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.table.mark(sender.seat, Cell(self.cell), self.mark, sender.request_id)


class PauseGame(Request, frozen=True, tag="pause"):
    """Stop play, or resume it."""

    on: bool

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.table.pause(self.on, sender.request_id)


class Surrender(SeatRequest, frozen=True, tag="surrender"):
    """Give the game up; all seals are opened."""

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.table.surrender(sender.seat, sender.request_id)


# The voice of the displays


class AskAloud(SeatRequest, frozen=True, tag="ask_aloud"):
    """Ask the displays to read aloud a public fact; return the question's number.

    name: the cell or the pawn, else ""
    """

    reply_has: ClassVar = "result"

    what: QuestionKind
    name: Annotated[str, Meta(max_length=8)] = ""

    def execute(self, server: ServerContext, sender: Sender) -> Reply:
        return {"number": server.table.ask_aloud(sender.seat, self.what, self.name)}


class ConfirmReading(DisplayRequest, frozen=True, tag="read_aloud"):
    """Report that this display begins to read the answer to a question.

    is_waiting: it begins once it has ended what it speaks
    """

    reply_has: ClassVar = "result"

    number: Annotated[int, Meta(ge=1)]
    is_waiting: bool = False

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.table.confirm_reading(self.number, is_waiting=self.is_waiting)


# Votes


class Undo(ActingRequest, frozen=True, tag="undo"):
    """Take the last action of a person back, with what bots did after it, or start a vote on it."""

    def candidates(self, snapshot: dict[str, Any]) -> list[str | None]:
        return [snapshot["undo"]["seat"]]

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.table.votes.undo(sender.seat, sender.request_id)


class CastVote(ActingRequest, frozen=True, tag="vote"):
    """Agree in the vote, or refuse."""

    agree: bool

    def candidates(self, snapshot: dict[str, Any]) -> list[str | None]:
        vote = snapshot["vote"] or {"needed": [], "agreed": []}
        return [seat for seat in vote["needed"] if seat not in vote["agreed"]]

    def authorize(self, server: ServerContext, principal: Principal) -> Seat:
        vote = server.table.snapshot()["vote"]
        if self.agree and principal.display and vote and vote["what"] == "custom_setup":
            raise Denied("not_by_display")
        return super().authorize(server, principal)

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.table.votes.cast(sender.seat, self.agree, sender.request_id)


class OfferDraw(ActingRequest, frozen=True, tag="draw"):
    """Start a vote on a draw."""

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.table.votes.draw(sender.seat, sender.request_id)


class SetPosition(ActingRequest, frozen=True, tag="by_hand"):
    """Start a vote on a position: pawns by cell, and by cell the token or null."""

    arrangement: PositionEdit

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.table.votes.set_by_hand(sender.seat, self.arrangement, sender.request_id)


class SwitchToPaper(ActingRequest, frozen=True, tag="switch_to_paper"):
    """Start a vote on continuing on paper, because the phone with the secret is lost."""

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.table.votes.switch_to_paper(sender.seat, sender.request_id)


# The board


class AnswerReader(Request, frozen=True, tag="board"):
    """Answer the board reader's question; `actions` are those of the accepted reading."""

    answer: Literal["put_back", "accept", "ignore", "listen", "reading"]
    actions: Annotated[list[Any], Meta(max_length=100)] = field(default_factory=list)

    def execute(self, server: ServerContext, sender: Sender) -> None:
        actions = server.table.decode(self.actions) if self.actions else []
        server.reader.answer(self.answer, actions)


class PlacePawn(DisplayRequest, frozen=True, tag="touch"):
    """Put a pawn on a cell by touching the display, which counts like a sensor."""

    pawn: Annotated[str, Meta(max_length=8)]
    cell: CellText

    def execute(self, server: ServerContext, sender: Sender) -> None:
        server.reader.touch(Pawn(self.pawn), Cell(self.cell))


class MaintainBoard(Request, frozen=True, tag="maintain"):
    """Register the only new tag on the board as a piece, forget a piece's tags, or use a device.

    thing: "pawn:H1a", "tile:17", "token:bullet"; for "use_board" a device
    """

    step: Literal["register", "forget", "use_board"]
    thing: Annotated[str, Meta(max_length=200)]

    def execute(self, server: ServerContext, sender: Sender) -> None:
        match self.step:
            case "register":
                server.maintenance.register(self.thing)
            case "forget":
                server.maintenance.forget(self.thing)
            case "use_board":
                server.maintenance.use_board(self.thing)


# After the game


class GetReveals(GuestRequest, frozen=True, tag="reveal"):
    """Get a page of the opened seals, after the game."""

    is_repeatable: ClassVar = True
    reply_has: ClassVar = "result"

    page: Annotated[int, Meta(ge=0, le=1000)] = 0

    def execute(self, server: ServerContext, sender: Sender) -> Reply:
        opened = server.table.opened_commitments()
        starts = range(0, len(opened), REVEALS_PER_PAGE)
        pages = [opened[start : start + REVEALS_PER_PAGE] for start in starts] or [[]]
        return {"opened": pages[min(self.page, len(pages) - 1)], "pages": len(pages)}


class EnterPaperPath(Request, frozen=True, tag="paper"):
    """Type a player's paper after the game, with commas between pages: "C4,C5 D5,,D4"."""

    pages: Annotated[str, Meta(max_length=900, pattern=r"^([A-Za-z]?[0-9]{1,4}|[, ])*$")]

    def execute(self, server: ServerContext, sender: Sender) -> None:
        pages = [page.split() for page in self.pages.split(",")]
        server.table.enter_paper_path(pages, sender.request_id)


@cache
def request_types() -> tuple[type[Request], ...]:
    """Return every type of request: the subclasses of `Request` that have no subclass."""
    return tuple(_leaves(Request))


def decode_request(value: dict[str, Any]) -> Request:
    """Return the request of a phone's JSON; raise `InvalidAction`."""
    if not all_text_is_printable(value):
        raise InvalidAction("bad_text")
    try:
        request: Request = msgspec.convert(value, Union[request_types()])  # noqa: UP007 - a union of a tuple
    except msgspec.ValidationError as wrong:
        raise InvalidAction("unreadable_request") from wrong
    return request


def _leaves(kind: type[Request]) -> list[type[Request]]:
    return [leaf for each in kind.__subclasses__() for leaf in _leaves(each)] or [kind]


def _invitation(server: ServerContext, principal: Principal) -> Reply:
    """Return the invitation; with key and code for seats and displays."""
    inside = server.invitation(inside=principal != Principal())
    svg = (
        {"svg": qr_svg(inside.url), "ways": len(server.join_options())} if principal.display else {}
    )
    return {"join": inside.to_json() | svg, "role": principal.name}


def _page_code(server: ServerContext, page: str, fragment: str) -> dict[str, str]:
    """Return the address of a page with a one-time code, and its QR code."""
    url = f"{server.invitation(inside=False).sibling(page)}#{fragment}"
    return {"url": url, "svg": qr_svg(url)}


def _tiles_by_cell(tiles: Mapping[str, tuple[int, int]]) -> dict[Cell, Tile]:
    return {Cell(cell): Tile(number, turn) for cell, (number, turn) in tiles.items()}
