"""What stands alone on Vampire Radar's display for a while: a radar's ring, a shot's result, a
dawn, and at the end the vampire's way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.browser.screens.test_layout import ORIGIN, Pages, Screen, drawn, opened
from tests.browser.states import State, hunts

STATES = {state.name.removeprefix("vampireradar-"): state for state in hunts()}
CARD_MS = 2500
"""How long a dawn stands alone, and the result of a shot."""
RING_MS = 2000
WAY_MS = 7000
RING = {"E2", "D1", "D3", "C4", "B5", "A6"}
"""The tiles four steps from A2."""
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
FRAME = """(names) => names.map((name) => {
  const it = document.querySelector(name);
  const { width, height } = it.getBoundingClientRect();
  const { fontSize, fontFamily } = getComputedStyle(it);
  const times = [it, ...it.querySelectorAll("svg")].map((each) => getComputedStyle(each))
    .map(({ animationDelay, animationDuration }) => animationDelay + " " + animationDuration);
  return {
    name, fontSize, fontFamily, times: [...new Set(times)].sort(),
    ...(name === ".side" && { width, height }),
  };
})"""
"""How large the card is, and how its words are written; how high they are is theirs."""
LIT = """() => [...document.querySelectorAll("#field .lit rect")].map((rect) => {
  const { e, f } = rect.transform.baseVal.consolidate().matrix;
  return "ABCDEF"[(e - 90) / 100] + (1 + (f - 90) / 100);
})"""
TRUTH = """
const nights = [{ path: ["C3", "D3", "D4"] }, { path: ["D4"] }];
export const fetchProof = async () => ({ nights, answers: 6, wrong: null });
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
        frames.append(display.page.evaluate(FRAME, [".side", "#dawn"]))

    assert [frames[0]] * len(frames) == frames


def test_a_dawn_keeps_nobody_from_acting(display: Screen) -> None:
    """A press on a tile is a press of the turn that has begun, and ends the card."""
    morning(display.page, NIGHTS["kill"])
    display.page.locator('g[data-cell="A3"]').click()
    display.page.wait_for_selector("main:not(.night) .ring.chosen")


def tell(page: Page, name: str, *events: dict[str, Any], **more: Any) -> None:
    """Send a state, and the events that led to it."""
    snapshot = STATES[name].snapshot | more
    told = [{"event": event, "message": None, "position": 0} for event in events]
    page.evaluate("([snapshot, events]) => tell({ snapshot, events })", [snapshot, told])


def test_a_radar_lights_its_ring(display: Screen) -> None:
    """For 2 s after an answer the tiles at its distance are lit, walls or not; then its number
    alone stays, and *Why?* lights them again.
    """
    page = display.page
    drawn(display, STATES["turn"])
    stopped(page)
    radar = {"event": "radar_called", "pawn": "H1a", "cell": "A2", "distance": 4}
    answer = {"event": radar, "message": {"code": "event.radar_called", "params": radar}}
    tell(page, "turn", radar, answer=answer)
    page.wait_for_selector("#field .lit")
    assert RING == set(page.evaluate(LIT))
    assert "the lit tiles" in page.locator("#answer").inner_text()
    page.clock.run_for(RING_MS - 100)
    assert 1 == page.locator("#field .lit").count()
    page.clock.run_for(200)
    page.wait_for_selector("#field:not(:has(.lit)) .badge")
    page.locator('[data-action="why"]').click()
    page.wait_for_selector("#field .lit")
    assert RING == set(page.evaluate(LIT))
    page.locator('#bar [data-action="info"]').click()
    page.wait_for_selector("#field:not(:has(.lit)) .badge")


def test_a_hit_and_a_miss_have_one_stage(display: Screen) -> None:
    """The result of a shot has the whole display for 2.5 s: the same frame, the same motion in the
    same time for a hit and a miss, and the line burns to its end for both.
    """
    page = display.page
    page.emulate_media(reduced_motion="no-preference")
    stages = []
    for name, word in (("hit", "Hit"), ("silence", "Silence")):
        drawn(display, STATES["turn"])
        stopped(page)
        tell(page, name, {"event": "shot_fired"})
        page.wait_for_selector(f"#answer.stage h1:text-is('{word}')")
        line = page.locator("#field .burning").evaluate("(it) => it.outerHTML")
        stages.append((page.evaluate(FRAME, [".side", "#answer h1", ".stage .big"]), line))
        page.clock.run_for(CARD_MS - 100)
        assert 1 == page.locator("main.shot").count()
        page.clock.run_for(200)
        page.wait_for_selector("main:not(.shot) #answer")
        page.clock.resume()

    assert stages[0] == stages[1]


def test_a_dawn_says_what_to_take_off(display: Screen) -> None:
    """A dawn names the attacked pawns and what hands take off the table."""
    morning(display.page, NIGHTS["kill"])
    assert "The vampire attacked on A1." == display.page.locator("#dawn").inner_text()
    assert "Take c off the table." == display.page.locator("#take").evaluate(
        "(it) => it.innerText.replace(/\\s+/g, ' ').replace('Ben ', '').replace('Player 2 ', '')"
    )


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_way_is_drawn_before_the_end(display: Screen, motion: Any) -> None:
    """After the last event the vampire's way is drawn over the field by itself, step by step, and
    the vampire rises at its end; nothing moves for those who want that. Then what happened has the
    whole display, with the facts that the game has and one main button.
    """
    page = display.page
    page.emulate_media(reduced_motion=motion)
    drawn(display, STATES["turn"])
    stopped(page)
    tell(page, "over", {"event": "game_over"})
    page.wait_for_selector("main.way #field .risen")
    moving = page.evaluate(
        "() => document.querySelector('.whole').getAnimations({ subtree: true }).length"
    )
    assert (motion == "no-preference") == (moving > 0)
    assert 2 == page.locator("#field line.way").count()
    page.clock.run_for(WAY_MS + 100)
    page.wait_for_selector("main.ended:not(:has(#field)) #facts li")
    assert "The village lives" == page.locator("#banner h1").inner_text()
    happened = "Ana’s shot from A3 hit the vampire on D4. It had been there for 2 nights."
    assert happened == page.locator("#happened").inner_text()
    assert ["6 / 6"] == page.locator("#facts b").all_inner_texts()
    assert ["Watch the hunt"] == page.locator(".prime").all_inner_texts()


def test_a_field_shows_no_path_in_play(display: Screen) -> None:
    """No path is on the field while a game is played, after one that has ended too."""
    drawn(display, STATES["turn"])
    tell(display.page, "over", {"event": "game_over"})
    display.page.wait_for_selector("#field .risen")
    drawn(display, State("turn", STATES["turn"].snapshot))
    display.page.wait_for_selector("main:not(.night)")

    assert 0 == display.page.locator("#field .whole").count()
