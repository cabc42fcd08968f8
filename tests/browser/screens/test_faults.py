"""A page that meets one fault goes on by itself."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from tests.browser.conftest import HANDHELD, Screens
from tests.browser.page_objects import Screen
from tests.browser.server import TableServer


def test_the_board_page_looks_again_after_a_broken_answer(
    server: TableServer, screens: Screens
) -> None:
    """The sensor data appear with the next answer."""
    board = Screen(server, screens.page(HANDHELD, is_phone=True))
    broken: list[Route] = []

    def answer(route: Route) -> None:
        if broken:
            route.continue_()
        else:
            broken.append(route)
            route.fulfill(body="{", content_type="application/json")

    board.page.route("**/diagnostics", answer)
    board.page.goto(server.phone("/board"))
    expect(board.at("#link")).to_be_visible(timeout=20_000)

    assert "JSON" in screens.problems.pop()
    assert not screens.problems


def test_joining_loads_a_module_again(server: TableServer, screens: Screens) -> None:
    """A game's facts that were not served the first time."""
    phone = screens.phone(server)
    refused: list[Route] = []

    def answer(route: Route) -> None:
        if refused:
            route.continue_()
        else:
            refused.append(route)
            route.fulfill(status=404)

    phone.page.route("**/games/vampireradar/index.js", answer)
    phone.page.goto(server.phone("/join"))
    expect(phone.at('[data-seat="H1"]')).to_be_visible(timeout=20_000)

    assert refused
    assert "404" in screens.problems.pop()
    assert not screens.problems
