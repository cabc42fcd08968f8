"""What the pages explain: the rules of each game, and why an answer was given."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import HANDHELD, SEVEN_INCH, WIDE, Screens
from tests.browser.page_objects import Screen
from tests.browser.screens.test_layout import Pages, drawn, open_paired, opened
from tests.browser.screenshots import save_screenshot, settled, spilled, violations
from tests.browser.server import TableServer
from tests.browser.states import hunts
from tests.helpers.repetitions import soak

CHAPTERS = {
    "nosferatu": "#capture", "shisogari": "#accuse", "vwars": "#riot", "vampire_empire": "#fight",
    "vampireradar": "#radar", "manhunt": "#announce",
}  # fmt: skip
"""A chapter that only this game has."""


@pytest.mark.parametrize("language", ["en", *soak("ja", "nl")])
def test_the_rules_of_each_game_can_be_read(
    server: TableServer, screens: Screens, language: str
) -> None:
    """The page of rules is there for each game in each language, fits a phone, and axe finds
    nothing on it.
    """
    screen = Screen(server, screens.page(HANDHELD, is_phone=True))
    screen.page.goto(server.phone("/help"))
    screen.press("language", language)
    screen.shows(f'[data-action="language"][data-arg="{language}"][aria-pressed="true"]')
    for game, chapter in CHAPTERS.items():
        screen.press("game", game)
        screen.shows(chapter)
        settled(screen.page)
        save_screenshot(screen.page, f"help-{game}-{language}.png", full_page=True)

        assert [] == violations(screen.page)
        assert 0 == spilled(screen.page)[0]
        assert 0 == screen.page.locator("main", has_text="help.").count()


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        ("vampire_empire", ("human", "vampire")),
        pytest.param("vwars", ("P1", "P2", "P3"), marks=pytest.mark.soak),
    ],
)
def test_the_way_to_the_rules(
    server: TableServer, screens: Screens, game: str, seats: tuple[str, ...]
) -> None:
    """A phone in the lobby, the settings and the display at play each lead to the rules of the very
    game; so does a phone at play, and Back leads to its page again.
    """
    link = f'a[href="/help#{game}"]'
    display, ana = screens.display(server), screens.phone(server)
    display.choose(game)
    display.until(lambda snapshot: snapshot["game"] == game, "another game")
    ana.sit(seats[0], name="Ana")
    ana.says(link, "How to play")
    ana.at(link).tap()
    ana.shows(CHAPTERS[game])
    ana.page.goto(server.phone("/host"))
    ana.says(link, "How to play")
    ana.page.goto(server.phone("/seat"))
    for seat in seats[1:]:
        display.give(seat, "random")
    display.until(lambda snapshot: all(place["taken"] for place in snapshot["seats"]), "all seated")
    display.press("start")
    ana.press("rules")
    ana.shows(CHAPTERS[game])
    assert ana.page.url.endswith("/seat#rules")
    ana.press("back")
    ana.says("#banner", "Ana")
    display.press("info")
    display.says(link, "How to play")
    display.at(link).click()
    display.shows(CHAPTERS[game])


def test_why(server: TableServer, screens: Screens) -> None:
    """Beside a shot's answer the display shows the rule and the line, at both its sizes, and goes
    back to the table.
    """
    display, vampire = screens.display(server), screens.vampire(server)
    vampire.sit("V")
    display.begin(vampire, "C4")
    display.shoot("A1", "S")
    display.shows("#answer.given")
    display.press("why")
    display.says("#why", "A1 A2 A3 A4")
    display.says("#why", "Silence")
    look(display.page, "why")
    display.press("info")
    display.shows("#answer.given")
    look(display.page, "answer")
    display.press("info")
    display.shows('#choices [data-action="why"]')
    look(display.page, "more")


def test_the_clue_list(browser: Browser) -> None:
    """The list of clues, night by night, stands whole on a display at both its sizes, and axe finds
    nothing on it; `tests/web/pages/human_phone.test.mjs` has what it lists.
    """
    turn = next(state for state in hunts() if state.name == "vampireradar-silence")
    settings = turn.snapshot["settings"] | {"clues": True}
    pages = Pages()
    told = [
        each
        for each in turn.snapshot["log"]
        if each["event"]["event"] in ("night_fell", "radar_called", "shot_fired")
    ]
    pages.hints = {"answers": told}
    for display in opened(browser, pages, is_phone=False):
        open_paired(display)
        drawn(display, replace(turn, snapshot=turn.snapshot | {"settings": settings}))
        display.page.locator("#answer").click()
        display.page.locator('[data-action="clues"]').first.click()
        expect(display.page.locator("#clues")).to_contain_text("Radar at A3")
        look(display.page, "clues")


def look(page: Page, name: str) -> None:
    """Look at the display at both its sizes; it keeps the larger one."""
    for size in (SEVEN_INCH, WIDE):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        settled(page)
        save_screenshot(page, f"table-help-{name}-{size[0]}x{size[1]}.png")

        assert [] == violations(page)
        assert [0, 0] == spilled(page)
