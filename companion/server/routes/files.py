"""Serve public files: record, replay, proof, handover page and print kits."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, abort, current_app

from companion.i18n import web_root
from companion.locks import Level, make_lock
from companion.server.context import server_context
from companion.server.http.security import audience
from companion.server.routes.public import json_answer, refused_response
from companion.server.standalone import handover_page, proof_page, replay_page
from companion.table.errors import Refused

PrintKitPdf = Callable[[str, str, str, str], bytes]
"""Returns a game's kit as a PDF, by game, paper, language and the address on its joining card;
raises KeyError for an unknown game, paper or language.
"""
MAX_KITS = 6
"""Cached kits, about 150 kB each: two papers in three languages."""
KITS_KEY = "companion.kits"

files = Blueprint("files", __name__)
files.register_error_handler(Refused, refused_response)


class KitCache:
    """Print kits one at a time and keep the last ones. Thread-safe."""

    def __init__(self, print_kit: PrintKitPdf) -> None:
        self._print = print_kit
        self._kits: dict[tuple[str, str, str, str], bytes] = {}
        self._lock = make_lock(Level.PRINT_KIT)

    def get(self, game: str, paper: str, language: str, address: str) -> bytes:
        """Return a kit as a PDF; raise KeyError for an unknown game, paper or language."""
        key = (game, paper, language, address)
        # Printing takes a second or two of processor time: many requests must not run in parallel.
        with self._lock:
            if key not in self._kits:
                self._kits[key] = self._print(*key)
                while len(self._kits) > MAX_KITS:
                    del self._kits[next(iter(self._kits))]
            return self._kits[key]


@files.get("/record.jsonl")
@audience("everybody")
def record() -> Response:
    """Return the record of the game that has just ended."""
    return Response(server_context().record(), mimetype="application/jsonl")


@files.get("/replay.json")
@audience("everybody")
def replay_data() -> Response:
    """Return the replay of the game that has just ended."""
    return json_answer(server_context().replay())


@files.get("/replay.html")
@audience("everybody")
def replay() -> Response:
    """Return the same replay as a single page."""
    context = server_context()
    page = replay_page(context.replay(), context.record(), web_root())
    return _attachment(page, "replay.html")


@files.get("/proof.html")
@audience("everybody")
def proof() -> Response:
    """Return a page that verifies the game that has just ended."""
    return _attachment(proof_page(server_context().record(), web_root()), "proof.html")


@files.get("/handover.html")
@audience("everybody")
def handover() -> Response:
    """Return a page with the public facts of the running game, to go on without a table."""
    table = server_context().table
    page = handover_page(table.snapshot(), table.disclosed(), web_root())
    return _attachment(page, "game.html")


@files.get("/kit/<game>/<paper>-<language>.pdf")
@audience("everybody")
def kit(game: str, paper: str, language: str) -> Response:
    """Return a game's print kit."""
    cache: KitCache = current_app.extensions[KITS_KEY]
    address = server_context().invitation(inside=False).address
    try:
        pdf = cache.get(game, paper, language, address)
    except KeyError:
        abort(404)
    response = Response(pdf, mimetype="application/pdf")
    name = kit_filename(game, paper, language)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def kit_filename(game: str, paper: str, language: str) -> str:
    """Return the file name of a print kit."""
    return f"{game}-{paper}-{language}.pdf"


def _attachment(page: str, name: str) -> Response:
    # A download: the content security policy would block the script in such a page.
    disposition = {"Content-Disposition": f"attachment; filename={name}"}
    return Response(page, mimetype="text/html", headers=disposition)
