"""An evening without a vampire's phone: what is told aloud is pressed at the display, the path is
typed at the end.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SEVEN_INCH, WIDE, Screens, StartServer
from tests.browser.looks import broken
from tests.browser.page_objects import Display, Phone, VampirePhone
from tests.browser.screenshots import COLOURS, save_screenshot, settled, spilled, violations
from tests.browser.server import run


def look_at_both_sizes(display: Display, name: str, *, is_new: bool = True) -> None:
    """Take screenshots of the display on a television and on 7 inches; nothing may overflow."""
    for size in (WIDE, SEVEN_INCH):
        display.page.set_viewport_size({"width": size[0], "height": size[1]})
        settled(display.page)
        save_screenshot(display.page, f"paper-{name}-{size[0]}.png")
        assert [0, 0] == spilled(display.page)
    assert [] == broken(display.page, is_new=is_new)


def test_an_evening_on_paper(start_server: StartServer, screens: Screens, tmp_path: Path) -> None:
    """The vampire answers a radar and a shot and tells of an attack; its path, typed with a slip,
    is shown as wrong, and typed again as right, on the display and on a phone in three languages;
    the record verifies, without a seal.
    """
    server = start_server(None)
    display = screens.display(server, SEVEN_INCH)
    phone = screens.phone(server)
    phone.sit("H1")
    display.press("players", "2")
    display.press("paper")
    display.shows('[data-seat="V"] [data-action="paper"][aria-pressed="true"]')
    look_at_both_sizes(display, "lobby", is_new=False)
    display.set_up()
    display.press("start")
    display.press("hide")

    for cell in ("A1", "A2", "A3"):
        display.tile(cell)
    display.press("radar")
    display.says("#banner", "How far")
    look_at_both_sizes(display, "radar", is_new=False)
    display.press("undo")
    display.press("radar")
    display.press("radar", "3")
    display.says("#answer", "3")
    display.shoot("F1", "W")
    display.says("#banner", "groan")
    look_at_both_sizes(display, "shot", is_new=False)
    display.press("shot", "false")
    display.end_turn("H1", "V")
    display.says("#banner", "Write your steps down")
    display.tile("A6")
    display.says("#choices", "Attack on A6")
    look_at_both_sizes(display, "night", is_new=False)
    display.press("attack")
    display.pawn_on("H1c", None)
    display.end_turn("V", "H1")
    display.draw()
    display.at("#paper").click()

    display.tile("C5")
    display.press("next")
    display.tile("B5")
    display.tile("A5")
    display.tile("A6")
    display.press("check")
    display.says("#verdict", "2 things do not fit")
    look_at_both_sizes(display, "wrong")
    display.press("page", "0")
    display.tile("B5")
    display.press("page", "1")
    for _ in range(3):
        display.press("undo")
    display.tile("A5")
    display.tile("A6")
    display.press("check")
    display.says("#verdict", "2 answers, all correct")

    phone.at("#paper").click()
    phone.says("#verdict", "2 answers, all correct")
    for language in ("en", "ja", "nl"):
        expect(phone.page.locator("html")).to_have_attribute("lang", language)
        save_screenshot(phone.page, f"paper-path-{language}.png")
        phone.press("language")
    assert [] == violations(phone.page)
    phone.press("light")
    phone.shows("html.light")
    save_screenshot(phone.page, "paper-path-light.png")
    assert [] == violations(phone.page, COLOURS)
    display.page.goto(f"http://127.0.0.1:{server.port}/table")
    display.says("#verdict", "2 answers, all correct")
    look_at_both_sizes(display, "over", is_new=False)

    record = tmp_path / "game.jsonl"
    run("export", "--data", server.data, record)
    assert "no seal was given" in run("verify", record)


def asked_for_paper(
    display: Display, phone: Phone, vampire: VampirePhone, secret: str, copied: str
) -> None:
    """Ask all to go on without the vampire's phone: it shows its way under the hold alone."""
    display.press("info")
    display.press("onpaper")
    display.says("#banner", "on paper?")
    for each in (phone, vampire):
        each.says("#vote", "on paper?")
    assert secret not in vampire.at("body").inner_text()
    settled(display.page)
    save_screenshot(display.page, "paper-asked.png")
    assert [0, 0] == spilled(display.page)
    vampire.look()
    vampire.says("#copy", copied)
    save_screenshot(vampire.page, "paper-asked-copy.png")
    vampire.cover()
    vampire.press("agree")
    vampire.says("#cover", "Write on paper")
    display.says("#caption", "From here on")


def lost_in_mid_turn(display: Display, phone: Phone, vampire: VampirePhone) -> None:
    """Lose the phone of the vampire, hidden on B2, between a walk and a radar of the same turn."""
    display.tile("A1")
    display.tile("A2")
    display.pawn_on("H1a", "A2")
    display.tile("A2")
    asked_for_paper(display, phone, vampire, "B2", "You go on from B2")
    display.tile("A2")
    display.tile("A3")
    display.press("radar")
    display.press("radar", "2")
    display.says("#answer", "2")


def test_a_phone_goes_over_to_paper(start_server: StartServer, screens: Screens) -> None:
    """While all are asked, the vampire's phone shows its path to be copied under the hold, and no
    part of the path on the cover. Then the same turn goes on, answers are told aloud, and the path
    of the sealed nights is right with what is typed after them.
    """
    server = start_server(None)
    display, vampire = screens.display(server, SEVEN_INCH), screens.vampire(server)
    vampire.sit("V")
    display.begin(vampire, "B2")
    lost_in_mid_turn(display, vampire, vampire)
    display.draw(vampire)
    display.press("reveal")
    display.says("#unsealed", "not typed")
    display.at("#paper").click()
    display.says("#now", "last sealed night ended")
    display.tile("B2")
    display.press("check")
    display.says("#verdict", "1 answer, correct")
    vampire.press("truth")
    vampire.says("#verdict", "1 answer, correct")


@pytest.mark.soak
def test_a_phone_lost_in_mid_game(start_server: StartServer, screens: Screens) -> None:
    """While all are asked, the vampire's phone shows its path to be copied under the hold, and no
    part of the path on the cover. Then the same turn goes on, answers are told aloud, and at the
    end seals and typed path together are all right on the display and on both phones.
    """
    server = start_server(None)
    display = screens.display(server, SEVEN_INCH)
    phone, vampire = screens.phone(server), screens.vampire(server)
    phone.sit("H1")
    vampire.sit("V")
    display.begin(vampire, "B2")
    lost_in_mid_turn(display, phone, vampire)
    display.end_turn("H1", "V")
    display.says("#banner", "Write your steps down")
    display.tile("A3")
    display.press("attack")
    display.pawn_on("H1a", None)
    display.end_turn("V", "H1")
    display.draw(vampire)
    display.press("reveal")
    display.says("#verdict", "0 answers")
    display.says("#unsealed", "not typed")
    display.at("#paper").click()
    display.says("#now", "last sealed night ended")
    display.tile("B2")
    display.press("next")
    display.tile("B3")
    display.tile("A3")
    display.press("check")
    display.says("#verdict", "1 answer, correct")

    phone.press("truth")
    phone.says("#verdict", "2 answers, all correct")
    save_screenshot(phone.page, "paper-truth-human.png")
    vampire.press("truth")
    vampire.says("#verdict", "2 answers, all correct")
    vampire.says("#truth", "Night 1")
    assert [] == violations(phone.page)
    display.page.goto(f"http://127.0.0.1:{server.port}/table")
    display.press("reveal")
    display.says("#verdict", "2 answers, all correct")
    look_at_both_sizes(display, "truth", is_new=False)
