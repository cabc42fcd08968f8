"""The page of settings: what it offers, and the ways to it and from it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Screens
from tests.browser.server import TableServer


def test_the_settings_are_those_of_the_game(server: TableServer, screens: Screens) -> None:
    """A game's settings are offered while it is chosen and no longer; sound is every game's. From
    the lobby the print kit is in view at once, and Back leads the display to the table.
    """
    display = screens.display(server)
    display.at("#print").click()
    display.page.wait_for_url("**/host")
    expect(display.at("#kit")).to_be_in_viewport()
    display.shows('[data-action="setting:night_floor:12"]')
    display.shows("[data-action='help:\"clues\"']")

    display.press('game:\\"nosferatu\\"')

    display.hides('[data-action="setting:night_floor:12"]')
    display.hides("[data-action='help:\"clues\"']")
    display.shows('[data-action="setting:sound:true"]')
    display.at("#back").click()
    display.page.wait_for_url("**/table")
    display.shows('[data-action="start"]')
