"""The page of settings: what it offers, and the ways to it and from it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Screens
from tests.browser.page_objects import button
from tests.browser.screenshots import sunlit
from tests.browser.server import TableServer


def test_the_settings_are_those_of_the_game(server: TableServer, screens: Screens) -> None:
    """A game's settings are offered while it is chosen and no longer; sound is every game's. From
    the lobby the print kit is in view at once, and Back leads the display to the table.
    """
    display = screens.display(server)
    display.at("#print").click()
    display.page.wait_for_url("**/host")
    expect(display.at("#kit")).to_be_in_viewport()
    display.shows(button("setting", {"night_floor": 12}))
    display.shows("[data-action='help'][data-arg='clues']")

    display.press("game", "nosferatu")

    display.hides(button("setting", {"night_floor": 12}))
    display.hides("[data-action='help'][data-arg='clues']")
    display.shows(button("setting", {"sound": True}))
    display.at("#back").click()
    display.page.wait_for_url("**/table")
    display.shows('[data-action="start"]')


def test_only_who_hides_may_give_up_and_a_refusal_is_read_beside_the_press(
    server: TableServer, screens: Screens
) -> None:
    """A human's page has no control that the table would refuse; what was not done is said in view,
    however far down the page was pressed.
    """
    display, vampire, human = (
        screens.display(server),
        screens.vampire(server),
        screens.phone(server),
    )
    vampire.sit("V")
    human.sit("H1")
    display.press("start")
    for phone in (vampire, human):
        phone.page.goto(server.phone("/host"))
        phone.shows('[data-action="pause"]')
    vampire.shows('[data-action="forfeit"]')
    human.hides('[data-action="forfeit"]')

    screens.may_lose_link = True
    human.page.context.set_offline(True)
    human.press("pause")

    expect(human.at("#notice")).to_be_in_viewport()


def test_a_role_that_could_not_be_asked_for_is_asked_for_again(
    server: TableServer, screens: Screens
) -> None:
    """A seat's page that was opened while the table did not answer has its controls as soon as it
    does.
    """
    human = screens.phone(server)
    human.sit("H1")
    screens.may_lose_link = True
    cut_off = ("**/channel", "**/events")
    for address in cut_off:
        human.page.route(address, lambda route: route.abort())
    with human.page.expect_event("requestfailed", lambda request: "/events" in request.url):
        human.page.goto(server.phone("/host"))
    for address in cut_off:
        human.page.unroute(address)

    human.shows(button("setting", {"volume": 50}) + ":not([aria-disabled])")
    human.hides("#notice")


def test_what_cannot_be_pressed_is_dashed_in_every_look(
    server: TableServer, screens: Screens
) -> None:
    """Start without a vampire, and "Hide here" without a tile, look like nothing to press."""
    display, vampire = screens.display(server), screens.vampire(server)
    start = display.at('[data-action="start"][aria-disabled="true"]')
    expect(start).to_have_css("border-style", "dashed")
    with sunlit(display.page):
        expect(start).to_have_css("border-style", "dashed")
        expect(start).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    vampire.sit("V")
    display.press("start")
    display.until(lambda snapshot: snapshot["phase"] == "play", "a start")
    vampire.look()
    hide = vampire.at('#end-night[aria-disabled="true"]')
    expect(hide).to_have_css("border-style", "dashed")
    expect(hide).not_to_have_css("background-color", "rgb(244, 239, 230)")


def test_a_fragment_that_names_no_card(server: TableServer, screens: Screens) -> None:
    """An address with any fragment opens the settings, without an error at an update."""
    display = screens.display(server)
    display.page.goto(f"http://127.0.0.1:{server.port}/host#1x")
    display.press("setting", {"sound": False})

    display.until(lambda snapshot: not snapshot["settings"]["sound"], "no sound")
