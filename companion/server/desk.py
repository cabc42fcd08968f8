"""The desk: what each `do` of the channel does, and who may do it.

Answers depend on what the asking seat may know and on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.board.reader import BoardReader
from companion.core.game import GameError, IllegalAction, InvalidAction, Seat
from companion.core.placement import Cell, Pawn
from companion.server.asks import (
    Again,
    Aim,
    AnswerBoard,
    Ask,
    Blank,
    ChangeSettings,
    Claim,
    Consent,
    Draw,
    Forfeit,
    Free,
    Hello,
    Mark,
    Pair,
    Pause,
    Preview,
    Propose,
    Recover,
    Rename,
    Reveal,
    Start,
    Submit,
    TouchPawn,
    Undo,
    read_ask,
)
from companion.server.events import to_json
from companion.server.join import Invitation, qr_svg
from companion.server.release import Answer
from companion.server.seats import Denied, Role, Seats
from companion.table.table import Table

ROOM_BYTES = 6400
"""Bytes of JSON that an answer should not pass, of the 8,189 that the box takes."""
PRIVATE_BYTES = 2600
"""What of it is kept for a seat's own page. A public picture that does not fit beside it is left out and
fetched in clear: what decides is the picture's length alone, never the page's."""
LINES = 8
"""Opened lines in one answer."""


def refusal(error: GameError) -> Answer:
    """Return the answer that tells a refusal: the kind for what the rules refuse, else the reason itself."""
    said = {"code": error.said.code, "params": dict(error.said.params)}
    kind = error.code if isinstance(error, InvalidAction | IllegalAction) else error.said.code
    return {"ok": False, "code": kind, "said": said}


class Desk:
    """Answers what was asked. Thread-safe as far as the table, the reader and the seats are."""

    def __init__(self, table: Table, reader: BoardReader, seats: Seats, invitation: Callable[..., Invitation]) -> None:
        self._table = table
        self._reader = reader
        self._seats = seats
        self._invitation = invitation

    def answer(self, key: str, asked: dict[str, Any], address: str) -> Answer:
        """Return the answer to what the holder of `key` asks from `address`."""
        try:
            ask = read_ask(asked)
            done = self._do(key, self._seats.role(key), ask, address)
        except GameError as error:
            answer = refusal(error)
            return answer | self._picture(ROOM_BYTES) if answer["code"] == "stale" else answer
        return {"ok": True} | self._standing(key, ask) | done

    def is_private(self, key: str) -> bool:
        """Return whether answers to `key` tell something that others may not know."""
        seat = self._seats.role(key).seat
        if seat is None:
            return False
        picture = self._table.picture()
        return bool((picture["secret"] and picture["to_move"] == seat) or self._table.private(seat)["own"] is not None)

    def private_part(self, key: str) -> Answer:
        """Return what a frame of a stream tells the holder of `key`: nothing but his role, if he has no seat."""
        role = self._seats.role(key)
        return {"role": role.name, "private": self._table.private(role.seat) if role.seat else None}

    def _standing(self, key: str, ask: Ask) -> Answer:
        """Return how it stands after `ask`. Only who arrives needs the picture: all others have a stream, and
        fetching it after a submission, but not after a draft, would show the one from the other."""
        match ask:
            case Preview() | Reveal():
                return {}
            case Hello() | Pair() | Claim() | Recover():
                return self.private_part(key) | self._picture(ROOM_BYTES - PRIVATE_BYTES)
            case _:
                return self.private_part(key)

    def _picture(self, room: int) -> Answer:
        picture = self._table.picture()
        return {"picture": picture if len(to_json(picture)) <= room else None}

    def _do(self, key: str, role: Role, ask: Ask, address: str) -> Answer:
        match ask:
            case Hello() | Blank():
                return self._way_in(role)
            case Pair():
                # A display that is loaded again still has its used code in its address.
                if not role.display:
                    self._seats.pair(key, ask.code, address)
                return self._way_in(Role(display=True))
            case Claim():
                self._seats.claim(key, Seat(ask.seat), ask.name, ask.code, ask.pin, address)
            case Recover():
                self._seats.recover(key, Seat(ask.seat), ask.pin)
            case Preview():
                return dict(self._table.preview(_seated(role), self._table.decode(ask.actions)))
            case Reveal():
                return self._reveal(ask)
            case Submit():
                self._submit(self._acting(role, ask.seat), ask)
            case Aim():
                actions = self._table.decode(ask.actions) if ask.actions else []
                self._table.aim(self._acting(role, ask.seat), actions)
            case Rename() | Free() | Mark() | Forfeit():
                self._do_as_seat(role, ask)
            case Undo() | Consent() | Draw():
                self._do_together(role, ask)
            case _:
                self._do_for_all(_somebody(role), ask)
        return {}

    def _do_as_seat(self, role: Role, ask: Rename | Free | Mark | Forfeit) -> None:
        match ask:
            case Rename():
                self._table.rename(_seated(role), ask.name)
            case Free():
                self._free(_somebody(role), Seat(ask.seat))
            case Mark():
                self._table.mark(self._acting(role, ask.seat), Cell(ask.cell), ask.mark)
            case Forfeit():
                self._table.forfeit(_seated(role))

    def _do_together(self, role: Role, ask: Undo | Consent | Draw) -> None:
        undo = self._table.picture()["undo"]
        match ask:
            case Undo():
                self._table.undo(self._acting(role, ask.seat, undo["seat"]))
            case Consent():
                asked = undo["asked"] or {"needed": [], "agreed": []}
                left = [seat for seat in asked["needed"] if seat not in asked["agreed"]]
                self._table.consent(self._acting(role, ask.seat, *left), ask.agree)
            case Draw():
                self._table.agree_draw(self._acting(role, ask.seat))

    def _do_for_all(self, role: Role, ask: Ask) -> None:
        """Do what anybody with a seat or a hand on the display may do for the whole table."""
        match ask:
            case Propose():
                self._table.propose(ask.change)
            case Pause():
                self._table.pause(ask.on)
            case Start():
                self._table.start()
            case Again():
                self._table.again(swap=ask.swap)
                self._seats.new_join_code()
            case ChangeSettings():
                self._table.change_settings(ask.change)
            case AnswerBoard():
                self._reader.answer(ask.answer, ask.index)
            case TouchPawn():
                self._touch(role, ask)

    def _way_in(self, role: Role) -> Answer:
        """The joining code lets people in: shown to those who are in, and to the display on the table."""
        inside = self._invitation(inside=role != Role())
        svg = {"svg": qr_svg(inside.url)} if role.display else {}
        return {"join": inside.show() | svg, "role": role.name}

    def _submit(self, seat: Seat, ask: Submit) -> None:
        actions = self._table.decode(ask.actions)
        self._table.submit(seat, actions, id=ask.id, expect=ask.expect)

    def _touch(self, role: Role, ask: TouchPawn) -> None:
        if not role.display:
            raise Denied("display_only")
        self._reader.touch(Pawn(ask.pawn), Cell(ask.cell))

    def _free(self, role: Role, seat: Seat) -> None:
        playing = self._table.picture()["phase"] == "play"
        if not (playing or role.display or role.seat == seat):
            raise Denied("not_your_seat")
        self._table.free(seat, role.seat)

    def _reveal(self, ask: Reveal) -> Answer:
        opened = self._table.opened()
        pages = [opened[start : start + LINES] for start in range(0, len(opened), LINES)] or [[]]
        return {"opened": pages[min(ask.page, len(pages) - 1)], "pages": len(pages)}

    def _acting(self, role: Role, named: str | None, *likely: str | None) -> Seat:
        """Return the seat that acts: the asker's own, or the one that a hand on the display acts for - the
        one it names, else the first that it may act for of the likely ones and the one to move."""
        if role.seat is not None:
            if named not in (None, role.seat):
                raise Denied("not_your_seat")
            return role.seat
        if not role.display:
            raise Denied("not_seated")
        picture = self._table.picture()
        seats = [place["seat"] for place in picture["seats"]]
        wanted = [named] if named else [*likely, picture["to_move"], *seats]
        return self._open_seat([Seat(seat) for seat in wanted if seat in seats])

    def _open_seat(self, seats: list[Seat]) -> Seat:
        """Return the first of `seats` that the display may act for: one without a secret. Raise `Denied`."""
        picture = self._table.picture()
        secret = picture["to_move"] if picture["secret"] else None
        for seat in seats:
            if seat != secret and self._table.private(seat)["own"] is None:
                return seat
        raise Denied("not_by_display")


def _seated(role: Role) -> Seat:
    if role.seat is None:
        raise Denied("not_seated")
    return role.seat


def _somebody(role: Role) -> Role:
    if role == Role():
        raise Denied("not_seated")
    return role
