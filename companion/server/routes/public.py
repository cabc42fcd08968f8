"""What everybody may ask without a key: the picture, the stream, the way in, how the machine is."""

from __future__ import annotations

from flask import Flask, Response, request

from companion.i18n import web_root
from companion.server.auth.codes import key_text
from companion.server.auth.join import qr_svg
from companion.server.context import ServerContext
from companion.server.http.limits import StreamsFull
from companion.server.http.network import is_local
from companion.server.http.security import audience
from companion.server.openapi import openapi_document
from companion.server.sse import last_event_id, public_stream, to_json
from companion.server.standalone import handover_page, proof_page, replay_page
from companion.table.errors import Refused

RETRY_AFTER = "5"
"""Seconds; constant, so that it tells nothing of anybody's requests."""
STREAM_HEADERS = {"X-Accel-Buffering": "no"}


def json_answer(value: object, status: int = 200) -> Response:
    """Return a value as a JSON response."""
    return Response(to_json(value), status, mimetype="application/json")


def streams_full() -> Response:
    """Return what a listener hears when no stream is free: come again, or poll /picture."""
    response = json_answer({"code": "streams_full"}, 503)
    response.headers["Retry-After"] = RETRY_AFTER
    return response


def add_public(app: Flask, house: ServerContext) -> None:
    """Add the routes that need no key."""

    @app.get("/events")
    @audience("everybody")
    def events() -> Response:
        after = last_event_id(request.headers.get("Last-Event-ID"), request.args.get("after"))
        try:
            subscription = house.slots.take(lambda: house.table.subscribe(after), house.address())
        except StreamsFull:
            return streams_full()
        stream = public_stream(subscription, house.encoder)
        response = Response(stream, mimetype="text/event-stream", headers=STREAM_HEADERS)
        response.call_on_close(lambda: house.slots.give_back(subscription))
        return response

    @app.get("/picture")
    @audience("everybody")
    def picture() -> Response:
        return json_answer(house.table.snapshot())

    @app.get("/reference")
    @audience("everybody")
    def reference() -> Response:
        return json_answer(house.table.reference())

    @app.get("/answers")
    @audience("everybody")
    def answers() -> Response:
        return json_answer(house.table.disclosed())

    @app.get("/history")
    @audience("everybody")
    def history() -> Response:
        after = last_event_id(None, request.args.get("after"))
        return json_answer(house.table.history(after) if after is not None else [])

    @app.get("/record.jsonl")
    @audience("everybody")
    def record() -> Response:
        try:
            return Response(house.record(), mimetype="application/jsonl")
        except Refused as early:
            return json_answer({"code": early.said.code}, 404)

    @app.get("/proof.html")
    @audience("everybody")
    def proof() -> Response:
        try:
            page = proof_page(house.record(), web_root())
        except Refused as early:
            return json_answer({"code": early.said.code}, 404)
        # It is kept, not opened here: a page of this house runs no script of its own body.
        return Response(
            page,
            mimetype="text/html",
            headers={"Content-Disposition": "attachment; filename=proof.html"},
        )

    @app.get("/leaf.html")
    @audience("everybody")
    def leaf() -> Response:
        try:
            page = handover_page(house.table.snapshot(), house.table.disclosed(), web_root())
        except Refused as none:
            return json_answer({"code": none.said.code}, 404)
        return Response(
            page,
            mimetype="text/html",
            headers={"Content-Disposition": "attachment; filename=game.html"},
        )

    @app.get("/likely.json")
    @audience("everybody")
    def likely() -> Response:
        try:
            return json_answer(house.likely())
        except Refused as off:
            return json_answer({"code": off.said.code}, 404)

    @app.get("/replay.json")
    @audience("everybody")
    def story() -> Response:
        try:
            return json_answer(house.story())
        except Refused as early:
            return json_answer({"code": early.said.code}, 404)

    @app.get("/replay.html")
    @audience("everybody")
    def replay() -> Response:
        try:
            page = replay_page(house.story(), house.record(), web_root())
        except Refused as early:
            return json_answer({"code": early.said.code}, 404)
        return Response(
            page,
            mimetype="text/html",
            headers={"Content-Disposition": "attachment; filename=replay.html"},
        )

    @app.get("/diagnostics")
    @audience("everybody")
    def diagnostics() -> Response:
        return json_answer(house.reader.diagnostics() | {"bench": house.bench.show()})

    @app.get("/healthz")
    @audience("everybody")
    def healthz() -> Response:
        return json_answer({"ok": True, "position": house.table.snapshot()["position"]})

    @app.get("/openapi.json")
    @audience("everybody")
    def openapi() -> Response:
        return json_answer(openapi_document())

    @app.get("/join.json")
    @audience("machine")
    def join() -> Response:
        told = house.invitation(inside=is_local(house.address())).show()
        return json_answer(told | {"admission": key_text(house.admission.public_key)})

    @app.get("/qr/head.svg")
    @audience("everybody")
    def head() -> Response:
        told = house.table.snapshot()
        return Response(qr_svg(f"{told['position']} {told['head']}"), mimetype="image/svg+xml")

    @app.get("/qr/tiles.svg")
    @audience("everybody")
    def tiles() -> Response:
        return Response(
            qr_svg(house.invitation(inside=False).beside("tiles")), mimetype="image/svg+xml"
        )

    @app.get("/qr/join.svg")
    @audience("machine")
    def qr() -> Response:
        return Response(
            qr_svg(house.invitation(inside=is_local(house.address())).url), mimetype="image/svg+xml"
        )
