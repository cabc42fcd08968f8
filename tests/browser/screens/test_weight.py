"""How much a page fetches, counted in the browser as it comes over the wire."""

from __future__ import annotations

from collections import Counter
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from companion.games import GAMES, find_game
from tests.browser.conftest import HANDHELD, WIDE, Screens, StartServer
from tests.browser.page_objects import Display, Phone
from tests.browser.server import TableServer
from tests.helpers.repetitions import soak

FOLLOWING = 100_000
"""Bytes that may follow a first load of 60 kB until a game is played, without what is spoken and
written: fonts come after the first drawing, and nothing waits for them.
"""
FONTS = 50_000
"""Bytes of fonts, in a language of Latin letters."""
FONT = "/static/core/fonts/"
FIRST = 60_000
HEAVY = ("vampireradar", "vwars")
"""The games that most is fetched of; the others are weighed in the long run."""
OTHERS = [game.name for game in GAMES if game.name not in HEAVY]
SPEECH = "/static/screens/table/speech/"
UNCOUNTED = ("/channel", "/snapshot", "/events", "/stream", "/join.json", "/reference")
"""Routes whose size depends on the game."""
REQUEST = """async ([what, args]) => {
  const { Channel } = await import("/static/core/channel.js");
  return (await Channel.open({ storage: "display-key" })).request(what, args);
}"""


class Traffic:
    """What a page fetches from the network."""

    def __init__(self, page: Page) -> None:
        self.fetched = Counter[tuple[str, str]]()
        self.sizes = Counter[str]()
        self._paths: dict[str, str] = {}
        session = page.context.new_cdp_session(page)
        session.on("Network.responseReceived", self._answered)
        session.on("Network.loadingFinished", self._finished)
        session.send("Network.enable")

    def _answered(self, event: dict[str, Any]) -> None:
        answer = event["response"]
        path = urlsplit(answer["url"]).path
        if urlsplit(answer["url"]).scheme == "http" and not path.startswith(UNCOUNTED):
            self._paths[event["requestId"]] = path
            self.fetched[event["loaderId"], path] += 1

    def _finished(self, event: dict[str, Any]) -> None:
        if path := self._paths.get(event["requestId"]):
            self.sizes[path] += int(event["encodedDataLength"])

    def twice(self) -> list[str]:
        """Return what one document fetched more than once."""
        return [path for (_, path), times in self.fetched.items() if times > 1]

    def total(self) -> int:
        """Return the bytes of pages, styles, scripts and words."""
        return sum(size for path, size in self.sizes.items() if not path.startswith((SPEECH, FONT)))

    def fonts(self) -> int:
        """Return the bytes of fonts."""
        return sum(size for path, size in self.sizes.items() if path.startswith(FONT))


@pytest.mark.parametrize("game", [*HEAVY, *soak(*OTHERS)])
def test_size_of_the_first_minute(start_server: StartServer, screens: Screens, game: str) -> None:
    """Until a game is played, a display and a phone (its way in and its seat) fetch at most 100 kB
    beyond a first load of 60 kB, without what is spoken, and fonts of 50 kB; no document fetches a
    file twice.
    """
    server = start_server(None)
    rules = find_game(game)
    display = Display(server, screens.page(WIDE))
    display_traffic = Traffic(display.page)
    display.page.goto(server.display_address)
    display.shows('[data-action="start"]')
    propose = {"change": {"game": game, "players": rules.seats[0]}}
    assert display.page.evaluate(REQUEST, ["propose", propose])["ok"]
    seat, *others = map(str, rules.seat_names(rules.seats[0]))
    phone = Phone(server, screens.page(HANDHELD, is_phone=True))
    phone_traffic = Traffic(phone.page)
    phone.join(seat)
    assert rules.bots is not None
    for other in others:
        assert display.page.evaluate(
            REQUEST, ["give", {"seat": other, "level": rules.bots.levels[1]}]
        )["ok"]
    display.press("start")
    display.shows("main.play")
    if phone.at("#reveal, #look").count():
        phone.at("#reveal, #look").first.tap()
    display.page.wait_for_load_state("networkidle")
    phone.page.wait_for_timeout(500)

    assert ([], []) == (display_traffic.twice(), phone_traffic.twice())
    sizes = {"display": display_traffic.total(), "phone": phone_traffic.total()}
    assert [] == [each for each in sizes.items() if each[1] > FIRST + FOLLOWING]
    fonts = {"display": display_traffic.fonts(), "phone": phone_traffic.fonts()}
    assert [] == [each for each in fonts.items() if not 10_000 < each[1] <= FONTS]


FIRST_PAGE, OWN_PAGE = "main", "main:not(.opening)"
"""What a page shows first, and the page of its game."""
PAGE_OF_A_GAME = 100_000
"""Bytes until a phone shows the page of its game."""
DRAWINGS = """
window.stood = {};
new MutationObserver((_, watch) => {
  const pages = ["main", "main:not(.opening)"].filter((it) => document.querySelector(it));
  for (const it of pages) window.stood[it] ??= performance.now();
  if (pages.length > 1) watch.disconnect();
}).observe(document, { childList: true, subtree: true });
"""
"""Notes in a page when it first shows something, and when it shows its game."""
RECEIVED = """(drawn) => ["navigation", "resource"]
  .flatMap((type) => performance.getEntriesByType(type))
  .filter(({ startTime }) => startTime <= window.stood[drawn])
  .map(({ name, transferSize }) => [new URL(name).pathname, transferSize])"""
"""What was asked for until then, whenever it came: however slow a machine is, that is the same."""

Sizes = dict[str, int]


def first_load(page: Page, address: str) -> tuple[Sizes, Sizes]:
    """Open a page as for the first time; return the bytes of each path until its first drawing, and
    until its game's page.
    """
    page.context.new_cdp_session(page).send("Network.setCacheDisabled", {"cacheDisabled": True})
    page.add_init_script(DRAWINGS)
    page.goto(address)
    page.locator(OWN_PAGE).wait_for()
    page.wait_for_load_state("load")
    first, own = (dict(page.evaluate(RECEIVED, drawn)) for drawn in (FIRST_PAGE, OWN_PAGE))
    page.close()
    return first, own


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_size_of_the_first_load(start_server: StartServer, screens: Screens, game: str) -> None:
    """Each page is at most 60 kB on the wire when it is opened for the first time, cryptography
    included, until it shows something; the page of a seat's game, before it and when the phone is
    opened again in it, at most 100 kB.
    """
    server = start_server(None)
    rules = find_game(game)
    display = screens.display(server)
    propose = {"change": {"game": game, "players": rules.seats[0]}}
    assert display.page.evaluate(REQUEST, ["propose", propose])["ok"]
    seat, *others = map(str, rules.seat_names(rules.seats[0]))
    phone = screens.phone(server)
    phone.sit(seat)
    loads = {
        "table": first_load(screens.page(WIDE), server.phone("/table")),
        "seat": first_load(phone.page.context.new_page(), server.phone("/seat")),
    }
    assert rules.bots is not None
    level = rules.bots.levels[0]
    for other in others:
        assert display.page.evaluate(REQUEST, ["give", {"seat": other, "level": level}])["ok"]
    assert display.page.evaluate(REQUEST, ["start", {}])["ok"]
    phone.until(lambda snapshot: snapshot["phase"] == "play", "the game")
    loads["seat in the game"] = first_load(phone.page.context.new_page(), server.phone("/seat"))
    check_sizes(loads)


def test_size_of_the_page_of_joining(server: TableServer, screens: Screens) -> None:
    """The page of joining, which is the same for each game, is as light."""
    check_sizes({"join": first_load(screens.page(HANDHELD), server.phone("/join"))})


def check_sizes(loads: dict[str, tuple[Sizes, Sizes]]) -> None:
    """Assert that no page is too large until it shows something, and until it shows its game."""
    sizes = {name: (sum(first.values()), sum(own.values())) for name, (first, own) in loads.items()}
    too_large = {
        name: loads[name]
        for name, (first, own) in sizes.items()
        if not 5_000 < first <= FIRST or own > PAGE_OF_A_GAME
    }
    assert {} == too_large, sizes
