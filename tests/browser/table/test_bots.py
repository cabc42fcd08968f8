"""The Pi plays: a vampire that nobody has to play, and humans that fill empty seats, on the real
pages.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

from tests.browser.conftest import Screens, StartServer
from tests.browser.page_objects import Screen
from tests.browser.screenshots import save_screenshot, settled, spilled, violations
from tests.browser.server import run


def look(screen: Screen, name: str) -> None:
    """Photograph a screen, and see that nothing spills and nobody is shut out."""
    settled(screen.page)
    save_screenshot(screen.page, f"{name}.png")

    assert [0, 0] == spilled(screen.page)
    assert [] == violations(screen.page)


def test_humans_by_taps_against_the_pi(
    start_server: StartServer, screens: Screens, tmp_path: Path
) -> None:
    """The vampire's seat is given to a bot with one press on the display; people tap, a second bot
    plays beside them by instructions, the night comes by itself, and when a draw is agreed the
    record is proved by its seals.
    """
    server = start_server(None)
    display = screens.display(server)
    display.press("give-V")
    display.says('[data-action="give-V"]', "Bot, easy")
    display.press("give-V")
    display.says('[data-action="give-V"]', "Bot, medium")
    display.press("give-H2")
    look(display, "bots-lobby")
    display.set_up()
    display.press("start")
    display.turn_of("H1")

    display.tile("A1")
    display.tile("A2")
    display.pawn_on("H1a", "A2")
    display.end_turn("H1", "H2")
    display.says("#banner", "Move")
    look(display, "bots-instruction")
    display.turn_of("H1")
    night = server.snapshot["seal"]["number"]
    host = screens.phone(server)
    host.page.goto(server.phone("/host"))
    host.says('[data-seat="V"]', "Bot, medium")

    display.press("info")
    display.press("draw")
    display.press("reveal")
    display.shows(".truth")
    look(display, "bots-truth")
    record = tmp_path / "game.jsonl"
    run("export", "--data", server.data, record)

    assert 2 == night
    assert f"{night} seals opened" in run("verify", record)


def test_the_lobby_of_a_small_screen_holds_four_seats_and_their_bots(
    start_server: StartServer, screens: Screens
) -> None:
    """On 800 × 480 nothing spills with four seats and the longest names of levels, in every
    language; the host's page names the bots too, and gives the display the same buttons.
    """
    server = start_server(None)
    display = screens.display(server, (800, 480))
    display.press("players-4")
    levels = ("easy", "medium", "hard", "hardest")
    for seat, level in product(("V", "H3"), levels):
        display.press(f"give-{seat}")
        display.says(f'[data-action="give-{seat}"]', f"Bot, {level}")
    for language in ("en", "ja", "nl"):
        display.shows(f'html[lang="{language}"]')
        look(display, f"bots-lobby-{language}")
        display.press("language")
    host = display.page.context.new_page()
    host.goto(f"http://127.0.0.1:{server.port}/host")
    host.wait_for_selector('[data-action="give:H1"]')

    assert [] == violations(host)
    assert ["Bot, hardest", "Bot, hardest"] == [
        host.inner_text(f'[data-action="give:{seat}"]') for seat in ("V", "H3")
    ]
