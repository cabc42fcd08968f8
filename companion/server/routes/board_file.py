"""The one route that takes the board of somebody's box, a content file, with a ticket; and what is
kept of it.
"""

from __future__ import annotations

import errno

from flask import Flask, Response, request

from companion.core.game import GameError
from companion.server.context import ServerContext
from companion.server.http.security import audience
from companion.server.routes.photo import TICKET_HEADER
from companion.server.routes.public import json_answer
from companion.server.rpc.handlers import error_reply


def add_board_file(app: Flask, house: ServerContext) -> None:
    """Add the routes of a typed board."""

    @app.post("/map")
    @audience("ticket")
    def map_file() -> Response:
        if not house.tickets.spend(request.headers.get(TICKET_HEADER, "")):
            return json_answer({"code": "no_ticket"}, 403)
        try:
            taken = house.boards.take(request.get_data())
        except OSError as wrong:
            code = "disk_full" if wrong.errno == errno.ENOSPC else "disk_readonly"
            return json_answer({"said": {"code": code, "params": {}}}, 507)
        if "setup" not in taken:
            return json_answer(taken)
        try:
            with house.seats.keep_admitted():
                house.table.propose_board(taken["game"], taken["setup"])
        except GameError as refused:
            return json_answer({**error_reply(refused), **taken})
        return json_answer(taken)

    @app.get("/map.json")
    @audience("everybody")
    def kept_maps() -> Response:
        return json_answer(house.table.custom_boards)
