"""The display's response time to presses, and its frame rate while things move, on a processor that
Chromium makes six times slower, like a Pi 3's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page

from tests.helpers.chromium import chromium
from tests.helpers.ports import free_port
from tools.bench.chromium import ARGUMENTS, CHROMIUM
from tools.bench.figure import Figure, at_least, at_most, percentile, spread
from tools.bench.latency import walk_per_pawn
from tools.bench.played_table import GameTable, Json
from tools.bench.processes import hosted
from tools.bench.served_table import Hosting

SLOWER = 6
PRESSES = 30
IDLE = 3
"""Seconds for which a display that was loaded is left alone, as at a table."""
TOUCH = 100
"""Milliseconds that a finger stays on a control: a quick tap."""
INFO = '[data-action="info"]'
"""Opens the panel, and closes it."""
WALKS = 8
PRESSED = """() => {
  globalThis.delays = { pointerdown: [], pointerup: [] };
  for (const type in delays)
    addEventListener(type, ({ timeStamp }) => {
      const record = () => delays[type].push(performance.now() - timeStamp);
      requestAnimationFrame(() => setTimeout(record));
    }, true);
}"""
"""Records the milliseconds until the next frame was drawn: after a finger is laid down the control
looks pressed (`:active`), after it is lifted the display shows what the press did.
"""
SHOWN = """async (count) => {
  while (delays.pointerup.length < count) await new Promise((done) => setTimeout(done, 20));
}"""
FRAMES = """async (ms) => {
  const [began, moments] = [performance.now(), []];
  while (performance.now() - began < ms)
    moments.push(await new Promise((done) => requestAnimationFrame(done)));
  return (1000 * (moments.length - 1)) / (moments.at(-1) - moments[0]);
}"""

MOMENTS = {
    "the radar's ring": ".lit .ripples",
    "a hit": ".stage.hit",
    "a miss": ".stage.miss",
    "dawn": ".dawn",
    "the whole path": ".whole",
}
"""What moves on the display in a whole game, by the elements that move."""
RECORD = """([moments, ms]) => {
  globalThis.rates = Object.fromEntries(Object.keys(moments).map((name) => [name, []]));
  const running = new Set();
  addEventListener("animationstart", async ({ target }) => {
    for (const [name, selector] of Object.entries(moments)) {
      if (running.has(name) || !target.closest(selector)) continue;
      running.add(name);
      rates[name].push(await (FRAMES)(ms));
      running.delete(name);
    }
  }, true);
}""".replace("FRAMES", FRAMES)
"""Records the frames a second from the start of each of these."""
MOMENT_MS = 1200
"""The shortest of these moments."""
PAUSE = 0.2
"""Seconds between two looks at a game."""
GAMES = 2
"""A minute each. What did not happen in them has no figure."""
END = 12
"""Seconds for which the end stays: it draws the whole path."""


def figures() -> Iterable[Figure]:
    """Measure the display of a game."""
    with TemporaryDirectory(prefix="bench-") as name, chromium(ARGUMENTS, CHROMIUM) as browser:
        hosting = Hosting(str(Path(name) / "data"), free_port(), speed_up=20.0)
        with hosted(hosting):
            game_table = GameTable(hosting.port, Path(hosting.folder), 2, Random(14))
            game_table.to_humans()
            pawn = own_pawn(game_table.snapshot())
            controls = [INFO, INFO, f'#field [data-cell="{pawn}"] .ground']
            page = open_display(browser, hosting)
            yield at_most(
                f"a press as soon as the display is loaded, {SLOWER} times slower",
                presses(page, controls[:1], 1)["pointerup"][0], 100, "ms",
            )  # fmt: skip
            page.close()
            page = open_display(browser, hosting)
            waits = presses(page, controls, PRESSES, IDLE)
            yield spread(
                f"a control is touched until it looks pressed, {SLOWER} times slower",
                [ms / 1000 for ms in waits["pointerdown"]], None, 100,
            )  # fmt: skip
            results = waits["pointerup"]
            first, others = max(results[: len(controls)]), results[len(controls) :]
            yield at_most(
                f"the slowest first press to its frame, {SLOWER} times slower", first, 100, "ms"
            )
            yield spread(
                f"a press to its frame, {SLOWER} times slower",
                [ms / 1000 for ms in others], None, 100,
            )  # fmt: skip
            rates = walks(page, game_table)
            yield at_least(
                f"frames while a pawn slides, {SLOWER} times slower (median)",
                percentile(rates, 0.5), 30, "/s",
            )  # fmt: skip
            game_table.close()
        hosting = Hosting(str(Path(name) / "moments"), free_port(), seed=14)
        with hosted(hosting):
            yield from moments(browser, hosting)


def moments(browser: Browser, hosting: Hosting) -> Iterator[Figure]:
    """Measure the frame rate of what moves in games that a bot plays at a table's pace against a
    vampire that stays where it is.
    """
    game_table = GameTable(
        hosting.port, Path(hosting.folder), 2, Random(14),
        lambda display: display.request("give", seat="H1", level="greedy"),
    )  # fmt: skip
    page = open_display(browser, hosting)
    page.locator("#field").wait_for()
    slow = page.context.new_cdp_session(page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.evaluate(RECORD, [MOMENTS, MOMENT_MS])
    while game_table.games < GAMES:
        snapshot = game_table.snapshot()
        is_over = snapshot["phase"] == "over"
        page.wait_for_timeout(1000 * (END if is_over else PAUSE))
        if is_over or snapshot["secret"]:
            game_table.step(snapshot)
    rates: dict[str, list[float]] = page.evaluate("() => rates")
    for moment, frames in rates.items():
        if frames:
            yield at_least(
                f"frames during {moment}, {SLOWER} times slower (median of {len(frames)})",
                percentile(frames, 0.5), 30, "/s",
            )  # fmt: skip
    game_table.close()


def open_display(browser: Browser, hosting: Hosting) -> Page:
    """Open the paired display in a browser of its own, which has stored nothing of it."""
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    code = (Path(hosting.folder) / "display-code").read_text(encoding="ascii").strip()
    page.goto(f"http://127.0.0.1:{hosting.port}/table#{code}")
    return page


def own_pawn(snapshot: Json) -> str:
    """Return the cell of a pawn of the seat to move."""
    pawns: dict[str, str] = snapshot["view"]["pawns"]
    return next(cell for pawn, cell in pawns.items() if pawn.startswith(snapshot["to_move"]))


def presses(
    page: Page, controls: Sequence[str], count: int, idle: float = 0
) -> dict[str, list[float]]:
    """Press these controls of a display in turn, slowed; return the milliseconds until each press
    was drawn, by the event that began it.

    idle: seconds before the first press
    The mouse is moved by hand: Playwright's own `click` and `wait_for_function` work in the page,
    which would be six times slower too.
    """
    for control in ('#bar [data-action="end"]', *controls):
        page.locator(control).first.wait_for()
    slow = page.context.new_cdp_session(page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.wait_for_timeout(1000 * idle)
    page.evaluate(PRESSED)
    for number in range(count):
        # None while the display draws its panel once in advance: the control is another node then.
        while not (box := page.locator(controls[number % len(controls)]).first.bounding_box()):
            pass
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, delay=TOUCH)
        page.evaluate(SHOWN, number + 1)
    waits: dict[str, list[float]] = page.evaluate("() => delays")
    return waits


def walks(page: Page, game_table: GameTable) -> list[float]:
    """Let a pawn walk to and fro; return the frames a second in the 400 ms after each."""
    walk = walk_per_pawn(game_table.snapshot())[0]
    rates: list[float] = []
    for _ in range(WALKS):
        game_table.display.request("submit", actions=[walk], seat="H1")
        rates.append(page.evaluate(FRAMES, 400))
        game_table.display.request("undo", seat="H1")
        page.wait_for_timeout(600)
    return rates
