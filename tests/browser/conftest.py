"""The browser, the server and the screens of a test, which an error that a page reports fails."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

from companion.sim.table_model import World
from companion.sim.virtual_board import BoardKind
from tests.browser import looks, screenshots
from tests.browser.page_objects import LATER, Display, Phone, VampirePhone
from tests.browser.screenshots import SHOTS
from tests.browser.server import TIMEOUT, TableServer
from tests.browser.windows import Windows

WIDE, SEVEN_INCH, HANDHELD = (1920, 1080), (800, 480), (360, 740)
UNREACHABLE = "net::ERR_"
"""What Chromium itself writes when a table is out of reach; no page can keep it from that."""

COMPUTING = "/replay.json: Failed to load resource: the server responded with a status of 503"
"""What it writes when the table computes a replay for another page; the page asks again."""

CODES = """new MutationObserver((changes) => {
  const isCode = /(?<![\\w./:@-])[a-z][a-z0-9]*(?:[._][a-z][A-Za-z0-9]*)+(?![\\w./:@-]|\\.\\w)/;
  const skipped = "[translate=no], script, style, pre, code, textarea, input";
  const isSkipped = (node) => node.parentElement?.closest(skipped);
  const complain = (words) => console.error(`a code instead of words: ${words}`);
  const check = (node) => {
    if (isSkipped(node)) return;
    if (node.nodeType === Node.TEXT_NODE && isCode.test(node.data)) complain(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    for (const name of ["aria-label", "title", "placeholder"]) {
      if (isCode.test(node.getAttribute(name) ?? "")) complain(node.getAttribute(name));
    }
    node.childNodes.forEach(check);
  };
  for (const { type, target, addedNodes } of changes) {
    if (type === "childList") addedNodes.forEach(check);
    else check(target);
  }
}).observe(document, {
  attributes: true, attributeFilter: ["aria-label", "title", "placeholder"], characterData: true,
  childList: true, subtree: true,
});"""
"""Lets a page complain of every sentence's code that it ever shows or reads out where its words
should stand.
"""

MUTE = "AudioContext.prototype.resume = () => new Promise(() => {});"
"""Keeps a page's sound device closed, as before the first press: open, it takes a tenth of a core,
and the display decodes its recorded sentences for it.
"""

FAILED = pytest.StashKey[bool]()

StartServer = Callable[..., TableServer]
Motion = Literal["reduce", "no-preference"]
"""What a person has chosen in the browser's settings."""


@pytest.fixture(scope="session")
def windows(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Windows | None:
    """The program for Windows, where its zip is given: it serves instead of this checkout."""
    packed = pytestconfig.getoption("--windows-zip")
    return Windows(Path(packed), tmp_path_factory.mktemp("wine")) if packed else None


@pytest.fixture
def start_server(tmp_path: Path, windows: Windows | None) -> Iterator[StartServer]:
    """Serve a table with a virtual board of some kind, in a folder of its own."""
    servers: list[TableServer] = []

    def started(
        kind: BoardKind | None = "tags",
        more: str = "",
        world: World | None = None,
        *,
        has_quick_dawns: bool = True,
    ) -> TableServer:
        folder = tmp_path / f"table-{len(servers)}"
        folder.mkdir()
        make = TableServer if windows is None else windows.server
        servers.append(make(folder, kind, more, world, has_quick_dawns=has_quick_dawns))
        servers[-1].open()
        return servers[-1]

    yield started
    for server in servers:
        server.close()
    for server in servers:
        assert "Traceback" not in server.log, server.log


@pytest.fixture
def server(start_server: StartServer, request: pytest.FixtureRequest) -> TableServer:
    """A table with a board of tags, its dawns as slow as at a real one `with_slow_dawns`."""
    return start_server(has_quick_dawns=getattr(request, "param", True))


with_slow_dawns = pytest.mark.parametrize("server", [False], indirect=True, ids=["slow"])


class Screens:
    """Opens screens, and keeps what their pages complain of."""

    def __init__(
        self, browser: Browser, motion: Motion = "reduce", *, has_sound: bool = True
    ) -> None:
        self._browser = browser
        self._motion = motion
        self._has_sound = has_sound
        self.problems: list[str] = []
        self.may_lose_link = False

    def display(self, server: TableServer, size: tuple[int, int] = WIDE) -> Display:
        """Open the table display, paired."""
        display = Display(server, self.page(size))
        display.page.goto(server.display_address)
        display.shows('[data-action="players"][data-arg="2"]')
        return display

    def phone(self, server: TableServer) -> Phone:
        """Take a phone that has no seat yet."""
        return Phone(server, self.page(HANDHELD, is_phone=True))

    def vampire(self, server: TableServer) -> VampirePhone:
        """Take the phone that will be the vampire's."""
        return VampirePhone(server, self.page(HANDHELD, is_phone=True))

    def begin_three(self, server: TableServer) -> tuple[Display, VampirePhone, Phone, Phone]:
        """Begin a game of the vampire, Ana and Ben on phones; the vampire has hidden on C3."""
        display, vampire = self.display(server), self.vampire(server)
        ana, ben = self.phone(server), self.phone(server)
        vampire.sit("V")
        display.press("players", "3")
        ana.sit("H1", name="Ana")
        ben.sit("H2", name="Ben")
        display.begin(vampire, "C3", players=3)
        return display, vampire, ana, ben

    def page(
        self, size: tuple[int, int], is_phone: bool = False, is_careless: bool = False
    ) -> Page:
        """Open an empty page in a browser of its own; a careless one clicks every warning of a
        certificate away.
        """
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=is_phone,
            is_mobile=is_phone,
            locale="en-GB",
            reduced_motion=self._motion,
            ignore_https_errors=is_careless,
        )
        context.set_default_timeout(1000 * TIMEOUT)
        context.add_init_script(CODES)
        context.add_init_script(LATER)
        if not self._has_sound:
            context.add_init_script(MUTE)
        context.on("page", self.watch)
        return context.new_page()

    def watch(self, page: Page) -> None:
        """Keep what this page complains of."""
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.problems.append(f"{page.url}: {error}"))

    def _heard(self, message: ConsoleMessage) -> None:
        problem = f"{message.location.get('url')}: {message.text}"
        is_expected = (self.may_lose_link and UNREACHABLE in problem) or COMPUTING in problem
        if message.type == "error" and not is_expected:
            self.problems.append(problem)

    def photograph(self, name: str) -> None:
        """Keep a picture of every screen as it is now."""
        pages = [page for context in self._browser.contexts for page in context.pages]
        for number, page in enumerate(pages):
            page.screenshot(path=SHOTS / f"failed-{name}-{number}.png")

    def close(self) -> None:
        """Close all that was opened."""
        for context in self._browser.contexts:
            context.close()


@pytest.fixture(scope="session", autouse=True)
def saved_screenshots(pytestconfig: pytest.Config) -> None:
    """Save screenshots where they are asked for."""
    screenshots.are_saved = bool(pytestconfig.getoption("--screenshots"))


@pytest.fixture(scope="session", autouse=True)
def all_looks(is_exhaustive: bool) -> None:
    """Check every look of an evening in an exhaustive run."""
    looks.are_all_checked = is_exhaustive


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture
def screens(
    browser: Browser, start_server: StartServer, is_exhaustive: bool, request: pytest.FixtureRequest
) -> Iterator[Screens]:
    """Screens around the table; they are put away before it is.

    Their pages move and sound only in an exhaustive run, and in tests with the markers `motion` and
    `sound`: what moves takes a third of the processor's time. A failed test leaves pictures of
    them.
    """
    moves, sounds = (
        bool(is_exhaustive or request.node.get_closest_marker(name)) for name in ("motion", "sound")
    )
    screens = Screens(browser, "no-preference" if moves else "reduce", has_sound=sounds)
    yield screens
    if request.node.stash.get(FAILED, False):
        screens.photograph(request.node.name)
    screens.close()
    assert [] == screens.problems
