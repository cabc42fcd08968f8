"""Every screen at every size that it may have: nothing overlaps, nothing is cut off, and the map is
there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from jinja2 import Environment
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from companion.replay.build import replay_json
from companion.server.routes.pages import template_loader
from tests.browser.layout import FINGER, LETTERS, faults
from tests.browser.screens.test_replay import FIXTURE
from tests.browser.screenshots import cut_off, save_screenshot, settled, spilled, sunlit
from tests.browser.states import State, hunts, played
from tests.games.shisogari.sessions import ShisogariSession
from tests.games.vampire_empire.sessions import VampireEmpireSession
from tests.helpers.repetitions import soak

WEB = Path(__file__).parents[3] / "web"
KINDS = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
QR = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>'

ORIGIN = "http://table.test"
"""A table's address is no secure context, as localhost would be."""
FOLLOW = """
const follow = (take, link) => { globalThis.tell = take; link("up"); return { close() {} }; };
"""
PUBLIC_STREAM = FOLLOW + "export const subscribePublic = follow;"
STREAM = (
    FOLLOW
    + """
export const backOff = () => 0;
export const holdAnswers = (use) => use;
export const remembered = () => ({});
export const subscribeSeat = (channel, take, link, { snapshot, private: own }) => {
  take({ snapshot, events: [] }, own);
  return follow(take, link);
};
"""
)
"""In place of `core/stream.js` and `core/public_stream.js`: the test itself sends what is new."""
CHANNEL = """
const address = "http://192.168.178.123:8080/join";
const join = { code: "ABCD", address, url: address + "#ABCD" };
export const toHex = String;
export const fromHex = String;
export class ChannelError extends Error {}
export class Channel {
  static open = async () => new Channel();
  static openKept = this.open;
  static forGuest = () => new Channel();
  tableHex = "00";
  publicKeyHex = "00";
  request = async (what) => {
    globalThis.asked = (globalThis.asked ?? 0) + 1;
    return { ok: true, role: "display", join, ...HELLO };
  };
  ask = this.request;
  blank = async () => null;
}
"""
"""In place of `core/channel.js`: the table agrees to everything and changes nothing."""


class Pages:
    """The pages as files, without a table: `state` is the table's, `hello` the page's own; `hints`
    are answered by their paths.
    """

    def __init__(self) -> None:
        self._pages = Environment(loader=template_loader(WEB), autoescape=True)
        self.state = State("", {})
        self.hello: dict[str, Any] = {}
        self.replay: dict[str, Any] = {}
        self.wall: dict[str, Any] = {}
        self.hints: dict[str, Any] = {}

    def answer(self, route: Route) -> None:
        """Answer a page's request."""
        path = route.request.url.removeprefix(f"{ORIGIN}/").partition("#")[0].partition("?")[0]
        channel = CHANNEL.replace("HELLO", json.dumps(self.hello))
        body = {
            "static/core/stream.js": STREAM,
            "static/core/public_stream.js": PUBLIC_STREAM,
            "static/core/channel.js": channel,
        }.get(path)
        file = WEB / path.removeprefix("static/")
        if body:
            route.fulfill(body=body, content_type=KINDS[".js"])
        elif path == "replay.json":
            record = self.state.record
            route.fulfill(json=replay_json(record) if record else self.replay)
        elif path == "record.jsonl" and self.state.record:
            route.fulfill(body=self.state.record)
        elif path in self.hints:
            route.fulfill(json=self.hints[path])
        elif path == "snapshot":
            route.fulfill(json=self.state.snapshot)
        elif path == "tables":
            body = json.dumps({"up": True, "all": True, "cards": self.wall})
            route.fulfill(body=f"data: {body}\n\n", content_type="text/event-stream")
        elif path == "reference":
            route.fulfill(json=self.state.reference)
        elif path.startswith("qr/"):
            route.fulfill(body=QR, content_type=KINDS[".svg"])
        elif path.startswith("static/") and file.is_file():
            route.fulfill(body=file.read_bytes(), content_type=KINDS.get(file.suffix))
        elif template := self._template(path):
            route.fulfill(
                body=self._pages.get_template(template).render(), content_type="text/html"
            )
        else:
            route.fulfill(status=404, json=[])

    def _template(self, path: str) -> str | None:
        """Return the name of a page's template, a game's too; None if there is no such page."""
        if "/" in path:
            return None
        if (WEB / "templates" / f"{path}.html").is_file():
            return f"{path}.html"
        return next((str(each.relative_to(WEB)) for each in WEB.glob(f"games/*/{path}.html")), None)


DRAWING = """() => [...document.querySelectorAll("main, main *")].map((it) => {
  const { x, y, width, height } = it.getBoundingClientRect();
  const { color, fontSize, display } = getComputedStyle(it);
  return [it.localName, x, y, width, height, color, fontSize, display].join(" ");
})"""
FONTS = "() => Promise.all([...document.fonts].map((font) => font.load().catch(() => null)))"
"""Waits for what comes after a page's first drawing, and moves words."""
COVERED = """() => {
  const ink = (it) => {
    const { left, right, top, bottom } = it.getBoundingClientRect();
    return { left, right, top: top + (bottom - top) * .24, bottom: bottom - (bottom - top) * .2 };
  };
  const mark = ink(document.querySelector(".field .mark > *"));
  return [...document.querySelectorAll(".field .letter")].filter((it) => {
    const letter = ink(it);
    return Math.min(letter.right, mark.right) - Math.max(letter.left, mark.left) > 1
      && Math.min(letter.bottom, mark.bottom) - Math.max(letter.top, mark.top) > 1;
  }).map((it) => it.textContent);
}"""
"""Which letters a mark lies on; of both the ink is looked at, not the font's box."""
CONTRAST = """([words, behind]) => {
  const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((each) => each / 255)
    .map((each) => (each <= .04045 ? each / 12.92 : ((each + .055) / 1.055) ** 2.4))
    .reduce((sum, each, index) => sum + each * [.2126, .7152, .0722][index], 0);
  const of = (selector, name) => light(getComputedStyle(document.querySelector(selector))[name]);
  const [one, other] = [of(words, "fill"), of(behind, "fill")];
  return (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
}"""
WON = """() => {
  const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((each) => each / 255)
    .map((each) => (each <= .04045 ? each / 12.92 : ((each + .055) / 1.055) ** 2.4))
    .reduce((sum, each, index) => sum + each * [.2126, .7152, .0722][index], 0);
  const contrast = (one, other) => (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
  const { backgroundImage, backgroundColor } = getComputedStyle(document.querySelector(".finale"));
  const stops = [...backgroundImage.matchAll(/rgb\\([^)]*\\)/g)].map(([each]) => each);
  const behind = stops.length ? stops : [backgroundColor];
  return Math.min(...[...document.querySelectorAll(".finale :is(h1, p)")].flatMap((it) =>
    behind.map((each) => contrast(light(each), light(getComputedStyle(it).color)))));
}"""
"""The least contrast of the words of an end with any colour behind them."""
EDGE = """() => {
  const { stroke, strokeWidth: width } =
    getComputedStyle(document.querySelector("[data-cell]:focus-visible .ground"));
  return { stroke, width, text: getComputedStyle(document.body).color };
}"""
OF_BANNER = "() => getComputedStyle(document.querySelector('#banner.mine')).backgroundColor"
AMBER = "rgb(255, 192, 32)"
MOVED = """async (part) => {
  while (!document.getElementById("time")) await new Promise((done) => setTimeout(done, 20));
  const time = document.getElementById("time");
  time.value = Math.round(Number(time.max) * part);
  time.dispatchEvent(new Event("input", { bubbles: true }));
}"""
"""Moves a replay to this part of its time."""
Size = tuple[int, int]
ZOOMED = (180, 370)
"""A phone of 360 × 740 whose page is zoomed to 200 %."""
FOURFOLD = (320, 256)
"""A window of 1280 × 1024 whose page is zoomed to 400 %."""
TWOFOLD = (640, 512)
"""The same at 200 %."""
DISPLAYS: tuple[Size, ...] = (
    (1920, 1080), (1366, 768), (1280, 1024), (1180, 820), (1024, 768), (800, 480), (768, 1024),
    (740, 360), (360, 740), ZOOMED,
)  # fmt: skip
PHONES: tuple[Size, ...] = (
    (360, 740), (390, 844), (447, 762), (740, 360), (1280, 800), ZOOMED, FOURFOLD,
)  # fmt: skip
LEAST: tuple[Size, ...] = ((800, 480), (360, 740))
"""Where there is least room: the Pi's own display and a phone."""
FEW = 4
MAPS = {
    "vampireradar": "#field, .ended .side", "nosferatu": "#field", "shisogari": "#players",
    "vwars": ".desk #riot, .vwars-table:not(.desk) #map",
}  # fmt: skip
"""What fills each display: the map, in V-Wars the riot while one is on, in VampireRader what
happened once the game is over.
"""
ASKED = ("vampireradar", "nosferatu", "vampire_empire", "manhunt")
"""The games before which somebody is chosen for the vampire's seat."""
DRAWN = {
    "nosferatu": ".nosferatu-table", "manhunt": ".manhunt-table",
    "vampireradar":
        ".play:not(.nosferatu-table, .shisogari-table, .vampire-empire-table, .vwars-table)",
    "shisogari": ".shisogari-table", "vampire_empire": ".vampire-empire-table",
    "vwars": ".vwars-table",
}  # fmt: skip


def some(name: str, sizes: tuple[Size, ...]) -> list[Size]:
    """Return one size: of every second screen one of `LEAST`, else one of the others; which one
    depends on the screen's name. All of them where they are few.
    """
    if len(sizes) < FEW:
        return [*sizes]
    number = crc32(name.encode())
    choices = [size for size in sizes if (size in LEAST) == number % 2]
    return [choices[number // 2 % len(choices)]]


class Screen:
    """One page on which a state after the other is shown, at a size after the other."""

    def __init__(self, page: Page, pages: Pages, is_exhaustive: bool = True) -> None:
        self.page = page
        self.pages = pages
        self._is_exhaustive = is_exhaustive
        self.wrong: list[str] = []
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))

    def show(self, state: State, seat: str | None = None) -> None:
        """Send the page this state, with what a seat sees alone."""
        self.pages.state = state
        own = state.private.get(seat or "")
        self.page.evaluate(
            "([snapshot, own, role]) => { tell({ snapshot, events: [] }, own, role); }",
            [state.snapshot, own, seat],
        )

    def look(
        self,
        name: str,
        sizes: tuple[Size, ...],
        finger: int = 0,
        field: str | None = None,
        letters: int = 0,
    ) -> None:
        """Keep what is wrong with the page as it is now at each of these sizes, or at some of
        them.
        """
        for width, height in sizes if self._is_exhaustive else some(name, sizes):
            self.page.set_viewport_size(ViewportSize(width=width, height=height))
            settled(self.page)
            is_zoomed = (width, height) in (ZOOMED, FOURFOLD, TWOFOLD)
            least = finger // 2 if is_zoomed else finger
            type_size = 0 if is_zoomed else letters
            defects = faults(self.page, least, field, type_size)
            if defects:
                save_screenshot(self.page, f"layout-{name}-{width}x{height}.png", is_fault=True)
            self.wrong += [f"{name} {width}x{height}: {each}" for each in defects]


in_every_language = pytest.mark.parametrize(
    "locale",
    ["en-GB", *soak("ja-JP", "nl-NL")],
)


def opened(
    browser: Browser,
    pages: Pages,
    is_phone: bool,
    is_exhaustive: bool = True,
    locale: str = "en-GB",
) -> Iterator[Screen]:
    context = browser.new_context(
        has_touch=is_phone, is_mobile=is_phone, locale=locale, reduced_motion="reduce"
    )
    context.route("**/*", pages.answer)
    screen = Screen(context.new_page(), pages, is_exhaustive)
    yield screen
    context.close()
    assert [] == screen.problems


def open_paired(display: Screen) -> None:
    """Open the table's own display, also where it is open: its code is taken with each opening."""
    display.page.goto("about:blank")
    display.page.goto(f"{ORIGIN}/table#{'A' * 43}CODE")
    display.page.wait_for_function("() => 'tell' in globalThis && !location.hash")


def every_state(folder: Path) -> list[State]:
    """Return all states of games that the screens are looked at with, played in `folder`."""
    chosen: list[Any] = [
        ("nosferatu", 2, {}), ("shisogari", 5, {}), ("shisogari", 4, {"hands": "cards"}),
        ("vampire_empire", 2, {}, 400), ("vampire_empire", 2, {"content": "box"}, 60),
        ("vwars", 5, {}), ("vwars", 3, {"content": "box"}), ("manhunt", 3, {}),
        ("manhunt", 6, {"content": "quarter"}, 40),
    ]  # fmt: skip
    return [
        each for number, one in enumerate(chosen) for each in played(folder / str(number), *one)
    ]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[State]:
    return every_state(tmp_path_factory.mktemp("games"))


def drawn(display: Screen, state: State) -> None:
    """Show a state on the display and wait until its screen is there."""
    display.show(state)
    is_lobby = state.snapshot["phase"] == "lobby"
    display.page.wait_for_selector(".lobby" if is_lobby else DRAWN[state.snapshot["game"]])


@pytest.mark.parametrize("sizes", [DISPLAYS, PHONES])
def test_every_size_has_its_turn(sizes: tuple[Size, ...]) -> None:
    """About half of the screens are looked at where there is least room, and every size belongs to
    some screen; two sizes are never thinned out.
    """
    chosen = [size for number in range(60) for size in some(f"screen-{number}", sizes)]

    assert 20 < sum(size in LEAST for size in chosen) < 40
    assert set(sizes) == set(chosen)
    assert [*sizes[1:3]] == some("screen", sizes[1:3])


@in_every_language
def test_displays(display: Screen, games: list[State]) -> None:
    """Each state of each game on the table's display, what its button for more opens, the pictures
    that show how each is played, and the question before the next game.
    """
    pictured: set[str] = set()
    for state in [*hunts(), *games]:
        game, phase = state.snapshot["game"], state.snapshot["phase"]
        drawn(display, state)
        display.look(
            state.name, DISPLAYS, FINGER, field=None if phase == "lobby" else MAPS.get(game)
        )
        if state.name == "vwars-box-lobby":
            display.page.locator('[data-action="games"]').click()
            display.look("lobby-games", DISPLAYS, FINGER)
            display.page.locator('[data-action="seats"]').click()
            display.page.locator('[data-action="start"]').click()
            display.page.wait_for_selector("#numbered-head")
            display.look("lobby-numbered", DISPLAYS, FINGER)
            display.page.locator('[data-action="seats"]').click()
        if phase == "lobby" and game not in pictured:
            pictured.add(game)
            display.page.locator('[data-action="how"]').click()
            display.page.wait_for_selector(".how")
            display.look(f"{game}-how", DISPLAYS, FINGER)
            display.page.locator('[data-action="seats"]').click()
        if phase == "over" and display.page.locator('[data-action="again"]').count():
            display.page.locator('[data-action="again"]').click()
            if game in ASKED:
                display.page.wait_for_selector(".next")
                display.look(f"{game}-next", DISPLAYS, FINGER)
                display.page.locator('[data-action="again"][data-arg="no"]').click()
        if state.name.endswith(("-turn", "-play", "-action")):
            display.page.locator('[data-action="info"]').click()
            display.page.wait_for_selector(".panel")
            display.look(f"{state.name}-more", DISPLAYS, FINGER, field=MAPS.get(game))
            display.page.locator('.panel [data-action="info"]').click()
        texts = display.page.locator('[data-action="texts"]:not([data-arg])')
        if texts.count():
            texts.click()
            display.page.wait_for_selector(".texts")
            display.look(f"{state.name}-texts", DISPLAYS, FINGER)
            display.page.locator('.texts [data-action="texts"]:not([data-arg])').click()

    assert [] == display.wrong, "\n".join(display.wrong)


def test_a_turn_can_be_ended_while_a_pawn_is_chosen(display: Screen) -> None:
    """On the smallest display too, *Undo*, *End turn* and *i* stay below the arrows."""
    drawn(display, next(each for each in hunts() if each.name == "vampireradar-turn"))
    display.page.set_viewport_size(ViewportSize(width=800, height=480))
    display.page.locator('g[data-cell="A3"]').click()
    display.page.wait_for_selector('[data-action="shoot"][data-arg="N"]')
    for action in ("undo", "end", "info"):
        expect(display.page.locator(f'#bar [data-action="{action}"]')).to_be_visible()


LONG = tuple(f"{letter}aximiliane-Josephine v. H"[:24] for letter in "MPRST")
SHORTENED = re.compile(r"cut off by (span\.seat|h1): .aximiliane-Joseph")
"""A name that somebody typed may end in an ellipsis."""


def with_long_names(state: State) -> State:
    """Return a state whose people have names of the most letters that a table takes."""
    seats = [
        each | {"name": name} for each, name in zip(state.snapshot["seats"], LONG, strict=False)
    ]
    return replace(state, snapshot=state.snapshot | {"seats": seats})


@pytest.mark.soak
@pytest.mark.parametrize("far", ["1", "0"])
@pytest.mark.parametrize("game", ["vampire_empire", "vwars"])
def test_long_names_on_a_display(
    display: Screen, games: list[State], game: str, far: str, is_exhaustive: bool
) -> None:
    """With names of the most letters, and with the larger words for a far table too, every state of
    a game and the texts that it opens stand whole on the display. One size for each state, in turn;
    all seven in an exhaustive run.
    """
    display.page.evaluate("(far) => localStorage.setItem('far', far)", far)
    open_paired(display)
    states = [
        state
        for state in games
        if state.snapshot["game"] == game and state.snapshot["phase"] != "lobby"
    ]
    for number, state in enumerate(states, start=3 * int(far)):
        drawn(display, with_long_names(state))
        sizes = DISPLAYS[:7] if is_exhaustive else (DISPLAYS[:7][number % 7],)
        display.look(f"{state.name}-{far}", sizes, FINGER)
        texts = display.page.locator('[data-action="texts"]:not([data-arg])')
        if texts.count():
            texts.click()
            display.page.wait_for_selector(".texts")
            display.look(f"{state.name}-{far}-texts", sizes, FINGER)
            display.page.locator('.texts [data-action="texts"]:not([data-arg])').click()
    wrong = [each for each in display.wrong if not SHORTENED.search(each)]
    assert [] == wrong, "\n".join(wrong)


def test_a_style_stays_with_its_game(display: Screen, games: list[State]) -> None:
    """A screen is the same whatever game was on it before: where every element is, and in which
    colour and size.
    """
    firsts = {
        state.snapshot["game"]: state
        for state in [*hunts(), *games]
        if state.snapshot["phase"] == "play"
    }
    alone = {}
    for game, state in firsts.items():
        display.page.reload()
        display.page.wait_for_function("() => 'tell' in globalThis")
        drawn(display, state)
        display.page.wait_for_selector("#sky", state="attached")
        display.page.evaluate(FONTS)
        settled(display.page)
        alone[game] = display.page.evaluate(DRAWING)
    for game, state in reversed(firsts.items()):
        drawn(display, state)
        settled(display.page)
        assert alone[game] == display.page.evaluate(DRAWING), game


SEATS = {
    "vampireradar": ("H1", "V"), "nosferatu": ("vampires",), "shisogari": ("P1",),
    "vampire_empire": ("human",), "vwars": ("P1",), "manhunt": ("H1", "F"),
}  # fmt: skip


@pytest.fixture
def phone(browser: Browser, pages: Pages, locale: str, is_exhaustive: bool) -> Iterator[Screen]:
    yield from opened(browser, pages, True, is_exhaustive, locale)


def seated(phone: Screen, state: State, seat: str) -> None:
    """Open the phone of a seat."""
    phone.pages.state = state
    phone.pages.hello = {
        "role": seat,
        "snapshot": state.snapshot,
        "private": state.private.get(seat),
    }
    phone.page.goto(f"{ORIGIN}/seat")
    phone.page.wait_for_function("() => 'tell' in globalThis")
    # The small page that stands until the game's own has been loaded.
    phone.page.wait_for_selector("main:not(.opening)")


@in_every_language
@pytest.mark.parametrize("game", SEATS)
def test_phones(phone: Screen, games: list[State], game: str) -> None:
    """Each state of a game on the phones of its seats, covered and looked at."""
    states = [each for each in [*hunts(), *games] if each.snapshot["game"] == game]
    for seat in SEATS[game]:
        seated(phone, states[0], seat)
        for state in states:
            is_on = state.snapshot["phase"] != "lobby"
            field = "#field" if is_on and seat in ("H1", "vampires") else None
            phone.page.evaluate("dispatchEvent(new Event('blur'))")
            phone.show(state, seat)
            phone.page.wait_for_selector("main:not(.opening)")
            is_dark = phone.page.locator("body.cover").count() > 0
            dark_field = None if is_dark else field
            phone.look(f"{state.name}-{seat}", PHONES, FINGER, dark_field, LETTERS)
            if (texts := phone.page.locator('[data-action="texts"]:not([data-arg])')).count():
                texts.tap()
                phone.look(f"{state.name}-{seat}-texts", PHONES, FINGER, letters=LETTERS)
                texts.first.tap()
            if seat in state.private and phone.page.locator("#hold").count():
                if not phone.page.locator(".secret").count():
                    phone.page.locator("#reveal, #look").tap()
                phone.page.wait_for_selector(".secret")
                own_field = "#field" if seat == "V" else None
                phone.look(f"{state.name}-{seat}-looked", PHONES, FINGER, own_field, LETTERS)
    assert [] == phone.wrong, "\n".join(phone.wrong)


@pytest.mark.parametrize("game", ["vampire_empire", "vwars"])
def test_a_vote_on_a_zoomed_phone(phone: Screen, games: list[State], game: str) -> None:
    """A vote, started by somebody with a name of the most letters, and both its answers stand
    whole on a phone whose page is zoomed to 200 %, in a game of samples too.
    """
    seat = SEATS[game][0]
    state = next(
        each for each in games if (each.snapshot["game"], each.snapshot["phase"]) == (game, "play")
    )
    state = with_long_names(state)
    others = [each["seat"] for each in state.snapshot["seats"] if each["seat"] != seat]
    needed = [seat, *others[1:]]
    vote = {"what": "undo", "by": others[0], "seat": None, "agreed": [], "needed": needed}
    undo = {"kind": "vote", "seat": others[0]}
    snapshot = state.snapshot | {"undo": undo, "vote": vote, "sample": True}
    mine = replace(state, snapshot=snapshot)
    seated(phone, mine, seat)
    phone.show(mine, seat)
    phone.page.wait_for_selector('#vote [data-action="refuse"]')
    phone.look(f"{game}-vote", (ZOOMED, (360, 740)), FINGER)
    wrong = [each for each in phone.wrong if not SHORTENED.search(each)]
    assert [] == wrong, "\n".join(wrong)


BROKEN_WORDS = """() => {
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const words = new Set();
  for (let node = texts.nextNode(); node; node = texts.nextNode())
    for (const { 0: word, index } of node.data.matchAll(/\\p{Script=Latin}{5,}/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
      if (new Set(tops).size > 1) words.add(word);
    }
  return [...words];
}"""
"""The words that go on in another line."""


@pytest.mark.parametrize("locale", [*soak("en-GB"), "nl-NL"])
@pytest.mark.parametrize("game", ["shisogari", "vampire_empire", "vwars"])
def test_no_word_of_a_hand_is_broken(phone: Screen, games: list[State], game: str) -> None:
    """On the phones of the card games, covered and open, every word stands in one line at the
    widths of most phones, also without a dictionary of hyphens.
    """
    broken = set()
    states = [each for each in games if each.snapshot["game"] == game]
    seat = SEATS[game][0]
    seated(phone, states[0], seat)
    for state in states:
        phone.page.evaluate("dispatchEvent(new Event('blur'))")
        phone.show(state, seat)
        phone.page.wait_for_selector("main:not(.opening)")
        if seat in state.private and phone.page.locator("#hold").count():
            if not phone.page.locator(".secret").count():
                phone.page.locator("#reveal, #look").tap()
            phone.page.wait_for_selector(".secret")
        for width, height in ((360, 740), (390, 844)):
            phone.page.set_viewport_size(ViewportSize(width=width, height=height))
            broken |= {(state.name, width, word) for word in phone.page.evaluate(BROKEN_WORDS)}

    assert set() == broken


HALF_LINES = """() => {
  const stack = document.querySelector("main > .stack");
  const edge = stack.getBoundingClientRect().top;
  const { boxShadow, backgroundColor: ground } = getComputedStyle(stack);
  const isFaded = boxShadow.startsWith(`${ground} 0px -10px 14px`);
  const { right } = document.querySelector("#log").getBoundingClientRect();
  return [...document.querySelectorAll("#log li")].filter((it) => {
    const { left, top, bottom } = it.getBoundingClientRect();
    return !isFaded && left < right - 1 && top < edge - 1 && bottom > edge + 1;
  }).map((it) => it.textContent);
}"""
"""The lines of the log that the buttons cut and that do not fade out above them."""


@pytest.mark.parametrize("game", ["vampire_empire", *soak("vwars")])
def test_no_half_line_stands_above_the_buttons(
    phone: Screen, games: list[State], game: str
) -> None:
    """Of the log a phone held upright shows whole lines above its buttons, or lets what is scrolled
    to fade out there.
    """
    states = [
        each for each in games if (each.snapshot["game"], each.snapshot["phase"]) == (game, "play")
    ]
    seated(phone, states[0], SEATS[game][0])
    for state in states:
        phone.show(state, SEATS[game][0])
        for width, height in PHONES[:3]:
            phone.page.set_viewport_size(ViewportSize(width=width, height=height))
            settled(phone.page)
            assert [] == phone.page.evaluate(HALF_LINES), (state.name, width)


SIZE_OF_FIELD = """() => {
  const { width, height } = document.querySelector("#field").getBoundingClientRect();
  return [width, height];
}"""
MAP_BESIDE = """() => {
  const [map, task] = ["#field", "#task"].map((each) =>
    document.querySelector(each).getBoundingClientRect());
  return [map.top >= 0 && map.bottom <= innerHeight, map.right <= task.left];
}"""


def test_an_enlarged_map_on_the_display(display: Screen, games: list[State]) -> None:
    """Each press on the button makes the drawing two and three times as wide and as high, and a
    place that can be pressed is in the window.
    """
    display.page.set_viewport_size(ViewportSize(width=1920, height=1080))
    drawn(display, next(each for each in games if each.name == "manhunt-quarter-play"))
    sizes = []
    for _ in range(3):
        settled(display.page)
        expect(display.page.locator("#mapbox .live").first).to_be_in_viewport()
        sizes.append(display.page.evaluate(SIZE_OF_FIELD))
        display.page.locator('[data-action="zoom"]').click()

    width, height = sizes[0]
    assert [pytest.approx([by * width, by * height], rel=0.01) for by in (1, 2, 3)] == sizes


def test_a_map_on_a_phone_laid_sideways_and_on_a_zoomed_one(
    phone: Screen, games: list[State]
) -> None:
    """On a hunter's phone laid sideways the whole map is beside what is to be done; on a page that
    is zoomed to 200 % the map is too, so that it is scrolled in its frame. Before the first round
    no round is named.
    """
    state = next(each for each in games if each.name == "manhunt-play")
    assert 0 == state.snapshot["view"]["round"]
    seated(phone, state, "H1")
    phone.page.set_viewport_size(ViewportSize(width=740, height=360))
    settled(phone.page)
    assert [True, True] == phone.page.evaluate(MAP_BESIDE)
    phone.page.set_viewport_size(ViewportSize(width=ZOOMED[0], height=ZOOMED[1]))
    settled(phone.page)
    box, drawing = (
        phone.page.locator(each).bounding_box() or {"width": 0} for each in ("#mapbox", "#field")
    )
    assert 2 * box["width"] == pytest.approx(drawing["width"], abs=2)
    assert re.match(r"Shows itself in round\s3", phone.page.inner_text("#round"), re.IGNORECASE)


@in_every_language
def test_a_hunters_turn_ends_without_scrolling(phone: Screen, games: list[State]) -> None:
    """On a hunter's phone laid sideways the button that ends the turn is in the window."""
    states = [each for each in games if each.name in ("manhunt-play", "manhunt-quarter-play")]
    assert 2 == len(states)
    phone.page.set_viewport_size(ViewportSize(width=740, height=360))
    for state in states:
        seated(phone, state, state.snapshot["to_move"])
        settled(phone.page)
        expect(phone.page.locator('[data-action="look"]')).to_be_in_viewport(ratio=0.99)


@pytest.mark.parametrize(
    ("game", "amber", "other"), [("vampire_empire", "human", "vampire"), ("vwars", "P2", "P1")]
)
def test_amber_is_one_seat_alone(
    phone: Screen, games: list[State], game: str, amber: str, other: str
) -> None:
    """In both looks what a seat is to do stands on that seat's own colour: one seat's is amber, no
    other's.
    """
    state = next(
        each for each in games if (each.snapshot["game"], each.snapshot["phase"]) == (game, "play")
    )
    for seat in (amber, other):
        mine = replace(state, snapshot=state.snapshot | {"to_move": seat, "secret": False})
        seated(phone, mine, seat)
        phone.show(mine, seat)
        phone.page.wait_for_selector("#task.mine")
        assert (seat == amber) == (phone.page.evaluate(OF_BANNER) == AMBER)
        with sunlit(phone.page):
            assert (seat == amber) == (phone.page.evaluate(OF_BANNER) == AMBER)


def test_a_riot_owns_the_display(display: Screen, games: list[State], is_exhaustive: bool) -> None:
    """Till somebody does something after it, a riot fills the display at every size: its heading,
    each card, both strengths and how it ended are whole in the window. The map is a press away.
    """
    riots = [
        each
        for each in games
        if each.name in ("vwars-discard-riot", "vwars-turn-riot", "vwars-rally-riot")
    ]
    assert riots
    for state in riots:
        cards = len(state.snapshot["view"]["riot"]["turned"])
        for width, height in DISPLAYS[:8] if is_exhaustive else some(state.name, DISPLAYS[:8]):
            display.page.set_viewport_size(ViewportSize(width=width, height=height))
            drawn(display, state)
            settled(display.page)
            parts = display.page.locator("#riot :is(h2, .turned, .strength, .ending)")
            expect(parts).to_have_count(cards + 4)
            for each in parts.all():
                expect(each).to_be_in_viewport(ratio=0.99)
        expect(display.page.locator("#map")).to_be_hidden()
        display.page.locator('[data-action="map"]').click()
        expect(display.page.locator("#map")).to_be_visible()


@pytest.mark.parametrize("size", [(360, 740), *soak((390, 844), (447, 762), (412, 700))], ids=str)
def test_a_night_needs_no_scrolling(phone: Screen, size: Size) -> None:
    """What the vampire looks at and holds stands on one upright phone: a hand that holds cannot
    scroll.
    """
    states = [each for each in hunts() if each.private]
    seated(phone, states[0], "V")
    phone.page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
    for state in states:
        phone.page.evaluate("dispatchEvent(new Event('blur'))")
        phone.show(state, "V")
        phone.page.locator("#reveal").tap()
        phone.page.wait_for_selector(".secret #plan")
        assert [0, 0] == spilled(phone.page), state.name


@pytest.mark.parametrize("name", ["turn", "offer"])
def test_what_a_hunter_may_do_is_above_the_buttons(phone: Screen, name: str) -> None:
    """On upright phones a hunter's arrows and the question after a step stand whole above the
    buttons that stay.
    """
    state = next(each for each in hunts() if each.name == f"vampireradar-{name}")
    seated(phone, state, "H1")
    for width, height in ((360, 740), (412, 732), (447, 762)):
        phone.page.set_viewport_size(ViewportSize(width=width, height=height))
        settled(phone.page)
        foot = phone.page.locator(".foot").bounding_box()
        boxes = [each.bounding_box() for each in phone.page.locator("#choices button").all()]
        assert foot and boxes
        assert all(box and box["y"] + box["height"] <= foot["y"] for box in boxes), (width, boxes)


def test_words_stand_on_panels(display: Screen) -> None:
    """The question before the next game has a ground of its own before the moon; a log without room
    for a line has none.
    """
    clear = "rgba(0, 0, 0, 0)"
    display.page.set_viewport_size(ViewportSize(width=1366, height=768))
    turn, over = (
        next(each for each in hunts() if each.name == f"vampireradar-{name}")
        for name in ("turn", "over")
    )
    drawn(display, turn)
    display.page.locator('[data-action="info"]').click()
    expect(display.page.locator("#log")).to_have_css("background-color", clear)
    drawn(display, over)
    display.page.locator('[data-action="again"]').click()
    expect(display.page.locator(".next h1")).not_to_have_css("background-color", clear)


def test_an_accusation_is_confirmed_where_it_is_seen(phone: Screen, games: list[State]) -> None:
    """On a phone of 360 × 740 a Hunter who has chosen a suspect sees the button that accuses
    without scrolling.
    """
    state = next(each for each in games if each.name == "shisogari-turn")
    hand = ["garlic", "stake", "bible", "dagger", "crucifix"]
    pairs = [["holy_water", "holy_water"], ["garlic", "garlic"], ["stake", "black_bloodsucking"]]
    event = {"event": "card_passed", "picker": "P1", "giver": "P2", "card": "bible"}
    own = state.private["P1"] | {"notes": [{"number": 1, "events": [event] * 5}]}
    own["own"] = own["own"] | {"cards": hand, "laid": pairs, "boxed": []}
    suspects = [
        {"type": "accuse", "suspect": seat}
        for seat in state.snapshot["view"]["backs"]
        if seat != "P1"
    ]
    snapshot = state.snapshot | {"to_move": "P1", "secret": False}
    mine = State(state.name, snapshot, {"P1": own | {"legal": suspects}})
    seated(phone, mine, "P1")
    phone.page.set_viewport_size(ViewportSize(width=360, height=740))
    phone.show(mine, "P1")
    phone.page.locator("#reveal").tap()
    phone.page.locator('.secret [data-action="accuse"]').tap()
    phone.page.locator('.secret [data-action="suspect"]').first.tap()
    box = phone.page.locator('.secret [data-action="name"]').bounding_box()
    stack = phone.page.locator(".stack").bounding_box()
    assert box and stack
    assert box["y"] + box["height"] <= stack["y"], (box, stack)


def test_a_mark_leaves_letters_free(display: Screen) -> None:
    """A mark on a tile covers no letter of the pawns there, however many stand on it and beside
    whatever.
    """
    turn = next(each for each in hunts() if each.name == "vampireradar-turn")
    pawns = [f"H{seat}{letter}" for seat in (1, 2, 3) for letter in "abc"]
    for count in range(1, 10):
        for cell in ("C5", "D3"):
            view = turn.snapshot["view"] | {"pawns": dict.fromkeys(pawns[:count], cell)}
            for sign in ("?", "x"):
                snapshot = turn.snapshot | {"view": view, "marks": {cell: sign}}
                drawn(display, State(turn.name, snapshot))
                display.page.wait_for_function(
                    "(n) => document.querySelectorAll('.letter').length === n", arg=count
                )
                assert [] == display.page.evaluate(COVERED), (count, cell, sign)


@pytest.mark.parametrize("name", ["vampireradar-turn", "nosferatu-play", "manhunt-play"])
def test_a_focused_place_is_seen(display: Screen, games: list[State], name: str) -> None:
    """The place of a field that a keyboard is at has an edge in the colour of text."""
    drawn(display, next(each for each in [*hunts(), *games] if each.name == name))
    display.page.keyboard.press("Tab")
    while not display.page.locator("[data-cell]:focus-visible").count():
        display.page.keyboard.press("Tab")
    edge = display.page.evaluate(EDGE)
    assert edge["text"] == edge["stroke"]
    assert "6px" == edge["width"]


def test_a_mark_is_seen_in_the_light_look(display: Screen) -> None:
    """In the light look a mark on a tile contrasts with the tile as text must, 4.5 to 1."""
    drawn(display, next(each for each in hunts() if each.name == "vampireradar-turn"))
    with sunlit(display.page):
        assert display.page.evaluate(CONTRAST, [".field .query", ".field .ground"]) >= 4.5


def test_the_number_of_a_reading_is_seen_in_both_looks(display: Screen) -> None:
    """The number beside an arrow, by which a reading is chosen, is as large as letters must be, and
    contrasts with its disc as text must, 4.5 to 1.
    """
    drawn(display, next(each for each in hunts() if each.name == "vampireradar-ambiguous"))
    number = [".field .arrow .letter", ".field .arrow circle"]
    box = display.page.locator(number[0]).first.bounding_box()
    assert box and box["height"] >= LETTERS
    assert display.page.evaluate(CONTRAST, number) >= 4.5
    with sunlit(display.page):
        assert display.page.evaluate(CONTRAST, number) >= 4.5


@pytest.mark.parametrize(
    ("game", "winners"),
    [
        ("nosferatu", ["vampires", "villagers", "draw"]),
        ("shisogari", ["hunters", "vampires_side", "draw"]),
        ("manhunt", ["hunters", "fugitive", "draw"]),
    ],
)
def test_an_end_is_read(display: Screen, games: list[State], game: str, winners: list[str]) -> None:
    """At each side's win the words of the end contrast with all that lies behind them as text must,
    4.5 to 1, in both looks.
    """
    over = next(each for each in games if each.name == f"{game}-over")
    for winner in winners:
        outcome = over.snapshot["outcome"] | {"winner": winner}
        drawn(display, State(over.name, over.snapshot | {"outcome": outcome}))
        display.page.wait_for_selector(f".finale.won-{winner}")
        assert display.page.evaluate(WON) >= 4.5, winner
        with sunlit(display.page):
            assert display.page.evaluate(WON) >= 4.5, winner


DRAWN_AT_THE_END = {
    "nosferatu": "#field .jumps line", "shisogari": ".ribbon.bite",
    "manhunt": "#field .way .trail", "vampire_empire": ".openhands",
    "vwars": "#map .riot:is(.human, .vampire, .nobody)",
}  # fmt: skip
"""What each game draws of its finished game by itself."""


@pytest.mark.parametrize("game", DRAWN_AT_THE_END)
def test_an_end_tells_what_happened(
    display: Screen, games: list[State], game: str, tmp_path: Path
) -> None:
    """After each game the display draws what happened, tells at most three facts, and its one gold
    button leads to the replay.
    """
    if game == "vampire_empire":
        # Random players end with empty hands.
        session = VampireEmpireSession(tmp_path / "game", 1)
        over = State(f"{game}-over", session.snapshot, record=session.record)
    else:
        over = next(each for each in games if each.name.startswith(f"{game}-over"))
    drawn(display, over)
    facts = display.page.locator("#facts li")
    expect(facts.first).to_be_visible()
    assert facts.count() <= 3
    display.page.wait_for_selector(DRAWN_AT_THE_END[game], state="attached")
    assert ["replay"] == display.page.evaluate(
        "[...document.querySelectorAll('main .prime')].map((it) => it.dataset.action)"
    )


@pytest.mark.parametrize("seat", ["F", "H1"])
def test_phones_draw_the_whole_path(phone: Screen, games: list[State], seat: str) -> None:
    """After a hunt the phones of both sides draw the fugitive's path."""
    over = next(each for each in games if each.name == "manhunt-over")
    seated(phone, over, seat)
    phone.page.wait_for_selector("#field .way .trail", state="attached")
    last = over.private["F"]["own"]["cell"]
    expect(phone.page.locator("#task, #banner p").first).to_contain_text(str(last))


@pytest.mark.parametrize("game", ["nosferatu", "shisogari", "manhunt"])
def test_an_end_on_an_upright_tablet(display: Screen, games: list[State], game: str) -> None:
    """On a display of 768 × 1024 the end's buttons are in view without scrolling."""
    display.page.set_viewport_size({"width": 768, "height": 1024})
    drawn(display, next(each for each in games if each.name == f"{game}-over"))
    settled(display.page)
    for action in ("replay", "again"):
        button = display.page.locator(f'[data-action="{action}"]')
        expect(button).to_be_in_viewport(ratio=1)


def test_the_fugitives_end_on_a_tablet(phone: Screen, games: list[State]) -> None:
    """On the fugitive's tablet the map of the end stands whole above the buttons."""
    over = next(each for each in games if each.name == "manhunt-over")
    phone.page.set_viewport_size(ViewportSize(width=1280, height=800))
    seated(phone, over, "F")
    phone.page.wait_for_selector(".finale")
    settled(phone.page)
    field, stack = (phone.page.locator(each).bounding_box() for each in ("#field", ".stack"))
    assert field and stack
    assert field["y"] + field["height"] <= stack["y"], (field, stack)


def test_names_of_sides_stand_whole_beside_their_counts(
    display: Screen, games: list[State]
) -> None:
    """Where nobody typed a name, the names of Nosferatu's sides are cut off on no display."""
    play = next(each for each in games if each.name == "nosferatu-play")
    seats = [seat | {"name": None} for seat in play.snapshot["seats"]]
    for width, height in DISPLAYS[:6]:
        display.page.set_viewport_size(ViewportSize(width=width, height=height))
        drawn(display, replace(play, snapshot=play.snapshot | {"seats": seats}))
        settled(display.page)
        assert [] == cut_off(display.page), (width, height)


def test_whom_a_hunter_names_is_read(display: Screen, games: list[State]) -> None:
    """With real cards the display asks who the Vampire is; every player's name stands at the hand
    and is cut off nowhere.
    """
    turn = next(each for each in games if each.name == "shisogari-cards-turn")
    seats = enumerate(turn.snapshot["seats"], start=1)
    unnamed = [seat | {"name": f"Player {number}"} for number, seat in seats]
    turn = State(turn.name, turn.snapshot | {"seats": unnamed})
    for size in DISPLAYS[:6]:
        display.page.set_viewport_size({"width": size[0], "height": size[1]})
        drawn(display, turn)
        for seat in display.page.locator("#players .seat").all():
            expect(seat).to_be_visible()
        display.page.locator('[data-action="accuse"]').click()
        display.page.wait_for_selector(".suspects")
        settled(display.page)
        assert [] == cut_off(display.page), size
        display.page.locator('.suspects ~ .row [data-action="accuse"]').click()


def test_a_crowded_region_shows_all_its_cities(display: Screen, games: list[State]) -> None:
    """Vampire troops in each city of a region of V-Wars and a player in one hide no city's name."""
    turn = next(each for each in games if each.name == "vwars-turn")
    view = json.loads(json.dumps(turn.snapshot["view"]))
    for city in view["cities"].values():
        city["vampire"], city["human"] = 2, 0
    display.page.set_viewport_size({"width": 1920, "height": 1080})
    drawn(display, State(turn.name, turn.snapshot | {"view": view}))
    settled(display.page)
    assert [] == faults(display.page)


def test_a_replay_of_hands(display: Screen, tmp_path: Path) -> None:
    """The first moments of a game of cards, every hand open, one of them with the card that was
    picked, on screens from 360 × 480 on and on a phone held across.
    """
    display.pages.replay = replay_json(ShisogariSession(tmp_path / "game", 5, 5).record)
    display.page.goto(f"{ORIGIN}/replay")
    display.page.wait_for_function("() => 'tell' in globalThis")
    display.show(State("over", {"phase": "over"}))
    display.page.wait_for_selector("#players .role")
    sizes = tuple((wide, high) for wide, high in DISPLAYS if wide >= 360 and high >= 480)
    sizes = (*sizes, (740, 360))
    for moment in range(3):
        display.look(f"replay-hands-{moment}", sizes)
        display.page.keyboard.press("ArrowRight")
    assert [] == display.wrong, "\n".join(display.wrong)


def test_every_replay_opens(display: Screen, games: list[State]) -> None:
    """The replay of each finished game shows its first moment, beside a box too."""
    finished = [each for each in games if each.record]
    assert len(finished) >= 6
    for state in finished:
        display.pages.state = state
        display.page.goto(f"{ORIGIN}/replay")
        display.page.wait_for_function("() => 'tell' in globalThis")
        display.show(state)
        expect(display.page.locator("#time")).to_be_visible()


def test_forced_colours_tell_who_and_how_many(display: Screen, games: list[State]) -> None:
    """In forced colours the white player's sign has an outline, and a city under martial law
    lights a lamp that is seen.
    """
    turn = next(each for each in games if each.name == "vwars-turn")
    view = turn.snapshot["view"] | {"martial": 1}
    display.page.emulate_media(forced_colors="active")
    drawn(display, State(turn.name, turn.snapshot | {"view": view}))
    lit, page, outline = display.page.evaluate("""() => {
      const of = (selector, name) => getComputedStyle(document.querySelector(selector))[name];
      return [of(".lamps .lit", "backgroundColor"), of("body", "backgroundColor"),
        of(".people .icon.P3", "stroke")];
    }""")
    assert page != lit
    assert "none" != outline


def test_a_replay(display: Screen) -> None:
    """The beginning, the middle and the end of a hunt's replay, its figures and what shows more of
    them.
    """
    display.pages.replay = replay_json(FIXTURE.read_text(encoding="utf-8"))
    display.page.goto(f"{ORIGIN}/replay")
    display.page.wait_for_function("() => 'tell' in globalThis")
    display.show(State("over", {"phase": "over"}))
    for part in (0, 0.5, 1):
        display.page.evaluate(MOVED, part)
        display.look(f"replay-{part}", DISPLAYS)
    assert [] == display.wrong, "\n".join(display.wrong)
