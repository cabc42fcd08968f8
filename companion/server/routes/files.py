"""Serve public files: record, replay, proof, handover page and print kits."""

from __future__ import annotations

from flask import Blueprint, Response, abort

from companion.i18n import web_root
from companion.server.context import server_context
from companion.server.http.security import audience
from companion.server.result_cache import RETRY_COMPUTED, Computing
from companion.server.routes.public import computing, json_answer, refused_response
from companion.server.standalone import handover_page, proof_page, replay_page
from companion.table.errors import Refused

KIT_BUSY_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>503</title>
<p>The table is making another PDF. This one comes by itself in a moment.
<p lang="nl">De tafel maakt een andere pdf. Deze komt zo vanzelf.
<p lang="ja">ほかのPDFを作成中です。このPDFもまもなく自動で届きます。
<p><a href="/host">OK</a>
</html>
"""
"""The page while another kit is drawn, in every language. The browser tries again by itself."""

files = Blueprint("files", __name__)
files.register_error_handler(Refused, refused_response)
files.register_error_handler(Computing, computing)


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


@files.get("/kit/<game>/<paper>-<language>.pdf", defaults={"is_tactile": False})
@files.get("/kit/<game>/tactile/<paper>-<language>.pdf", defaults={"is_tactile": True})
@audience("everybody")
def kit(game: str, paper: str, language: str, is_tactile: bool) -> Response:
    """Return a game's print kit, with signs to read by touch or without."""
    try:
        pdf = server_context().print_kit(game, paper, language, is_tactile)
    except KeyError:
        abort(404)
    except Computing:
        again = {"Retry-After": RETRY_COMPUTED, "Refresh": RETRY_COMPUTED}
        return Response(KIT_BUSY_PAGE, 503, again, mimetype="text/html")
    response = Response(pdf, mimetype="application/pdf")
    name = kit_filename(game, paper, language, is_tactile)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def kit_filename(game: str, paper: str, language: str, is_tactile: bool) -> str:
    """Return the file name of a print kit."""
    return f"{game}-{'tactile-' if is_tactile else ''}{paper}-{language}.pdf"


def _attachment(page: str, name: str) -> Response:
    # A download: the content security policy would block the script in such a page.
    disposition = {"Content-Disposition": f"attachment; filename={name}"}
    return Response(page, mimetype="text/html", headers=disposition)
