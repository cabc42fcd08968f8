"""The way out of a board check that no legal walk explains: the table is taken as it stands, if
everybody agrees.
"""

from __future__ import annotations

from pathlib import Path

from tests.browser.conftest import SEVEN_INCH, Screens, StartServer
from tests.browser.games.test_whole_game import decided_again
from tests.browser.page_objects import Display, VampirePhone
from tests.browser.screenshots import save_screenshot
from tests.browser.server import TableServer


def differs(display: Display) -> None:
    """Wait until the board shows that table and record differ."""
    display.until(
        lambda snapshot: snapshot["board"]["state"] == "unexplained", "table and record differ"
    )


def test_the_table_is_accepted_as_it_stands(
    server: TableServer, screens: Screens, tmp_path: Path
) -> None:
    """A pawn that no walk leads to is accepted in two presses: the board reported where it stands,
    the vampire agrees on the cover of the phone, and the record replays equal.
    """
    display, vampire = begun(server, screens)
    server.board.put("H1a", "D4")
    differs(display)
    display.presses = 0
    display.press("byhand")
    display.says("#banner", "on D4")
    save_screenshot(display.page, "by-hand.png")
    display.press("byhand", "ok")
    display.says("#banner", "By hand")
    save_screenshot(display.page, "by-hand-asked.png")
    vampire.says("#vote", "stands on D4")
    save_screenshot(vampire.page, "by-hand-phone.png")
    vampire.press("agree")
    display.pawn_on("H1a", "D4")
    display.in_sync()

    assert 2 == display.presses
    display.draw(vampire)
    assert ("draw", "agreed") == decided_again(server, tmp_path / "game.jsonl")


def test_people_say_who_stands_where(start_server: StartServer, screens: Screens) -> None:
    """On a board without names people tap each pawn and its tile; who changes his mind says No and
    nothing is set.
    """
    server = start_server("presence")
    display, vampire = begun(server, screens, SEVEN_INCH)
    server.board.put("H1a", "D4")
    server.board.put("H1b", "C4")
    differs(display)
    display.press("byhand")
    display.says("#banner", "Tap a pawn")
    for origin, cell in (("A1", "C4"), ("C4", "D4"), ("F1", "C4")):
        display.tile(origin)
        display.tile(cell)
    save_screenshot(display.page, "by-hand-seven-inch.png")
    display.press("byhand", "no")
    display.shows('[data-action="byhand"]:not([data-arg])')
    assert "A1" == server.snapshot["view"]["pawns"]["H1a"]

    display.press("byhand")
    for origin, cell in (("A1", "D4"), ("F1", "C4")):
        display.tile(origin)
        display.tile(cell)
    display.press("byhand", "ok")
    vampire.press("agree")
    display.pawn_on("H1a", "D4")
    display.pawn_on("H1b", "C4")
    display.in_sync()


def test_without_a_board(start_server: StartServer, screens: Screens) -> None:
    """A table without sensors is set by hand as well, token and pawn; only seats with the right to
    agree are asked.
    """
    server = start_server(None)
    display, vampire = begun(server, screens)
    bullet = server.snapshot["view"]["tokens"]["bullets"][0]
    display.press("info")
    display.press("byhand")
    display.tile(bullet)
    display.says("#banner", f"no bullet on {bullet}")
    display.press("byhand", "ok")
    vampire.press("refuse")
    display.hides('[data-action="byhand"][data-arg="ok"]')
    display.turn_of("H1")
    assert bullet in server.snapshot["view"]["tokens"]["bullets"]


def begun(
    server: TableServer, screens: Screens, size: tuple[int, int] = (1920, 1080)
) -> tuple[Display, VampirePhone]:
    """Start a game of two; the vampire has hidden, H1 is to move."""
    display, vampire = screens.display(server, size), screens.vampire(server)
    vampire.sit("V")
    display.begin(vampire, "D2")
    return display, vampire
