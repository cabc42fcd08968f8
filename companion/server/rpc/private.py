"""Serve the two encrypted routes: one request and its reply, and a seat's stream."""

from __future__ import annotations

from concurrent.futures import Future

from flask import Blueprint, Response, request

from companion.core.codec import canonical_json
from companion.core.game import InvalidAction
from companion.server.context import ServerContext, server_context
from companion.server.http.errors import log_error
from companion.server.http.limits import StreamsFull
from companion.server.http.security import BOXED_TYPE, audience
from companion.server.routes.public import STREAM_HEADERS, json_answer, streams_full
from companion.server.rpc import handlers
from companion.server.rpc.channel import Channel, DecryptedRequest, DecryptError, ReplyTooLong
from companion.server.rpc.replies import Reply, run_now
from companion.server.rpc.requests import WhoAmI, decode_request
from companion.server.sse import SealFrame, seat_stream

private = Blueprint("private", __name__)


@private.post("/channel")
@audience("boxed")
def channel() -> Response:
    """Answer one encrypted request."""
    context = server_context()
    message = request.get_data(cache=False)
    try:
        by, opened = context.open(message)
    except DecryptError:
        return _answer_admission(context, message)
    answer = _result(context, _submit(context, opened)) | context.next_key(by)
    return Response(_seal(by, opened.key, answer | {"re": opened.nonce}), mimetype=BOXED_TYPE)


@private.post("/stream")
@audience("boxed")
def stream() -> Response:
    """Stream a seat's updates, half of each line encrypted."""
    context = server_context()
    try:
        by, opened = context.open(request.get_data(cache=False))
        hello = decode_request(opened.value)
    except (DecryptError, InvalidAction):
        return decrypt_failed()
    if isinstance(hello, WhoAmI):
        hello.check_head(context, context.access.principal(opened.key))
    try:
        subscription = context.stream_slots.take(
            lambda: context.table.journal.subscribe(hello.expect), context.address(), opened.key
        )
    except StreamsFull:
        return streams_full()
    lines = seat_stream(subscription, context.encoder, _frames(context, by, opened))
    response = Response(lines, mimetype="application/x-ndjson", headers=STREAM_HEADERS)
    response.call_on_close(lambda: context.stream_slots.release(subscription))
    return response


def decrypt_failed() -> Response:
    """Return the same response to everything that is not encrypted for this table."""
    return json_answer({"code": "unopened"}, 400)


def _answer_admission(context: ServerContext, message: bytes) -> Response:
    """Answer a phone that has only the letters of the join code."""
    try:
        opened = context.admission.open(message)
    except DecryptError:
        return decrypt_failed()
    address = context.address()
    answer = _result(context, run_now(lambda: handlers.admit(context, opened, address)))
    return Response(
        _seal(context.admission, opened.key, answer | {"re": opened.nonce}), mimetype=BOXED_TYPE
    )


def _submit(context: ServerContext, opened: DecryptedRequest) -> Future[Reply]:
    """Run the request: public replies at once, private ones at the fixed moment."""
    address = context.address()

    def job() -> Reply:
        return handlers.answer(context, opened.key, opened.value, address)

    if handlers.is_private(context, opened.key):
        return context.executor.run_delayed(opened.key + canonical_json(opened.value), job)
    return run_now(job)


def _result(context: ServerContext, future: Future[Reply]) -> Reply:
    """Return the reply at the fixed time."""
    if not future.done():
        return {"ok": True, "pending": True}
    if (error := future.exception()) is not None:
        # Inside the box: outside, all private answers look alike.
        message = {"code": "internal_error", "params": {"id": log_error(error, context.entropy)}}
        return {"ok": False, "code": "internal_error", "message": message}
    return future.result()


def _frames(context: ServerContext, by: Channel, opened: DecryptedRequest) -> SealFrame:
    """Return the function that encrypts a stream's frames.

    Each frame names the request that it answers and its own number. A frame with another key is
    the last.
    """

    def frame(count: int) -> tuple[bytes, bool]:
        own, key = handlers.private_part(context, opened.key), context.next_key(by)
        return _seal(by, opened.key, own | key | {"re": opened.nonce, "n": count}), bool(key)

    return frame


def _seal(by: Channel, key: str, value: Reply) -> bytes:
    try:
        return by.seal(key, value)
    except ReplyTooLong:
        message = {"code": "answer_too_long", "params": {}}
        short = {name: value[name] for name in ("re", "n", "role", "next") if name in value}
        return by.seal(
            key,
            short | {"ok": False, "code": "answer_too_long", "message": message, "private": None},
        )
