"""The print kits as files: public, the same for all, and made one at a time."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, Response, abort

from companion.locks import Level, make_lock
from companion.server.http.security import audience

PrintKit = Callable[[str, str, str, str], bytes]
"""Makes a game's kit on a paper and in a language, with the address on its joining card, as a PDF;
raises KeyError if there is none of game, paper or language.
"""
MAX_KITS = 6
"""Kits that are kept, each some 150 kB at most: two papers in three languages."""


def add_kit(app: Flask, press: PrintKit, address: Callable[[], str]) -> None:
    """Add the route of the kit.

    A kit is made anew when `address`, which is printed in it, has changed.
    """
    made: dict[tuple[str, str, str, str], bytes] = {}
    lock = make_lock(Level.PRINT_KIT)

    @app.get("/kit/<game>/<paper>-<language>.pdf")
    @audience("everybody")
    def kit(game: str, paper: str, language: str) -> Response:
        which = (game, paper, language, address())
        # Printing takes a second or two of a processor, so that a crowd must not do it side by
        # side.
        with lock:
            if which not in made:
                try:
                    pdf = press(*which)
                except KeyError:
                    abort(404)
                made[which] = pdf
                while len(made) > MAX_KITS:
                    del made[next(iter(made))]
            pdf = made[which]
        response = Response(pdf, mimetype="application/pdf")
        response.headers["Content-Disposition"] = (
            f'attachment; filename="{kit_filename(game, paper, language)}"'
        )
        return response


def kit_filename(game: str, paper: str, language: str) -> str:
    """Return what the file of a kit is called."""
    return f"{game}-{paper}-{language}.pdf"
