"""Every screen as it is for people who want no motion or more contrast, or whose system chooses
the colours.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import BytesIO
from itertools import cycle
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from PIL import Image
from playwright.sync_api import Browser, ViewportSize

from companion.games import find_game
from companion.i18n import Catalog, web_root
from companion.mqtt.status import TableIdentity, table_status
from companion.replay.build import replay_json
from companion.server.standalone import proof_page
from tests.browser.screens.test_layout import MOVED, ORIGIN, Pages, Screen, drawn, seated
from tests.browser.screens.test_replay import FIXTURE
from tests.browser.screenshots import SHOTS, settled
from tests.browser.server import TableServer
from tests.browser.states import State, hunts, played

Json = dict[str, Any]
Colour = tuple[int, int, int]

SCRIPT = Path(__file__).parents[1] / "preferences.js"
PLAYED: tuple[tuple[str, int, Json, int], ...] = (
    ("nosferatu", 2, {}, 200), ("shisogari", 5, {}, 200), ("vampire_empire", 2, {}, 60),
    ("vwars", 5, {}, 200),
)  # fmt: skip
HUNTS = ("lobby_ready", "turn", "hit", "night", "revealing", "check", "over")
SEATS = {
    "vampireradar": ("H1", "V"), "nosferatu": ("vampires",), "shisogari": ("P1",),
    "vampire_empire": ("human",), "vwars": ("P1",),
}  # fmt: skip
PAGES = {
    "join": "#code", "host": '[data-action="option"]', "help": '[data-action="game"]',
    "board": "#live", "camera": "main", "overlay": "#now", "table": '[data-action="info"], #qr',
}  # fmt: skip
"""The pages beside the table, and what each shows when it stands."""
PHONES = re.compile(r"-(turn|night|play|name|action|end|over|over-riot)$")
"""The steps that phones are looked at in."""
TABLES = ("vampireradar-turn", "nosferatu-over")
"""Tables of a club, so few that the letters of their fields are read."""
WINDOW = ViewportSize(width=1024, height=600)
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
TEXT, LARGE_TEXT, SIGN = 7.0, 4.5, 3.0
"""The contrasts of WCAG 2.2's success criteria 1.4.6 and 1.4.11."""
STATES = [
    ('[aria-pressed="true"]', 'button[aria-pressed="false"]'),
    (".city.held", ".city:not(.held, .near, .can)"),
    (".people .now", ".people li:not(.now)"),
    (".players:not(.round-table *) .now", ".players li:not(.now, .gives)"),
    (".round-table .now .who", ".round-table li:not(.now) .who"),
]
"""Selectors of what has a state, and of what has not: they must look different."""


def brightness(colour: Colour) -> float:
    """Return WCAG's relative luminance."""
    parts = [each / 255 for each in colour]
    red, green, blue = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    """Return WCAG's contrast ratio."""
    light, dark = sorted((brightness(one), brightness(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


class Look:
    """One screen as one preference shows it."""

    def __init__(self, screen: Screen, **preference: Any) -> None:
        screen.page.emulate_media(**preference)
        settled(screen.page)
        self._page = screen.page
        self.image = Image.open(BytesIO(screen.page.screenshot())).convert("RGB")

    def colours(self, box: list[float]) -> list[tuple[int, Colour]]:
        """Return how often each colour is in a box, the most frequent first."""
        left, top, right, bottom = (round(each) for each in box)
        part = self.image.crop((max(left, 0), max(top, 0), max(right, 1), max(bottom, 1)))
        counts: list[tuple[int, Any]] = part.getcolors(part.width * part.height) or []
        return sorted(counts, reverse=True)

    def faint_texts(self) -> Iterator[str]:
        """Yield the texts with less contrast than people want who want more."""
        for text in self._page.evaluate("() => preferences.inks()"):
            red, green, blue = map(float, re.findall(r"[\d.]+", text["ink"])[:3])
            ink = round(red), round(green), round(blue)
            behind = [each for _, each in self.colours(text["box"]) if contrast(each, ink) > 1.5]
            least = LARGE_TEXT if text["isLarge"] else TEXT
            if not behind or contrast(behind[0], ink) < least:
                yield f"{text['at']}: {text['ink']} on {behind[:1]}"

    def unseen_signs(self) -> Iterator[str]:
        """Yield the drawings that nothing sets off from what lies behind them."""
        for sign in self._page.evaluate("() => preferences.signs()"):
            colours = [colour for count, colour in self.colours(sign["box"]) if count > 2]
            lights = sorted(brightness(each) for each in colours) or [0.0]
            if (lights[-1] + 0.05) / (lights[0] + 0.05) < SIGN:
                yield sign["at"]


class Preferences:
    """Looks at one screen after the other and keeps what is wrong.

    In an exhaustive run at each screen with every preference, else with one of them, in turn.
    """

    def __init__(self, screen: Screen, is_exhaustive: bool) -> None:
        self.screen = screen
        self.wrong: list[str] = []
        self._is_exhaustive = is_exhaustive
        self._turns: Iterator[Scheme | None] = cycle((None, *SCHEMES))

    def look(self, name: str) -> None:
        """Look at a screen that stands, as people see it who want no motion or more contrast, or
        whose system chooses the colours, light ones or dark ones.
        """
        page = self.screen.page
        defects = [
            f"moves: {each}" for each in page.evaluate("() => preferences.movements.splice(0)")
        ]
        for scheme in (None, *SCHEMES) if self._is_exhaustive else (next(self._turns),):
            if scheme is None:
                more = Look(self.screen, forced_colors="none", contrast="more")
                defects += [f"faint: {each}" for each in more.faint_texts()]
                continue
            forced = Look(
                self.screen, contrast="no-preference", forced_colors="active", color_scheme=scheme
            )
            defects += [f"unseen in {scheme}: {each}" for each in forced.unseen_signs()]
            alike = page.evaluate("(states) => preferences.alike(states)", STATES)
            defects += [f"alike in {scheme}: {each}" for each in alike]
            if defects:
                SHOTS.mkdir(exist_ok=True)
                forced.image.save(SHOTS / f"preferences-{name}-{scheme}.png")
        page.emulate_media(forced_colors="none", color_scheme="light")
        self.wrong += [f"{name}: {each}" for each in defects]


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> list[State]:
    """A state of each step of all games."""
    folder = tmp_path_factory.mktemp("games")
    games = [
        each for number, one in enumerate(PLAYED) for each in played(folder / str(number), *one)
    ]
    return [each for each in hunts() if each.name.removeprefix("vampireradar-") in HUNTS] + games


def opened(
    browser: Browser, size: ViewportSize, is_phone: bool, is_exhaustive: bool
) -> Iterator[Preferences]:
    context = browser.new_context(
        viewport=size, has_touch=is_phone, is_mobile=is_phone, locale="en-GB",
        reduced_motion="reduce",
    )  # fmt: skip
    context.add_init_script(path=SCRIPT)
    pages = Pages()
    context.route("**/*", pages.answer)
    preferences = Preferences(Screen(context.new_page(), pages), is_exhaustive)
    yield preferences
    context.close()
    assert [] == preferences.screen.problems
    assert [] == preferences.wrong, "\n".join(preferences.wrong)


@pytest.fixture
def display(browser: Browser, is_exhaustive: bool) -> Iterator[Preferences]:
    yield from opened(browser, WINDOW, False, is_exhaustive)


@pytest.fixture
def phone(browser: Browser, is_exhaustive: bool) -> Iterator[Preferences]:
    yield from opened(browser, ViewportSize(width=360, height=740), True, is_exhaustive)


def test_displays(display: Preferences, states: list[State]) -> None:
    """On the display nothing moves for who wants no motion, every text has a contrast of 7 to 1 for
    who wants more, and in forced colours every sign is seen and every state can be distinguished.
    """
    display.screen.page.goto(f"{ORIGIN}/table#{'A' * 43}CODE")
    display.screen.page.wait_for_function("() => 'tell' in globalThis")
    for state in states:
        drawn(display.screen, state)
        if state.record:
            display.screen.page.wait_for_selector("#facts")
        # Words have their size at once, not when the page has stood for a while.
        display.screen.page.evaluate("dispatchEvent(new Event('resize'))")
        display.look(f"table-{state.name}")


@pytest.mark.soak
def test_phones(phone: Preferences, states: list[State]) -> None:
    """The same on phones, covered and looked at."""
    screen = phone.screen
    for game, seats in SEATS.items():
        own = [
            each for each in states if each.snapshot["game"] == game and PHONES.search(each.name)
        ]
        for seat in seats:
            seated(screen, own[0], seat)
            for state in own:
                screen.page.evaluate("dispatchEvent(new Event('blur'))")
                screen.show(state, seat)
                screen.page.wait_for_selector("main")
                phone.look(f"{state.name}-{seat}")
                if seat in state.private and screen.page.locator("#hold").count():
                    if not screen.page.locator(".secret").count():
                        screen.page.locator("#reveal, #look").tap()
                    screen.page.wait_for_selector(".secret")
                    phone.look(f"{state.name}-{seat}-looked")


def card(state: State) -> Json:
    """Return what the wall of a club shows of a table in this state."""
    game = find_game(state.snapshot["game"])
    status = table_status(
        state.snapshot,
        TableIdentity("0" * 12, state.name),
        Catalog.load("en", game.name),
        state.reference.get("translations", {}),
        game.status_words,
    )
    card: Json = json.loads(msgspec.json.encode(status))
    return card | {"lost": state.snapshot["phase"] == "over"}


@pytest.mark.soak
def test_lookers_on(display: Preferences, states: list[State]) -> None:
    """The same for a replay, the wall of a club, and the demo's page around its panes."""
    screen = display.screen
    screen.pages.replay = replay_json(FIXTURE.read_text(encoding="utf-8"))
    screen.page.goto(f"{ORIGIN}/replay")
    screen.page.wait_for_function("() => 'tell' in globalThis")
    screen.show(State("over", {"phase": "over"}))
    for part in (0.5, 1):
        screen.page.evaluate(MOVED, part)
        display.look(f"replay-{part}")
    screen.pages.wall = {each.name: card(each) for each in states if each.name in TABLES}
    screen.page.goto(f"{ORIGIN}/wall")
    screen.page.wait_for_selector(".card.drawn")
    display.look("wall")
    (screen.pages.state,) = [each for each in states if each.name == "vampireradar-turn"]
    screen.pages.hello = {"snapshot": screen.pages.state.snapshot}
    screen.page.goto(f"{ORIGIN}/demo#{'A' * 43}CODE")
    screen.page.wait_for_selector("#chapter")
    display.look("demo")


def test_a_proof(browser: Browser, tmp_path: Path) -> None:
    """The same for a proof, a file of its own."""
    path = tmp_path / "proof.html"
    path.write_text(proof_page(FIXTURE.read_text(encoding="utf-8"), web_root()), encoding="utf-8")
    with browser.new_context(viewport=WINDOW, locale="en-GB", reduced_motion="reduce") as context:
        context.add_init_script(path=SCRIPT)
        preferences = Preferences(Screen(context.new_page(), Pages()), is_exhaustive=True)
        preferences.screen.page.goto(path.as_uri())
        preferences.screen.page.wait_for_selector("#verdict")
        preferences.look("proof")
    assert [] == preferences.wrong, "\n".join(preferences.wrong)


def test_pages(browser: Browser, server: TableServer) -> None:
    """The same on the pages beside the table."""
    with browser.new_context(viewport=WINDOW, locale="en-GB", reduced_motion="reduce") as context:
        context.add_init_script(path=SCRIPT)
        preferences = Preferences(Screen(context.new_page(), Pages()), is_exhaustive=True)
        for name, sign in PAGES.items():
            preferences.screen.page.goto(f"http://127.0.0.1:{server.port}/{name}")
            preferences.screen.page.wait_for_selector(sign)
            preferences.look(name)
    assert [] == preferences.wrong, "\n".join(preferences.wrong)
