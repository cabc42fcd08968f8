"""Shisogari on phones and on the display: taken, named, picked, placed in secret, accused; and with
real cards.
"""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Route, ViewportSize

from tests.browser.conftest import SEVEN_INCH, WIDE, Screens, StartServer
from tests.browser.games.test_whole_game import decided_again
from tests.browser.looks import broken
from tests.browser.page_objects import Display, Phone
from tests.browser.screens.test_screens import REQUEST
from tests.browser.screenshots import save_screenshot, settled, spilled, sunlit
from tests.browser.server import TableServer
from tests.browser.table.test_taps import WORDS

TALL: ViewportSize = {"width": 390, "height": 844}


def proposed(server: TableServer, screens: Screens, options: dict[str, object]) -> Display:
    """Choose the game in the lobby, with these options; P1 begins."""
    display = screens.display(server)
    display.choose("shisogari")
    display.until(lambda snapshot: snapshot["game"] == "shisogari", "another game")
    change = {"options": {"start": "first", **options}}
    assert display.page.evaluate(REQUEST, ["propose", {"change": change}])["ok"]
    return display


def seated(server: TableServer, screens: Screens, *seats: str) -> list[Phone]:
    phones = [screens.phone(server) for _ in seats]
    for phone, seat, name in zip(phones, seats, ("Ana", "Ben", "Chie"), strict=False):
        phone.page.set_viewport_size(TALL)
        phone.sit(seat, name=name)
    return phones


def shot(screen: Display | Phone, name: str, *, is_new: bool = True) -> None:
    """Keep a picture; nothing on the page may be wrong or spill."""
    settled(screen.page)
    save_screenshot(screen.page, f"shisogari-{name}.png")
    assert [] == broken(screen.page, is_new=is_new)
    assert 0 == spilled(screen.page)[0]


def look(phone: Phone) -> None:
    phone.press("reveal")
    phone.shows(".secret")


def declared(phone: Phone, way: str, partner: str) -> None:
    """Take or give, and name the first item that may be named."""
    phone.press(way, partner)
    phone.shows("#items")
    phone.page.locator('#items button:not([aria-disabled="true"])').first.tap()


def picked(phone: Phone) -> None:
    phone.shows("#backs")
    phone.page.locator('#backs button:not([aria-disabled="true"])').first.tap()


def place(phone: Phone, name: str | None = None) -> None:
    """Look, and place the picked card if there is still time; the table does it for who is late."""
    look(phone)
    if name and phone.at("#placing").count():
        shot(phone, name)
    phone.page.evaluate("() => document.querySelector('.ends button')?.click()")
    phone.until(lambda snapshot: not snapshot["secret"], "placed")
    if phone.at(".secret").count():
        phone.press("reveal")
    phone.hides(".secret")


def is_hunter(phone: Phone, name: str) -> bool:
    """Look at the own role."""
    look(phone)
    shot(phone, name)
    return "Hunter" in phone.at("#role").inner_text()


ATTENTION_LOST = """async () => {
  const secrets = () => document.querySelectorAll(".secret").length;
  document.getElementById("reveal").click();
  localStorage.setItem("lang", "nl");
  dispatchEvent(new StorageEvent("storage", { key: "lang" }));
  const before = secrets();
  dispatchEvent(new Event("blur"));
  return [before, secrets()];
}"""
"""How many secrets stand on the page, looked at while another language is chosen, before and after.
"""


def leaves_without_words(phone: Phone) -> None:
    """What is looked at leaves the phone with its holder's attention, though the words of a
    language that was just chosen are still on their way; when they come, the page is drawn in them,
    covered.
    """
    routes: list[Route] = []

    def hold(route: Route) -> None:
        routes.append(route)

    words = re.compile(r"/games/shisogari/i18n/nl\.json$")
    phone.page.route(words, hold)
    secrets = phone.page.evaluate(ATTENTION_LOST)
    assert [1, 0] == secrets
    for route in routes:
        route.continue_()
    phone.page.unroute(words)
    phone.says("#reveal", "Tik")
    assert 0 == phone.at(".secret").count()
    phone.page.evaluate("""() => {
      localStorage.setItem("lang", "en");
      dispatchEvent(new StorageEvent("storage", { key: "lang" }));
    }""")
    phone.says("#reveal", "Tap")


def test_an_evening(start_server: StartServer, screens: Screens, tmp_path: Path) -> None:
    """Two phones and two bots: a card is taken and placed under the hold; who of the two is a
    Hunter accuses, the other one's phone has nothing to accuse with; all cards lie open, and the
    record is decided again. At most 20 words stand on the display in play.
    """
    server = start_server(None)
    display = proposed(server, screens, {"place_seconds": 10})
    ana, ben = seated(server, screens, "P1", "P2")
    for seat in ("P3", "P4"):
        display.give(seat, "random")
    display.until(lambda snapshot: all(place["taken"] for place in snapshot["seats"]), "all seated")
    shot(display, "lobby-1920", is_new=False)
    for phone in (ana, ben):
        phone.adds()
    display.press("start")
    ana.shows("#players")
    shot(display, "last-card-1920", is_new=False)
    for phone, colour in ((ana, "white"), (ben, "black")):
        phone.shows(f'[data-action="colour"][data-arg="{colour}"]')
        shot(phone, "last-card")
        phone.press("colour", colour)
    ana.shows('[data-action="take"][data-arg="P3"]')
    shot(ana, "turn")
    assert [] == display.page.evaluate(WORDS)[20:]
    leaves_without_words(ana)
    # From a bot: the other phone stays what it was dealt, and with one Vampire it is then a
    # Hunter's or Ana is one.
    declared(ana, "take", "P3")
    ana.shows("#backs")
    display.shows(".ribbon")
    shot(display, "table-1920")
    assert [] == display.page.evaluate(WORDS)[20:]
    shot(ana, "pick", is_new=False)
    # While she places, the phone of him who is not asked ticks as hers does.
    with ben.page.expect_request(lambda request: request.url.endswith("/channel")):
        picked(ana)
    place(ana, "place")
    ben.turn_of("P2")
    if is_hunter(ben, "hand"):
        ben.press("accuse")
        ben.press("suspect", "P4")
        shot(ben, "accuse", is_new=False)
        ben.press("name")
    else:
        assert "true" == ben.at('[data-action="accuse"]').get_attribute("aria-disabled")
        ben.press("reveal")
        ben.hides(".secret")
        for seat in ("P1", "P2"):
            phone = ana if seat == "P1" else ben
            assert phone.page.evaluate(REQUEST.replace("display-key", "seat-key"), ["draw", {}])[
                "ok"
            ]
    display.until(lambda snapshot: snapshot["phase"] == "over", "the end")
    display.shows("#sum")
    shot(display, "end-1920")
    with sunlit(display.page):
        shot(display, "end-light", is_new=False)
    display.page.set_viewport_size({"width": SEVEN_INCH[0], "height": SEVEN_INCH[1]})
    shot(display, "end-800", is_new=False)
    ben.hides(".secret")
    ben.press("truth")
    ben.says("#verdict", "all correct")
    ben.says("#shuffle", "sealed seed and from 2 phones")
    shot(ben, "over")
    display.press("reveal")
    display.says("#verdict", "all correct")
    shot(display, "truth-800", is_new=False)
    ben.press("replay")
    ben.shows("#time")
    shot(ben, "replay", is_new=False)
    display.press("replay")
    display.shows("#players .role")
    shot(display, "replay-800", is_new=False)
    decided_again(server, tmp_path / "evening.jsonl")


def test_real_cards(start_server: StartServer, screens: Screens) -> None:
    """With real cards the display keeps turns, named items, what was laid and the count; nobody
    needs a phone.
    """
    server = start_server(None)
    display = proposed(server, screens, {"hands": "cards"})
    display.press("start")
    display.press("take", "P3")
    display.press("item", "garlic")
    shot(display, "report")
    display.page.set_viewport_size({"width": SEVEN_INCH[0], "height": SEVEN_INCH[1]})
    shot(display, "report-800", is_new=False)
    display.page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    display.press("report", "up")
    display.until(lambda snapshot: snapshot["to_move"] == "P2", "the next turn")
    display.press("accuse")
    display.press("suspect", "P4")
    shot(display, "accuse-real", is_new=False)
    display.press("name")
    display.press("pairs", "1")
    display.press("hunters", "3")
    shot(display, "count", is_new=False)
    display.press("wrong")
    display.until(lambda snapshot: snapshot["phase"] == "over", "the end")
    display.says("#banner", "Somebody else")
    shot(display, "end-real", is_new=False)
