"""The round that a lobby shows: every moment of every game, drawn as the game is drawn."""

from __future__ import annotations

from functools import partial

import pytest
from playwright.sync_api import Page

from companion.games import GAMES
from tests.browser.conftest import SEVEN_INCH, WIDE, Screens
from tests.browser.looks import broken
from tests.browser.page_objects import Display
from tests.browser.screenshots import save_screenshot, settled, spilled
from tests.browser.server import Json, TableServer
from tests.helpers.repetitions import soak
from tools.tutorials import TUTORIALS


def out_of_sight(page: Page) -> list[str]:
    """Return what of the guide is not wholly on the screen."""
    hidden: list[str] = page.evaluate(
        """() => [...document.querySelectorAll(".guide > p, .guide button")].filter((each) => {
          const { left, top, right, bottom } = each.getBoundingClientRect();
          return Math.min(left, top) < 0 || right > innerWidth + 1 || bottom > innerHeight + 1;
        }).map((each) => `out of sight: ${each.textContent}`)"""
    )
    return hidden


@pytest.mark.parametrize("language", ["en", *soak("ja", "nl")])
def test_a_round_is_watched(server: TableServer, screens: Screens, language: str) -> None:
    """Each moment of each game has its sentence and fits both displays; nothing of it is played,
    and the lobby is there afterwards.
    """
    display = screens.display(server)
    if language != "en":
        display.page.evaluate("(lang) => localStorage.setItem('lang', lang)", language)
        display.page.reload()
    wrong = []
    for game in (each.name for each in GAMES):
        display.choose(game)
        display.until(partial(is_chosen, game), "another game")
        before = server.snapshot["position"]
        wrong += watched(display, game, language)
        display.press("seats")
        display.shows('[data-action="start"]')
        assert before == server.snapshot["position"]
    assert [] == wrong


def is_chosen(game: str, snapshot: Json) -> bool:
    """Whether a table's next game is this one."""
    return bool(snapshot["game"] == game)


def watched(display: Display, game: str, language: str) -> list[tuple[str, int, object]]:
    """Watch a game's round; return its faults with the sentence and the width."""
    display.press("tutorial")
    display.shows("#tutorial")
    moments = TUTORIALS[game].moments
    wrong: list[tuple[str, int, object]] = []
    for number, moment in enumerate(moments):
        display.says(".guide", f"{number + 1}")
        for width, height in (WIDE, SEVEN_INCH):
            display.page.set_viewport_size({"width": width, "height": height})
            settled(display.page)
            save_screenshot(
                display.page, f"tutorial-{game}-{number}-{language}-{width}x{height}.png"
            )
            wrong += [
                (moment.words, width, fault)
                for fault in (
                    *broken(display.page, is_new=number in (0, len(moments) - 2)),
                    *filter(None, spilled(display.page)),
                    *out_of_sight(display.page),
                )
            ]
        if number < len(moments) - 1:
            display.press("later")
    return wrong


def test_a_game_that_begins_ends_the_round(server: TableServer, screens: Screens) -> None:
    """Who starts a game while the display shows a round sees the game."""
    display, other = screens.display(server), screens.display(server)
    display.choose("nosferatu")
    for seat in ("vampires", "villagers"):
        display.give(seat, "random")
    display.until(lambda snapshot: all(place["taken"] for place in snapshot["seats"]), "all seated")
    display.press("tutorial")
    display.shows("#tutorial")
    other.press("start")
    display.hides("#tutorial")
