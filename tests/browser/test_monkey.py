"""A monkey test: controls pressed at random on every page, in whatever state that brings."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.monkey import kept_seeds, play

TABLES, PART = 1, 3
"""How many of the kept tables are played, and which part of the presses; `make trust` makes all
presses, `make soak` plays all tables, and new ones.
"""


@pytest.mark.parametrize(
    ("seed", "presses"),
    [
        *((seed, presses // PART) for seed, presses in kept_seeds()[:TABLES]),
        *(pytest.param(*kept, marks=pytest.mark.soak) for kept in kept_seeds()[:TABLES]),
    ],
)
def test_random_presses(browser: Browser, seed: int, presses: int) -> None:
    """Whatever is pressed, the table refuses nothing that a page offers, no page throws, shows a
    code instead of words, or hides, covers or shrinks what can be read or pressed, and something
    leads on.
    """
    assert [] == play(browser, seed, presses, set())
