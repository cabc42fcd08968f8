"""A glance at a phone and a tricky link reveal nothing, and each fault has a sentence."""

from __future__ import annotations

from difflib import unified_diff
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Dialog

from tests.browser.conftest import WIDE, Screens, StartServer
from tests.browser.page_objects import SLIP, Screen, VampirePhone, button
from tests.browser.screenshots import SHOTS, settled
from tests.browser.server import Json, TableServer
from tests.browser.tree_player import read_tree
from tests.helpers.repetitions import soak

LEADERLESS = 2_500
"""Milliseconds after which some page of a browser has taken up a stream that nobody held."""
REQUEST = """async ([what, args, id]) => {
  const { Channel } = await import("/static/core/channel.js");
  const channel = await Channel.open({ storage: "display-key" });
  return channel.request(what, id ? { ...args, id } : args);
}"""
DOUBLE_TAP = """(selector) => {
  for (let left = 2; left; left -= 1) document.querySelector(selector).click();
}"""
"""Two clicks at once, on a machine of any speed."""
SEAL = "Seal: "
"""What stands before the words of a sealed night, which are of a random number too."""
SECRET_SEATS = {"manhunt": 2, "vampireradar": 2}, {"vampire_empire": 2, "shisogari": 4, "vwars": 3}
"""Games in which the vampire's seat, carried over, has a secret; with a number of players."""
Seen = dict[str, Any]


class Pixels:
    """What an eye sees. Chromium's rasteriser is not the same to the last bit from one painting to
    the next: at the edge of a round corner a channel was seen to differ by 1 of 255.
    """

    LEAST = 2

    def __init__(self, png: bytes) -> None:
        self.png = png

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pixels):
            return NotImplemented
        one, two = (Image.open(BytesIO(each.png)).convert("RGB") for each in (self, other))
        if one.size != two.size:
            return False
        extremes = ImageChops.difference(one, two).getextrema()
        return all(high <= self.LEAST for _, high in extremes)  # type: ignore[misc]

    __hash__ = None  # type: ignore[assignment]


def seen(vampire: VampirePhone) -> Seen:
    """What anybody sees who looks at the covered phone, or hears of it: its document, title,
    address, every pixel, and its accessibility tree.
    """
    page = vampire.page
    vampire.hides(".secret")
    # It comes some time after each loading of the page, whatever is done there.
    vampire.shows("#open-commands")
    settled(page)
    vampire.hides("button:active")  # the tap that covered it
    address = page.url.partition("/seat")[2]
    return {
        "document": page.content(),
        "title": page.title(),
        "address": address,
        "pixels": Pixels(page.screenshot(animations="disabled")),
        "read": [each.spoken for each in read_tree(page)],
    }


def heard(*others: Screen) -> list[Any]:
    """What a screen reader reads on other screens, but for seals."""
    return [
        [each.spoken for each in read_tree(screen.page) if not each.name.startswith(SEAL)]
        for screen in others
    ]


def game_table(
    server: TableServer, screens: Screens, start: str, steps: list[str]
) -> dict[str, tuple[Seen, list[Any]]]:
    """Play to the first dawn and return, for each moment, what the covered phone showed, and what
    was read on the display and on a human's phone.
    """
    display, vampire, human = (
        screens.display(server),
        screens.vampire(server),
        screens.phone(server),
    )
    vampire.sit("V")
    human.sit("H1", name="Ana")
    display.press("players", "2")
    display.set_up()
    display.press("start")
    display.lay_table()

    def moment() -> tuple[Seen, list[Any]]:
        for each in (display, vampire, human):
            each.page.wait_for_selector("#open-commands", state="attached")
        return seen(vampire), heard(display, human)

    vampire.says("#cover", "Night")
    human.says("h1", "Night")
    moments = {"before hiding": moment()}
    vampire.look()
    vampire.step(start)
    vampire.cover()
    moments["place chosen"] = moment()
    vampire.look()
    vampire.press("end_night")
    vampire.says(".secret h1", "Wait for dawn")
    vampire.cover()
    display.turn_of("H1")
    # What the night brought stands alone for a time.
    display.shows("#banner.H1")
    vampire.says("#cover", "quiet")
    human.shows(button("end"))
    moments["hidden"] = moment()
    display.end_turn("H1", "V")
    vampire.says("#cover", "Night")
    human.says("h1", "Night")
    moments["night"] = moment()
    vampire.look()
    for cell in steps:
        vampire.step(cell)
    vampire.cover()
    moments["path drafted"] = moment()
    vampire.page.reload()
    vampire.says("#cover", "Night")
    vampire.shows("#sky")
    moments["reloaded"] = moment()
    vampire.look()
    vampire.says("#plan", " → ".join([start, *steps]))
    vampire.press("end_night")
    vampire.cover()
    moments["nearly sent"] = moment()
    vampire.look()
    vampire.end_night()
    vampire.cover()
    moments["sent"] = moment()
    display.turn_of("H1")
    # What the night brought stands alone for a time.
    display.shows("#banner.H1")
    vampire.says("#cover", "quiet")
    human.shows(button("end"))
    moments["dawn"] = moment()
    return moments


def test_covered_phone_shows_nothing(start_server: StartServer, screens: Screens) -> None:
    """Document, title, address, pixels and accessibility tree of the covered phone are the same
    wherever the vampire is and whatever is drafted, kept over a reload or sent; they follow the
    public clock alone. So do the trees of the display and of a human's phone.
    """
    one, other = (start_server(None, has_quick_dawns=False) for _ in range(2))
    here = game_table(one, screens, "B2", ["C2", "D2"])
    there = game_table(other, screens, "E5", [])

    for moment, (cover, others) in here.items():
        assert cover == there[moment][0], differing(moment, cover, there[moment][0])
        assert others == there[moment][1], moment
    covers = {moment: cover for moment, (cover, _) in here.items()}
    for moment in ("path drafted", "nearly sent", "sent"):
        assert covers["night"] == covers[moment], differing(moment, covers["night"], covers[moment])
    assert covers["hidden"] == covers["dawn"]


def test_a_held_key_that_loses_the_button(server: TableServer, screens: Screens) -> None:
    """A secret that is looked at by a held key is covered when Tab leaves the button."""
    vampire = screens.vampire(server)
    vampire.sit("V")
    vampire.at("#hold").focus()
    vampire.page.keyboard.down("Space")
    vampire.shows(".secret")
    vampire.page.keyboard.press("Tab")
    vampire.hides(".secret")
    vampire.page.keyboard.up("Space")
    vampire.hides(".secret")


@pytest.mark.parametrize("games", [SECRET_SEATS[0], *soak(SECRET_SEATS[1])], ids="-".join)
def test_the_code_of_a_secret_seat_is_covered(
    server: TableServer, screens: Screens, games: dict[str, int]
) -> None:
    """A phone that was given a code as a human shows it under the hold alone, once its seat has a
    secret; where nothing is secret it is in the open.
    """
    display = screens.display(server)
    display.press("players", "3")
    vampire, human = screens.vampire(server), screens.phone(server)
    vampire.sit("V")
    human.join("H1")
    human.says("#own-code", human.page.evaluate("localStorage['seat-pin']"))
    vampire.page.evaluate("localStorage['seat-pin'] = '0815'")
    for game, players in games.items():
        vampire.page.goto("about:blank")
        change: Json = {"change": {"game": game, "players": players}}
        assert display.page.evaluate(REQUEST, ["propose", change, None])["ok"]
        vampire.page.goto(server.phone("/seat"))
        vampire.shows("#hold")
        vampire.hides("#own-code")
        vampire.at("#reveal, #look").tap()
        vampire.says(".secret #own-code", "0815")


def test_a_double_tap_is_not_sure(start_server: StartServer, screens: Screens) -> None:
    """ "Sure?" is answered by a second press after a moment: two quick ones end no night and no
    game.
    """
    server = start_server(None)
    display, vampire = screens.display(server), screens.vampire(server)
    vampire.sit("V")
    display.begin(vampire, "C3")
    settings = VampirePhone(server, vampire.page.context.new_page())
    settings.page.goto(server.phone("/host"))
    settings.shows('[data-action="surrender"]')
    settings.page.evaluate(DOUBLE_TAP, '[data-action="surrender"]')
    settings.says('[data-action="surrender"]', "Sure")
    display.end_turn("H1", "V")
    settings.page.close()

    vampire.look()
    vampire.shows("#end-night")
    vampire.page.evaluate(DOUBLE_TAP, "#end-night")
    vampire.says("#end-night", "Sure")
    vampire.page.wait_for_timeout(SLIP)
    assert (None, "V") == (server.snapshot["outcome"], server.snapshot["to_move"])
    vampire.press("end_night")
    vampire.hides("#end-night")
    display.turn_of("H1")


def differing(moment: str, one: Seen, other: Seen) -> str:
    """Return in which part two pictures of a covered phone differ, and keep pictures of both."""
    SHOTS.mkdir(exist_ok=True)
    for name, seen in (("one", one), ("other", other)):
        (SHOTS / f"failed-cover-{name}.png").write_bytes(seen["pixels"].png)
    before, after = (
        str(seen["document"]).replace("<", "\n<").splitlines() for seen in (one, other)
    )
    documents = [*unified_diff(before, after, n=0)]
    documents += unified_diff([*map(str, one["read"])], [*map(str, other["read"])], n=0)
    return f"{moment}: {[part for part in one if one[part] != other[part]]}: {' '.join(documents)}"


def test_links_that_are_no_way_in(server: TableServer, screens: Screens) -> None:
    """Without the code from the table a page asks for its letters, and nobody gets a seat."""
    phone = screens.phone(server)
    for path in ("/", "/join", "/seat", "/join#nonsense"):
        phone.page.goto("about:blank")
        phone.page.goto(server.phone(path))
        phone.shows("#code")
        phone.choose_seat("H1")
        phone.says("#notice", "Scan the code on the table, or type its four letters.")
    assert not any(seat["taken"] for seat in server.snapshot["seats"])

    guest = screens.page(WIDE)
    guest.goto(server.display_address[:-1] + "A")
    guest_screen = Screen(server, guest)
    guest_screen.shows("#qr")
    guest_screen.hides('[data-action="start"]')


@pytest.mark.soak
def test_wrong_code(server: TableServer, screens: Screens) -> None:
    """A wrong code gives a sentence and the field again; the right one then gives the seat."""
    phone = screens.phone(server)
    url = server.invitation["url"]
    right = url[-4:]
    phone.page.goto(url[:-4] + ("BCDF" if right != "BCDF" else "FDCB"))
    phone.choose_seat("H1")
    phone.says("#notice", "code")
    phone.at("#code").fill(right.lower())
    phone.hides("#code")
    phone.choose_seat("H1")
    phone.page.wait_for_url("**/seat")
    assert ["H1"] == [seat["seat"] for seat in server.snapshot["seats"] if seat["taken"]]


def test_name_that_is_markup(server: TableServer, screens: Screens) -> None:
    """A name is shown as it was typed, on every screen, and is never run."""
    display, phone = screens.display(server), screens.phone(server)
    dialogs: list[Dialog] = []
    for page in (display.page, phone.page):
        page.on("dialog", lambda dialog: dialogs.append(dialog))
    name = "<img src=x onerror=a()>"
    phone.join("H1", name=name)

    display.says('[data-seat="H1"]', name)
    phone.says("#screen", name)
    display.hides("img[src=x]")
    phone.hides("img[src=x]")
    assert [] == dialogs


def test_slips_of_the_finger_and_stale_pages(start_server: StartServer, screens: Screens) -> None:
    """Two quick presses on End turn end one turn, not the next player's as well; a request that is
    sent again under its id is answered alike and done once; a page that missed an event shows that,
    and changes nothing.
    """
    server = start_server(None)
    display, vampire = screens.display(server), screens.vampire(server)
    vampire.sit("V")
    display.begin(vampire, "C3", players=3)

    for _ in range(2):
        display.press("end")
    display.turn_of("H2")
    display.page.wait_for_timeout(2 * SLIP)
    assert ("H2", 2) == turn(server)

    walk: Json = {"actions": [{"type": "walk", "pawn": "H2a", "to": "F2"}], "seat": "H2"}
    answers = [
        display.page.evaluate(REQUEST, ["submit", walk, "00112233445566778899aabbccddeeff"])
        for _ in range(2)
    ]
    assert [True, True] == [answer["ok"] for answer in answers]
    assert ("H2", 1) == turn(server)

    display.says("#banner", "1 action")
    display.drop_streams()
    # A page that is put away stays so for longer than a stream may be without a page to hold it.
    display.page.wait_for_timeout(LEADERLESS)
    walk["actions"] = [{"type": "walk", "pawn": "H2a", "to": "E2"}]
    assert display.page.evaluate(REQUEST, ["submit", walk, None])["ok"]
    display.press("end")
    display.says("#banner", "Look again")
    assert ("H2", 0) == turn(server)


def turn(server: TableServer) -> tuple[str, int]:
    """Who is to move, and how many actions are left."""
    snapshot = server.snapshot
    return snapshot["to_move"], snapshot["view"]["actions_left"]
