"""The two boxed routes: one question and its answer, and a seat's stream."""

from __future__ import annotations

from concurrent.futures import Future

from flask import Flask, Response, request

from companion.core.codec import canonical
from companion.core.game import InvalidAction
from companion.server.context import House
from companion.server.http.errors import report
from companion.server.http.security import BOXED_TYPE, audience
from companion.server.http.slots import Full
from companion.server.routes.public import STREAM_HEADERS, full, json_answer
from companion.server.rpc.channel import Channel, Opened, TooLong, Unopened
from companion.server.rpc.fixed_delay import Answer
from companion.server.rpc.requests import read_ask
from companion.server.sse import Frame, seat_stream


def add_private(app: Flask, house: House) -> None:
    """Add the routes of the private channel."""

    @app.post("/channel")
    @audience("boxed")
    def channel() -> Response:
        message = request.get_data(cache=False)
        try:
            by, opened = house.open(message)
        except Unopened:
            return _admission(house, message)
        answer = _settled(house, _begun(house, opened)) | house.handover(by)
        return Response(_seal(by, opened.key, answer | {"re": opened.nonce}), mimetype=BOXED_TYPE)

    @app.post("/stream")
    @audience("boxed")
    def stream() -> Response:
        try:
            by, opened = house.open(request.get_data(cache=False))
            ask = read_ask(opened.asked)
        except (Unopened, InvalidAction):
            return unopened()
        house.desk.hear(opened.key, ask)
        try:
            subscription = house.slots.take(
                lambda: house.table.subscribe(ask.expect), house.address(), opened.key
            )
        except Full:
            return full()
        lines = seat_stream(subscription, house.encoder, _frames(house, by, opened))
        response = Response(lines, mimetype="application/x-ndjson", headers=STREAM_HEADERS)
        response.call_on_close(lambda: house.slots.give_back(subscription))
        return response


def unopened() -> Response:
    """Return the one answer to everything that is not boxed for this table."""
    return json_answer({"code": "unopened"}, 400)


def _admission(house: House, message: bytes) -> Response:
    """Answer a phone that knows the letters of the joining code alone."""
    try:
        opened = house.admission.open(message)
    except Unopened:
        return unopened()
    address = house.address()
    answer = _settled(house, house.release.at_once(lambda: house.admit(opened, address)))
    return Response(
        _seal(house.admission, opened.key, answer | {"re": opened.nonce}), mimetype=BOXED_TYPE
    )


def _begun(house: House, opened: Opened) -> Future[Answer]:
    """Let the desk answer: at once what is public anyway, at the fixed moment what is private."""
    address = house.address()

    def job() -> Answer:
        return house.desk.answer(opened.key, opened.asked, address)

    if house.desk.is_private(opened.key):
        return house.release.held(opened.key + canonical(opened.asked), job)
    return house.release.at_once(job)


def _settled(house: House, future: Future[Answer]) -> Answer:
    """Return the answer as it stands at its moment."""
    if not future.done():
        return {"ok": True, "pending": True}
    if (error := future.exception()) is not None:
        # Inside the box: outside, all private answers look alike.
        said = {"code": "internal_error", "params": {"id": report(error, house.entropy)}}
        return {"ok": False, "code": "internal_error", "said": said}
    return future.result()


def _frames(house: House, by: Channel, opened: Opened) -> Frame:
    """Return the frames of one stream: each names the hello that it answers and its own number. The
    first that tells of another key is the last.
    """

    def frame(count: int) -> tuple[bytes, bool]:
        own, told = house.desk.private_part(opened.key), house.handover(by)
        return _seal(by, opened.key, own | told | {"re": opened.nonce, "n": count}), bool(told)

    return frame


def _seal(by: Channel, key: str, value: Answer) -> bytes:
    try:
        return by.seal(key, value)
    except TooLong:
        said = {"code": "answer_too_long", "params": {}}
        short = {name: value[name] for name in ("re", "n", "role", "next") if name in value}
        return by.seal(
            key, short | {"ok": False, "code": "answer_too_long", "said": said, "private": None}
        )
