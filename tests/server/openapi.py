"""The HTTP interface and the encrypted requests as an OpenAPI document, to try each of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from companion.i18n import web_root
from companion.server.http.security import BOXED_TYPE
from companion.server.routes.pages import PAGES, game_pages
from companion.server.rpc.channel import REPLY_BYTES, REQUEST_BYTES
from companion.server.rpc.requests import request_types

Json = dict[str, Any]


@cache
def openapi_document() -> Json:
    """Return the OpenAPI 3.1 document."""
    _, requests = msgspec.json.schema_components(
        request_types(), ref_template="#/components/schemas/{name}"
    )
    return {
        "openapi": "3.1.0",
        "info": {"title": "Table companion", "version": "1", "license": {"name": "MIT"}},
        "paths": {**_page_routes(), **_public_routes(), **_encrypted_routes()},
        "components": {"schemas": requests},
    }


def _get(summary: str, mimetype: str, *more: Json, **also: Json) -> Json:
    answer = {"200": {"description": summary, "content": {mimetype: {}}}, **also}
    return {"get": {"summary": summary, "parameters": list(more), "responses": answer}}


def _parameter(name: str, place: str, schema: Json) -> Json:
    return {"name": name, "in": place, "required": place == "path", "schema": schema}


_MISSING: Json = {"description": "There is no such file."}
_NO_HINTS: Json = {
    "404": {"description": "The hints are off, or no game is played."},
    "503": {"description": "They are computed for another page: try again after Retry-After."},
}
_NOT_ON_PAPER: Json = {"description": "No game is being played that can go on on paper."}
_EARLY: Json = {"description": "The game is not over."}
_REPLAY: Json = {
    "404": _EARLY,
    "503": {"description": "It is computed for another page: try again after Retry-After."},
}
_FULL: Json = {
    "description": "No stream is free: come again after Retry-After seconds, or poll /snapshot."
}
_BOXED_BODY: Json = {
    "required": True,
    "content": {BOXED_TYPE: {"schema": {"type": "string", "format": "binary"}}},
}


def _json(description: str) -> Json:
    return {"description": description, "content": {"application/json": {}}}


def _page_routes() -> Json:
    front: Json = {
        "get": {
            "summary": "To the joining page.",
            "responses": {"302": {"description": "To /join."}},
        }
    }
    names = [*PAGES, *(template.stem for template in game_pages(web_root()))]
    pages = {f"/{page}": _get(f"The {page} page.", "text/html") for page in names}
    name = _parameter("name", "path", {"type": "string"})
    files = {"/static/{name}": _get("A static file.", "*/*", name, **{"404": _MISSING})}
    return {"/": front} | pages | files


def _public_routes() -> Json:
    """Return the public routes: of the running game, of the finished game, and of the table."""
    return _running_game_routes() | _ended_game_routes() | _kit_routes() | _service_routes()


def _running_game_routes() -> Json:
    number = {"type": "integer", "minimum": 0}
    last = _parameter("Last-Event-ID", "header", number)
    after = _parameter("after", "query", number)
    return {
        "/events": _get(
            "Each public update, as server-sent events.",
            "text/event-stream",
            last,
            after,
            **{"503": _FULL},
        ),
        "/snapshot": _get("The public snapshot.", "application/json"),
        "/reference": _get(
            "The cards that are played with, and their names in each language.", "application/json"
        ),
        "/answers": _get(
            "Every radar answer, shot, nightfall and dawn of this game so far.", "application/json"
        ),
        "/history": _get(
            "The public events after a position, the last 500 at most.", "application/json", after
        ),
        "/odds.json": _get(
            "Where the table has hints on: the chance on each tile, calculated from public events.",
            "application/json",
            **_NO_HINTS,
        ),
        "/suggestion.json": _get(
            "Where the table has hints on: what the seat to move may do and why, "
            "calculated from public events; null by night and in a game without suggestions.",
            "application/json",
            **_NO_HINTS,
        ),
        "/handover.html": _get(
            "The present position, as one page to go on without a table.",
            "text/html",
            **{"404": _NOT_ON_PAPER},
        ),
        "/qr/head.svg": _get(
            "Position and head of the public history, to photograph.", "image/svg+xml"
        ),
    }


def _ended_game_routes() -> Json:
    return {
        "/record.jsonl": _get(
            "The record of the game that has just ended.", "application/jsonl", **{"404": _EARLY}
        ),
        "/replay.json": _get(
            "The replay of the game that has just ended.", "application/json", **_REPLAY
        ),
        "/replay.html": _get(
            "The replay as one page that shows it without a table.", "text/html", **_REPLAY
        ),
        "/proof.html": _get(
            "The record with a page that proves it without a table.",
            "text/html",
            **{"404": _EARLY},
        ),
    }


def _kit_routes() -> Json:
    kit = (
        _parameter("game", "path", {"type": "string", "pattern": "^[a-z]+$"}),
        _parameter("paper", "path", {"enum": ["A4", "Letter"]}),
        _parameter("language", "path", {"enum": ["en", "ja", "nl"]}),
    )
    replies = {
        "404": {"description": "No such game, paper or language."},
        "503": {"description": "Another kit is being drawn: try again after Retry-After."},
    }
    return {
        "/kit/{game}/{paper}-{language}.pdf": _get(
            "A print kit.", "application/pdf", *kit, **replies
        ),
        "/kit/{game}/tactile/{paper}-{language}.pdf": _get(
            "A print kit to read by touch.", "application/pdf", *kit, **replies
        ),
    }


def _service_routes() -> Json:
    return {
        "/join.json": _get(
            "The joining address, and the key for sending the join code.",
            "application/json",
        ),
        "/qr/join.svg": _get("The joining address as a QR code.", "image/svg+xml"),
        "/qr/tiles.svg": _get(
            "Where a phone with a seat reads the printed tiles, as a QR code.", "image/svg+xml"
        ),
        "/map.json": _get(
            "The boards of the household's boxes, by game, as parts of a set-up.",
            "application/json",
        ),
        "/diagnostics": _get(
            "What the sensors see, and why the broker does not serve the table.", "application/json"
        ),
        "/healthz": _get("Whether the table answers.", "application/json"),
    }


def _encrypted_routes() -> Json:
    """Return the routes for encrypted requests, and for files with a ticket."""
    return _request_routes() | _upload_routes()


def _request_routes() -> Json:
    requests = {
        "oneOf": [{"$ref": f"#/components/schemas/{kind.__name__}"} for kind in request_types()]
    }
    body = _BOXED_BODY | {
        "description": f"{REQUEST_BYTES} bytes: version, public key, nonce, box; x-boxed is the "
        f"JSON in the box.",
        "content": {
            BOXED_TYPE: {"schema": {"type": "string", "format": "binary"}, "x-boxed": requests}
        },
    }
    refused: Json = {
        "400": {"description": "Not boxed for this table; always the same body."},
        "403": {"description": "Not from a page of this table."},
        "413": {"description": "Too long."},
    }

    def post(summary: str, mimetype: str, description: str, **also: Json) -> Json:
        answer = {"200": {"description": description, "content": {mimetype: {}}}}
        return {
            "post": {"summary": summary, "requestBody": body, "responses": answer | refused | also}
        }

    return {
        "/channel": post(
            "Send the table a request.", BOXED_TYPE, f"{REPLY_BYTES} bytes: nonce, box."
        ),
        "/stream": post(
            "Follow a seat.",
            "application/x-ndjson",
            "Lines of id, update and box.",
            **{"503": _FULL},
        ),
    }


def _upload_routes() -> Json:
    ticket = _parameter("X-Ticket", "header", {"type": "string"})
    forbidden: Json = {"description": "No good ticket, or not from a page of this table."}

    def upload(summary: str, limit: str, description: str, **also: Json) -> Json:
        return {
            "post": {
                "summary": summary,
                "parameters": [ticket],
                "requestBody": _BOXED_BODY,
                "responses": {
                    "200": _json(description),
                    "403": forbidden,
                    "413": {"description": limit},
                }
                | also,
            }
        }

    return {
        "/frame": upload(
            "Take a frame of the camera phone, in place of the one before.",
            "More than 4 MB.",
            "Taken.",
        ),
        "/photo": upload(
            "Read a photo of the tiles.",
            "More than 12 MB.",
            "Tiles by cell, unread cells, problems, places.",
            **{
                "422": _json("No field is seen; the problems say why."),
                "503": _json("Another photo is being read."),
            },
        ),
        "/map": upload(
            "Keep the board of a box, a content file.",
            "Too long.",
            "The game and its part of a set-up, or what is wrong with the file.",
            **{"507": _json("It cannot be stored.")},
        ),
    }
