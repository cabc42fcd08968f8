"""Vampire Radar by the field of commands: what is typed presses the page's own controls, and tells
nobody else anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Screens, StartServer
from tests.browser.page_objects import Display, Phone, Screen, VampirePhone
from tests.browser.screenshots import violations
from tests.browser.server import Json

pytestmark = pytest.mark.slow

LISTED = "() => [...document.querySelectorAll('#command-list option')].map(({ value }) => value)"
"""What the field completes."""
PANEL = "() => document.getElementById('commands').outerHTML"
"""The field and its answer, as they stand in the page."""


def typed(screen: Screen, line: str, expected: str = "") -> str:
    """Type a line, and return its answer, which has these words."""
    page = screen.page
    if not page.locator("#command").count():
        page.locator("#open-commands").wait_for(state="attached")
        page.keyboard.press("F2")
        expect(page.locator("#command")).to_be_focused()
    answer = page.locator("#command-answer")
    page.locator("#command").fill(line)
    page.keyboard.press("Enter")
    expect(page.locator("#command")).to_have_value("")
    expect(answer).not_to_be_empty()
    expect(answer).to_contain_text(expected)
    return answer.inner_text()


def seated(start_server: StartServer, screens: Screens) -> tuple[Display, VampirePhone, Phone]:
    """Begin a game of two on the first field, without a board; Ana has the pawns."""
    server = start_server(None)
    display, vampire, ana = screens.display(server), screens.vampire(server), screens.phone(server)
    display.press("players", "2")
    vampire.sit("V")
    ana.sit("H1", name="Ana")
    display.set_up()
    typed(display, "start")
    vampire.says("#cover", "Night")
    return display, vampire, ana


def has_hearts(hp: int, snapshot: Json) -> bool:
    """Whether the vampire has so many hearts left."""
    return bool(snapshot["view"]["hp"] == hp)


def shot(ana: Phone, line: str) -> None:
    """Aim by a line, and fire no sooner than a finger may."""
    typed(ana, line, "Aim south")
    ana.later()
    typed(ana, "fire", "Fire south")


@pytest.mark.soak
def test_a_whole_game_by_commands(start_server: StartServer, screens: Screens) -> None:
    """A game is played from its start to its truth by typed lines alone: the vampire under its
    toggle, a human on a phone; bare names ask, and a refusal is the sentence of a refused press.
    """
    display, vampire, ana = seated(start_server, screens)
    typed(vampire, "tap to look", "walk B2")
    typed(vampire, "walk a1", "A1 is not one of the 16 centre tiles")
    typed(vampire, "go b2", "You: B2")
    typed(vampire, "where", "You: B2")
    typed(vampire, "hide here", "Nobody sees this.")
    typed(vampire, "hide")
    vampire.hides(".secret")

    display.turn_of("H1")
    typed(ana, "", "You may: Ana a A1")
    typed(ana, "c1", "C1, bat")
    typed(ana, "B", "Ana b stands on F1.")
    typed(ana, "who", "Player 1, Ana, you.")
    typed(ana, "near", "Bat on C1: Ana a (2).")
    typed(ana, "log 1", "The vampire has hidden.")
    typed(ana, "xyzzy", "“xyzzy” means nothing here")
    typed(ana, "walk a c6", "A1 and C6 are not neighbours.")
    typed(ana, "aim", "Which one: Aim west")
    typed(ana, "walk a b1", "B1")
    display.pawn_on("H1a", "B1")
    shot(ana, "shoot a south")
    ana.until(lambda snapshot: snapshot["view"]["hp"] == 3, "a hit")
    ana.says("#answer", "Hit")
    display.says("#answer", "Hit")
    typed(display, "a", "Ana a stands on B1.")
    typed(display, "end turn", "End turn.")
    display.until(lambda snapshot: snapshot["to_move"] == "V", "the night")

    for left in (2, 1, 0):
        typed(vampire, "tap to look", "End night")
        typed(vampire, "end night", "Press it once more.")
        vampire.later()
        typed(vampire, "sure")
        vampire.hides("#end-night")
        typed(vampire, "hide")
        display.turn_of("H1")
        ana.says("#banner", "actions left")
        shot(ana, "shoot a south")
        ana.until(partial(has_hearts, left), f"{left} hearts")
        if left:
            ana.says("#answer", "Hit")
            typed(ana, "end turn", "End turn.")
            display.until(lambda snapshot: snapshot["to_move"] == "V", "the next night")
    ana.shows('[data-action="truth"]')
    typed(ana, "keep the proof")
    ana.says("#truth", "B2")


Told = dict[str, object]


def answers(screen: Screen, lines: Iterable[str]) -> Told:
    """Return what lines are answered, what the field completes, and the field itself."""
    told: Told = {line: typed(screen, line) for line in lines}
    return told | {"listed": screen.page.evaluate(LISTED), "panel": screen.page.evaluate(PANEL)}


ASKED = ("now", "where", "mine", "who", "log", "near", "fit", "b2", "e5", "a", "walk c3", "help")


def told_of(start_server: StartServer, screens: Screens, start: str, steps: list[str]) -> Told:
    """Play to the first day, and return what every screen but the uncovered phone is told."""
    display, vampire, ana = seated(start_server, screens)
    told: Told = {"before": answers(vampire, ASKED)}
    typed(vampire, "tap to look", "walk")
    typed(vampire, f"walk {start}", f"You: {start}")
    vampire.page.locator("#command").fill(f"walk {start}")
    typed_before = vampire.page.evaluate(LISTED)
    vampire.cover()
    expect(vampire.at("#command")).to_have_value("")
    assert typed_before != vampire.page.evaluate(LISTED)
    told |= {"place chosen": answers(vampire, ASKED)}
    typed(vampire, "tap to look")
    said = vampire.at("#say").inner_text()
    typed(vampire, "mine", start)
    typed(vampire, "hide here")
    assert (said, "") == (
        vampire.at("#say").inner_text(),
        vampire.at("#command-spoken").inner_text(),
    )
    typed(vampire, "hide")
    display.turn_of("H1")
    typed(display, "end turn")
    display.until(lambda snapshot: snapshot["to_move"] == "V", "the night")
    vampire.says("#cover", "Night")
    typed(vampire, "tap to look", "End night")
    for step in steps:
        typed(vampire, f"walk {step}", step)
    vampire.cover()
    told |= {
        f"night, {name}": answers(screen, ASKED)
        for name, screen in (("covered", vampire), ("human", ana), ("display", display))
    }
    return told


def test_the_field_tells_no_other_screen(start_server: StartServer, screens: Screens) -> None:
    """Two games that differ in the vampire's place and plan alone give the same answers,
    completions and field on every other screen, and on the covered phone; what was typed and
    answered under the toggle leaves the page with the secret, and was in no live region.
    """
    here = told_of(start_server, screens, "B2", ["C2"])
    there = told_of(start_server, screens, "E5", [])

    assert here == there


def test_redo_brings_back_nothing_that_was_typed_in_secret(
    start_server: StartServer, screens: Screens
) -> None:
    """The browser keeps what was typed for "undo" and "redo": neither brings it back after
    covering.
    """
    _, vampire, _ = seated(start_server, screens)
    typed(vampire, "tap to look", "walk")
    vampire.page.keyboard.type("walk b2")
    vampire.cover()
    vampire.at("#command").focus()
    for keys in ("Control+z", "Control+y", "Control+Shift+z"):
        vampire.page.keyboard.press(keys)
        expect(vampire.at("#command")).to_have_value("")


def test_questions_send_nothing_and_headphones_read_aloud(
    start_server: StartServer, screens: Screens
) -> None:
    """Questions on the vampire's phone ask the table nothing, covered or not; a secret answer is in
    a live region only after the player has said "I use headphones", and leaves it with the secret.
    That ends with the page: nobody who is handed the phone has to know of it.
    """
    display, vampire, ana = seated(start_server, screens)
    for screen in (display, vampire, ana):
        typed(screen, "help")
        assert [] == violations(screen.page)
    sent: list[str] = []
    vampire.page.on("request", lambda request: sent.append(f"{request.method} {request.url}"))
    for line in ASKED[:-2]:
        typed(vampire, line)
    typed(vampire, "tap to look", "walk B2")
    for line in ASKED[:-2]:
        typed(vampire, line)
    assert {each for each in sent if not each.endswith("/channel")} == set()

    spoken = vampire.at("#command-spoken")
    expect(spoken).to_be_empty()
    vampire.at("#headphones").tap()
    typed(vampire, "mine", "Where do you hide?")
    expect(spoken).to_contain_text("Where do you hide?")
    vampire.cover()
    expect(spoken).to_be_empty()
    vampire.page.reload()
    typed(vampire, "tap to look", "walk B2")
    expect(vampire.at("#headphones")).to_have_attribute("aria-pressed", "false")
    typed(vampire, "mine", "Where do you hide?")
    expect(spoken).to_be_empty()
