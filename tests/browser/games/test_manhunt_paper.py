"""Manhunt without a fugitive's phone: what is told aloud is pressed at the display, the path is
typed at the end.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SEVEN_INCH, WIDE, Screens, StartServer
from tests.browser.games.test_manhunt import asked_for_paper, begun, hide, moved
from tests.browser.looks import broken
from tests.browser.page_objects import Display
from tests.browser.screenshots import save_screenshot, settled, spilled, violations
from tests.browser.server import TableServer, run
from tests.games.manhunt.small_map import SMALL


def hunted(start_server: StartServer, folder: Path) -> TableServer:
    """Start a table without a board, to which the household gave the small map."""
    path = folder / "small.toml"
    path.write_text(SMALL.replace("shows = [3, 6]", "shows = [2]"), encoding="utf-8")
    return start_server(None, f'content = ["{path}"]')


def look_at_both_sizes(display: Display, name: str, *, is_new: bool = True) -> None:
    """Take screenshots of the display on a television and on 7 inches; nothing may overflow."""
    for size in (WIDE, SEVEN_INCH):
        display.page.set_viewport_size({"width": size[0], "height": size[1]})
        settled(display.page)
        save_screenshot(display.page, f"manhunt-paper-{name}-{size[0]}.png")
        assert [0, 0] == spilled(display.page)
    assert [] == broken(display.page, is_new=is_new)


def ends(display: Display, action: str = "close") -> None:
    """End a turn, later than a slip of the finger."""
    before = display.server.snapshot["position"]
    display.press_again(action)
    display.until(lambda snapshot: snapshot["position"] > before, "the end of the turn")


def test_an_evening_on_paper(start_server: StartServer, screens: Screens, tmp_path: Path) -> None:
    """The fugitive tells its ways, answers a question and an arrest, and shows itself; its path,
    typed with a slip, is shown as wrong, and typed again as right, on the display and on a phone;
    the record verifies, without a seal.
    """
    server = hunted(start_server, tmp_path)
    display = begun(server, screens, SEVEN_INCH)
    phone = screens.phone(server)
    phone.sit("H1")
    display.press("paper")
    display.shows('[data-seat="F"] [data-action="paper"][aria-pressed="true"]')
    display.press("start")
    display.says("#banner", "Write down where you start")
    look_at_both_sizes(display, "start", is_new=False)
    display.press("written")
    ends(display, "look")

    display.press("way", "street")
    display.says("#told", "street")
    display.press("undo")
    display.press("way", "street")
    look_at_both_sizes(display, "turn", is_new=False)
    ends(display)
    display.press("ask", "which_of")
    display.press_again("ask", "which_of")
    display.says("#banner", "are you next to here")
    look_at_both_sizes(display, "question", is_new=False)
    display.press("answer", "no")
    display.says("#answer", "Next to 1? No.")
    display.press("pawn", "H1b")
    display.tile("7")
    # The table refuses what is pressed on an older state.
    expect(display.at('g[data-cell="7"]')).to_have_attribute("aria-label", re.compile("Player 1 b"))
    ends(display, "look")
    display.says("#banner", "Are you at 7 Well?")
    look_at_both_sizes(display, "arrest", is_new=False)
    display.press("nobody")

    display.press("way", "street")
    display.says("#banner", "tap your place")
    display.tile("11")
    look_at_both_sizes(display, "show")
    display.press("tell")
    ends(display)
    display.says("#travels", "11 Cellar")
    display.draw()
    display.at("#paper").click()

    display.tile("9")
    display.tile("10")
    display.tile("12")
    look_at_both_sizes(display, "typed", is_new=False)
    display.press("check")
    display.says("#verdict", "2 things do not fit")
    look_at_both_sizes(display, "wrong")
    display.press("undo")
    display.tile("11")
    display.press("check")
    display.says("#verdict", "4 answers, all correct")

    phone.at("#paper").click()
    phone.says("#verdict", "4 answers, all correct")
    for language in ("en", "ja", "nl"):
        expect(phone.page.locator("html")).to_have_attribute("lang", language)
        save_screenshot(phone.page, f"manhunt-paper-path-{language}.png")
        phone.press("language")
    assert [] == violations(phone.page)
    display.page.goto(f"http://127.0.0.1:{server.port}/table")
    display.says("#verdict", "4 answers, all correct")
    look_at_both_sizes(display, "over", is_new=False)
    display.press("replay")
    display.shows("#field")
    for _ in range(3):
        display.press("next")
    display.shows("#field .ring.me")

    record = tmp_path / "game.jsonl"
    run("export", "--data", server.data, record)
    assert "no seal was given" in run("verify", record)


@pytest.mark.soak
def test_a_phone_lost_in_mid_game(
    start_server: StartServer, screens: Screens, tmp_path: Path
) -> None:
    """While all are asked, the fugitive's phone shows its path to be copied under the hold, and no
    part of it on the cover. Then the same turn goes on, and at the end seals and typed path
    together are all right on the display, on both phones and in the page that is saved.
    """
    server = hunted(start_server, tmp_path)
    display = begun(server, screens, SEVEN_INCH)
    phone, fugitive = screens.phone(server), screens.vampire(server)
    phone.sit("H1")
    fugitive.sit("F")
    hide(display, fugitive)
    ends(display, "look")
    moved(display, fugitive, "10")
    asked_for_paper(display, phone, fugitive, "Tannery", "You go on from 10 Tannery")

    display.tile("5")
    ends(display, "look")
    display.press("nobody")
    display.press("way", "street")
    display.tile("11")
    display.press("tell")
    ends(display)
    display.draw(fugitive)
    display.press("reveal")
    display.says("#verdict", "1 answer, correct")
    display.says("#unsealed", "not typed")
    display.at("#paper").click()
    display.says("#now", "last sealed turn ended")
    display.tile("10")
    display.tile("11")
    display.press("check")
    display.says("#verdict", "3 answers, all correct")

    phone.press("truth")
    phone.says("#verdict", "3 answers, all correct")
    phone.says("#truth", "Round 1: 9 → 10 (street)")
    phone.says("#truth", "Round 2: 11")
    save_screenshot(phone.page, "manhunt-paper-truth.png")
    fugitive.press("truth")
    fugitive.says("#verdict", "3 answers, all correct")
    assert [] == violations(phone.page)
