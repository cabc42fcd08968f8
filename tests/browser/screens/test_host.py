"""The page of settings: the ways to it and from it, and what is seen on it;
`tests/web/pages/host.test.mjs` has what it offers and requests.
"""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Screens
from tests.browser.screenshots import sunlit
from tests.browser.server import TableServer


def test_the_ways_to_the_settings_and_back(server: TableServer, screens: Screens) -> None:
    """From the lobby the print kit is in view at once, and Back leads the display to the table."""
    display = screens.display(server)
    display.press("info")
    display.at("#print").click()
    display.page.wait_for_url("**/host")
    expect(display.at("#kit")).to_be_in_viewport()
    display.at("#back").click()
    display.page.wait_for_url("**/table")
    display.shows('[data-action="start"]')


def test_a_refusal_is_read_beside_the_press(server: TableServer, screens: Screens) -> None:
    """What was not done is said in view, however far down the page was pressed."""
    human = screens.phone(server)
    human.sit("H1")
    human.page.goto(server.phone("/host"))
    human.shows('[data-action="setting"]:not([aria-disabled])')
    screens.may_lose_link = True
    human.page.context.set_offline(True)
    human.at('[data-action="setting"]:not([aria-disabled])').last.tap()

    expect(human.at("#notice")).to_be_in_viewport()


def test_what_cannot_be_pressed_is_not_gold(server: TableServer, screens: Screens) -> None:
    """Start without a vampire, and "Hide here" without a tile, look like nothing to press in both
    looks.
    """
    display, vampire = screens.display(server), screens.vampire(server)
    start = display.at('[data-action="start"][aria-disabled="true"]')
    expect(start).to_have_css("background-image", "none")
    with sunlit(display.page):
        expect(start).to_have_css("background-image", "none")
    vampire.sit("V")
    display.press("start")
    display.until(lambda snapshot: snapshot["phase"] == "play", "a start")
    vampire.look()
    hide = vampire.at('#end-night[aria-disabled="true"]')
    expect(hide).to_have_css("background-image", "none")
    expect(hide).not_to_have_css("background-color", "rgb(244, 239, 230)")
