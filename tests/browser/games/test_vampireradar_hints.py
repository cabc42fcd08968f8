"""Every phone of Vampire Radar shows in one sentence what may be done now, or for whom to wait."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.screens.test_layout import Pages, Screen, opened, seated
from tests.browser.states import State, hunts

SAID = """() => [...document.querySelectorAll("#task, #look, #vote")]
  .filter((it) => it.checkVisibility()).map((it) => it.textContent)"""
STATES = {state.name.removeprefix("vampireradar-"): state for state in hunts()}


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Iterator[Screen]:
    """One page for all tests, which seat it."""
    yield from opened(browser, Pages(), is_phone=True)


def hints(phone: Screen, state: State, seat: str) -> list[str]:
    """Return the sentences that a phone shows in a state; an end comes after the display's."""
    phone.show(state, seat)
    is_over = state.snapshot["phase"] == "over"
    phone.page.wait_for_selector("main .finale" if is_over else "main:not(.opening, :has(.finale))")
    sentences: list[str] = phone.page.evaluate(SAID)
    return sentences


FITTING = {
    "H1": {
        "turn": "Tap a tile or arrow.",
        "offer": "Call the radar?",
        "bullet": "Take the bullet?",
        "silence": "End the turn.",
        "night": "The vampire walks. Wait for dawn.",
        "choosing": "The vampire hides. Wait.",
        "quiet": "A quiet night.",
        "check": "Look at the table display.",
        "over": "The vampire has no heart left.",
    },
    "H2": {
        "turn": "Ana is to move.",
        "out": "Your pawns are gone. You may still talk and mark.",
    },
    "V": {
        "turn": "Ana is to move. Radar at A3, Ana a: 4.",
        "night": "Choose your way. Nobody sees how many steps you take.",
        "lobby": "You are seated. Look at the table.",
    },
}


@pytest.mark.parametrize("seat", FITTING)
def test_one_sentence_in_every_state(phone: Screen, seat: str) -> None:
    """In each state there is one sentence on each phone, before, in and after a game. Who may act
    reads what to do; who waits reads for whom.
    """
    seated(phone, STATES["turn"], seat)
    said = {name: hints(phone, state, seat) for name, state in STATES.items()}

    assert {} == {
        name: sentences
        for name, sentences in said.items()
        if len(sentences) != 1 or not sentences[0].strip()
    }
    assert FITTING[seat] == {name: said[name][0] for name in FITTING[seat]}


def test_an_answer_stands_once(phone: Screen) -> None:
    """What was answered today stands above the log and not in it too."""
    seated(phone, STATES["turn"], "H2")
    hints(phone, STATES["hit"], "H2")

    assert phone.page.locator("#answer").inner_text().endswith("groan! Hit.")
    assert "groan" not in phone.page.locator("#log").inner_text()


def test_the_open_page_shows_what_to_do(phone: Screen) -> None:
    """The vampire's page under the hold shows what may be done in its night."""
    seated(phone, STATES["night"], "V")
    phone.page.locator("#reveal").tap()
    step = phone.page.locator("#step")

    assert "Tap a lit tile, or end the night." == step.inner_text()
    phone.page.locator("#end-night").tap()
    assert "Press it once more." == step.inner_text()
