"""Every display, and every page beside it, in a window that zoom makes small: all words and
controls are there, in one column that is scrolled down, and nothing is scrolled to the side.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize

from companion.i18n import web_root
from companion.replay.build import replay_json
from companion.server.standalone import proof_page
from tests.browser.layout import FINGER, faults
from tests.browser.screens.test_layout import (
    FOURFOLD,
    MOVED,
    ORIGIN,
    TWOFOLD,
    Screen,
    drawn,
    every_state,
    in_every_language,
)
from tests.browser.screens.test_replay import FIXTURE
from tests.browser.screenshots import save_screenshot, settled
from tests.browser.server import TableServer
from tests.browser.states import State, hunts
from tests.helpers.repetitions import soak

ZOOMS = (FOURFOLD, TWOFOLD)
PAGES = {
    "join": "#code", "host": '[data-action="option"]', "help": '[data-action="game"]',
    "board": "#live",
}  # fmt: skip
"""The pages beside the table, and what each shows when it stands."""


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> list[State]:
    return [*hunts(), *every_state(tmp_path_factory.mktemp("games"))]


def fullest(states: list[State]) -> list[State]:
    """Return the longest state of each game in each phase."""
    of_phase: dict[tuple[str, str], State] = {}
    for state in sorted(states, key=lambda each: len(str(each.snapshot))):
        of_phase[state.snapshot["game"], state.snapshot["phase"]] = state
    return [*of_phase.values()]


def look_at_display(display: Screen, state: State) -> None:
    """Look at a state on the display, at what its button for more opens, and before a game at the
    pictures of how it is played.
    """
    drawn(display, state)
    display.look(f"zoom-{state.name}", ZOOMS, FINGER)
    if state.snapshot["phase"] == "lobby":
        display.page.locator('[data-action="how"]').click()
        display.page.wait_for_selector(".how")
        display.look(f"zoom-{state.name}-how", ZOOMS, FINGER)
        display.page.locator('[data-action="seats"]').click()
    info = display.page.locator('.bar [data-action="info"]')
    if info.count():
        info.first.click()
        display.page.wait_for_selector(".panel")
        display.look(f"zoom-{state.name}-more", ZOOMS, FINGER)
        display.page.locator('.panel [data-action="info"]').click()


@in_every_language
def test_displays(display: Screen, states: list[State]) -> None:
    """At 400 % and at 200 % the display of each game has all its words and controls, before a game,
    in it and after it, beside what *i* opens and beside the pictures of *How to play*.
    """
    for state in fullest(states):
        look_at_display(display, state)
    assert [] == display.wrong, "\n".join(display.wrong)


@pytest.mark.soak
def test_displays_in_every_state(display: Screen, states: list[State]) -> None:
    """The same in each state of each game."""
    for state in states:
        look_at_display(display, state)
    assert [] == display.wrong, "\n".join(display.wrong)


def test_a_replay(display: Screen) -> None:
    """The same of a replay, at its beginning and its end."""
    display.pages.replay = replay_json(FIXTURE.read_text(encoding="utf-8"))
    display.page.goto(f"{ORIGIN}/replay")
    display.page.wait_for_function("() => 'tell' in globalThis")
    display.show(State("over", {"phase": "over"}))
    for part in (0, 1):
        display.page.evaluate(MOVED, part)
        display.look(f"zoom-replay-{part}", ZOOMS, FINGER)
    assert [] == display.wrong, "\n".join(display.wrong)


@pytest.mark.parametrize("locale", ["en-GB", *soak("nl-NL", "ja-JP")])
def test_pages(browser: Browser, server: TableServer, tmp_path: Path, locale: str) -> None:
    """The same of joining, the settings, the rules, the sensors and a proof."""
    proof = tmp_path / "proof.html"
    proof.write_text(proof_page(FIXTURE.read_text(encoding="utf-8"), web_root()), encoding="utf-8")
    addresses = {name: f"http://127.0.0.1:{server.port}/{name}" for name in PAGES}
    wrong = []
    with browser.new_context(locale=locale, reduced_motion="reduce") as context:
        page = context.new_page()
        for name, address in {**addresses, "proof": proof.as_uri()}.items():
            page.goto(address)
            page.wait_for_selector(PAGES.get(name, "#verdict"))
            for width, height in ZOOMS:
                page.set_viewport_size(ViewportSize(width=width, height=height))
                settled(page)
                defects = faults(page)
                save_screenshot(page, f"zoom-{name}-{width}.png", is_fault=bool(defects))
                wrong += [f"{name} {width}: {each}" for each in defects]
    assert [] == wrong, "\n".join(wrong)
