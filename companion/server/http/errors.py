"""Answer and log unexpected errors."""

from __future__ import annotations

import logging
from collections.abc import Callable

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from companion.core.text import describe_error
from companion.server.sse import to_json

_log = logging.getLogger("companion.server")


NOT_FOUND_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>404</title>
<p>There is nothing at this address.
<p lang="nl">Op dit adres is niets.
<p lang="ja">このアドレスには何もありません。
<p><a href="/">OK</a>
</html>
"""
"""The page for an unknown address, in every language; it links to the table."""


def log_error(error: BaseException, entropy: Callable[[int], bytes]) -> str:
    """Log the place of an error; return the random id of the log line."""
    name = entropy(8).hex()
    _log.error("error %s: %s", name, describe_error(error))
    return name


def add_error_handlers(app: Flask, entropy: Callable[[int], bytes]) -> None:
    """Answer every error with a body that depends on its status alone."""

    @app.errorhandler(HTTPException)
    def handle_http_error(error: HTTPException) -> Response:
        if (
            error.code == 404
            and request.accept_mimetypes.best_match(("application/json", "text/html"))
            == "text/html"
        ):
            return Response(NOT_FOUND_PAGE, 404, mimetype="text/html")
        response = Response(
            to_json({"code": f"http_{error.code}"}), error.code, mimetype="application/json"
        )
        if (allowed := getattr(error, "valid_methods", None)) is not None:
            response.headers["Allow"] = ", ".join(sorted(allowed))
        return response

    @app.errorhandler(Exception)
    def handle_internal_error(error: Exception) -> Response:
        body = {"code": "internal_error", "id": log_error(error, entropy)}
        return Response(to_json(body), 500, mimetype="application/json")
