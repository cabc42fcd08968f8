"""A replay that is opened from a table or a phone plays by itself and shows what its signs mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from companion.replay.build import replay_json
from tests.browser.screens.test_layout import ORIGIN, Pages, Screen, opened
from tests.browser.screens.test_replay import FIXTURE
from tests.browser.states import State


@pytest.fixture(scope="module")
def screen(browser: Browser) -> Iterator[Screen]:
    pages = Pages()
    pages.replay = replay_json(FIXTURE.read_text(encoding="utf-8"))
    yield from opened(browser, pages, is_phone=False)


def replayed(screen: Screen, came_from: str, motion: Any) -> None:
    """Open the replay of a game that is over."""
    screen.page.emulate_media(reduced_motion=motion)
    screen.page.goto("about:blank")
    screen.page.goto(f"{ORIGIN}/replay{came_from}")
    screen.page.wait_for_function("() => 'tell' in globalThis")
    screen.show(State("over", {"phase": "over", "game": "vampireradar"}))
    screen.page.wait_for_selector("#time")


@pytest.mark.parametrize(
    ("came_from", "motion", "does_play"),
    [
        ("#table", "no-preference", True),
        pytest.param("#seat", "no-preference", True, marks=pytest.mark.soak),
        ("#table", "reduce", False),
        ("", "no-preference", False),
    ],
)
def test_a_replay_plays_by_itself(
    screen: Screen, came_from: str, motion: str, does_play: bool
) -> None:
    """A press on Replay plays it; an address that was opened, and a browser with reduced motion,
    wait for Play.
    """
    replayed(screen, came_from, motion)

    label = "Pause" if does_play else "Play"
    expect(screen.page.locator('[data-action="play"]')).to_have_attribute("aria-label", label)
    if does_play:
        expect(screen.page.locator("#moment")).not_to_have_text("1 of 104")


def test_the_signs_have_words(screen: Screen) -> None:
    """Each sign of the timeline and the line on the field stand with their words."""
    replayed(screen, "#table", "reduce")

    assert ["radar", "hit", "miss", "pawn taken", "bat eaten", "its way, night by night"] == [
        words.strip() for words in screen.page.locator("#signs li").all_inner_texts()
    ]
