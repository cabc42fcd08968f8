"""Errors: a page with a sentence for a person's browser, a code for a program."""

from __future__ import annotations

import logging
import re

import pytest
from flask import Flask, abort

from companion.i18n import read_folders, web_root
from companion.server.http.addresses import OwnNames, TableAddresses
from companion.server.http.errors import add_error_handlers
from companion.server.http.security import add_security_headers

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
SENTENCES = read_folders(web_root() / "i18n/http")


@pytest.fixture(scope="module")
def app() -> Flask:
    """An application that answers /NUMBER with that error."""
    app = Flask(__name__)
    add_security_headers(app, OwnNames(name=lambda: "pi"))
    addresses = TableAddresses(interfaces=lambda: ["192.168.1.20"])
    add_error_handlers(app, lambda size: bytes(size), web_root(), addresses)

    @app.get("/<int:status>")
    def failing(status: int) -> str:
        abort(status)

    @app.get("/broken")
    def broken() -> str:
        raise ZeroDivisionError

    return app


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "http.400"),
        (403, "http.403"),
        (404, "http.404"),
        (405, "http.405"),
        (413, "http.413"),
        (418, "http.400"),
        (500, "http.500"),
        (503, "http.503"),
        (504, "http.500"),
    ],
)
def test_people_read_a_sentence_about_every_error(app: Flask, status: int, code: str) -> None:
    """A browser that asks for a page gets the sentence in each language, each marked with it, and a
    link to the table; a program gets the code alone.
    """
    page = app.test_client().get(f"/{status}", headers=BROWSER)
    answer = app.test_client().get(f"/{status}")

    assert (status, "text/html") == (page.status_code, page.mimetype)
    for language, words in SENTENCES.items():
        assert f'<p lang="{language}">{words[code]}\n' in page.text
    assert '<a href="/">' in page.text
    assert (status, {"code": f"http_{status}"}) == (answer.status_code, answer.json)


def test_a_mistake_of_the_program_is_told_in_words(
    app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    """An unexpected error is logged; its page has no detail."""
    with caplog.at_level(logging.ERROR):
        page = app.test_client().get("/broken", headers=BROWSER)

    assert (500, "text/html") == (page.status_code, page.mimetype)
    assert SENTENCES["en"]["http.500"] in page.text
    assert "ZeroDivision" not in page.text and "ZeroDivision" in caplog.text


@pytest.mark.parametrize("host", ["pi.fritz.box:8080", "PI.LAN", "<b>.example", "pi-2.home"])
def test_a_foreign_name_is_told_the_address(app: Flask, host: str) -> None:
    """A browser that opened the table under a foreign name is told the address that works, and
    nothing else; no text of the request is markup.
    """
    page = app.test_client().get("/404", headers={**BROWSER, "Host": host})

    assert (400, "text/html") == (page.status_code, page.mimetype)
    assert '<a href="http://192.168.1.20:8080/join">http://192.168.1.20:8080/join</a>' in page.text
    assert 4 == len(re.findall(r"<(?:p|title)\b[^>]*>", page.text.replace("<p><a", "")))
    assert "<b>" not in page.text


def test_a_foreign_name_is_a_code_for_programs(app: Flask) -> None:
    """A program that sends a foreign name gets the same code as for any bad request."""
    answer = app.test_client().get("/404", headers={"Host": "evil.example"})

    assert (400, {"code": "http_400"}) == (answer.status_code, answer.json)
