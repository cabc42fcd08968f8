"""Serve the pages and their files. No page holds a secret or a variable."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path, PurePosixPath

from flask import Flask, Response, abort, redirect, render_template
from jinja2 import FileSystemLoader

from companion.server.assets import PUBLIC, Asset, Assets, pack
from companion.server.http.security import audience

PAGES = ("table", "join", "seat", "host", "board", "help", "replay", "overlay", "camera", "paper")


def add_pages(app: Flask, root: Path) -> None:
    """Add the pages, and the static files under `root`, to the application."""
    static = Assets(root, *PUBLIC)

    @app.get("/")
    @audience("everybody")
    def front() -> Response:
        # The browser keeps the part after #, so the joining code survives a shortened address.
        response = redirect("/join")
        assert isinstance(response, Response)
        return response

    @app.get("/static/<path:name>")
    @audience("everybody")
    def static_file(name: str) -> Response:
        return static.answer(name)

    for page in PAGES:
        add_page(app, page)
    for template in game_pages(root):
        add_page(app, template.stem, f"games/{template.parent.name}/{template.name}")


def game_pages(root: Path) -> list[Path]:
    """Return the templates in the games' folders; a page's address is its file's name."""
    return sorted(root.glob("games/*/*.html"))


def template_loader(root: Path) -> FileSystemLoader:
    """Return the loader of all templates; those of games are named by their path."""
    return FileSystemLoader([root / "templates", root])


def add_page(app: Flask, page: str, template: str | None = None) -> None:
    """Add a page, the same for all.

    template: its path, if it is not the page's name
    """

    @cache
    def packed() -> Asset:
        path = template or f"{page}.html"
        return pack(PurePosixPath(path), render_template(path).encode())

    @audience("everybody")
    def show() -> Response:
        return packed().answer()

    app.add_url_rule(f"/{page}", endpoint=f"page_{page}", view_func=show)


def add_demo(app: Flask, board: Callable[[], str | None]) -> None:
    """Add the split page of `companion demo`; `board` returns the virtual board's address."""
    add_page(app, "demo")

    @app.get("/demo/board")
    @audience("everybody")
    def demo_board() -> Response:
        address = board()
        if address is None:
            abort(404)
        response = redirect(address)
        assert isinstance(response, Response)
        return response
