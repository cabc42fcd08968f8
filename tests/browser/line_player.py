"""A player who has one field to type in: it reads nothing but what the field of commands answers
and completes, and does nothing but type lines.

What it cannot say is a fault of the field or of a control's name.
"""

from __future__ import annotations

import re
from contextlib import suppress
from random import Random

from playwright.sync_api import Page, expect

from tests.browser.page_objects import SLIP
from tests.browser.players import Manner

ANSWER = "#command-answer"
LISTED = """() => [...document.querySelectorAll("#command-list option")]
  .map(({ value, label }) => [value, label || value])"""
"""The lines that the field completes, each with the whole name of what it presses."""
FIRST_QUESTION = "now"
"""What follows the acts in the list."""
COVERED_MS = 5000
"""Milliseconds after which a line without an answer was covered together with it."""
REFUSALS = "^(Which one|“)|means nothing here|: not now"
"""How the field begins an answer to a line that it does not understand."""


class LinePlayer:
    """A player at the page of a seat; `choices` decides where it has a choice."""

    def __init__(self, page: Page, choices: Random) -> None:
        self.page = page
        self.choices = choices
        self.pressed: list[str] = []
        """The lines that pressed something, for people who look for a fault."""
        self._acts: dict[str, str] = {}
        self._told: list[str] = []

    def open(self) -> None:
        """Open the field by its key."""
        self.page.locator("#open-commands").wait_for(state="attached")
        self.page.keyboard.press("F2")
        expect(self.page.locator("#command")).to_be_focused()

    def type(self, line: str) -> str:
        """Type a line and return its answer, "" where the page has covered it meanwhile."""
        self.page.keyboard.type(line)
        self.page.keyboard.press("Enter")
        answer = self.page.locator(ANSWER)
        with suppress(AssertionError):
            expect(answer).not_to_be_empty(timeout=COVERED_MS)
        return answer.inner_text()

    def read(self) -> None:
        """Ask what may be done now, and read what the field completes."""
        self._told = self.type("").splitlines()
        self._acts = {}
        for line, name in self.page.evaluate(LISTED):
            if line == FIRST_QUESTION:
                break
            self._acts[line] = name

    def act(self, manner: Manner) -> bool:
        """Type what this manner has for what was read last; return whether it has something."""
        line = self._next(manner)
        if line is None:
            return False
        # A second press too soon after another is taken for a slip of the finger.
        self.page.evaluate("(ms) => later(ms)", SLIP)
        self.pressed.append(line)
        answer = self.type(line)
        assert not re.search(REFUSALS, answer), f"{line}: {answer}"
        return True

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, so that another one can begin."""
        return "Play again" in self._acts

    def written(self) -> str:
        """Return what was read, for people who look for a fault."""
        return "\n".join([*self._told, *self._acts.values()])

    def _next(self, manner: Manner) -> str | None:
        """Return what is typed next, None where there is nothing to type."""
        words = [*self._told, *self._acts.values()]
        for press in manner:
            if not any(re.search(press.while_, each) for each in words):
                continue
            if lines := [line for line, name in self._acts.items() if re.search(press.name, name)]:
                return self.choices.choice(lines)
        return None
