"""The plug may be pulled at any moment, and phones sleep: everything is right again, and nothing is
lost.
"""

from __future__ import annotations

import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import HANDHELD, Screens, with_slow_dawns
from tests.browser.page_objects import restore_before_answer
from tests.browser.screenshots import save_screenshot, violations
from tests.browser.server import Json, TableServer

LASTING = ("view", "to_move", "legal", "position", "head", "seats", "undo", "log", "phase", "seal")
"""The public snapshot without the board's link and a night's pace, which vary."""


def lasting(snapshot: Json) -> Json:
    return {name: snapshot[name] for name in LASTING}


@pytest.mark.soak
def test_plug_pulled_in_the_middle_of_a_turn(
    server: TableServer, screens: Screens, tmp_path: Path
) -> None:
    """After one of two actions the server is killed. As long as it stays away the display shows the
    position, and the vampire's phone its place; started again, it has the same half-finished turn,
    the pages come back by themselves, and the vampire still sits. The page that was saved for paper
    before shows the same from a file.
    """
    display, vampire = screens.display(server), screens.vampire(server)
    vampire.sit("V")
    display.begin(vampire, "C3")
    display.walk("H1a", "A2")
    before = server.snapshot
    saved = tmp_path / "game.html"
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/handover.html") as reply:
        saved.write_bytes(reply.read())
    display.page.clock.install()

    screens.may_lose_link = True
    server.kill()
    display.shows("#wait")
    vampire.says("#cover", "…")
    display.page.clock.fast_forward(31_000)
    display.says("#handover", "how the game stood")
    display.says("#handover", "The vampire has hidden.")
    assert [] == violations(display.page)
    save_screenshot(display.page, "handover.png")
    vampire.look()
    vampire.says("#plan", "You: C3")
    vampire.cover()
    server.start()

    assert lasting(before) == lasting(server.snapshot)
    display.hides("#handover")
    display.hides("#wait")
    display.says("#banner", "2 actions left")
    page = screens.page(HANDHELD)
    page.goto(saved.as_uri())
    expect(page.locator("main")).to_contain_text("The vampire has hidden.")
    assert [] == violations(page)
    save_screenshot(page, "handover-saved.png", full_page=True)
    vampire.says("#cover", "quiet")
    vampire.look()
    vampire.says("#plan", "You: C3")
    display.in_sync()
    display.walk("H1a", "A3")
    display.press("radar")
    display.says("#answer", "2")


@with_slow_dawns
def test_plug_pulled_in_the_night(server: TableServer, screens: Screens) -> None:
    """Killed when the night was submitted and is not yet published, the server publishes the same
    night when it is back: what was not stored the phone submits again.
    """
    display, vampire = screens.display(server), screens.vampire(server)
    vampire.sit("V")
    display.begin(vampire, "C3")
    display.end_turn("H1", "V")
    vampire.look()
    vampire.step("C2")
    vampire.step("B2")
    vampire.end_night()

    screens.may_lose_link = True
    server.kill()
    vampire.says("h1", "…")
    server.start()

    display.turn_of("H1")
    display.hides("#wait")
    display.says("#banner", "3 actions left")
    vampire.says("#cover", "quiet")
    vampire.look()
    vampire.says("#plan", "You: B2")
    vampire.press("log")
    vampire.says("#notes", "C3 → C2 → B2")


def test_a_phone_that_slept(server: TableServer, screens: Screens) -> None:
    """A phone that was put away shows what is so now as soon as it is taken up, and the vampire's
    is covered.
    """
    display, vampire, ana = screens.display(server), screens.vampire(server), screens.phone(server)
    vampire.sit("V")
    ana.sit("H1", name="Ana")
    display.begin(vampire, "C3")
    ana.says("#banner", "3 actions")
    vampire.look()

    screens.may_lose_link = True
    vampire.sleep()
    ana.sleep()
    assert "" == vampire.at("#screen").inner_text()
    display.walk("H1a", "A2")
    ana.wake()
    vampire.wake()

    ana.says("#banner", "2 actions")
    vampire.says("#cover", "quiet")
    ana.press("end")
    vampire.says("#cover", "Night")
    vampire.look()
    vampire.end_night()
    display.turn_of("H1")


def test_an_older_folder_is_put_back(server: TableServer, screens: Screens) -> None:
    """Who copies the folder, learns an answer and puts the copy back is found out: every screen
    shows where the histories part, and the table waits until people go on.
    """
    display, vampire = screens.display(server), screens.vampire(server)
    vampire.sit("V")
    display.begin(vampire, "C3")
    screens.may_lose_link = True
    restore_before_answer(server, display)

    display.says("#banner", "older record")
    assert server.snapshot["paused"]
