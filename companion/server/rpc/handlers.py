"""Handle decrypted requests: authorize and execute each `do`.

Replies depend on what the sender's seat may know and on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgspec import to_builtins

from companion.core.game import GameError, IllegalAction, InvalidAction, Seat
from companion.core.placement import Cell, Pawn, Tile
from companion.sensors.reader import BoardReader
from companion.sensors.rfid.maintenance import BoardMaintenance
from companion.sensors.vision.frames.phone_source import PhoneSource
from companion.server.auth.access import AccessControl, Denied, Role
from companion.server.auth.join import Invitation, qr_svg
from companion.server.auth.join_qr import JoinOption, describe_options
from companion.server.auth.tickets import Tickets
from companion.server.rpc.fixed_delay import Reply
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
DONE_ONCE = (
    Undo, CastVote, OfferDraw, SetPosition, SwitchToPaper, Forfeit, SetMark, PauseGame,
    StartGame, NextGame, ChangeSettings, FreeSeat, GiveSeat, Rename, EnterPaperPath,
)  # fmt: skip
"""The requests that are done once for each id."""
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

    def answer(self, key: str, asked: dict[str, Any], address: str) -> Reply:
        """Handle a request of the holder of `key` from `address`; return the reply."""
        try:
            ask = decode_request(asked)
            done = self._do_once(key, self._access.role(key), ask, address)
        except GameError as error:
            answer = error_reply(error)
            return answer | self._snapshot(ANSWER_BYTES) if answer["code"] == "stale" else answer
        return {"ok": True} | self._status(key, ask) | done

    def admit(self, key: str, asked: dict[str, Any], address: str) -> Reply:
        """Handle a request of a phone without the table's key: the join code only.

        After the start it is refused, and published to nobody.
        """
        try:
            ask = decode_request(asked)
            if not isinstance(ask, AdmitPhone):
                raise Denied("code_needed")
            if self._access.closed:
                raise Denied("seats_closed")
            self._access.admit(key, ask.code, address)
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

    def check_head(self, role: Role, ask: Request) -> None:
        """Compare a head stored by a seat's phone or a display with the record.

        Reports of other phones are ignored.
        """
        if (
            role != Role()
            and isinstance(ask, WhoAmI)
            and ask.head is not None
            and ask.expect is not None
        ):
            try:
                self._table.check_memory(ask.expect, ask.head)
            except Refused:
                # The disk refuses writes: everything else is refused too, and the screen will try
                # again.
                return

    def check_remembered_head(self, key: str, ask: Request) -> None:
        """Compare the head that a phone sends when it reconnects its stream."""
        self.check_head(self._access.role(key), ask)

    def _status(self, key: str, ask: Request) -> Reply:
        """Return the sender's status after a request.

        Only a new phone gets the snapshot; the others have a stream. Fetching it after a
        submission, but not after a preview, would distinguish the two.
        """
        match ask:
            case PreviewActions() | GetReveals():
                return {}
            case WhoAmI() | PairDisplay() | ClaimSeat() | RecoverSeat():
                return self.private_part(key) | self._snapshot(ANSWER_BYTES - PRIVATE_BYTES)
            case _:
                return self.private_part(key)

    def _snapshot(self, room: int) -> Reply:
        snapshot = self._table.snapshot()
        return {"snapshot": snapshot if len(to_json(snapshot)) <= room else None}

    def _do_once(self, key: str, role: Role, ask: Request, address: str) -> Reply:
        """Handle a request; do one of `DONE_ONCE` once for each id.

        A phone that got no reply asks again in another message with the same id. The table
        deduplicates submissions by their id.
        """
        request = RequestId(key, ask.id)
        if not isinstance(ask, DONE_ONCE):
            return self._do(request, role, ask, address)
        # Held from the check to the entry: a copy that arrives at the same time waits.
        with self._table.journal.lock:
            new = not self._table.journal.has_answered(request)
            done = self._do(request, role, ask, address) if new else {}
        # The seats' lock precedes the table's, which is no longer held.
        if isinstance(ask, NextGame):
            self._access.rotate_keys()
        elif (
            new and isinstance(ask, FreeSeat) and ask.seat != role.seat and not self._access.closed
        ):
            self._access.change_code()
        return done

    def _do(self, request: RequestId, role: Role, ask: Request, address: str) -> Reply:
        key = request.by
        match ask:
            case WhoAmI():
                self.check_head(role, ask)
                known = {
                    "admitted": self._access.is_admitted(key),
                    "recovery": self._access.recovery,
                }
                return self._show_invitation(role) | known
            case ShowJoinOption():
                _require_display(_require_role(role))
                return describe_options(self._join_options(), ask.index)
            case Noop():
                return {}
            case PairDisplay():
                # A reloaded display still has its used code in its address.
                if not role.display:
                    self._access.pair(key, ask.code, address)
                return self._show_invitation(Role(display=True))
            case OfferScreen():
                return self._offer_screen(_require_seat(role))
            case OfferCamera():
                _require_role(role)
                return self._offer_camera()
            case PairCamera():
                self._access.pair_camera(key, ask.code, address)
            case WatchTable():
                return self._watch_table(key, ask)
            case AdmitPhone():
                self._access.admit(key, ask.code, address)
            case ClaimSeat():
                self._access.claim(key, Seat(ask.seat), ask.name, ask.code, ask.pin, address)
            case RecoverSeat():
                self._access.recover(key, Seat(ask.seat), ask.pin)
            case SendShare():
                _require_seat(role)
                self._table.seeds.give_share(key, ask.seal, ask.share)
            case PreviewActions():
                return dict(
                    self._table.preview(_require_seat(role), self._table.decode(ask.actions))
                )
            case GetReveals():
                return self._reveal(ask)
            case TakeActions():
                self._submit(self._acting_seat(role, ask.seat), ask)
            case ShowAim():
                actions = self._table.decode(ask.actions) if ask.actions else []
                self._table.aim(self._acting_seat(role, ask.seat), actions)
            case Rename() | Choose() | FreeSeat() | GiveSeat() | SetMark() | Forfeit():
                self._do_as_seat(role, ask, request)
            case Undo() | CastVote() | OfferDraw() | SetPosition() | SwitchToPaper():
                self._do_vote(role, ask, request)
            case LayTiles() | CheckTiles() | GetPhotoTicket() | GetMapTicket():
                return self._do_with_tiles(_require_role(role), ask)
            case _:
                self._do_for_all(_require_role(role), ask, request)
        return {}

    def _do_with_tiles(
        self, role: Role, ask: LayTiles | CheckTiles | GetPhotoTicket | GetMapTicket
    ) -> Reply:
        match ask:
            case LayTiles():
                self._table.lobby.propose_tiles(_tiles_by_cell(ask.tiles))
            case CheckTiles():
                return {"steps": self._table.lobby.check_tiles(_tiles_by_cell(ask.tiles))}
            case GetPhotoTicket():
                self._prepare_photo()
                return {"ticket": self._tickets.issue()}
            case GetMapTicket():
                return {"ticket": self._tickets.issue()}
        return {}

    def _do_as_seat(
        self,
        role: Role,
        ask: Rename | Choose | FreeSeat | GiveSeat | SetMark | Forfeit,
        request: RequestId,
    ) -> None:
        match ask:
            case Rename():
                self._table.seats.rename(_require_seat(role), ask.name, request)
            case Choose():
                self._table.lobby.choose(self._choosing_seat(role, ask.seat), ask.what, ask.choice)
            case FreeSeat():
                self._free_seat(_require_role(role), Seat(ask.seat), request)
            case GiveSeat():
                self._give_seat(_require_role(role), ask, request)
            case SetMark():
                self._table.mark(
                    self._acting_seat(role, ask.seat), Cell(ask.cell), ask.mark, request
                )
            case Forfeit():
                self._table.forfeit(_require_seat(role), request)

    def _do_vote(
        self,
        role: Role,
        ask: Undo | CastVote | OfferDraw | SetPosition | SwitchToPaper,
        request: RequestId,
    ) -> None:
        votes, undo = self._table.votes, self._table.snapshot()["undo"]
        match ask:
            case Undo():
                votes.undo(self._acting_seat(role, ask.seat, undo["seat"]), request)
            case CastVote():
                asked = undo["asked"] or {"needed": [], "agreed": []}
                if ask.agree and role.seat is None and asked.get("what") == "laid":
                    raise Denied("not_by_display")
                left = [seat for seat in asked["needed"] if seat not in asked["agreed"]]
                votes.answer(self._acting_seat(role, ask.seat, *left), ask.agree, request)
            case OfferDraw():
                votes.draw(self._acting_seat(role, ask.seat), request)
            case SetPosition():
                votes.set_by_hand(self._acting_seat(role, ask.seat), ask.arrangement, request)
            case SwitchToPaper():
                votes.go_on_on_paper(self._acting_seat(role, ask.seat), request)

    def _do_for_all(self, role: Role, ask: Request, request: RequestId) -> None:
        """Handle requests of any seat or display for the whole table."""
        match ask:
            case Propose():
                with self._access.keep_admitted():
                    self._table.lobby.propose(ask.change)
            case TakeTiles():
                self._table.lobby.propose_tiles()
            case PauseGame():
                self._table.pause(ask.on, request)
            case StartGame():
                self._table.start(role.seat or SYSTEM, request)
            case EnterPaperPath():
                pages = [page.split() for page in ask.pages.split(",")]
                self._table.enter_paper_path(pages, request)
            case NextGame():
                self._table.again(ask.by, request)
            case ChangeSettings():
                self._table.change_settings(ask.change, request)
            case AnswerReader():
                actions = self._table.decode(ask.actions) if ask.actions else []
                self._reader.answer(ask.answer, actions)
            case PlacePawn():
                self._place_pawn(role, ask)
            case MaintainBoard():
                self._maintain_board(ask)

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

    def _watch_table(self, key: str, ask: WatchTable) -> Reply:
        if not self._access.is_camera(key):
            raise Denied("not_seated")
        frames = self._camera.frames
        frames.check()
        if not ask.changed:
            frames.confirm()
        ticket = self._camera.tickets.issue() if ask.changed and frames.admit() else None
        return {"ticket": ticket, "reading": to_builtins(frames.reading)}

    def _submit(self, seat: Seat, ask: TakeActions) -> None:
        actions = self._table.decode(ask.actions)
        self._table.submit(seat, actions, id=ask.id, expect=ask.expect)

    def _place_pawn(self, role: Role, ask: PlacePawn) -> None:
        _require_display(role)
        self._reader.touch(Pawn(ask.pawn), Cell(ask.cell))

    def _maintain_board(self, ask: MaintainBoard) -> None:
        match ask.step:
            case "register":
                self._maintenance.register(ask.thing)
            case "forget":
                self._maintenance.forget(ask.thing or "")
            case "skip":
                self._maintenance.skip()
            case "override":
                self._maintenance.override()
            case "stop":
                self._maintenance.stop()
            case "calibrate":
                self._maintenance.calibrate()
            case "uncalibrate":
                self._maintenance.uncalibrate()
            case "use_board":
                self._maintenance.use_board(ask.thing or "")

    def _free_seat(self, role: Role, seat: Seat, request: RequestId) -> None:
        playing = self._table.snapshot()["phase"] == "play"
        if not (playing or role.display or role.seat == seat):
            raise Denied("not_your_seat")
        self._table.seats.free(seat, role.seat or SYSTEM, request)

    def _give_seat(self, role: Role, ask: GiveSeat, request: RequestId) -> None:
        seats = {place["seat"]: place for place in self._table.snapshot()["seats"]}
        held = seats.get(ask.seat, {}).get("taken") and "bot" not in seats[ask.seat]
        if held and not (role.display or role.seat == ask.seat):
            raise Denied("not_your_seat")
        self._table.seats.give(Seat(ask.seat), ask.level, role.seat or SYSTEM, request)

    def _reveal(self, ask: GetReveals) -> Reply:
        opened = self._table.opened_commitments()
        pages = [
            opened[start : start + REVEALS_PER_PAGE]
            for start in range(0, len(opened), REVEALS_PER_PAGE)
        ] or [[]]
        return {"opened": pages[min(ask.page, len(pages) - 1)], "pages": len(pages)}

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
