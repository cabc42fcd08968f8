"""Handle decrypted requests: authorize and execute each `do`.

Replies depend on what the sender's seat may know and on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, NamedTuple

from msgspec import to_builtins

from companion.core.game import GameError, IllegalAction, InvalidAction, Seat
from companion.core.placement import Cell, Pawn, Tile
from companion.sensors.maintenance import BoardMaintenance
from companion.sensors.reader import BoardReader
from companion.sensors.vision.frames.phone_source import PhoneSource
from companion.server.auth.access import AccessControl, Denied, Role
from companion.server.auth.join import Invitation, qr_svg
from companion.server.auth.join_qr import JoinOption, describe_options
from companion.server.auth.tickets import Tickets
from companion.server.rpc.answered_requests import AnsweredRequests
from companion.server.rpc.fixed_delay import Reply, run_now
from companion.server.rpc.requests import (
    AdmitPhone,
    AnswerReader,
    CastVote,
    ChangeSettings,
    CheckTiles,
    Choose,
    ClaimSeat,
    EnterPaperPath,
    Forfeit,
    FreeSeat,
    GetMapTicket,
    GetPhotoTicket,
    GetReveals,
    GiveSeat,
    LayTiles,
    MaintainBoard,
    NextGame,
    Noop,
    OfferCamera,
    OfferDraw,
    OfferScreen,
    PairCamera,
    PairDisplay,
    PauseGame,
    PlacePawn,
    PreviewActions,
    Propose,
    RecoverSeat,
    Rename,
    Request,
    SendShare,
    SetMark,
    SetPosition,
    ShowAim,
    ShowJoinOption,
    StartGame,
    SwitchToPaper,
    TakeActions,
    TakeTiles,
    Undo,
    WatchTable,
    WhoAmI,
    decode_request,
)
from companion.server.sse import to_json
from companion.table.errors import Refused
from companion.table.storage.log import RequestId
from companion.table.table import Table
from companion.table.votes import SYSTEM

ANSWER_BYTES = 6400
"""Bytes of JSON that a reply should not exceed, of the 8,189 that fit."""
PRIVATE_BYTES = 2600
"""Bytes reserved for a seat's snapshot. A public snapshot that does not fit beside it is left out
and fetched in clear: only its own length decides, never the seat's.
"""
DONE_EACH_TIME = (
    # They change nothing, and their reply has the present values.
    WhoAmI, ShowJoinOption, CheckTiles, PreviewActions, GetReveals, Noop,
    # The table itself stores its id, with a digest: other actions under the same id are refused.
    TakeActions,
)  # fmt: skip
"""The requests that are done again when they are sent again; every other one is done once for each
id.
"""
REVEALS_PER_PAGE = 8
"""Opened lines in one answer."""


def error_reply(error: GameError) -> Reply:
    """Return the reply for a refused request.

    The code is the kind of error for a refusal by the rules, else the reason itself.
    """
    message = {"code": error.message.code, "params": dict(error.message.params)}
    kind = error.code if isinstance(error, InvalidAction | IllegalAction) else error.message.code
    return {"ok": False, "code": kind, "message": message}


class CameraPhone(NamedTuple):
    """The camera phone's frames, and the tickets for them."""

    frames: PhoneSource
    tickets: Tickets


class RequestHandler:
    """Handle requests. As thread-safe as the table, the reader and access control."""

    def __init__(
        self,
        table: Table,
        reader: BoardReader,
        access: AccessControl,
        invitation: Callable[..., Invitation],
        join_options: Callable[[], list[JoinOption]],
        maintenance: BoardMaintenance,
        tickets: Tickets,
        camera: CameraPhone,
        prepare_photo: Callable[[], None],
    ) -> None:
        self._table = table
        self._reader = reader
        self._maintenance = maintenance
        self._access = access
        self._invitation = invitation
        self._join_options = join_options
        self._tickets = tickets
        self._camera = camera
        self._prepare_photo = prepare_photo
        self._answered = AnsweredRequests()

    def answer(self, key: str, value: dict[str, Any], address: str) -> Reply:
        """Handle a request of the holder of `key` from `address`; return the reply."""
        try:
            request = decode_request(value)
            result = self._do_once(RequestId(key, request.id), request, address)
            if not result.done():
                # Another thread does it: the phone repeats the request.
                return {"ok": True, "pending": True}
            done = result.result()
            if isinstance(request, NextGame):
                # Each time: the disk may have refused them before.
                self._access.rotate_keys()
        except GameError as error:
            answer = error_reply(error)
            return answer | self._snapshot(ANSWER_BYTES) if answer["code"] == "stale" else answer
        return {"ok": True} | self._status(key, request) | done

    def admit(self, key: str, value: dict[str, Any], address: str) -> Reply:
        """Handle a request of a phone without the table's key: the join code only.

        After the start it is refused, and published to nobody.
        """
        try:
            request = decode_request(value)
            if not isinstance(request, AdmitPhone):
                raise Denied("code_needed")
            if self._access.closed:
                raise Denied("seats_closed")
            self._access.admit(key, request.code, address)
        except GameError as error:
            return error_reply(error)
        return {"ok": True}

    def is_private(self, key: str) -> bool:
        """Return whether replies to `key` contain values that others may not know."""
        seat = self._access.role(key).seat
        if seat is None:
            return False
        snapshot = self._table.snapshot()
        return bool(
            (snapshot["secret"] and snapshot["to_move"] == seat)
            or self._table.seat_snapshot(seat)["own"] is not None
        )

    def private_part(self, key: str) -> Reply:
        """Return the role of `key`, and its seat's private snapshot if it has a seat."""
        role = self._access.role(key)
        return {
            "role": role.name,
            "private": self._table.seat_snapshot(role.seat) if role.seat else None,
        }

    def check_head(self, role: Role, request: Request) -> None:
        """Compare a head stored by a seat's phone or a display with the record.

        Reports of other phones are ignored.
        """
        if (
            role != Role()
            and isinstance(request, WhoAmI)
            and request.head is not None
            and request.expect is not None
        ):
            try:
                self._table.check_memory(request.expect, request.head)
            except Refused:
                # The disk refuses writes: everything else is refused too, and the screen will try
                # again.
                return

    def check_remembered_head(self, key: str, request: Request) -> None:
        """Compare the head that a phone sends when it reconnects its stream."""
        self.check_head(self._access.role(key), request)

    def _status(self, key: str, request: Request) -> Reply:
        """Return the sender's status after a request.

        Only a new phone gets the snapshot; the others have a stream. Fetching it after a
        submission, but not after a preview, would distinguish the two.
        """
        match request:
            case PreviewActions() | GetReveals():
                return {}
            case WhoAmI() | PairDisplay() | ClaimSeat() | RecoverSeat():
                return self.private_part(key) | self._snapshot(ANSWER_BYTES - PRIVATE_BYTES)
            case _:
                return self.private_part(key)

    def _snapshot(self, room: int) -> Reply:
        snapshot = self._table.snapshot()
        return {"snapshot": snapshot if len(to_json(snapshot)) <= room else None}

    def _do_once(self, request_id: RequestId, request: Request, address: str) -> Future[Reply]:
        """Handle a request once for each id, unless it is one of `DONE_EACH_TIME`.

        A phone that got no reply repeats it in another message with the same id.
        """
        role = self._access.role(request_id.by)
        if isinstance(request, DONE_EACH_TIME):
            return run_now(lambda: self._do(request_id, role, request, address))
        return self._answered.do_once(
            request_id, lambda: self._do_new(request_id, role, request, address)
        )

    def _do_new(self, request_id: RequestId, role: Role, request: Request, address: str) -> Reply:
        """Handle a request that was not repeated since the program started."""
        with self._table.journal.lock:
            # An entry of the log may answer it, from before a restart.
            is_new = not self._table.journal.has_answered(request_id)
        done = self._do(request_id, role, request, address) if is_new else {}
        if (
            is_new
            and isinstance(request, FreeSeat)
            and request.seat != role.seat
            and not self._access.closed
        ):
            self._access.change_code()
        return done

    def _do(self, request_id: RequestId, role: Role, request: Request, address: str) -> Reply:
        key = request_id.by
        match request:
            case WhoAmI():
                self.check_head(role, request)
                known = {
                    "admitted": self._access.is_admitted(key),
                    "recovery": self._access.recovery,
                }
                return self._show_invitation(role) | known
            case ShowJoinOption():
                _require_display(_require_role(role))
                return describe_options(self._join_options(), request.index)
            case Noop():
                return {}
            case PairDisplay():
                # A reloaded display still has its used code in its address.
                if not role.display:
                    self._access.pair(key, request.code, address)
                return self._show_invitation(Role(display=True))
            case OfferScreen():
                return self._offer_screen(_require_seat(role))
            case OfferCamera():
                _require_role(role)
                return self._offer_camera()
            case PairCamera():
                self._access.pair_camera(key, request.code, address)
            case WatchTable():
                return self._watch_table(key, request)
            case AdmitPhone():
                self._access.admit(key, request.code, address)
            case ClaimSeat():
                self._access.claim(
                    key, Seat(request.seat), request.name, request.code, request.pin, address
                )
            case RecoverSeat():
                self._access.recover(request_id, Seat(request.seat), request.pin)
            case SendShare():
                _require_seat(role)
                self._table.seeds.give_share(key, request.seal, request.share)
            case PreviewActions():
                return dict(
                    self._table.preview(_require_seat(role), self._table.decode(request.actions))
                )
            case GetReveals():
                return self._reveal(request)
            case TakeActions():
                return self._submit(self._acting_seat(role, request.seat), request)
            case ShowAim():
                actions = self._table.decode(request.actions) if request.actions else []
                self._table.aim(self._acting_seat(role, request.seat), actions)
            case Rename() | Choose() | FreeSeat() | GiveSeat() | SetMark() | Forfeit():
                self._do_as_seat(role, request, request_id)
            case Undo() | CastVote() | OfferDraw() | SetPosition() | SwitchToPaper():
                self._do_vote(role, request, request_id)
            case LayTiles() | CheckTiles() | GetPhotoTicket() | GetMapTicket():
                return self._do_with_tiles(_require_role(role), request)
            case _:
                self._do_for_all(_require_role(role), request, request_id)
        return {}

    def _do_with_tiles(
        self, role: Role, request: LayTiles | CheckTiles | GetPhotoTicket | GetMapTicket
    ) -> Reply:
        match request:
            case LayTiles():
                self._table.lobby.propose_tiles(_tiles_by_cell(request.tiles))
            case CheckTiles():
                return {"steps": self._table.lobby.check_tiles(_tiles_by_cell(request.tiles))}
            case GetPhotoTicket():
                self._prepare_photo()
                return {"ticket": self._tickets.issue()}
            case GetMapTicket():
                self._table.lobby.check_open()
                return {"ticket": self._tickets.issue()}
        return {}

    def _do_as_seat(
        self,
        role: Role,
        request: Rename | Choose | FreeSeat | GiveSeat | SetMark | Forfeit,
        request_id: RequestId,
    ) -> None:
        match request:
            case Rename():
                self._table.seats.rename(_require_seat(role), request.name, request_id)
            case Choose():
                self._table.lobby.choose(
                    self._choosing_seat(role, request.seat), request.what, request.choice
                )
            case FreeSeat():
                self._free_seat(_require_role(role), Seat(request.seat), request_id)
            case GiveSeat():
                self._give_seat(_require_role(role), request, request_id)
            case SetMark():
                self._table.mark(
                    self._acting_seat(role, request.seat),
                    Cell(request.cell),
                    request.mark,
                    request_id,
                )
            case Forfeit():
                self._table.forfeit(_require_seat(role), request_id)

    def _do_vote(
        self,
        role: Role,
        request: Undo | CastVote | OfferDraw | SetPosition | SwitchToPaper,
        request_id: RequestId,
    ) -> None:
        votes, snapshot = self._table.votes, self._table.snapshot()
        match request:
            case Undo():
                votes.undo(
                    self._acting_seat(role, request.seat, snapshot["undo"]["seat"]), request_id
                )
            case CastVote():
                vote = snapshot["vote"] or {"needed": [], "agreed": []}
                if request.agree and role.seat is None and vote.get("what") == "laid":
                    raise Denied("not_by_display")
                left = [seat for seat in vote["needed"] if seat not in vote["agreed"]]
                votes.cast(self._acting_seat(role, request.seat, *left), request.agree, request_id)
            case OfferDraw():
                votes.draw(self._acting_seat(role, request.seat), request_id)
            case SetPosition():
                votes.set_by_hand(
                    self._acting_seat(role, request.seat), request.arrangement, request_id
                )
            case SwitchToPaper():
                votes.go_on_on_paper(self._acting_seat(role, request.seat), request_id)

    def _do_for_all(self, role: Role, request: Request, request_id: RequestId) -> None:
        """Handle requests of any seat or display for the whole table."""
        match request:
            case Propose():
                with self._access.keep_admitted():
                    self._table.lobby.propose(request.change)
            case TakeTiles():
                self._table.lobby.propose_tiles()
            case PauseGame():
                self._table.pause(request.on, request_id)
            case StartGame():
                self._table.start(role.seat or SYSTEM, request_id)
            case EnterPaperPath():
                pages = [page.split() for page in request.pages.split(",")]
                self._table.enter_paper_path(pages, request_id)
            case NextGame():
                self._table.again(request.by, request_id)
            case ChangeSettings():
                self._table.change_settings(request.change, request_id)
            case AnswerReader():
                actions = self._table.decode(request.actions) if request.actions else []
                self._reader.answer(request.answer, actions)
            case PlacePawn():
                self._place_pawn(role, request)
            case MaintainBoard():
                self._maintain_board(request)

    def _show_invitation(self, role: Role) -> Reply:
        """Return the invitation; with key and code for seats and displays."""
        inside = self._invitation(inside=role != Role())
        svg = {"svg": qr_svg(inside.url), "ways": len(self._join_options())} if role.display else {}
        return {"join": inside.to_json() | svg, "role": role.name}

    def _offer_screen(self, seat: Seat) -> Reply:
        url = f"{self._invitation(inside=False).sibling('table')}#{self._access.offer_screen(seat)}"
        return {"screen": {"url": url, "svg": qr_svg(url)}}

    def _offer_camera(self) -> Reply:
        self._camera.frames.check()
        url = f"{self._invitation(inside=False).sibling('camera')}#{self._access.offer_camera()}"
        return {"camera": {"url": url, "svg": qr_svg(url)}}

    def _watch_table(self, key: str, request: WatchTable) -> Reply:
        if not self._access.is_camera(key):
            raise Denied("not_seated")
        frames = self._camera.frames
        frames.check()
        if not request.changed:
            frames.confirm()
        ticket = self._camera.tickets.issue() if request.changed and frames.admit() else None
        return {"ticket": ticket, "reading": to_builtins(frames.reading)}

    def _submit(self, seat: Seat, request: TakeActions) -> Reply:
        """Submit actions; a secret turn that is not stored yet is "pending"."""
        actions = self._table.decode(request.actions)
        receipt = self._table.submit(seat, actions, id=request.id, expect=request.expect)
        return {} if receipt.is_stored else {"pending": True}

    def _place_pawn(self, role: Role, request: PlacePawn) -> None:
        _require_display(role)
        self._reader.touch(Pawn(request.pawn), Cell(request.cell))

    def _maintain_board(self, request: MaintainBoard) -> None:
        match request.step:
            case "register":
                self._maintenance.register(request.thing)
            case "forget":
                self._maintenance.forget(request.thing)
            case "use_board":
                self._maintenance.use_board(request.thing)

    def _free_seat(self, role: Role, seat: Seat, request_id: RequestId) -> None:
        playing = self._table.snapshot()["phase"] == "play"
        if not (playing or role.display or role.seat == seat):
            raise Denied("not_your_seat")
        self._table.seats.free(seat, role.seat or SYSTEM, request_id)

    def _give_seat(self, role: Role, request: GiveSeat, request_id: RequestId) -> None:
        seats = {place["seat"]: place for place in self._table.snapshot()["seats"]}
        held = seats.get(request.seat, {}).get("taken") and "bot" not in seats[request.seat]
        if held and not (role.display or role.seat == request.seat):
            raise Denied("not_your_seat")
        self._table.seats.give(Seat(request.seat), request.level, role.seat or SYSTEM, request_id)

    def _reveal(self, request: GetReveals) -> Reply:
        opened = self._table.opened_commitments()
        pages = [
            opened[start : start + REVEALS_PER_PAGE]
            for start in range(0, len(opened), REVEALS_PER_PAGE)
        ] or [[]]
        return {"opened": pages[min(request.page, len(pages) - 1)], "pages": len(pages)}

    def _choosing_seat(self, role: Role, named: str | None) -> Seat:
        """Return the seat that chooses: the sender's own, or the one that a display names."""
        if role.display and named:
            return Seat(named)
        own = _require_seat(role)
        if named not in (None, own):
            raise Denied("not_your_seat")
        return own

    def _acting_seat(self, role: Role, named: str | None, *candidates: str | None) -> Seat:
        """Return the seat that acts: the sender's own, or one for which a display may act.

        A display names it, else it is the first possible one of `candidates`, the seat to move, and
        all.
        """
        if role.seat is not None:
            if named not in (None, role.seat):
                raise Denied("not_your_seat")
            return role.seat
        if not role.display:
            raise Denied("not_seated")
        snapshot = self._table.snapshot()
        seats = [place["seat"] for place in snapshot["seats"]]
        wanted = [named] if named else [*candidates, snapshot["to_move"], *seats]
        return self._open_seat([Seat(seat) for seat in wanted if seat in seats])

    def _open_seat(self, seats: list[Seat]) -> Seat:
        """Return the first of `seats` without a secret, for a display; raise `Denied`."""
        snapshot = self._table.snapshot()
        secret = snapshot["to_move"] if snapshot["secret"] else None
        for seat in seats:
            if seat != secret and self._table.seat_snapshot(seat)["own"] is None:
                return seat
        raise Denied("not_by_display")


def _tiles_by_cell(tiles: Mapping[str, tuple[int, int]]) -> dict[Cell, Tile]:
    return {Cell(cell): Tile(number, turn) for cell, (number, turn) in tiles.items()}


def _require_seat(role: Role) -> Seat:
    if role.seat is None:
        raise Denied("not_seated")
    return role.seat


def _require_display(role: Role) -> None:
    if not role.display:
        raise Denied("display_only")


def _require_role(role: Role) -> Role:
    if role == Role():
        raise Denied("not_seated")
    return role
