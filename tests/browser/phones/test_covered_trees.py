"""What a screen reader reads of covered phones does not depend on the secret under the cover."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser

from tests.browser.screens.test_layout import Pages, Screen, opened, seated
from tests.browser.states import State, played
from tests.browser.tree_player import read_tree

COVERED: dict[str, tuple[str, int, dict[str, str], tuple[str, ...]]] = {
    "manhunt": ("manhunt", 3, {}, ("F",)),
    "shisogari": ("shisogari", 4, {}, ("P1", "P2")),
    "vampire_empire": ("vampire_empire", 2, {}, ("vampire", "human")),
    "vwars": ("vwars", 3, {}, ("P1", "P2")),
}
"""Games with secrets on phones: players, options, and whose phones are read."""


@pytest.fixture
def phone(browser: Browser) -> Iterator[Screen]:
    yield from opened(browser, Pages(), is_phone=True)


ELSEWHERE = {"cell": "12", "path": ["12"], "kinds": [], "ways": [], "trail": ["12"]}
"""What a fugitive knows who is in another place."""
SECRET_ACTS = ("accuse",)
"""What only some may do, which their covered phone must not show."""


def with_other_secret(state: State, seat: str, states: list[State]) -> State:
    """Return a state in which a seat has what it had at another moment, or what another seat has.
    What it may do in public stays.
    """
    mine = state.private[seat]
    moments = [each.private[seat].get("own") for each in reversed(states)]
    seats = [each.get("own") for each in state.private.values()]
    others = [*seats, *moments] if mine["own"].get("role") else [*moments, ELSEWHERE]
    own = next(each for each in others if each not in (None, mine["own"]))
    legal = [] if state.snapshot["secret"] else mine["legal"]
    other = mine | {
        "own": own,
        "notes": [],
        "legal": [each for each in legal if each["type"] not in SECRET_ACTS],
    }
    return replace(state, private=state.private | {seat: other})


@pytest.mark.parametrize("game", COVERED)
def test_a_covered_phone_reads_alike(phone: Screen, game: str, tmp_path: Path) -> None:
    """Two games that differ in a seat's secret alone have one accessibility tree on its covered
    phone, at each step.
    """
    name, players, options, seats = COVERED[game]
    states = [
        each
        for each in played(tmp_path, name, players, options, 60)
        if each.snapshot["phase"] == "play"
    ]
    for seat in seats:
        seated(phone, states[0], seat)
        # What a page loads last.
        phone.page.wait_for_selector("#open-commands", state="attached")
        for state in states:
            trees = []
            for variant in (state, with_other_secret(state, seat, states)):
                phone.page.evaluate("dispatchEvent(new Event('blur'))")
                phone.show(variant, seat)
                phone.page.wait_for_selector("main:not(.opening)")
                trees.append([each.spoken for each in read_tree(phone.page)])
            assert trees[0] == trees[1], f"{state.name} {seat}"
