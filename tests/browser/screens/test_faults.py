"""A page that meets one fault goes on by itself."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import HANDHELD, Screens
from tests.browser.page_objects import Screen
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
