"""Displays at all their sizes in other languages than English, with names of the most letters, seen
from near and from afar: all pairs of a size and one of these, not each with each.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import ViewportSize, expect

from companion.replay.build import replay_json
from tests.browser.layout import FINGER
from tests.browser.screens.test_layout import (
    DISPLAYS,
    MOVED,
    ORIGIN,
    SHORTENED,
    Screen,
    drawn,
    open_paired,
    with_long_names,
)
from tests.browser.screens.test_replay import FIXTURE
from tests.browser.screenshots import settled
from tests.browser.states import State, hunts, played
from tests.helpers.repetitions import soak

TABLES = DISPLAYS[:7]
SEVEN_INCH = (800, 480)
LOOKS = (("nl", "1"), ("nl", "0"), ("ja", "0"))
"""Languages, and whether the words are the larger ones for a far table; English is in
`test_layout`. Large words in Dutch have least room.
"""
SIZE_OF_WORDS = (
    "() => Number(document.querySelector('main > [style]').style.getPropertyValue('--fit'))"
)


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> list[State]:
    """Each state of each game, its people with names of the most letters."""
    games: tuple[tuple[str, int, dict[str, str]], ...] = (
        ("nosferatu", 2, {}), ("shisogari", 5, {}), ("shisogari", 4, {"hands": "cards"}),
        ("vampire_empire", 2, {}), ("vwars", 5, {}), ("vwars", 3, {"content": "box"}),
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("games")
    states = [
        each
        for number, (game, players, options) in enumerate(games)
        for each in played(folder / str(number), game, players, options)
    ]
    return [with_long_names(each) for each in [*hunts(), *states]]


def dressed(display: Screen, language: str, far: str) -> None:
    """Open the display again in a language, from near or from afar."""
    chosen = json.dumps({"lang": language, "far": far})
    display.page.evaluate(f"() => Object.assign(localStorage, {chosen})")
    open_paired(display)


@pytest.mark.soak
@pytest.mark.parametrize("look", LOOKS, ids="-".join)
def test_words_stay_in_the_window(
    display: Screen, states: list[State], look: tuple[str, str], is_exhaustive: bool
) -> None:
    """However long a language's words and people's names are, and from afar too, nothing on a
    display overlaps, is cut off, is covered or is scrolled to. One size for each state and look,
    in turn, so that each size has states of every game; all seven in an exhaustive run.
    """
    dressed(display, *look)
    for number, state in enumerate(states, start=3 * LOOKS.index(look)):
        drawn(display, state)
        sizes = TABLES if is_exhaustive else (TABLES[number % 7],)
        display.look(f"{state.name}-{'-'.join(look)}", sizes, FINGER)
    wrong = [each for each in display.wrong if not SHORTENED.search(each)]
    assert [] == wrong, "\n".join(wrong)


def test_words_are_no_smaller_than_they_must(display: Screen, states: list[State]) -> None:
    """Words that have room are as large as in a display's style, those that have none are smaller;
    a larger window gives their size back.
    """
    dressed(display, "nl", "1")
    state = next(each for each in states if each.name == "nosferatu-play")
    drawn(display, state)
    display.page.add_style_tag(content="@media (max-width: 1024px) { :root { --size: 3; } }")
    sizes = []
    for width, height in ((1920, 1080), (1024, 768), (1920, 1080)):
        display.page.set_viewport_size(ViewportSize(width=width, height=height))
        display.page.evaluate("dispatchEvent(new Event('resize'))")
        sizes.append(display.page.evaluate(SIZE_OF_WORDS))
    assert sizes[1] < sizes[0] == sizes[2] == 1, sizes


def test_what_a_guest_opens_needs_no_scrolling(display: Screen, states: list[State]) -> None:
    """On a display that only looks on, every button that its button for more opens stands whole and
    nothing is scrolled to, in Dutch too.
    """
    display.page.evaluate("localStorage.setItem('lang', 'nl')")
    display.page.goto(f"{ORIGIN}/table")
    display.page.wait_for_function("() => 'tell' in globalThis")
    for name in ("vampireradar-turn", "nosferatu-play", "shisogari-turn", "vwars-turn"):
        drawn(display, next(each for each in states if each.name == name))
        display.page.locator('[data-action="info"]').click()
        display.page.wait_for_selector(".panel")
        display.look(f"{name}-guest", TABLES, FINGER)
        display.page.locator('.panel [data-action="info"]').click()
    wrong = [each for each in display.wrong if re.search("scrolls|control cut off|small", each)]
    assert [] == wrong, "\n".join(wrong)


def test_a_name_on_a_banner_ends_in_an_ellipsis(display: Screen, states: list[State]) -> None:
    """A long name in a display's heading takes one line, and ends in an ellipsis."""
    dressed(display, "en", "0")
    for name in ("vampireradar-turn", "nosferatu-play", "shisogari-turn", "vwars-turn"):
        drawn(display, next(each for each in states if each.name == name))
        heading = display.page.locator("#banner h1")
        expect(heading).to_have_css("text-overflow", "ellipsis")
        expect(heading).to_have_css("white-space", "nowrap")


def test_the_slider_of_a_replay_is_as_high_as_a_finger(display: Screen) -> None:
    """Fingers move a replay: its slider is 44 pixels high or more, on 7 inches 64."""
    display.pages.replay = replay_json(FIXTURE.read_text(encoding="utf-8"))
    display.page.goto(f"{ORIGIN}/replay")
    display.page.wait_for_function("() => 'tell' in globalThis")
    display.show(State("over", {"phase": "over"}))
    display.page.evaluate(MOVED, 0.5)
    for width, height in DISPLAYS:
        display.page.set_viewport_size(ViewportSize(width=width, height=height))
        settled(display.page)
        box = display.page.locator("#time").bounding_box()
        assert box
        assert box["height"] >= (64 if (width, height) == SEVEN_INCH else FINGER), (width, height)


def with_bots(state: State, seats: tuple[str, ...], levels: tuple[str, ...]) -> State:
    """Return a lobby in which bots of these levels have all seats, each level with its counts."""
    counts = {level: {"won": 10, "played": 20} for level in levels}
    lobby = state.snapshot["lobby"] | {
        "players": len(seats), "measured": dict.fromkeys(seats, counts),
    }  # fmt: skip
    taken = [
        {"seat": seat, "name": "", "taken": True, "bot": level}
        for seat, level in zip(seats, levels, strict=False)
    ]
    return replace(state, snapshot=state.snapshot | {"lobby": lobby, "seats": taken})


@pytest.mark.parametrize("language", ["nl", *soak("en", "ja")])
def test_bots_are_chosen_at_every_size(display: Screen, tmp_path: Path, language: str) -> None:
    """With a bot at every seat, and where the bot of a seat is chosen, nothing on a display
    overlaps, is cut off or is covered, in each language; the longest names of levels stand whole.
    """
    dressed(display, language, "0")
    levels = ("deep", "greedy", "heuristic", "greedy", "auto", "deep")
    for game, seats in (
        ("vampireradar", ("V", "H1", "H2", "H3")),
        ("nosferatu", ("vampires", "villagers")),
        ("shisogari", ("P1", "P2", "P3", "P4", "P5")),
        ("manhunt", ("F", "H1", "H2", "H3", "H4", "H5")),
    ):
        lobby = next(played(tmp_path / game, game, len(seats), {}))
        drawn(display, with_bots(lobby, seats, levels))
        display.look(f"{game}-bots-{language}", DISPLAYS, FINGER)
        display.page.locator(f'[data-action="give"][data-arg="{seats[0]}"]').click()
        display.page.wait_for_selector(".bots")
        display.look(f"{game}-levels-{language}", DISPLAYS, FINGER)
        display.page.locator('[data-action="seats"]').click()
    assert [] == display.wrong, "\n".join(display.wrong)
