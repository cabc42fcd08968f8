"""The base of all requests: who may send one, what it does, and whether it is done once.

A new request is one class in `requests.py`. By default it is for seats and displays, and is done
once for each id.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from msgspec import Meta, Struct

from companion.core.game import Seat
from companion.server.auth.access import Denied, Principal
from companion.server.context import ServerContext
from companion.server.rpc.replies import Reply
from companion.table.storage.log import RequestId
from companion.table.votes import SYSTEM

SeatName = Annotated[str, Meta(min_length=1, max_length=16, pattern=r"^[A-Za-z0-9]+$")]


class Sender(NamedTuple):
    """The sender of an authorized request.

    seat: the seat that acts; `SYSTEM` for a display that acts for no seat, and for a guest
    """

    request_id: RequestId
    principal: Principal
    address: str
    seat: Seat

    @property
    def key(self) -> str:
        """The sender's public key as hex."""
        return self.request_id.by


class Request(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, kw_only=True):
    """A request of a seat or a display.

    id: 128 random bits, the same when the sender repeats it because no reply came
    expect: the public position that the sender has seen
    """

    is_repeatable: ClassVar[bool] = False
    """Whether a repeated id is done again: it changes nothing, or the table stores its id."""
    reply_has: ClassVar[Literal["result", "seat", "everything"]] = "seat"
    """What a reply has: the result, also the sender's role and private snapshot, or also the public
    snapshot.
    """

    id: Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$")]
    expect: Annotated[int, Meta(ge=0)] | None = None

    def authorize(self, server: ServerContext, principal: Principal) -> Seat:
        """Return the seat that acts, `SYSTEM` without one; raise `Denied`."""
        if principal == Principal():
            raise Denied("not_seated")
        return principal.seat or SYSTEM

    def execute(self, server: ServerContext, sender: Sender) -> Reply | None:
        """Do what is asked; return the result, None for an empty one. Raises `GameError`."""
        raise NotImplementedError

    def finish(self, server: ServerContext) -> None:
        """Do what is done each time that the request is sent, also if it was done before."""


class GuestRequest(Request, frozen=True):
    """A request of anybody in the network."""

    def authorize(self, server: ServerContext, principal: Principal) -> Seat:
        return principal.seat or SYSTEM


class DisplayRequest(Request, frozen=True):
    """A request of a display."""

    def authorize(self, server: ServerContext, principal: Principal) -> Seat:
        if principal == Principal():
            raise Denied("not_seated")
        if not principal.display:
            raise Denied("display_only")
        return SYSTEM


class SeatRequest(Request, frozen=True):
    """A request of a seat's own phone."""

    def authorize(self, server: ServerContext, principal: Principal) -> Seat:
        if principal.seat is None:
            raise Denied("not_seated")
        return principal.seat


class ActingRequest(Request, frozen=True, kw_only=True):
    """A request of a seat, for which a display may act while the seat has no secret.

    seat: for a display; without it the seat is the first one that may act of `candidates`, the seat
    to move, and all
    """

    seat: SeatName | None = None

    def candidates(self, snapshot: dict[str, Any]) -> list[str | None]:
        """Return the seats for which a display acts first, by the public snapshot."""
        return []

    def authorize(self, server: ServerContext, principal: Principal) -> Seat:
        if principal.seat is not None:
            if self.seat not in (None, principal.seat):
                raise Denied("not_your_seat")
            return principal.seat
        if not principal.display:
            raise Denied("not_seated")
        snapshot = server.table.snapshot()
        seats = [place["seat"] for place in snapshot["seats"]]
        to_move = snapshot["to_move"]
        names = [self.seat] if self.seat else [*self.candidates(snapshot), to_move, *seats]
        for seat in (Seat(name) for name in names if name in seats):
            acts_in_secret = snapshot["secret"] and seat == to_move
            if not acts_in_secret and server.table.seat_snapshot(seat)["own"] is None:
                return seat
        raise Denied("not_by_display")
