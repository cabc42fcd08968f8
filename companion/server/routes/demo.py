"""The split page of `companion demo`: the table's own pages side by side in one browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from flask import Flask, Response, abort, redirect

from companion.server.http.security import audience
from companion.server.routes.pages import add_catalogue, add_page


def add_demo(app: Flask, root: Path, board: Callable[[], str | None]) -> None:
    """Add the split page; `board` says where the virtual board's page is, once it is."""
    add_page(app, "demo")
    add_catalogue(app, root, "demo")

    @app.get("/demo/board")
    @audience("everybody")
    def drawn_board() -> Response:
        address = board()
        if address is None:
            abort(404)
        response = redirect(address)
        assert isinstance(response, Response)
        return response
