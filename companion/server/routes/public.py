"""Serve public data without a key: snapshot, event stream, invitation, diagnostics."""

from __future__ import annotations

from flask import Blueprint, Response, request

from companion.server.assets import new_asset
from companion.server.auth.codes import key_text
from companion.server.auth.join import qr_svg
from companion.server.context import server_context
from companion.server.http.limits import StreamsFull
from companion.server.http.security import audience
from companion.server.result_cache import RETRY_COMPUTED, Computing
from companion.server.sse import last_event_id, public_stream, to_json
from companion.table.errors import Refused

RETRY_AFTER = "5"
"""Seconds; constant, so that it does not depend on anybody's requests."""
STREAM_HEADERS = {"X-Accel-Buffering": "no"}

public = Blueprint("public", __name__)


def json_answer(value: object, status: int = 200) -> Response:
    """Return a value as a JSON response."""
    return Response(to_json(value), status, mimetype="application/json")


def streams_full() -> Response:
    """Return 503: no stream is free; retry later or poll /snapshot."""
    response = json_answer({"code": "streams_full"}, 503)
    response.headers["Retry-After"] = RETRY_AFTER
    return response


@public.errorhandler(Refused)
def refused_response(error: Refused) -> Response:
    """Return 404 with the reason why the table has no such data."""
    return json_answer({"code": error.message.code}, 404)


@public.errorhandler(Computing)
def computing(error: Computing) -> Response:
    """Return 503: the data are computed for another request; try again."""
    response = json_answer({"code": "computing"}, 503)
    response.headers["Retry-After"] = RETRY_COMPUTED
    return response


@public.get("/events")
@audience("everybody")
def events() -> Response:
    """Stream public updates as server-sent events."""
    context = server_context()
    after = last_event_id(request.headers.get("Last-Event-ID"), request.args.get("after"))
    try:
        subscription = context.stream_slots.take(
            lambda: context.table.journal.subscribe(after), context.address()
        )
    except StreamsFull:
        return streams_full()
    stream = public_stream(subscription, context.encoder)
    response = Response(stream, mimetype="text/event-stream", headers=STREAM_HEADERS)
    response.call_on_close(lambda: context.stream_slots.release(subscription))
    return response


@public.get("/snapshot")
@audience("everybody")
def snapshot() -> Response:
    """Return the public snapshot."""
    return json_answer(server_context().table.snapshot())


@public.get("/reference")
@audience("everybody")
def reference() -> Response:
    """Return the cards in play and their names in each language: public constants, so packed."""
    content = to_json(server_context().table.reference())
    return new_asset("application/json", content).answer()


@public.get("/answers")
@audience("everybody")
def answers() -> Response:
    """Return the running game's disclosures so far."""
    return json_answer(server_context().table.disclosed())


@public.get("/history")
@audience("everybody")
def history() -> Response:
    """Return the public events after a position."""
    after = last_event_id(None, request.args.get("after"))
    return json_answer(
        server_context().table.state.public_log.after(after) if after is not None else []
    )


@public.get("/odds.json")
@audience("everybody")
def odds() -> Response:
    """Return the odds of each tile."""
    return json_answer(server_context().odds())


@public.get("/suggestion.json")
@audience("everybody")
def suggestion() -> Response:
    """Return a suggestion for the seat to move, with its reason."""
    return json_answer(server_context().suggestion())


@public.get("/diagnostics")
@audience("everybody")
def diagnostics() -> Response:
    """Return the state of the sensors, and why the club's broker does not serve the table."""
    return json_answer(server_context().diagnostics())


@public.get("/healthz")
@audience("everybody")
def healthz() -> Response:
    """Return that the server answers, and the table's position."""
    return json_answer({"ok": True, "position": server_context().table.snapshot()["position"]})


@public.get("/join.json")
@audience("everybody")
def join() -> Response:
    """Return the joining page's address, and the key by which the letters of the code are sent."""
    context = server_context()
    address = context.invitation(inside=False).to_json()
    return json_answer(address | {"admission": key_text(context.admission.public_key)})


@public.get("/qr/join.svg")
@audience("everybody")
def join_code() -> Response:
    """Return the joining page's address as a QR code."""
    return _svg(server_context().invitation(inside=False).url)


@public.get("/qr/head.svg")
@audience("everybody")
def head_code() -> Response:
    """Return position and head of the record as a QR code."""
    snapshot = server_context().table.snapshot()
    return _svg(f"{snapshot['position']} {snapshot['head']}")


@public.get("/qr/tiles.svg")
@audience("everybody")
def tiles() -> Response:
    """Return the address of the tile page as a QR code."""
    return _svg(server_context().invitation(inside=False).sibling("tiles"))


def _svg(text: str) -> Response:
    return Response(qr_svg(text), mimetype="image/svg+xml")
