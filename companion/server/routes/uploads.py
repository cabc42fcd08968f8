"""Receive, with a ticket, a photo of the tiles, a camera phone's frame, or a typed board."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from typing import IO, Any

import msgspec
from flask import Blueprint, Response, request

from companion.core.game import GameError
from companion.sensors.observation import Observation
from companion.sensors.vision.field import FieldScan
from companion.sensors.vision.frames.phone_source import MAX_FRAME_BYTES
from companion.sensors.vision.photo_client import DecoderBusy
from companion.sensors.vision.sandbox import MAX_UPLOAD_BYTES
from companion.server.context import server_context
from companion.server.http.security import audience
from companion.server.routes.public import json_answer
from companion.server.rpc.handlers import error_reply
from companion.table.errors import Refused

TICKET_HEADER = "X-Ticket"
UPLOAD_CHUNK = 64 * 1024
"""Bytes of a photo that are held at a time."""

uploads = Blueprint("uploads", __name__)


@uploads.post("/photo")
@audience("ticket")
def photo() -> Response:
    """Read the tiles in a photo."""
    context = server_context()
    if not context.tickets.spend(request.headers.get(TICKET_HEADER, "")):
        return json_answer({"code": "no_ticket"}, 403)
    request.max_content_length = MAX_UPLOAD_BYTES
    try:
        scan = context.photo_decoder.decode(
            read_chunks(request.stream), context.table.lobby.expected_tiles
        )
    except DecoderBusy as busy:
        return json_answer(scan_json(FieldScan(problems=(busy.message,))), 503)
    if scan.tiles:
        context.reader.observe(
            Observation(source="photo", at=context.clock.monotonic(), tiles=scan.tiles)
        )
    return json_answer(scan_json(scan), 200 if scan.places else 422)


@uploads.post("/frame")
@audience("ticket")
def frame() -> Response:
    """Receive a frame of the camera phone. It replaces the one before, in memory."""
    camera = server_context().camera
    if not camera.tickets.spend(request.headers.get(TICKET_HEADER, "")):
        return json_answer({"code": "no_ticket"}, 403)
    request.max_content_length = MAX_FRAME_BYTES
    camera.frames.put(request.get_data(cache=False))
    return json_answer({"ok": True})


@uploads.post("/map")
@audience("ticket")
def board() -> Response:
    """Store a content file with a typed board, and propose to play on it, before a game."""
    context = server_context()
    if not context.tickets.spend(request.headers.get(TICKET_HEADER, "")):
        return json_answer({"code": "no_ticket"}, 403)
    try:
        context.table.lobby.check_open()
        taken = context.boards.store(request.get_data())
    except Refused as refused:
        return json_answer(error_reply(refused))
    except OSError as wrong:
        code = "disk_full" if wrong.errno == errno.ENOSPC else "disk_readonly"
        return json_answer({"message": {"code": code, "params": {}}}, 507)
    if "setup" not in taken:
        return json_answer(taken)
    try:
        with context.access.keep_admitted():
            context.table.lobby.propose_board(taken["game"], taken["setup"])
    except GameError as refused:
        return json_answer({**error_reply(refused), **taken})
    return json_answer(taken)


@uploads.get("/map.json")
@audience("everybody")
def stored_boards() -> Response:
    """Return the boards that were uploaded, by game."""
    return json_answer(server_context().table.lobby.custom_boards)


def read_chunks(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the bytes of a stream, chunk by chunk."""
    while chunk := stream.read(UPLOAD_CHUNK):
        yield chunk


def scan_json(scan: FieldScan) -> dict[str, Any]:
    """Convert a scan to JSON-ready values: a tile becomes its number and rotation."""
    values: dict[str, Any] = msgspec.to_builtins(scan)
    return values | {"tiles": {cell: [tile.number, tile.turn] for cell, tile in scan.tiles.items()}}
