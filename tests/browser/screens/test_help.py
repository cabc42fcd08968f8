"""What the pages explain: the rules of each game, and why an answer was given."""

from __future__ import annotations

import pytest

from tests.browser.conftest import HANDHELD, SEVEN_INCH, WIDE, Screens
from tests.browser.page_objects import Screen
from tests.browser.screenshots import save_screenshot, settled, spilled, violations
from tests.browser.server import TableServer
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
    look(display, "why")
    display.press("info")
    display.shows("#answer.given")
    look(display, "answer")
    display.press("info")
    display.shows('#choices [data-action="why"]')
    look(display, "more")


def test_the_clue_list(server: TableServer, screens: Screens) -> None:
    """Off by default; switched on, the display and a human's phone list the answers, night by
    night, newest first.
    """
    display, vampire, ana = screens.display(server), screens.vampire(server), screens.phone(server)
    vampire.sit("V")
    ana.sit("H1", name="Ana")
    display.begin(vampire, "C4")
    assert 0 == ana.at('[data-action="clues"]').count()
    vampire.page.goto(server.phone("/host"))
    vampire.at("[data-action='help'][data-arg='clues']").tap()
    display.shoot("A1", "S")
    display.says("#answer", "Silence")
    display.press("clues")
    display.says("#clues", "silence")
    look(display, "clues")
    display.press("info")
    ana.press("clues")
    ana.says("#clues", "silence")
    save_screenshot(ana.page, "human-clues-360x740.png")
    assert [] == violations(ana.page)
    vampire.page.goto(server.phone("/seat"))
    display.end_turn("H1", "V")
    ana.press("clues")
    ana.says("#clues", "Night 1")
    vampire.look()
    vampire.end_night()
    display.turn_of("H1")
    display.press("clues")
    display.says("#clues", "Night 1")
    display.says("#clues", "silence")


def look(display: Screen, name: str) -> None:
    """Look at the display at both its sizes; it keeps the larger one."""
    for size in (SEVEN_INCH, WIDE):
        display.page.set_viewport_size({"width": size[0], "height": size[1]})
        settled(display.page)
        save_screenshot(display.page, f"table-help-{name}-{size[0]}x{size[1]}.png")

        assert [] == violations(display.page)
        assert [0, 0] == spilled(display.page)
