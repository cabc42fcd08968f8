"""The replay: refused before the end, then read by eye, by number, by keys and from a file without
a table.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.i18n import web_root
from companion.replay.build import replay_json
from companion.server.standalone import replay_page
from tests.browser.conftest import WIDE, Screens, StartServer
from tests.browser.screenshots import save_screenshot, settled, spilled, violations
from tests.browser.server import until
from tests.games.shisogari.sessions import ShisogariSession
from tests.games.vampire_empire.sessions import VampireEmpireSession
from tests.games.vwars.sessions import VWarsSession

SEVEN_INCH, PHONE = (800, 480), (390, 844)
TABLE_KEY = 'JSON.parse(localStorage.getItem("seat-key")).server'
FROST = {"en": "Frostmark", "ja": "霜の辺境", "nl": "Vorstmark"}
"""What a region of the sample is called."""
FIXTURE = Path(__file__).parents[2] / "fixtures" / "games" / "10-3p.jsonl"


@pytest.fixture
def page(screens: Screens, tmp_path: Path) -> Page:
    """A finished game as one file, opened from the disk without a network."""
    return opened(FIXTURE.read_text(encoding="utf-8"), screens, tmp_path / "replay.html")


def opened(record: str, screens: Screens, path: Path) -> Page:
    """Open the file of a record."""
    path.write_text(replay_page(replay_json(record), record, web_root()), encoding="utf-8")
    page = screens.page(WIDE)
    page.context.set_offline(True)
    page.goto(path.as_uri())
    expect(page.locator("#time")).to_be_visible()
    return page


def look(page: Page, name: str, size: tuple[int, int]) -> list[str]:
    """Keep a picture; return what axe finds, and whether the page is wider than its window."""
    settled(page)
    save_screenshot(page, f"replay-{name}-{size[0]}.png")
    wide, high = spilled(page)
    too_big = wide > 0 or (high > 0 and size != PHONE)
    field = page.locator("#field, #players, #map").bounding_box()
    assert field
    too_small = field["width"] < 300 or field["height"] < 300
    return [
        *violations(page),
        *([f"{name} {size}: spilled {wide} {high}"] if too_big else []),
        *([f"{name} {size}: the field is {field}"] if too_small else []),
    ]


def test_the_file_looks_and_reads_well_on_every_screen(page: Page) -> None:
    """On a display, on 7 inches and on a phone nothing is spilled and axe finds nothing, whichever
    way tiles are shown, in every language.
    """
    wrong = []
    page.locator('[data-action="after"]').click()
    for size in (WIDE, SEVEN_INCH, PHONE):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for _ in range(3):
            label = page.locator('[data-action="heat"]').inner_text()
            wrong += look(
                page, f"{page.locator('html').get_attribute('lang')}-{label.split()[0]}", size
            )
            page.locator('[data-action="heat"]').click()
            page.locator('[data-action="language"]').click()

    assert [] == wrong


def test_a_chance_is_a_number_too(page: Page) -> None:
    """At the first radar each possible tile shows a number, and a press reads it in words."""
    page.locator('[data-action="after"]').click()
    page.locator('[data-action="after"]').click()
    tiles = int(page.locator("#tiles").inner_text())

    assert tiles == page.locator("#field .odds").count()
    cell = page.locator('g[data-cell]:not([aria-label*="impossible"])').first
    cell.click()
    expect(page.locator("#tile")).to_contain_text("%")
    assert tiles + page.locator('g[data-cell][aria-label*="impossible"]').count() == 36


def test_keys_and_the_slider_lead_through_the_game(page: Page) -> None:
    """Arrows step, Page keys go from answer to answer, End on the slider shows who won, Space plays
    and stops.
    """
    moment = page.locator("#moment")
    expect(moment).to_have_text("1 of 104")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(moment).to_have_text("2 of 104")
    page.keyboard.press("PageDown")
    expect(moment).not_to_have_text("2 of 104")
    page.keyboard.press("PageUp")
    expect(moment).to_have_text("1 of 104")
    page.locator("#time").focus()
    page.keyboard.press("End")
    expect(moment).to_have_text("104 of 104")
    expect(page.locator("#now")).to_contain_text("Humans win")
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press(" ")
    expect(moment).to_have_text(re.compile(r"^([2-9]|\d\d) of 104"))
    page.keyboard.press(" ")
    expect(page.locator('[data-action="play"]')).to_have_attribute("aria-label", "Play")


def test_the_truth_can_be_hidden(page: Page) -> None:
    """A press hides the vampire, so that one can guess: its place, path and share go from the
    page.
    """
    page.locator("#time").focus()
    page.keyboard.press("End")
    expect(page.locator("#field .truth")).to_have_count(1)
    page.locator('[data-action="truth"]').click()

    expect(page.locator("#field .truth")).to_have_count(0)
    expect(page.locator("#share")).to_have_text("–")
    assert 0 == page.locator('g[data-cell][aria-label*="vampire is here"]').count()


def test_the_record_is_in_the_file(page: Page) -> None:
    """The file gives back the very record that it shows."""
    with page.expect_download() as saved:
        page.locator("#keep").click()

    assert FIXTURE.read_text(encoding="utf-8") == Path(saved.value.path()).read_text(
        encoding="utf-8"
    )


def test_hidden_hands(screens: Screens, tmp_path: Path) -> None:
    """A game of cards shows every hand and role, the card that passes and the sum; hidden, it shows
    backs alone. Nothing is spilled on any screen, in any language.
    """
    page = opened(
        ShisogariSession(tmp_path / "game", 5, 5).record, screens, tmp_path / "replay.html"
    )
    expect(page.locator("#players .role")).to_have_count(5)
    # The deal, the named item, the card that passes.
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#players .lifted")).to_have_count(1)
    expect(page.locator("#now")).to_contain_text("In secret")
    expect(page.locator("#enough")).to_have_text("4")
    wrong = []
    for size in (WIDE, SEVEN_INCH, PHONE):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        wrong += look(page, f"hands-{page.locator('html').get_attribute('lang')}", size)
        page.locator('[data-action="language"]').click()

    assert [] == wrong
    page.locator('[data-action="truth"]').click()
    expect(page.locator("#players .role, #players .lifted, #players .face")).to_have_count(0)
    expect(page.locator("#now")).not_to_contain_text("In secret")
    expect(page.locator("#enough")).to_have_text("–")


def test_a_castle(screens: Screens, tmp_path: Path) -> None:
    """A game of secret characters shows who was a vampire before anybody knew, who came next, and
    both hands by name, with the sample's label; hidden, what the table saw. Nothing is spilled on
    any screen, in any language.
    """
    page = opened(
        VampireEmpireSession(tmp_path / "game", 1).record, screens, tmp_path / "replay.html"
    )
    expect(page.locator("#sample")).to_be_visible()
    expect(page.locator("#players .fang").first).to_be_visible()
    expect(page.locator("#next .was")).to_have_count(6)
    expect(page.locator("#alive")).to_have_text("6 : 3")
    expect(page.locator('#players [data-seat="human"] .playing-card b').first).not_to_be_empty()
    wrong = []
    for size in (WIDE, SEVEN_INCH, PHONE):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.locator('[data-action="after"]').click()
        wrong += look(page, f"castle-{page.locator('html').get_attribute('lang')}", size)
        page.locator('[data-action="language"]').click()

    assert [] == wrong
    page.locator("#time").focus()
    page.keyboard.press("Home")
    page.locator('[data-action="truth"]').click()
    expect(page.locator("#players .fang, #next, #players .playing-card b")).to_have_count(0)


def test_factions_and_piles(screens: Screens, tmp_path: Path) -> None:
    """V-Wars shows every faction, hand and region's pile, and who gave which card; hidden, what the
    table saw. Nothing is spilled on any screen, in any language, in either look; the file begins in
    the browser's, and places are in the language of the page.
    """
    page = opened(VWarsSession(tmp_path / "game", 2, 5).record, screens, tmp_path / "replay.html")
    expect(page.locator("html.light")).to_have_count(1)
    expect(page.locator("#hands li")).to_have_count(5)
    expect(page.locator("#map [data-region] .open").first).to_be_visible()
    for _ in range(100):
        if page.locator("#now").get_by_text("In secret").count():
            break
        page.keyboard.press("ArrowRight")
    expect(page.locator("#now")).to_contain_text("In secret")
    wrong = []
    for size in (WIDE, SEVEN_INCH, PHONE):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        language = str(page.locator("html").get_attribute("lang"))
        expect(page.locator('[data-region="frost"] h2')).to_be_visible()
        expect(page.locator('[data-region="frost"] h2')).to_contain_text(FROST[language])
        wrong += look(page, f"wars-{language}", size)
        page.locator('[data-action="language"]').click()
        page.locator('[data-action="light"]').click()

    assert [] == wrong
    expect(page.locator("html.light")).to_have_count(0)
    page.locator('[data-action="truth"]').click()
    expect(page.locator("#hands, .open")).to_have_count(0)
    expect(page.locator("#now")).to_have_text("Nobody at the table knew.")
    expect(page.locator("#people li")).to_have_count(5)


def test_at_the_table_it_comes_after_the_end(start_server: StartServer, screens: Screens) -> None:
    """While a game is played the page shows that it comes later, and requests nothing; when it is
    over it opens by itself, display and phones have a button to it. Who is the vampire next is
    asked before the next game, which takes the display back to the table: display and phone take
    its next key, and the phone shows its new side.
    """
    server = start_server(None)
    display, vampire, guest = (
        screens.display(server),
        screens.vampire(server),
        screens.phone(server),
    )
    vampire.sit("V")
    display.begin(vampire, "C3")
    guest.page.goto(server.phone("/replay"))
    guest.says("#wait", "after the end of the game")
    assert [] == violations(guest.page)

    vampire.page.goto(server.phone("/host"))
    vampire.press("surrender")
    vampire.press_again("surrender")
    guest.shows("#time")
    guest.says("#banner", "The village lives")
    vampire.page.goto(server.phone("/seat"))
    vampire.press("replay")
    vampire.shows("#time")
    assert [] == violations(vampire.page)
    display.press("replay")
    display.shows("#save")
    assert [] == violations(display.page)
    display.press("light")
    display.shows("html.light")
    assert [] == violations(display.page)
    before = vampire.page.evaluate(TABLE_KEY)
    vampire.at("#back").tap()
    vampire.press("again")
    vampire.says("h1", "Who plays Vampire")
    assert [] == violations(vampire.page)
    vampire.press("again", "no")
    vampire.press("again")
    vampire.press("again", "1")
    display.shows('[data-action="players"][data-arg="2"]')
    expect(vampire.at("#side")).to_have_text("Player 1")
    until(
        lambda: '"previous_secret":""' in (server.data / "keys.json").read_text(),
        "somebody never came over",
    )
    assert before != display.page.evaluate(TABLE_KEY.replace("seat", "display"))


def test_a_table_with_hints_shows_that(start_server: StartServer, screens: Screens) -> None:
    """By default the display shows no chance; switched on in the settings, it shows a number on
    every possible tile and a notice, at both sizes; switched off, both are gone.
    """
    server = start_server(None)
    display, vampire = screens.display(server), screens.vampire(server)
    vampire.sit("V")
    display.begin(vampire, "C3")
    assert 0 == display.at("#field .odds, #field .caption").count()

    vampire.page.goto(server.phone("/host"))
    vampire.at("[data-action='help'][data-arg='hints']").tap()
    display.says("#field .caption", "Practice")
    expect(display.at("#field .odds")).to_have_count(16)
    wrong = []
    for size in (WIDE, SEVEN_INCH):
        display.page.set_viewport_size({"width": size[0], "height": size[1]})
        wrong += look(display.page, "practice", size)
    assert [] == wrong
    vampire.at("[data-action='help'][data-arg='referee']").tap()
    expect(display.at("#field .odds, #field .caption")).to_have_count(0)
