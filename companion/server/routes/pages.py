"""Serve the pages and their files. No page holds a secret, or a variable but the game's name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path, PurePosixPath

from flask import Flask, Response, abort, redirect, render_template
from jinja2 import FileSystemLoader

from companion.server.assets import PUBLIC, Asset, Assets, pack
from companion.server.context import server_context
from companion.server.http.security import audience

MODULE = re.compile(
    r'<(?:script type="module" src|link rel="modulepreload" href)="/static/([^"]+)"'
)
PAGES = ("table", "join", "seat", "host", "board", "help", "replay", "overlay", "camera", "paper")


def add_pages(app: Flask, root: Path) -> Assets:
    """Add the pages, and the static files under `root`, to the application; return the files."""
    static = Assets(root, *PUBLIC)

    @app.get("/")
    @audience("everybody")
    def front() -> Response:
        # The browser keeps the part after #, so the join code survives a shortened address.
        response = redirect("/join")
        assert isinstance(response, Response)
        return response

    @app.get("/static/<path:name>")
    @audience("everybody")
    def static_file(name: str) -> Response:
        return static.answer(name)

    for page in PAGES:
        add_page(app, static, page, game=_game if page == "seat" else None)
    for template in game_pages(root):
        add_page(app, static, template.stem, f"games/{template.parent.name}/{template.name}")
    return static


def game_pages(root: Path) -> list[Path]:
    """Return the templates in the games' folders; a page's address is its file's name."""
    return sorted(root.glob("games/*/*.html"))


def template_loader(root: Path) -> FileSystemLoader:
    """Return the loader of all templates; those of games are named by their path."""
    return FileSystemLoader([root / "templates", root])


def _game() -> str:
    return server_context().table.state.proposal.game


def add_page(
    app: Flask,
    static: Assets,
    page: str,
    template: str | None = None,
    game: Callable[[], str] | None = None,
) -> None:
    """Add a page, the same for all.

    template: its path, if it is not the page's name
    game: returns the name of the game on the table, for a page that names it
    """

    @cache
    def render(game: str) -> Asset:
        path = template or f"{page}.html"
        html = preload_imports(render_template(path, game=game), static)
        return pack(PurePosixPath(path), html.encode())

    @audience("everybody")
    def show() -> Response:
        return render(game() if game else "").answer()

    app.add_url_rule(f"/{page}", endpoint=f"page_{page}", view_func=show)


def preload_imports(html: str, static: Assets) -> str:
    """Return a page that names all modules that its modules import: in its head, and in its
    <template> those of the modules that are named there, which the page fetches later.

    A browser fetches them at once. Without their names it reads one module after another to find
    them, and waits for five answers in a row.
    """
    first, template, later = html.partition("<template>")
    at_once, in_time = _imported(first, static), _imported(later, static)
    links = _links(each for each in in_time if each not in at_once)
    later = later.replace("</template>", f"{links}</template>", 1)
    return f"{first}{template}{later}".replace("</head>", f"{_links(at_once)}</head>", 1)


def _imported(html: str, static: Assets) -> dict[str, None]:
    return {module: None for entry in MODULE.findall(html) for module in static.imports(entry)}


def _links(modules: Iterable[str]) -> str:
    return "".join(f'<link rel="modulepreload" href="/static/{module}">' for module in modules)


def add_demo(app: Flask, static: Assets, board: Callable[[], str | None]) -> None:
    """Add the split page of `companion demo`; `board` returns the virtual board's address."""
    add_page(app, static, "demo")

    @app.get("/demo/board")
    @audience("everybody")
    def demo_board() -> Response:
        address = board()
        if address is None:
            abort(404)
        response = redirect(address)
        assert isinstance(response, Response)
        return response
