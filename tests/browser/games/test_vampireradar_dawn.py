"""A dawn of Vampire Radar stands in the place of the night, and the end shows where the vampire
was.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.browser.screens.test_layout import ORIGIN, Pages, Screen, drawn, opened
from tests.browser.screenshots import sunlit
from tests.browser.states import State, hunts

STATES = {state.name.removeprefix("vampireradar-"): state for state in hunts()}
CARD_MS = 2500
KILL = {"event": "pawns_killed", "cell": "A1", "pawns": ["H2c"]}
BAT = {"event": "bat_eaten", "cell": "A4"}
OVER = {"event": "turn_ended", "seat": "V"}
SAID = {
    "pawns_killed": {"code": "event.pawns_killed", "params": {"cell": "A1", "pawns": "H2c"}},
    "bat_eaten": {"code": "event.bat_eaten", "params": {"cell": "A4"}},
    "turn_ended": {"code": "event.night_over", "params": {"seat": "V"}},
    "night_fell": {"code": "night_fell", "params": {}},
}
NIGHTS: dict[str, list[dict[str, Any]]] = {
    "quiet": [OVER],
    "kill": [KILL, OVER],
    "bat": [BAT, OVER],
}
FRAME = """() => [".side", "#dawn"].map((name) => {
  const it = document.querySelector(name);
  const { width, height } = it.getBoundingClientRect();
  const { fontSize, color, animationName } = getComputedStyle(it);
  return { name, width, fontSize, color, animationName, ...(name === ".side" && { height }) };
})"""
"""How large the card is, and how its words are written; how high they are is theirs."""
READ = """() => {
  const words = getComputedStyle(document.querySelector("#dawn")).color;
  const card = getComputedStyle(document.querySelector("#answer"));
  const colours = [...card.backgroundImage.matchAll(/rgb\\([^)]*\\)/g)].map(([each]) => each);
  const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((each) => each / 255)
    .map((each) => (each <= .04045 ? each / 12.92 : ((each + .055) / 1.055) ** 2.4))
    .reduce((sum, each, index) => sum + each * [.2126, .7152, .0722][index], 0);
  const contrast = ([one, other]) =>
    (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
  const behind = (colours.length ? colours : [card.backgroundColor]).slice(0, 2);
  return {
    behind: card.backgroundImage,
    least: Math.min(...behind.map((each) => contrast([light(each), light(words)]))),
  };
}"""
"""What lies behind the words beside the field, and their contrast with the sky, above the glow."""
TRUTH = """
export const fetchProof = async () => ({ nights: [] });
export const wholePath = () => ["C3", "D3", "D4"];
export const proofList = () => null;
"""


@pytest.fixture(scope="module")
def opened_display(browser: Browser) -> Iterator[Screen]:
    """One display for all tests."""
    for screen in opened(browser, Pages(), is_phone=False):
        screen.page.clock.install()
        screen.page.route("**/proof/verdict.js", told_truth)
        screen.page.goto(f"{ORIGIN}/table#{'A' * 43}CODE")
        screen.page.wait_for_function("() => 'tell' in globalThis")
        yield screen


@pytest.fixture
def display(opened_display: Screen) -> Screen:
    """The display at night, its time running and its motion as every test begins with."""
    page = opened_display.page
    page.clock.resume()
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 1280, "height": 720})
    drawn(opened_display, STATES["lobby"])
    drawn(opened_display, STATES["night"])
    return opened_display


def told_truth(route: Route) -> None:
    """Answer with a path instead of a proof."""
    route.fulfill(body=TRUTH, content_type="text/javascript")


def stopped(page: Page) -> None:
    """Stop the page's time a minute from now."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)


def morning(page: Page, night: list[dict[str, Any]]) -> None:
    """Send a night's events, and that the next turn has begun."""
    turn = STATES["turn"].snapshot
    log = [{"event": {"event": "night_fell"}, "message": SAID["night_fell"]}]
    log += [{"event": event, "message": SAID[event["event"]]} for event in night]
    snapshot = turn | {"log": log, "answer": None}
    events = [{"event": event, "message": None} for event in night]
    page.evaluate("([snapshot, events]) => tell({ snapshot, events })", [snapshot, events])
    page.wait_for_selector("main.dawn #dawn")


def test_a_dawn_stands_alone_for_a_while(display: Screen) -> None:
    """Whatever a night brought stands in the night's place for 2.5 s; then the turn is shown."""
    page = display.page
    stopped(page)
    for night in NIGHTS.values():
        drawn(display, STATES["night"])
        morning(page, night)
        page.clock.run_for(CARD_MS - 100)
        assert 1 == page.locator("main.dawn #dawn").count()
        page.clock.run_for(200)
        page.wait_for_selector("main:not(.night) #banner.H1")
        assert 1 == page.locator("#answer #dawn").count()


def test_a_morning_is_read_in_both_looks(display: Screen) -> None:
    """What the night brought stands before the sky of the dawn beside the field, in both looks,
    and contrasts with it as text must, 4.5 to 1.
    """
    morning(display.page, NIGHTS["kill"])
    display.page.locator('g[data-cell="A3"]').click()
    display.page.wait_for_selector("#answer #dawn")
    dark = display.page.evaluate(READ)
    with sunlit(display.page):
        light = display.page.evaluate(READ)

    assert dark == light
    assert dark["least"] >= 4.5
    assert "rgb(39, 48, 94)" in dark["behind"]


def test_all_dawns_look_alike(display: Screen) -> None:
    """The card and its words have one size and one colour for a murder, a meal and a quiet
    night.
    """
    frames = []
    # On a slow machine the card would go before it is measured.
    stopped(display.page)
    for night in NIGHTS.values():
        drawn(display, STATES["night"])
        morning(display.page, night)
        frames.append(display.page.evaluate(FRAME))

    assert [frames[0]] * len(frames) == frames


def test_a_dawn_keeps_nobody_from_acting(display: Screen) -> None:
    """A press on a tile is a press of the turn that has begun, and ends the card."""
    morning(display.page, NIGHTS["kill"])
    display.page.locator('g[data-cell="A3"]').click()
    display.page.wait_for_selector("main:not(.night) .ring.chosen")


def test_the_moon_passes_behind_no_words(display: Screen) -> None:
    """The moon rises where no words stand, from the first moment on, at every size."""
    page = display.page
    page.emulate_media(reduced_motion="no-preference")
    covered = """() => [0, 15000, 30000, 45000, 59000].filter((time) => {
      const moon = document.querySelector(".moon");
      for (const each of moon.getAnimations()) { each.pause(); each.currentTime = time; }
      const { left, right, top, bottom } = moon.getBoundingClientRect();
      const size = Math.min(right - left, bottom - top);
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      return [...document.querySelectorAll("#banner h1, #banner p")].some((it) => {
        const range = document.createRange();
        range.selectNodeContents(it);
        const words = range.getBoundingClientRect();
        return Math.abs(x - (words.left + words.right) / 2) < (words.width + size) / 2 - 1
          && Math.abs(y - (words.top + words.bottom) / 2) < (words.height + size) / 2 - 1;
      });
    })"""
    wrong = []
    for name in ("night", "choosing"):
        drawn(display, STATES[name])
        for width, height in ((1920, 1080), (1024, 768), (800, 480), (768, 1024), (360, 740)):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_selector("main.night")
            wrong += [(name, width, time) for time in page.evaluate(covered)]

    assert [] == wrong


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_vampire_rises_at_the_end(display: Screen, motion: Any) -> None:
    """At the end the vampire stands where it was with its path; nothing moves for those who want
    that.
    """
    page = display.page
    page.emulate_media(reduced_motion=motion)
    drawn(display, STATES["over"])
    page.wait_for_selector("#field .risen")
    moving = page.evaluate(
        "() => document.querySelector('.whole').getAnimations({ subtree: true }).length"
    )

    assert (motion == "no-preference") == (moving > 0)
    assert "The vampire was on D4." == page.locator("#task").inner_text()
    assert page.locator('[data-action="replay"]').evaluate("(it) => it.matches('.prime')")


def test_a_field_shows_no_path_in_play(display: Screen) -> None:
    """No path is on the field while a game is played, after one that has ended too."""
    drawn(display, STATES["over"])
    display.page.wait_for_selector("#field .risen")
    drawn(display, State("turn", STATES["turn"].snapshot))
    display.page.wait_for_selector("main:not(.night)")

    assert 0 == display.page.locator("#field .whole").count()
