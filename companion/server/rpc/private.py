"""Serve the two encrypted routes: one request and its reply, and a seat's stream."""

from __future__ import annotations

from concurrent.futures import Future

from flask import Blueprint, Response, request

from companion.core.codec import canonical
from companion.core.game import InvalidAction
from companion.server.context import ServerContext, server_context
from companion.server.http.errors import log_error
from companion.server.http.limits import StreamsFull
from companion.server.http.security import BOXED_TYPE, audience
from companion.server.routes.public import STREAM_HEADERS, json_answer, streams_full
from companion.server.rpc.channel import Channel, DecryptedRequest, DecryptError, ReplyTooLong
from companion.server.rpc.fixed_delay import Reply
from companion.server.rpc.requests import decode_request
from companion.server.sse import SealFrame, seat_stream

private = Blueprint("private", __name__)


@private.post("/channel")
@audience("boxed")
def channel() -> Response:
    """Answer one encrypted request."""
    house = server_context()
    message = request.get_data(cache=False)
    try:
        by, opened = house.open(message)
    except DecryptError:
        return _answer_admission(house, message)
    answer = _result(house, _submit(house, opened)) | house.next_key(by)
    return Response(_seal(by, opened.key, answer | {"re": opened.nonce}), mimetype=BOXED_TYPE)


@private.post("/stream")
@audience("boxed")
def stream() -> Response:
    """Stream a seat's updates, half of each line encrypted."""
    house = server_context()
    try:
        by, opened = house.open(request.get_data(cache=False))
        ask = decode_request(opened.asked)
    except (DecryptError, InvalidAction):
        return decrypt_failed()
    house.handler.check_remembered_head(opened.key, ask)
    try:
        subscription = house.stream_slots.take(
            lambda: house.table.journal.subscribe(ask.expect), house.address(), opened.key
        )
    except StreamsFull:
        return streams_full()
    lines = seat_stream(subscription, house.encoder, _frames(house, by, opened))
    response = Response(lines, mimetype="application/x-ndjson", headers=STREAM_HEADERS)
    response.call_on_close(lambda: house.stream_slots.release(subscription))
    return response


def decrypt_failed() -> Response:
    """Return the same response to everything that is not encrypted for this table."""
    return json_answer({"code": "unopened"}, 400)


def _answer_admission(house: ServerContext, message: bytes) -> Response:
    """Answer a phone that knows the letters of the joining code alone."""
    try:
        opened = house.admission.open(message)
    except DecryptError:
        return decrypt_failed()
    address = house.address()
    answer = _result(house, house.executor.run_now(lambda: house.admit(opened, address)))
    return Response(
        _seal(house.admission, opened.key, answer | {"re": opened.nonce}), mimetype=BOXED_TYPE
    )


def _submit(house: ServerContext, opened: DecryptedRequest) -> Future[Reply]:
    """Run the request: public replies at once, private ones at the fixed moment."""
    address = house.address()

    def job() -> Reply:
        return house.handler.answer(opened.key, opened.asked, address)

    if house.handler.is_private(opened.key):
        return house.executor.run_delayed(opened.key + canonical(opened.asked), job)
    return house.executor.run_now(job)


def _result(house: ServerContext, future: Future[Reply]) -> Reply:
    """Return the reply as it is at its moment."""
    if not future.done():
        return {"ok": True, "pending": True}
    if (error := future.exception()) is not None:
        # Inside the box: outside, all private answers look alike.
        said = {"code": "internal_error", "params": {"id": log_error(error, house.entropy)}}
        return {"ok": False, "code": "internal_error", "said": said}
    return future.result()


def _frames(house: ServerContext, by: Channel, opened: DecryptedRequest) -> SealFrame:
    """Return the function that encrypts a stream's frames.

    Each frame names the request that it answers and its own number. A frame with another key is
    the last.
    """

    def frame(count: int) -> tuple[bytes, bool]:
        own, told = house.handler.private_part(opened.key), house.next_key(by)
        return _seal(by, opened.key, own | told | {"re": opened.nonce, "n": count}), bool(told)

    return frame


def _seal(by: Channel, key: str, value: Reply) -> bytes:
    try:
        return by.seal(key, value)
    except ReplyTooLong:
        said = {"code": "answer_too_long", "params": {}}
        short = {name: value[name] for name in ("re", "n", "role", "next") if name in value}
        return by.seal(
            key, short | {"ok": False, "code": "answer_too_long", "said": said, "private": None}
        )
