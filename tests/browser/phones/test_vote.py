"""A vote of everybody, on the phones."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Screens, StartServer
from tests.browser.screenshots import save_screenshot


def test_a_vote_names_who_has_not_answered(start_server: StartServer, screens: Screens) -> None:
    """Every phone names the seats that have not answered; the seat that began may withdraw."""
    server = start_server(None)
    display, vampire, ana, ben = screens.begin_three(server)
    for cell in ("A2", "A3"):
        ana.press("pawn", "H1a")
        ana.tile(cell)
        display.pawn_on("H1a", cell)
    ana.press("radar")
    ana.says("#screen", "Radar at A3")
    ana.press("undo")
    ben.says("#vote", "Still to answer: Vampire, Ben.")
    save_screenshot(ben.page, "vote.png")
    ana.says("#vote", "Withdraw")
    expect(ana.at('[data-action="agree"]')).to_have_count(0)
    vampire.press("agree")
    ben.says("#vote", "Still to answer: Ben.")
    save_screenshot(ana.page, "vote-withdraw.png")
    ana.press("refuse")
    for screen in (ana, ben, vampire):
        screen.hides("#vote")
