"""The pages that people open, and the files they are made of. No page holds a secret or a variable."""

from __future__ import annotations

from pathlib import Path

from flask import Flask, Response, redirect, render_template

from companion.server.assets import Assets
from companion.server.headers import audience

PAGES = ("table", "join", "seat", "host", "board", "tiles")


def add_pages(app: Flask, root: Path) -> None:
    """Add the pages, the static files and the languages under `root` to the application."""
    static, languages = Assets(root / "static"), Assets(root / "i18n", "*.json")
    bench, host = (Assets(root / "i18n" / room, "*.json") for room in ("bench", "host"))
    games = Assets(root / "i18n" / "games", "*.json")

    @app.get("/")
    @audience("everybody")
    def front() -> Response:
        # The browser keeps what follows #, so the joining code survives a shortened address.
        response = redirect("/join")
        assert isinstance(response, Response)
        return response

    @app.get("/static/<path:name>")
    @audience("everybody")
    def static_file(name: str) -> Response:
        return static.answer(name)

    @app.get("/i18n/<name>")
    @audience("everybody")
    def language(name: str) -> Response:
        return languages.answer(name)

    @app.get("/i18n/bench/<name>")
    @audience("everybody")
    def language_of_the_bench(name: str) -> Response:
        return bench.answer(name)

    @app.get("/i18n/host/<name>")
    @audience("everybody")
    def language_of_the_host(name: str) -> Response:
        return host.answer(name)

    @app.get("/i18n/games/<name>")
    @audience("everybody")
    def language_of_a_game(name: str) -> Response:
        return games.answer(name)

    for page in PAGES:
        _add_page(app, page)


def _add_page(app: Flask, page: str) -> None:
    @audience("everybody")
    def show() -> str:
        return render_template(f"{page}.html")

    app.add_url_rule(f"/{page}", endpoint=f"page_{page}", view_func=show)
