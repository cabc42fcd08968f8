"""The simulated table as a local web page: move pawns, switch faults."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Thread
from typing import Any

from flask import Flask, Response, abort, jsonify, request
from werkzeug.serving import WSGIRequestHandler, make_server

from companion.sim.commands import BoardProtocol, SimulatedPort, run_command
from companion.sim.virtual_board import RATES, Faults

HOST = "127.0.0.1"
DEFAULT_PAGE_PORT = 8081
"""The port that is tried first."""
_NAMES = frozenset({HOST, "localhost"})
_LONGEST_LINE = 200


PrintedFeatures = Mapping[str, Sequence[str]]
"""Features printed on the tiles that the page draws: `walls` ("A4-A5"), cells of `radars`."""


def no_features() -> PrintedFeatures:
    """Return no printed features."""
    return {"walls": (), "radars": ()}


def create_page(
    terminal: SimulatedPort,
    framed_by: str = "'none'",
    ground: Callable[[], PrintedFeatures] = no_features,
) -> Flask:
    """Return the page's application; it answers only under a local name.

    `framed_by`: the origin that may frame it. `ground` returns the printed features of the tiles.
    """
    app = Flask("board-sim", root_path=str(Path(__file__).parent), static_folder="static")

    @app.before_request
    def only_from_here() -> None:
        if request.host.partition(":")[0] not in _NAMES:
            abort(403)

    @app.after_request
    def locked(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = (
            f"default-src 'self'; frame-ancestors {framed_by}; base-uri 'none'"
        )
        response.headers["Cache-Control"] = "no-store"
        return response

    @app.get("/")
    def page() -> Response:
        return app.send_static_file("board-sim.html")

    @app.get("/favicon.ico")
    def icon() -> Response:
        return Response(status=204)

    @app.get("/state")
    def state() -> Response:
        printed = {"ground": ground(), "plugged": terminal.plugged, "port": terminal.address}
        return jsonify(terminal.do(_state) | printed)

    @app.post("/do")
    def do() -> Response:
        asked = request.get_json()
        line = asked.get("line") if isinstance(asked, dict) else None
        if not isinstance(line, str) or len(line) > _LONGEST_LINE:
            abort(400)
        return jsonify(answer=run_command(terminal, line))

    return app


def listen(port: int | None) -> socket.socket:
    """Return a socket that listens on `port`.

    None means `DEFAULT_PAGE_PORT`, or any free port if that is taken. Raises OSError if a given
    port cannot be opened.
    """
    if port is not None:
        return socket.create_server((HOST, port))
    try:
        return socket.create_server((HOST, DEFAULT_PAGE_PORT))
    except OSError:
        return socket.create_server((HOST, 0))


class PageServer:
    """Serves the page on a socket of `listen` on its own thread; logs errors only."""

    def __init__(
        self,
        terminal: SimulatedPort,
        listening: socket.socket,
        framed_by: str = "'none'",
        ground: Callable[[], PrintedFeatures] = no_features,
    ) -> None:
        page = create_page(terminal, framed_by, ground)
        self.url = f"http://{HOST}:{listening.getsockname()[1]}/"
        with listening:
            self._server = make_server(
                HOST, 0, page, threaded=True, request_handler=_Quiet, fd=listening.fileno()
            )
        self._thread = Thread(target=self._server.serve_forever, name="board-sim-page", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Quiet(WSGIRequestHandler):
    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Do not log successful requests."""


def _state(board: BoardProtocol, now: float) -> dict[str, Any]:
    world, faults = board.world, board.faults
    return {
        "kind": board.kind,
        "starts": board.starts,
        "pawns": world.pawns,
        "tokens": {cell: world.token_kind(cell) for cell in world.tokens},
        "tiles": {cell: [tile.number, tile.turn] for cell, tile in world.tiles.items()},
        "cells": list(world.field.cells),
        "lamps": board.lamps(),
        "faults": _switches(faults),
    }


def _switches(faults: Faults) -> dict[str, Any]:
    return {
        **{name: bool(getattr(faults, name)) for name in RATES},
        "silence": faults.silence,
        "baud": faults.baud,
        "mask": faults.mask,
        "stuck": list(faults.stuck),
        "flicker": list(faults.flicker),
    }
