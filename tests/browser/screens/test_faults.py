"""A page that meets one fault goes on by itself."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import HANDHELD, WIDE, Screens, StartServer
from tests.browser.page_objects import Display, Screen
from tests.browser.server import TableServer


def answer_once(page: Page, url: str, **answer: Any) -> None:
    """Answer the first request for a URL with this instead of the server's answer."""
    page.route(url, lambda route: route.fulfill(**answer), times=1)


def test_the_board_page_looks_again_after_a_broken_answer(
    server: TableServer, screens: Screens
) -> None:
    """The sensor data appear with the next answer."""
    board = Screen(server, screens.page(HANDHELD, is_phone=True))
    answer_once(board.page, "**/diagnostics", body="{", content_type="application/json")
    board.page.goto(server.phone("/board"))
    expect(board.at("#link")).to_be_visible(timeout=20_000)

    assert "JSON" in screens.problems.pop()
    assert not screens.problems


def test_joining_loads_a_module_again(server: TableServer, screens: Screens) -> None:
    """A game's facts that were not served the first time."""
    phone = screens.phone(server)
    answer_once(phone.page, "**/games/vampireradar/index.js", status=404)
    phone.page.goto(server.phone("/join"))
    expect(phone.at('[data-seat="H1"]')).to_be_visible(timeout=20_000)

    assert "404" in screens.problems.pop()
    assert not screens.problems


LIMITS = """AbortSignal.timeout = (ms) => {
  const abort = new AbortController();
  setTimeout(() => abort.abort(new DOMException("too late", "TimeoutError")), ms);
  return abort.signal;
};"""
"""Lets limits of time follow the page's own clock, which a test puts forward."""


def test_a_display_notices_that_its_table_hangs(
    start_server: StartServer, screens: Screens
) -> None:
    """A table whose process is stopped keeps its connections: within 10 s the display says so, and
    it goes on with the table.
    """
    server, page = start_server(None), screens.page(WIDE)
    page.clock.install()
    page.add_init_script(LIMITS)
    display = Display(server, page)
    page.goto(server.display_address)
    display.shows('[data-action="start"]')
    screens.may_lose_link = True
    server.hang()
    try:
        # A loaded machine may need seconds from one line to the next.
        page.clock.pause_at(page.evaluate("() => Date.now()") / 1000 + 5)
        page.clock.run_for(5_000)
        expect(page.locator("html.lost")).to_have_count(1)
    finally:
        server.hang(hangs=False)
    page.clock.resume()
    display.hides("#wait")
    expect(page.locator("html.lost")).to_have_count(0)


@pytest.mark.parametrize(
    ("path", "missing"),
    [
        ("/table", "**/static/i18n/en.json"),
        ("/join", "**/static/i18n/join/en.json"),
        ("/help", "**/static/core/dom.js"),
    ],
)
def test_a_page_begins_although_a_file_failed(
    server: TableServer, screens: Screens, path: str, missing: str
) -> None:
    """A page whose words or modules did not come says so in a sentence, and asks for them again."""
    screens.may_lose_link = True
    page = screens.page(HANDHELD)
    routes = []

    def fail(route: Route) -> None:
        routes.append(route.request.url)
        route.abort()

    page.route(missing, fail, times=2)
    page.goto(server.phone(path))
    page.wait_for_function("() => !document.getElementById('loading')")
    assert 2 == len(routes)
    expect(page.locator("main")).not_to_be_empty()
    screens.problems.clear()


NEEDS = ("JavaScript and a browser from 2024", "een browser vanaf 2024", "2024年以降")


def test_a_page_without_scripts_says_what_it_needs(server: TableServer, screens: Screens) -> None:
    """A browser that runs no scripts shows one sentence in three languages."""
    browser = screens.page(HANDHELD).context.browser
    assert browser is not None
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server.phone("/join"))
    for words in NEEDS:
        expect(page.locator("#loading")).to_contain_text(words)
    expect(page.locator("#loading")).to_be_visible()
    context.close()


def test_a_browser_that_cannot_read_the_modules_is_told_so(
    server: TableServer, screens: Screens
) -> None:
    """A page whose modules cannot be read keeps that sentence, and loads no second time; it has a
    title as soon as it has words.
    """
    page = screens.page(HANDHELD)
    loads: list[str] = []
    page.on("framenavigated", lambda frame: loads.append(frame.url))
    page.clock.install()
    page.route(
        "**/core/dom.js", lambda route: route.fulfill(body="#", content_type="text/javascript")
    )
    page.goto(server.phone("/join"))
    page.clock.run_for(20_000)

    expect(page.locator("#loading")).to_contain_text(NEEDS[0])
    assert 1 == len(loads)
    assert "Invalid or unexpected token" in screens.problems.pop()
    page.unroute("**/core/dom.js")
    page.goto(server.phone("/join"))
    expect(page).to_have_title("Take a seat")
    page.goto(server.phone("/map-editor"))
    expect(page).to_have_title("Map editor")
