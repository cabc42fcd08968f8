"""What a screen reader says of the display and the phones of every game, in Dutch: nothing twice,
each table with its name, and no word of the code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from playwright.sync_api import Browser

from tests.browser.screens.test_layout import (
    SEATS,
    Pages,
    Screen,
    drawn,
    every_state,
    open_paired,
    opened,
    seated,
)
from tests.browser.screens.test_zoom import fullest
from tests.browser.states import State, hunts
from tests.browser.tree_player import Node, is_text, read_tree

DUTCH = "nl-NL"
NAMED = ("table", "grid", "group", "region", "button", "link", "image", "slider")
"""Roles that mean nothing without a name."""
CODE = ("street", "rail", "alley", "passage", "stairs", "shaft", "unseen", "human", "vampires_side")
"""Words of the code that are no Dutch words, and names of nobody."""


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> list[State]:
    return fullest([*hunts(), *every_state(tmp_path_factory.mktemp("games"))])


def wrong(nodes: Sequence[Node]) -> Iterator[str]:
    """Yield what is read twice, what has no name, and words of the code."""
    # Two cards of a hand may be alike.
    texts = [each for each in nodes if is_text(each) and each.path[-1] != "Figcaption"]
    for one, other in pairwise(texts):
        if one.name == other.name and one.path == other.path and one.name.strip().isalpha():
            yield f"twice: {one.name}"
    for each in nodes:
        is_details = each.role == "group" and "DisclosureTriangle" in {it.role for it in nodes}
        if each.role in NAMED and not each.name and not is_details:
            yield f"without a name: {each.role}"
        if words := set(each.name.replace(",", " ").split()) & {*CODE}:
            yield f"words of the code: {words} in {each.name}"


def test_displays_are_read_in_words(browser: Browser, states: list[State]) -> None:
    """Each game's display before a game, in it and after it."""
    defects = []
    for screen in opened(browser, Pages(), is_phone=False, locale=DUTCH):
        open_paired(screen)
        for state in states:
            drawn(screen, state)
            defects += [f"{state.name}: {each}" for each in wrong(read_tree(screen.page))]
    assert [] == defects, "\n".join(defects)


def looked(phone: Screen, state: State, seat: str) -> Iterator[Sequence[Node]]:
    """Yield what is read of a phone, covered and looked at."""
    phone.page.evaluate("dispatchEvent(new Event('blur'))")
    phone.show(state, seat)
    phone.page.wait_for_selector("main:not(.opening)")
    yield read_tree(phone.page)
    if seat in state.private and phone.page.locator("#hold").count():
        if not phone.page.locator(".secret").count():
            phone.page.locator("#reveal, #look").tap()
        phone.page.wait_for_selector(".secret")
        yield read_tree(phone.page)


def test_phones_are_read_in_words(browser: Browser, states: list[State]) -> None:
    """The phones of each game's seats, covered and looked at."""
    defects = []
    for phone in opened(browser, Pages(), is_phone=True, locale=DUTCH):
        for game, seats in SEATS.items():
            for seat in seats:
                played = [each for each in states if each.snapshot["game"] == game]
                seated(phone, played[0], seat)
                for state in played:
                    for nodes in looked(phone, state, seat):
                        defects += [f"{state.name} {seat}: {each}" for each in wrong(nodes)]
    assert [] == defects, "\n".join(defects)
