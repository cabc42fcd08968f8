"""What a listener on the Wi-Fi sees of the vampire's phone at night: the same, whatever is done on
it.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from playwright.sync_api import Page, Request

from tests.browser.conftest import Screens, StartServer

TICK_MS = 300
REQUEST_BYTES = 1097
SECONDS = 60.0


class Traffic:
    """The messages of a page whose time stands still between `tick`s."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.sent: list[Request] = []
        self.others: list[str] = []
        self._answered = 0
        page.on("request", self._left)
        page.on("requestfinished", self._came)

    def _left(self, request: Request) -> None:
        if request.url.endswith("/channel"):
            self.sent.append(request)
        elif not request.url.endswith("/healthz"):
            self.others.append(request.url)

    def _came(self, request: Request) -> None:
        self._answered += request in self.sent

    def count(self) -> int:
        """Return how many messages have left.

        An answer shows what left before it.
        """
        self._page.evaluate("fetch('/healthz').then((reply) => reply.status)")
        return len(self.sent)

    def tick(self) -> int:
        """Let one tick pass and its answer come; return how many messages left."""
        before = self.count()
        self._page.clock.run_for(TICK_MS)
        count = self.count() - before
        self.until(lambda: self._answered == len(self.sent))
        return count

    def until(self, is_so: Callable[[], bool]) -> None:
        limit = time.monotonic() + SECONDS
        while not is_so():
            assert time.monotonic() < limit
            self._page.wait_for_timeout(20)


def test_a_night_ticks(start_server: StartServer, screens: Screens) -> None:
    """While the vampire hides, its phone posts one message at each tick and no other: for nothing,
    for a tap on a tile, for undo, while the rules are read, and for the commit. All are of one
    size. What it looks at is fetched before. When the table has taken the place, it is silent.
    """
    server = start_server(None)
    display, vampire = screens.display(server), screens.vampire(server)
    page = vampire.page
    page.clock.install()
    vampire.sit("V")
    traffic = Traffic(page)
    display.press("players", "2")
    display.set_up()
    display.press("start")
    vampire.says("#cover", "Night")
    # The leap below would give up a request that is under way.
    page.evaluate("AbortSignal.timeout = undefined")
    traffic.until(lambda: traffic.count() > 2)
    page.clock.pause_at(page.evaluate("Date.now()") + 10_000)
    traffic.count()
    traffic.until(lambda: traffic.count() == traffic._answered)

    assert [1, 1, 1] == [traffic.tick() for _ in range(3)]
    before, fetched = traffic.count(), len(traffic.others)
    vampire.look()
    vampire.tile("C3")
    vampire.shows(".ring.chosen")
    assert before == traffic.count()
    assert 1 == traffic.tick()
    vampire.says("#plan", "C3")
    before = traffic.count()
    vampire.press("undo")
    vampire.says("#plan", "Tap")
    assert before == traffic.count()
    assert 1 == traffic.tick()
    vampire.tile("C3")
    assert 1 == traffic.tick()
    vampire.says("#plan", "C3")
    vampire.cover()
    assert [] == traffic.others[fetched:]
    vampire.press("rules")
    vampire.shows("#rules")
    assert 1 == traffic.tick()
    vampire.press("back")
    vampire.look()
    before = traffic.count()
    vampire.press("end_night")
    assert before == traffic.count()
    assert 1 == traffic.tick()
    vampire.hides("#end-night")
    assert {REQUEST_BYTES} == {len(request.post_data_buffer or b"") for request in traffic.sent}

    display.turn_of("H1")
    vampire.cover()
    vampire.says("#cover", "quiet")
    before = traffic.count()
    page.clock.run_for(10 * TICK_MS)
    assert before == traffic.count()
