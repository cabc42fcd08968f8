"""The one route that takes a picture: a photo of the laid tiles from a seat or the display, with
its ticket.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

import msgspec
from flask import Flask, Response, request

from companion.sensors.observation import Observation
from companion.sensors.vision.field import FieldScan, NoField
from companion.sensors.vision.photo_limits import MAX_PHOTO_BYTES
from companion.server.context import ServerContext
from companion.server.http.security import audience
from companion.server.routes.public import json_answer

TICKET_HEADER = "X-Ticket"
UPLOAD_CHUNK = 64 * 1024
"""Bytes of a photo that are held at a time."""


def add_photo(app: Flask, house: ServerContext) -> None:
    """Add the route of photos."""

    @app.post("/photo")
    @audience("ticket")
    def photo() -> Response:
        if not house.tickets.spend(request.headers.get(TICKET_HEADER, "")):
            return json_answer({"code": "no_ticket"}, 403)
        request.max_content_length = MAX_PHOTO_BYTES
        try:
            found = house.darkroom.develop(read_chunks(request.stream), house.table.expected_tiles)
        except NoField as busy:
            return json_answer(scan_json(FieldScan(problems=(busy.said,))), 503)
        if found.tiles:
            house.reader.observe(
                Observation(source="photo", at=house.clock.monotonic(), tiles=found.tiles)
            )
        return json_answer(scan_json(found), 200 if found.places else 422)


def read_chunks(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield what is in a stream, piece by piece."""
    while piece := stream.read(UPLOAD_CHUNK):
        yield piece


def scan_json(found: FieldScan) -> dict[str, Any]:
    """Return what a photo shows as JSON-ready values: a tile as its number and its turn."""
    told: dict[str, Any] = msgspec.to_builtins(found)
    return told | {"tiles": {cell: [tile.number, tile.turn] for cell, tile in found.tiles.items()}}
