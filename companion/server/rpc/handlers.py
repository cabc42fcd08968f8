"""Answer decrypted requests: authorize each one and do it, once for each id.

The encrypted channel has authenticated the sender by its key; `AccessControl.principal` returns
who that is. Thread-safe, as the table, the reader and access control are.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from companion.core.game import GameError, IllegalAction, InvalidAction
from companion.server.auth.access import Denied
from companion.server.auth.codes import key_text
from companion.server.context import ServerContext
from companion.server.rpc.channel import DecryptedRequest
from companion.server.rpc.replies import Reply, run_now
from companion.server.rpc.request import Request, Sender
from companion.server.rpc.requests import AdmitPhone, decode_request
from companion.server.sse import to_json
from companion.table.storage.log import RequestId

ANSWER_BYTES = 6400
"""Bytes of JSON that a reply should not exceed, of the 8,189 that fit."""
PRIVATE_BYTES = 2600
"""Bytes reserved for a seat's snapshot. A public snapshot that does not fit beside it is left out
and fetched in clear: only its own length decides, never the seat's.
"""


def error_reply(error: GameError) -> Reply:
    """Return the reply for a refused request.

    The code is the kind of error for a refusal by the rules, else the reason itself.
    """
    message = {"code": error.message.code, "params": dict(error.message.params)}
    kind = error.code if isinstance(error, InvalidAction | IllegalAction) else error.message.code
    return {"ok": False, "code": kind, "message": message}


def answer(server: ServerContext, key: str, value: dict[str, Any], address: str) -> Reply:
    """Do a request of the holder of `key` from `address`; return the reply."""
    try:
        request = decode_request(value)
        future = _do_once(server, RequestId(key, request.id), request, address)
        if not future.done():
            # Another thread does it: the phone repeats the request.
            return {"ok": True, "pending": True}
        result = future.result()
        request.finish(server)
    except GameError as error:
        reply = error_reply(error)
        return reply | _snapshot(server, ANSWER_BYTES) if reply["code"] == "stale" else reply
    return {"ok": True} | _status(server, key, request) | result


def admit(server: ServerContext, opened: DecryptedRequest, address: str) -> Reply:
    """Admit a phone without the table's key, which sent the join code; return the key.

    Without a correct code the reply has only public values. After the start it is refused, and
    published to nobody.
    """
    try:
        request = decode_request(opened.value)
        if not isinstance(request, AdmitPhone):
            raise Denied("code_needed")
        if server.access.closed:
            raise Denied("seats_closed")
        server.access.admit(opened.key, request.code, address)
    except GameError as error:
        return error_reply(error)
    return {"ok": True, "key": key_text(server.channel.public_key)}


def is_private(server: ServerContext, key: str) -> bool:
    """Return whether replies to `key` contain values that others may not know."""
    seat = server.access.principal(key).seat
    if seat is None:
        return False
    snapshot = server.table.snapshot()
    return bool(
        (snapshot["secret"] and snapshot["to_move"] == seat)
        or server.table.seat_snapshot(seat)["own"] is not None
    )


def private_part(server: ServerContext, key: str) -> Reply:
    """Return the role of `key`, and its seat's private snapshot if it has a seat."""
    principal = server.access.principal(key)
    return {
        "role": principal.name,
        "private": server.table.seat_snapshot(principal.seat) if principal.seat else None,
    }


def perform(server: ServerContext, request_id: RequestId, request: Request, address: str) -> Reply:
    """Authorize a request and do it; return its result. Raises `GameError`."""
    principal = server.access.principal(request_id.by)
    seat = request.authorize(server, principal)
    return request.execute(server, Sender(request_id, principal, address, seat)) or {}


def _do_once(
    server: ServerContext, request_id: RequestId, request: Request, address: str
) -> Future[Reply]:
    """Do a request once for each id, unless it is repeatable.

    A phone that got no reply repeats it in another message with the same id.
    """

    def do_new() -> Reply:
        # An entry of the log may answer it, from before a restart.
        with server.table.journal.lock:
            if server.table.journal.has_answered(request_id):
                return {}
        return perform(server, request_id, request, address)

    if request.is_repeatable:
        return run_now(lambda: perform(server, request_id, request, address))
    return server.answered.do_once(request_id, do_new)


def _status(server: ServerContext, key: str, request: Request) -> Reply:
    """Return the sender's status after a request.

    Only a new phone gets the snapshot; the others have a stream. Fetching it after a submission,
    but not after a preview, would distinguish the two.
    """
    match request.reply_has:
        case "result":
            return {}
        case "seat":
            return private_part(server, key)
        case "everything":
            return private_part(server, key) | _snapshot(server, ANSWER_BYTES - PRIVATE_BYTES)


def _snapshot(server: ServerContext, room: int) -> Reply:
    snapshot = server.table.snapshot()
    return {"snapshot": snapshot if len(to_json(snapshot)) <= room else None}
