"""Every route: a declared audience, the same headers, our own hosts and pages only, no error with a
secret.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import patch

import pytest
from flask import Flask

from companion.games import GAMES
from companion.server.http.security import CSP, AudienceMissing, audience, collect_audiences
from companion.table.fairness.export import export_record
from companion.table.storage.log import read_bodies
from tests.helpers.texts import found_in
from tests.server.client import BOXED, GameTable
from tests.server.openapi import openapi_document

TIMEOUT = 60.0
MISSING = [
    "/console",
    "/vampire",
    "/log",
    "/debug",
    "/admin",
    "/static/",
    "/static/../keys.json",
    "/static/..%2f..%2fkeys.json",
    "/static/%2e%2e/%2e%2e/etc/passwd",
    "/static//etc/passwd",
    "/static/i18n/../../keys.json",
    "/static/i18n/xx.json",
    "/table.sqlite",
    "/.git/config",
]


def paths(game_table: GameTable) -> list[str]:
    return [
        rule.rule.replace("<path:name>", "channel.js").replace("<name>", "xx.json")
        for rule in rules(game_table.app)
    ]


def rules(app: Flask) -> list:  # type: ignore[type-arg]
    return [rule for rule in app.url_map.iter_rules() if rule.rule != "/events"]


def test_every_route_has_an_audience(unchanged_table: GameTable) -> None:
    """Each route declares its audience."""
    declared = collect_audiences(unchanged_table.app)

    assert {rule.rule for rule in unchanged_table.app.url_map.iter_rules()} == set(declared)
    assert {"/channel", "/stream"} == {
        rule for rule, access in declared.items() if access == "boxed"
    }
    assert {"/photo", "/frame", "/map"} == {
        rule for rule, access in declared.items() if access == "ticket"
    }


def test_the_record_is_had_after_the_end_only(game_table: GameTable) -> None:
    """Before the end nothing is served; then the record, the replay, and the pages that prove and
    show it, which are saved and not opened here.
    """
    vampire, *_ = game_table.placed()
    client = game_table.app.test_client()
    paths = ("/record.jsonl", "/proof.html", "/replay.json", "/replay.html")
    assert [(404, {"code": "not_over"})] * 4 == [
        (each.status_code, each.json) for each in map(client.get, paths)
    ]

    assert vampire.request("surrender")["ok"]

    lines = list(export_record(read_bodies(game_table.folder), GAMES))
    assert lines == client.get("/record.jsonl").get_data(as_text=True).splitlines()
    page = client.get("/proof.html")
    assert "attachment; filename=proof.html" == page.headers["Content-Disposition"]
    assert lines[-1] in page.get_data(as_text=True)
    replay, html = client.get("/replay.json").get_json(), client.get("/replay.html")
    assert {"winner": "humans", "reason": "surrender"} == replay["outcome"]
    assert "attachment; filename=replay.html" == html.headers["Content-Disposition"]
    assert lines[-1] in html.get_data(as_text=True)


def test_a_replay_is_computed_once_and_nobody_waits_for_it(game_table: GameTable) -> None:
    """While one request computes the replay, others are told to ask again; then all get the same,
    from one computation.
    """
    vampire, *_ = game_table.placed()
    assert vampire.request("surrender")["ok"]
    begun, released, computed = Event(), Event(), []

    def slow(record: str, names: Mapping[str, str]) -> dict[str, Any]:
        computed.append(names)
        begun.set()
        assert released.wait(TIMEOUT)
        return {"moments": len(record)}

    game_table.app.extensions["companion"]._build_replay = slow
    ask = game_table.app.test_client
    with ThreadPoolExecutor() as threads:
        first = threads.submit(ask().get, "/replay.json")
        assert begun.wait(TIMEOUT)
        try:
            busy = threads.submit(ask().get, "/replay.json").result(TIMEOUT)
        finally:
            released.set()
        replay = first.result(TIMEOUT).get_json()
    assert (503, "2") == (busy.status_code, busy.headers["Retry-After"])
    assert replay == ask().get("/replay.json").get_json()
    assert 1 == len(computed)


def test_a_hunt_is_saved_for_paper_while_it_is_played(game_table: GameTable) -> None:
    """Before and after a game there is no handover; in it a page has the public facts: no seal, no
    head, and nothing of the vampire's own.
    """
    client = game_table.app.test_client()
    early = client.get("/handover.html")
    vampire, *_ = game_table.placed()
    page = client.get("/handover.html")
    seal = game_table.table.snapshot()["seal"]["seal"]

    assert (404, {"code": "no_game"}) == (early.status_code, early.json)
    assert "attachment; filename=game.html" == page.headers["Content-Disposition"]
    assert '"event": "vampire_placed"' in page.get_data(as_text=True)
    assert "" == found_in(page.get_data(as_text=True), seal)
    assert '"own": null' in page.get_data(as_text=True)
    assert vampire.request("surrender")["ok"]
    assert 404 == client.get("/handover.html").status_code


def test_a_route_without_an_audience_stops_the_start() -> None:
    """A forgotten declaration is an error that names the route."""
    app = Flask("test", static_folder=None)

    @app.get("/fine")
    @audience("everybody")
    def fine() -> str:
        return ""

    @app.get("/forgotten")
    def forgotten() -> str:
        return ""

    with pytest.raises(AudienceMissing, match="/forgotten"):
        collect_audiences(app)


@pytest.mark.slow
def test_every_answer_wears_the_headers(game_table: GameTable) -> None:
    """Every answer has the headers, redirects, refusals and 404s too; a script or a style sheet
    needs no policy of its own.
    """
    client = game_table.app.test_client()

    for path in [*paths(game_table), "/nowhere"]:
        for answer in (client.get(path), client.post(path, data=b"x", content_type=BOXED)):
            policy = None if answer.mimetype in ("text/javascript", "text/css") else CSP
            assert policy == answer.headers.get("Content-Security-Policy"), path
            assert "no-referrer" == answer.headers["Referrer-Policy"]
            assert "nosniff" == answer.headers["X-Content-Type-Options"]
            assert "no-store" == answer.headers["Cache-Control"]
            assert "ETag" not in answer.headers
            assert "Set-Cookie" not in answer.headers


def test_the_policy_is_the_written_one() -> None:
    """The policy allows scripts, styles and connections from ourselves alone."""
    assert (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        "font-src 'self'; media-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ) == CSP


def test_foreign_hosts_get_400_everywhere(unchanged_table: GameTable) -> None:
    """A rebound name reaches no route and gets no data."""
    client = unchanged_table.app.test_client()

    answers = [
        client.get(path, headers={"Host": "evil.example"})
        for path in [*paths(unchanged_table), "/nowhere", "/events"]
    ]

    assert {400} == {answer.status_code for answer in answers}
    assert 1 == len({answer.data for answer in answers})


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1", "192.168.1.20:8080"])
def test_own_hosts_are_answered(unchanged_table: GameTable, host: str) -> None:
    """The table's own numbers and names are answered, whatever the port."""
    assert (
        200 == unchanged_table.app.test_client().get("/healthz", headers={"Host": host}).status_code
    )


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/json"},
    ],
)
def test_other_pages_change_nothing(unchanged_table: GameTable, headers: dict[str, str]) -> None:
    """Requests that a foreign page or a form can send get 403 before they are read."""
    phone = unchanged_table.phone()
    message, _ = phone.seal(
        {
            "id": phone.new_id(),
            "do": "claim",
            "seat": "V",
            "code": unchanged_table.code,
            "pin": "1111",
        }
    )

    for path in ("/channel", "/stream"):
        answer = unchanged_table.app.test_client().post(
            path, data=message, headers={"Content-Type": BOXED} | headers
        )

        assert 403 == answer.status_code
    assert not any(seat["taken"] for seat in unchanged_table.table.snapshot()["seats"])


def test_our_own_page_may_ask(game_table: GameTable) -> None:
    """An origin equal to the host passes."""
    phone = game_table.phone()
    message, _ = phone.seal({"id": phone.new_id(), "do": "hello"})
    headers = {
        "Origin": "http://localhost:8080",
        "Host": "localhost:8080",
        "Sec-Fetch-Site": "same-origin",
    }

    answer = game_table.app.test_client().post(
        "/channel", data=message, headers=headers, content_type=BOXED
    )

    assert 200 == answer.status_code


@pytest.mark.parametrize("path", MISSING)
def test_what_is_not_there_is_not_there(unchanged_table: GameTable, path: str) -> None:
    """Guessed addresses, folders and paths out of them get one 404."""
    answer = unchanged_table.app.test_client().get(path)

    assert (404, b'{"code":"http_404"}') == (answer.status_code, answer.data)


def test_a_browser_at_a_wrong_address(unchanged_table: GameTable) -> None:
    """A browser at an unknown address gets one small page with a link to the table."""
    accept = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
    pages = [
        unchanged_table.app.test_client().get(path, headers=accept)
        for path in ("/tabel", "/static/x.js", "/static/i18n/fr.json")
    ]

    assert {(404, "text/html")} == {(page.status_code, page.mimetype) for page in pages}
    assert 1 == len({page.data for page in pages})
    assert b'<a href="/">' in pages[0].data
    assert "default-src 'none'" in pages[0].headers["Content-Security-Policy"]


def test_the_wrong_method_is_named(game_table: GameTable) -> None:
    """A wrong method gets 405 with the allowed ones, on every route, before any other check."""
    answer = game_table.app.test_client().post("/snapshot", data=b"x", content_type="text/plain")

    assert (405, "GET, HEAD, OPTIONS") == (answer.status_code, answer.headers["Allow"])
    with game_table.app.test_client().head("/events") as head:
        assert 200 == head.status_code
    assert 0 == len(game_table.context.stream_slots)


def test_what_cannot_be_opened_gets_one_answer(game_table: GameTable) -> None:
    """Too short, too long, another table's, altered: 400 with the same bytes, on both boxed
    routes.
    """
    phone = game_table.phone()
    message, _ = phone.seal({"id": phone.new_id(), "do": "hello"})
    bent = [
        b"",
        b"x",
        message[:-1],
        message + b"x",
        message[:-1] + b"!",
        b"\x02" + message[1:],
        bytes(1097),
    ]

    answers = [phone.post(path, body) for path in ("/channel", "/stream") for body in bent]

    assert {(400, b'{"code":"unopened"}')} == {
        (answer.status_code, answer.data) for answer in answers
    }


def test_long_bodies_are_refused(game_table: GameTable) -> None:
    """A body beyond 64 KiB is not read."""
    assert 413 == game_table.phone().post("/channel", bytes(70_000)).status_code


def test_an_unforeseen_error_shows_an_id_and_nothing_else(
    game_table: GameTable, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither the body nor the log holds a value; the id finds the line."""

    def break_down() -> None:
        raise LookupError("the vampire stands on E5")

    monkeypatch.setattr(game_table.reader, "diagnostics", break_down)

    answer = game_table.app.test_client().get("/diagnostics")

    body = answer.get_json()
    assert (500, {"code", "id"}, 16) == (answer.status_code, set(body), len(body["id"]))
    assert body["id"] in caplog.text
    assert "LookupError" in caplog.text
    assert "" == found_in(caplog.text + answer.text, "E5")


def test_an_unforeseen_error_in_the_box_looks_like_any_answer(
    game_table: GameTable, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An unforeseen error in the box is 200 and one size outside, an id inside."""

    def break_down(*_: object, **__: object) -> None:
        raise LookupError("the vampire stands on E5")

    vampire, _ = game_table.placed()
    monkeypatch.setattr(game_table.table, "preview", break_down)

    answer = vampire.request("preview", actions=[{"type": "end"}])

    assert (False, "internal_error") == (answer["ok"], answer["code"])
    assert answer["message"]["params"]["id"] in caplog.text
    assert "" == found_in(caplog.text, "E5")
    assert {(1097, 8232)} == vampire.sizes


def test_the_channel_is_not_logged(game_table: GameTable, caplog: pytest.LogCaptureFixture) -> None:
    """A whole night writes no line to the log."""
    caplog.set_level(0)

    vampire, _ = game_table.placed()
    vampire.request("preview", actions=[{"type": "end"}])

    assert [] == [
        record.message for record in caplog.records if not record.name.startswith("asyncio")
    ]


def test_static_files_are_packed_and_nothing_else_is(unchanged_table: GameTable) -> None:
    """Public constants may be compressed; answers beside secrets never are."""
    client = unchanged_table.app.test_client()
    headers = {"Accept-Encoding": "gzip"}

    packed = client.get("/static/core/vendor/nacl-box.min.js", headers=headers)

    assert "gzip" == packed.headers["Content-Encoding"]
    assert "text/javascript; charset=utf-8" == packed.content_type
    assert len(packed.data) < len(client.get("/static/core/vendor/nacl-box.min.js").data)
    assert "Content-Encoding" not in client.get("/snapshot", headers=headers).headers


def test_the_reference_is_packed(unchanged_table: GameTable) -> None:
    """The content of a game is constant and public: it is packed for who can unpack it."""
    client, cards = unchanged_table.app.test_client(), {"cards": {"city": "city " * 1000}}

    with patch.object(unchanged_table.table, "reference", lambda: cards):
        packed = client.get("/reference", headers={"Accept-Encoding": "gzip"})
        plain = client.get("/reference")

    assert "gzip" == packed.content_encoding
    assert plain.content_encoding is None
    assert cards == plain.json == json.loads(gzip.decompress(packed.data))


def test_the_front_door_leads_to_the_joining_page(unchanged_table: GameTable) -> None:
    """The front page redirects a shortened address to the joining page."""
    answer = unchanged_table.app.test_client().get("/")

    assert (302, "/join") == (answer.status_code, answer.headers["Location"])


@pytest.mark.parametrize("page", ["table", "join", "seat", "host", "board", "replay", "camera"])
def test_pages_are_there_and_hold_no_inline_script(unchanged_table: GameTable, page: str) -> None:
    """No page holds an inline script: the policy would block it."""
    text = unchanged_table.app.test_client().get(f"/{page}").text

    assert "<html" in text
    assert "" == found_in(text, "<script>")
    assert "" == found_in(text, " style=")


def test_the_interface_is_described(unchanged_table: GameTable) -> None:
    """Each route stands in the OpenAPI document, each `do` in its schemas."""
    openapi = openapi_document()

    rules = [rule.rule.replace("<path:", "<") for rule in unchanged_table.app.url_map.iter_rules()]
    assert {rule.replace("<", "{").replace(">", "}") for rule in rules} == set(openapi["paths"])
    assert "TakeActions" in openapi["components"]["schemas"]


def test_diagnostics_are_public_and_json(unchanged_table: GameTable) -> None:
    """The board holds no secret, so that everybody may read its sensors."""
    assert isinstance(unchanged_table.app.test_client().get("/diagnostics").get_json(), dict)


def test_pages_within_pages_are_the_demos_alone(tmp_path: Path, game_table: GameTable) -> None:
    """No page may be framed by another; in the demo those of its own origin may, and only the demo
    has that page.
    """
    demo = GameTable(tmp_path / "demo", demo=lambda: "http://127.0.0.1:1/").app.test_client()
    table = game_table.app.test_client()

    for path in ("/table", "/seat", "/join", "/host", "/board", "/"):
        assert "frame-ancestors 'none'" in table.get(path).headers["Content-Security-Policy"]
        assert "frame-src" not in table.get(path).headers["Content-Security-Policy"]
        assert "frame-ancestors 'self'" in demo.get(path).headers["Content-Security-Policy"]
    assert [404, 404] == [table.get(path).status_code for path in ("/demo", "/demo/board")]
    assert [200, 302] == [demo.get(path).status_code for path in ("/demo", "/demo/board")]
