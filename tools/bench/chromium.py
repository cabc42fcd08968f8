"""A real browser that listens to `/events`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page

from tests.helpers.chromium import chromium

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
LISTEN = """
() => new Promise((resolve) => {
  globalThis.received = {};
  const source = new EventSource("/events");
  source.onmessage = (message) => {
    const now = performance.timeOrigin + performance.now();
    received[message.lastEventId] ??= now / 1000;
    resolve();
  };
})
"""


class BrowserStreamClient:
    """A page with an `EventSource`."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def received(self) -> dict[int, float]:
        """Return when the page's script first had each position, in this process's monotonic
        seconds.
        """
        offset = time.time() - time.monotonic()
        return {
            int(position): moment - offset
            for position, moment in self._page.evaluate("() => received").items()
        }


@contextmanager
def browser_stream_client(port: int) -> Iterator[BrowserStreamClient]:
    """Yield a page that listens."""
    with chromium(ARGUMENTS, CHROMIUM) as browser:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}/healthz")
        page.evaluate(LISTEN)
        yield BrowserStreamClient(page)
