"""How soon the display answers presses, and how evenly it moves, on a processor that Chromium makes
six times slower, as a Pi 3's.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from playwright.sync_api import Page

from tests.bench.chromium import ARGUMENTS, CHROMIUM
from tests.bench.figure import Figure, at_least, at_most, percentile, spread
from tests.bench.latency import lone_walks
from tests.bench.played_table import GameTable
from tests.bench.processes import hosted
from tests.bench.served_table import Hosting
from tests.helpers.chromium import chromium
from tests.helpers.ports import free_port

SLOWER = 6
PRESSES = 30
WALKS = 8
PRESSED = """() => {
  globalThis.waited = [];
  addEventListener("pointerup", ({ timeStamp }) => {
    requestAnimationFrame(() => setTimeout(() => waited.push(performance.now() - timeStamp)));
  }, true);
}"""
"""Notes how long after each press the next snapshot stood, in milliseconds."""
SHOWN = """async (count) => {
  while (waited.length < count) await new Promise((done) => setTimeout(done, 20));
}"""
FRAMES = """async (ms) => {
  const [began, moments] = [performance.now(), []];
  while (performance.now() - began < ms)
    moments.push(await new Promise((done) => requestAnimationFrame(done)));
  return (1000 * (moments.length - 1)) / (moments.at(-1) - moments[0]);
}"""


def figures() -> Iterable[Figure]:
    """Measure a display that looks on at a game."""
    with TemporaryDirectory(prefix="bench-") as name, chromium(ARGUMENTS, CHROMIUM) as browser:
        hosting = Hosting(str(Path(name) / "data"), free_port(), speed_up=20.0)
        with hosted(hosting):
            people = GameTable(hosting.port, Path(hosting.folder), 2, Random(14))
            people.to_humans()
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            page.goto(f"http://127.0.0.1:{hosting.port}/table")
            page.locator('[data-action="info"]').wait_for()
            slow = page.context.new_cdp_session(page)
            slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            first, *others = [ms / 1000 for ms in presses(page)]
            yield at_most(
                f"the first press to the next snapshot, {SLOWER} times slower", 1000 * first, 100,
                "ms",
            )  # fmt: skip
            yield spread(f"a press to the next snapshot, {SLOWER} times slower", others, None, 100)
            rates = walks(page, people)
            yield at_least(
                f"pictures while a pawn slides, {SLOWER} times slower (median)",
                percentile(rates, 0.5), 30, "/s",
            )  # fmt: skip
            people.close()


def presses(page: Page) -> list[float]:
    """Open and close the panel; return the milliseconds until each was seen.

    The mouse is moved by hand: Playwright's own `click` and `wait_for_function` work in the page,
    which would be six times slower too.
    """
    page.evaluate(PRESSED)
    for number in range(PRESSES):
        box = page.locator('[data-action="info"]').first.bounding_box()
        assert box
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.evaluate(SHOWN, number + 1)
    waits: list[float] = page.evaluate("() => waited")
    return waits


def walks(page: Page, people: GameTable) -> list[float]:
    """Let a pawn walk to and fro; return the pictures a second in the 400 ms after each."""
    walk = lone_walks(people.snapshot())[0]
    rates: list[float] = []
    for _ in range(WALKS):
        people.display.ask("submit", actions=[walk], seat="H1")
        rates.append(page.evaluate(FRAMES, 400))
        people.display.ask("undo", seat="H1")
        page.wait_for_timeout(600)
    return rates
