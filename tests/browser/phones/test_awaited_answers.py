"""Every screen holds back an answer for which the whole table waits, by the same time."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Screens, StartServer
from tests.browser.screens.test_screens import REQUEST

HOLD = """{
  const later = globalThis.setTimeout;
  globalThis.held = [];
  globalThis.setTimeout = (act, ms, ...more) =>
    ms === 1200 ? held.push(act) : later(act, ms, ...more);
}"""
"""Stops the time of an answer on a page until `RELEASE`."""
RELEASE = "() => { for (const act of held.splice(0)) act(); }"
IS_HELD = "() => globalThis.held?.length > 0"
ANSWER = "Radar at A3"


def check_held(page: Page) -> None:
    """Wait until a page holds an answer back: nothing of it is in its document."""
    page.wait_for_function(IS_HELD)
    assert ANSWER not in page.locator("html").inner_text()
    assert ANSWER not in page.locator("#say").inner_text()


def test_no_screen_tells_an_answer_before_the_display(
    start_server: StartServer, screens: Screens
) -> None:
    """Phones, the vampire's cover and its log, the page of joining and a stream's overlay show a
    radar's number at the display's own time; one that is loaded meanwhile shows it no earlier.
    """
    server = start_server(None)
    display, vampire, ana, ben = screens.begin_three(server)
    assert display.page.evaluate(REQUEST, ["settings", {"change": {"clues": True}}])["ok"]
    overlay = screens.page((800, 480))
    overlay.goto(server.phone("/overlay"))
    pages = [each.page for each in (display, vampire, ana, ben)] + [overlay]
    for page in pages:
        page.add_init_script(HOLD)
        page.reload()
    for cell in ("A2", "A3"):
        ana.press("pawn", "H1a")
        ana.tile(cell)
        display.pawn_on("H1a", cell)
    ana.press("radar")
    for page in pages[1:]:
        check_held(page)
    display.says("#answer", "…")
    expect(display.at("#answer")).not_to_contain_text("2")
    vampire.look()
    vampire.press("log")
    ana.press("clues")
    late = ben.page.context.new_page()
    late.add_init_script(HOLD)
    late.goto(server.phone("/seat"))
    pages.append(late)
    for page in (vampire.page, ana.page):
        page.reload()
    for page in pages[1:]:
        check_held(page)

    for page in pages:
        page.evaluate(RELEASE)
    display.says("#answer", "2")
    for page in (ana.page, ben.page, late, overlay):
        page.get_by_text(ANSWER).first.wait_for()
    vampire.look()
    vampire.press("log")
    vampire.says("#notes", ANSWER)
    ana.press("undo")
    vampire.says("#vote", "Ben")
