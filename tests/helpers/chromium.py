"""Chromium outside pytest's own fixtures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext

from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.conftest import ARGUMENTS, CHROMIUM


@contextmanager
def chromium(
    arguments: Sequence[str] = ARGUMENTS,
    program: str = CHROMIUM,
    playwright: Playwright | None = None,
) -> Iterator[Browser]:
    """Yield a browser that is closed at the end; `playwright` is the one that runs already."""
    with nullcontext(playwright) if playwright else sync_playwright() as running:
        browser = running.chromium.launch(executable_path=program, args=arguments)
        try:
            yield browser
        finally:
            browser.close()
