"""The displays on which screens are looked at: pages from files, without a table."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.screens.test_layout import Pages, Screen, open_paired, opened


@pytest.fixture
def pages() -> Pages:
    return Pages()


@pytest.fixture
def locale() -> str:
    """The language of the device, unless a test says which."""
    return "en-GB"


@pytest.fixture
def display(browser: Browser, pages: Pages, locale: str, is_exhaustive: bool) -> Iterator[Screen]:
    for screen in opened(browser, pages, False, is_exhaustive, locale):
        open_paired(screen)
        yield screen
