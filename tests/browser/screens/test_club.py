"""The wall of a club and the overlay of a stream, in Chromium: looked at, read by axe, asking
nobody else.
"""

from __future__ import annotations

import io
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

from PIL import Image
from playwright.sync_api import Browser, Page, expect

from companion.core.game import Seat
from companion.games import find_game
from companion.i18n import Catalog
from companion.mqtt.client import MqttClient
from companion.mqtt.status import TableIdentity, table_status
from tests.browser.screenshots import OF_SIZES, save_screenshot, settled, spilled, violations
from tests.browser.server import TIMEOUT
from tests.mqtt.broker import Mosquitto, broker_of
from tests.mqtt.tables import Tables, game_table_of, many_tables, turn_of
from tests.mqtt.test_dashboard import a_wall
from tests.server.client import GameTable
from tests.table.play import entropy_of
from tools.secrecy.sockets import Server

SIZES = ((1920, 1080), (1280, 720))
LANGUAGES = ("en", "ja", "nl")
HIDDEN = ("The vampire has hidden.", "ヴァンパイアが隠れました。", "De vampier is verstopt.")
WARS = ("vwars", 3, 15)
KINDS = (
    ("vampireradar", 4, 30),
    ("nosferatu", 2, 20),
    ("shisogari", 4, 15),
    WARS,
    ("vampire_empire", 2, 15),
    ("manhunt", 3, 20),
)
DRAWN = len(KINDS) - 2
"""Tables that are drawn: the first one is in its lobby, and Manhunt's map is not in a state."""
FAULTS_OF_TABLES = """() => {
  const cards = [...document.querySelectorAll(".card")].map((it) => it.getBoundingClientRect());
  const sizes = new Set(
    cards.map(({ width, height }) => `${Math.round(width)}×${Math.round(height)}`),
  );
  const found = sizes.size > 1 ? [`cards of ${[...sizes]}`] : [];
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  found.push(...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `twice: ${id}`));
  for (const place of document.querySelectorAll(".place")) {
    const frame = place.getBoundingClientRect();
    const words = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (words.nextNode()) {
      range.selectNodeContents(words.currentNode);
      const isSeen = words.currentNode.parentElement.checkVisibility()
        && !words.currentNode.parentElement.closest(".vh");
      const { left, right, top, bottom, width } = range.getBoundingClientRect();
      const isIn = left >= frame.left - 1 && right <= frame.right + 1
        && top >= frame.top - 1 && bottom <= frame.bottom + 1;
      if (isSeen && width && !isIn) found.push(`${place.className}: ${words.currentNode.data}`);
    }
  }
  return found;
}"""
"""Cards that differ in size, ids that several tables have, and words that leave their table."""

expect.set_options(timeout=1000 * TIMEOUT)


class Watched:
    """Opens pages one after the other, and keeps what is wrong with them."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self.wrong: list[str] = []

    def open(self, address: str) -> Page:
        """Open a page in a browser of its own, which reports a request of the page to another
        host.
        """
        page = self._browser.new_context(viewport={"width": 1920, "height": 1080}).new_page()
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        home = urlsplit(address).netloc
        page.on(
            "request",
            lambda request: (
                self.wrong.append(request.url) if urlsplit(request.url).netloc != home else None
            ),
        )
        page.goto(address)
        return page

    def look(self, page: Page, name: str) -> None:
        """Take a picture at both sizes, and note what axe finds and what spills."""
        for (width, height), rules in zip(SIZES, ((), OF_SIZES), strict=True):
            page.set_viewport_size({"width": width, "height": height})
            settled(page)
            save_screenshot(page, f"{name}-{width}x{height}.png")
            self.wrong += [f"{name}-{width}: {found}" for found in violations(page, rules)]
            self.wrong += [f"{name}-{width} spills {spilled(page)}"] if any(spilled(page)) else []
            self.wrong += [f"{name}-{width}: {each}" for each in page.evaluate(FAULTS_OF_TABLES)]


def named(tables: Tables, number: int) -> dict[str, str]:
    """Let a table play on until the last message has a name of its content; return that name by
    language.
    """
    game = find_game(WARS[0])
    translations = game.reference(game.initial().public)["translations"]
    for _ in tables.updates[number]:
        tables.move(number)
        status = table_status(
            tables.present(number).snapshot,
            TableIdentity("0" * 12, "?"),
            Catalog.load("en", WARS[0]),
            translations,
            game.status_words,
        )
        for table in status.announcements[-1].translations.values():
            (own,) = table
            return {"en": own} | {
                language: known[own]
                for language, known in status.announcements[-1].translations.items()
            }
    raise AssertionError("nothing was named")


def pull_the_plug(line: MqttClient) -> None:
    """Let a line end without a word, and not come back."""
    line.step = lambda timeout: None  # type: ignore[method-assign]
    line._client = None


def test_the_wall_from_no_table_to_many(
    browser: Browser, tmp_path: Path, is_exhaustive: bool
) -> None:
    """No table, one of each game with its field or cards, and many, in two sizes; in an exhaustive
    run a hundred, and in three languages. A lost table and a lost broker; nothing for axe to find,
    nothing to scroll, no request to another host. Each game's styles count in its own tables alone.
    """
    most_tables = 100 if is_exhaustive else 16
    game_tables = [
        game_table_of(tmp_path / game, game, players, 5, most) for game, players, most in KINDS
    ]
    mosquitto, watched = Mosquitto(tmp_path / "broker"), Watched(browser)
    mosquitto.start()
    try:
        with a_wall(mosquitto) as wall:
            address = f"http://127.0.0.1:{wall.port}/wall"
            page = watched.open(address + "#en")
            expect(page.locator("#none")).to_contain_text("No table has sent anything yet.")
            watched.look(page, "wall-none")
            with many_tables(broker_of(mosquitto.address()), game_tables, len(KINDS)) as tables:
                expect(page.locator(".card.drawn .place")).to_have_count(DRAWN)
                expect(page.locator(".card.drawn .field").first).to_be_visible()
                for drawing in (".round-table .hand", ".regions .city", ".castle .person"):
                    expect(page.locator(f".place {drawing}").first).to_be_visible()
                called = named(tables, KINDS.index(WARS))
                for language in LANGUAGES if is_exhaustive else LANGUAGES[:1]:
                    wall_page = watched.open(f"{address}#{language}")
                    expect(wall_page.locator(".card")).to_have_count(len(KINDS))
                    expect(wall_page.locator(".card .sample")).to_have_count(2)
                    expect(wall_page.locator(".card:has(.regions)")).to_contain_text(
                        called[language]
                    )
                    watched.look(wall_page, f"wall-six-{language}")
                    if language == "en":
                        wall_page.locator('[data-action="light"]').click()
                        wall_page.wait_for_function("() => document.getElementById('light')?.sheet")
                        watched.look(wall_page, "wall-six-light")
                    wall_page.context.close()
                pull_the_plug(tables.lines[0])
                expect(page.locator("#table-000000000000")).to_contain_text("Connection lost")
                watched.look(page, "wall-lost")
            with many_tables(broker_of(mosquitto.address()), game_tables, most_tables):
                expect(page.locator(".card")).to_have_count(most_tables)
                watched.look(page, "wall-many")
                mosquitto.stop()
                expect(page.locator("#broker")).to_have_text(
                    "The broker is out of reach; what is shown may be old."
                )
                if is_exhaustive:
                    watched.look(page, "wall-broker-lost")
            page.context.close()
    finally:
        mosquitto.stop()

    assert [] == watched.wrong


def test_the_overlay(browser: Browser, tmp_path: Path) -> None:
    """On nothing but a lower third, a light one if its address asks for that, the overlay shows, in
    its language, whose turn it is and the last message, as it happens; each message has the same
    place and size.
    """
    draw, game_table, watched = Random(4), GameTable(tmp_path), Watched(browser)
    table = game_table.table
    for number, (seat, name) in enumerate((("V", "Ana"), ("H1", "Ben"))):
        table.seats.claim(Seat(seat), name, entropy_of(number)(32).hex())
    table.lobby.propose({"players": 2})
    table.start()
    with Server(game_table.app) as server:
        address = f"http://127.0.0.1:{server.port}/overlay#"
        pages = {
            words: watched.open(f"{address}{words}{',light' * (words == 'nl')}")
            for words in LANGUAGES
        }
        pages["nl"].wait_for_function(
            "() => document.querySelector('html.light link[href$=\"light.css\"]')?.sheet"
        )
        for page in pages.values():
            expect(page.locator("#now .icon")).to_be_visible()
        boxes = {words: page.locator(".third").bounding_box() for words, page in pages.items()}
        hiding = turn_of(table.snapshot(), table.seat_snapshot(Seat("V"))["legal"], draw)
        table.submit(Seat("V"), table.decode(hiding), id="hides")
        game_table.clock.advance(60)  # type: ignore[attr-defined]
        for (language, page), words in zip(pages.items(), HIDDEN, strict=True):
            expect(page.locator("#now")).to_contain_text("Ben")
            expect(page.locator("#message")).to_contain_text(words)
            assert boxes[language] == page.locator(".third").bounding_box()
            watched.look(page, f"overlay-{language}")
            with Image.open(io.BytesIO(page.screenshot(omit_background=True))) as shot:
                assert (0, 0, 0, 0) == shot.getpixel((5, 5))
                assert (shot.getbbox() or (0, 0))[1] > shot.height // 2
            page.context.close()
        table.journal.broadcaster.close()
    game_table.close()

    assert [] == watched.wrong
