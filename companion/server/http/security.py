"""Add security headers, check hosts and origins, and declare an audience for every route."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeVar
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request
from werkzeug.exceptions import BadRequest

from companion.server.http.addresses import OwnNames, without_port

Audience = Literal["everybody", "boxed", "ticket"]
"""The readers of an answer: everybody, the holder of its key, or the holder of a ticket.

No answer depends on the address from which a request comes: a program on this machine, such as a
reverse proxy, may forward the requests of strangers.
"""

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "font-src 'self'; media-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; "
)
FONT_CACHE = "max-age=86400"
"""Seconds that a browser keeps a font, which is the same at every table: a phone goes through
several pages, and would fetch all fonts for each.
"""
CSP = _POLICY + "frame-ancestors 'none'"
CSP_OF_DEMO = _POLICY + "frame-src 'self' http://127.0.0.1:*; frame-ancestors 'self'"
"""Only `companion demo` shows pages inside a page: its own, and the virtual board of this machine.
"""
SECURITY_HEADERS = {
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
BOXED_TYPE = "application/octet-stream"

ViewFunction = TypeVar("ViewFunction", bound=Callable[..., object])
_ATTRIBUTE = "companion_audience"


class ForeignHost(BadRequest):
    """Error raised for a request under a name that is not this machine's."""


class AudienceMissing(RuntimeError):
    """Error raised at the start for a route without a declared audience."""


def audience(who: Audience) -> Callable[[ViewFunction], ViewFunction]:
    """Declare who may read the answer of a view."""

    def declare(view: ViewFunction) -> ViewFunction:
        setattr(view, _ATTRIBUTE, who)
        return view

    return declare


def collect_audiences(app: Flask) -> dict[str, Audience]:
    """Return the audience of each route by its rule; raise `AudienceMissing` if one has none."""
    declared: dict[str, Audience] = {}
    for rule in app.url_map.iter_rules():
        who = getattr(app.view_functions[rule.endpoint], _ATTRIBUTE, None)
        if who is None:
            raise AudienceMissing(f"{rule.rule} does not say who may have it")
        declared[rule.rule] = who
    return declared


def add_security_headers(app: Flask, names: OwnNames, policy: str = CSP) -> None:
    """Add headers to every response, errors included, and check host and origin of every request.

    Raises `ForeignHost` in a request under another name than `names` (DNS rebinding).
    """

    @app.before_request
    def from_our_own_page() -> None:
        if request.host not in names:
            raise ForeignHost
        # Without a view, the router's own 404 or 405 is more precise.
        asks_only = (
            request.method in ("GET", "HEAD", "OPTIONS") or request.routing_exception is not None
        )
        if not asks_only and not _own_origin(names):
            abort(403)

    @app.after_request
    def with_headers(response: Response) -> Response:
        response.headers.update(SECURITY_HEADERS)
        if response.mimetype == "font/woff2":
            response.headers["Cache-Control"] = FONT_CACHE
        # Scripts and style sheets are public and no documents, so they do not need these headers.
        if response.mimetype not in ("text/javascript", "text/css"):
            response.headers["Content-Security-Policy"] = policy
            response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        return response


def _own_origin(names: OwnNames) -> bool:
    """Return whether a changing request comes from a page of this host, in our content type.

    A form of another page can neither set this type nor hide its origin. A program other than a
    browser sends no origin; only the encryption keeps it out.
    """
    return (
        _is_own_page(request.headers.get("Origin"), names)
        and request.headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"
        and request.mimetype == BOXED_TYPE
    )


def _is_own_page(origin: str | None, names: OwnNames) -> bool:
    """Return whether `origin` is that of the request's host, or a name of this machine.

    A reverse proxy may drop the port of its Host header, or send its own number in it. A page at
    another port of the same name cannot send our content type: no answer allows it.
    """
    if origin is None:
        return True
    try:
        page = urlsplit(origin)
    except ValueError:
        return False
    # A plain http page under the same name may come from anybody.
    is_safe = page.scheme == "https" or not request.is_secure
    name = without_port(page.netloc)
    has_port = request.host != without_port(request.host)
    return is_safe and (
        page.netloc == request.host
        or names.has_name(name)
        or (not has_port and name == without_port(request.host))
    )
