"""Answer and log errors: people get a page with a sentence, programs a code as JSON."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, InternalServerError

from companion.core.game import Message
from companion.core.text import describe_error
from companion.i18n import Catalog, read_folders
from companion.server.http.addresses import TableAddresses, without_port
from companion.server.http.security import ForeignHost
from companion.server.sse import to_json

_log = logging.getLogger("companion.server")

ERROR_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>{status}</title>
{sentences}
<p><a href="{link}">{text}</a>
</html>
"""
HTML_TYPES = ("application/json", "text/html")
"""The types of an answer to an error; a client without a preference gets the first."""


class ErrorPages:
    """Pages about errors, each in every language with a link; `root` has the web files."""

    def __init__(self, root: Path, addresses: TableAddresses) -> None:
        self._catalogues = {
            language: Catalog(words, language=language)
            for language, words in sorted(read_folders(root / "i18n" / "http").items())
        }
        self._addresses = addresses

    def describe(self, error: HTTPException) -> str:
        """Return the page about an error in the present request."""
        status = error.code or 500
        if isinstance(error, ForeignHost):
            address = self._addresses.page("join")
            name = without_port(request.host) or "?"
            return self._page(status, Message("http.host", {"name": name}), address, address)
        code = f"http.{status}"
        if not any(
            code in words for each in self._catalogues.values() for words in each.catalogues
        ):
            code = "http.500" if status >= 500 else "http.400"
        return self._page(status, Message(code), "/", "OK")

    def _page(self, status: int, message: Message, link: str, text: str) -> str:
        sentences = "\n".join(
            f'<p lang="{language}">{escape(words.translate(message))}'
            for language, words in self._catalogues.items()
        )
        return ERROR_PAGE.format(
            status=status, sentences=sentences, link=escape(link), text=escape(text)
        )


def log_error(error: BaseException, entropy: Callable[[int], bytes]) -> str:
    """Log the place of an error; return the random id of the log line."""
    name = entropy(8).hex()
    _log.error("error %s: %s", name, describe_error(error))
    return name


def add_error_handlers(
    app: Flask, entropy: Callable[[int], bytes], root: Path, addresses: TableAddresses
) -> None:
    """Answer every error with a body that depends on its status alone, and a foreign host's name.

    A browser that asks for a page gets one; `root` is the folder of the web files.
    """
    pages = ErrorPages(root, addresses)

    def respond(error: HTTPException, values: Mapping[str, str]) -> Response:
        status = error.code or 500
        if request.accept_mimetypes.best_match(HTML_TYPES) == "text/html":
            return Response(pages.describe(error), status, mimetype="text/html")
        return Response(to_json(values), status, mimetype="application/json")

    @app.errorhandler(HTTPException)
    def handle_http_error(error: HTTPException) -> Response:
        response = respond(error, {"code": f"http_{error.code}"})
        if (allowed := getattr(error, "valid_methods", None)) is not None:
            response.headers["Allow"] = ", ".join(sorted(allowed))
        return response

    @app.errorhandler(Exception)
    def handle_internal_error(error: Exception) -> Response:
        values = {"code": "internal_error", "id": log_error(error, entropy)}
        return respond(InternalServerError(), values)
