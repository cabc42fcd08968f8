"""What a display fetches while it is used may come late, or fail once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.screens.test_layout import ORIGIN, Pages, Screen, drawn, opened
from tests.browser.states import State, hunts

LOBBY = next(each for each in hunts() if each.name == "vampireradar-lobby")
TURN = next(each for each in hunts() if each.name == "vampireradar-turn")
HEADINGS = """() => {
  globalThis.shown = [];
  new MutationObserver(() => {
    const words = document.querySelector(".lobby h1")?.textContent;
    if (words && words !== shown.at(-1)) shown.push(words);
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}"""
PANELS = """() => {
  globalThis.idle = [];
  globalThis.requestIdleCallback = (task) => idle.push(task);
  globalThis.panels = { drawn: 0, shown: 0 };
  new MutationObserver((changes) => {
    const nodes = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    panels.drawn += nodes.filter(({ className }) => className === "panel").length;
  }).observe(document.body, { childList: true, subtree: true });
  const look = () => {
    panels.shown += document.querySelectorAll(".panel").length;
    requestAnimationFrame(look);
  };
  look();
}"""
"""Collects what the page leaves until it is idle, and counts the panels that it draws and the
frames that show one.
"""
IDLE = """async () => {
  while (!idle.length) await new Promise(requestAnimationFrame);
  for (const task of idle.splice(0)) task();
  await new Promise(requestAnimationFrame);
}"""


@pytest.fixture
def display(browser: Browser) -> Iterator[Screen]:
    for screen in opened(browser, Pages(), is_phone=False):
        screen.page.goto(f"{ORIGIN}/table#{'A' * 43}CODE")
        screen.page.wait_for_function("() => 'tell' in globalThis")
        yield screen


def lobby_of(game: str) -> State:
    """Return a lobby in which this game is proposed."""
    return State(game, LOBBY.snapshot | {"game": game})


def test_a_game_that_comes_late_is_not_shown_last(display: Screen) -> None:
    """A display shows updates in their order, however long the files of one game take."""
    routes: list[Route] = []

    def hold(route: Route) -> None:
        routes.append(route)

    display.page.route("**/games/nosferatu/sounds.js", hold)
    drawn(display, LOBBY)
    display.page.evaluate(HEADINGS)
    display.show(lobby_of("nosferatu"))
    display.show(LOBBY)
    while not routes:
        display.page.wait_for_timeout(10)
    routes[0].fallback()
    display.page.wait_for_function("() => shown.includes('Nosferatu')")
    display.page.wait_for_function("() => shown.at(-1) === 'Vampire Radar'")


def test_a_display_that_failed_to_load_is_fetched_again(display: Screen) -> None:
    """A display of a game that could not be fetched is requested again without a press."""
    routes: list[Route] = []

    def answer(route: Route) -> None:
        if routes:
            route.fallback()
            return
        routes.append(route)
        route.abort()

    display.page.route("**/games/vampireradar/table.js", answer)
    drawn(display, TURN)
    assert routes


def test_the_panel_is_drawn_before_it_is_opened(display: Screen) -> None:
    """An idle display draws its panel once, so that the first press need not wait; no frame shows
    it, what stood there stands there again, and who uses the page keeps the focus.
    """
    page = display.page
    drawn(display, LOBBY)
    page.evaluate(PANELS)
    drawn(display, TURN)
    words, end = page.inner_text("main"), page.locator('#bar [data-action="end"]')
    end.focus()
    page.evaluate(IDLE)
    expect(end).to_be_focused()
    assert {"drawn": 0, "shown": 0} == page.evaluate("() => panels")
    end.blur()
    display.show(TURN)
    page.evaluate(IDLE)
    assert {"drawn": 1, "shown": 0} == page.evaluate("() => panels")
    assert words == page.inner_text("main")
