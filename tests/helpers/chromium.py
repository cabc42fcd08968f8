"""Chromium outside pytest's own fixtures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from tests.conftest import ARGUMENTS, CHROMIUM


@contextmanager
def chromium(arguments: Sequence[str] = ARGUMENTS, program: str = CHROMIUM) -> Iterator[Browser]:
    """Yield a browser that is closed at the end."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        try:
            yield browser
        finally:
            browser.close()
