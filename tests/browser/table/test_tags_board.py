"""A board that reads tags in a browser: pieces are registered, the display asks about what is
uncertain.
"""

from __future__ import annotations

from companion.core.placement import Pawn
from companion.sensors.tags.registry import TagRegistry
from companion.sim.table_model import World
from tests.browser.conftest import HANDHELD, WIDE, Screens, StartServer
from tests.browser.looks import broken
from tests.browser.page_objects import Display, Screen
from tests.browser.screenshots import save_screenshot, settled, spilled
from tests.browser.server import TableServer

PAWNS = ("H1a", "H1b")


def board_page(server: TableServer, display: Display) -> Screen:
    """Open the board's page beside the display, in the same browser."""
    page = display.page.context.new_page()
    page.goto(f"http://127.0.0.1:{server.port}/board")
    return Screen(server, page)


def looked_at(screen: Screen, name: str, *, is_new: bool = True) -> list[str]:
    """Take a picture of a page on a wall and on a phone; return what is wrong with it. Axe-core
    looks at the table on the wall, at the board's page on the phone.
    """
    wrong, checked = [], WIDE if name.startswith("table") else HANDHELD
    for size in (WIDE, HANDHELD):
        screen.page.set_viewport_size({"width": size[0], "height": size[1]})
        settled(screen.page)
        save_screenshot(screen.page, f"{name}-{size[0]}x{size[1]}.png", full_page=True)
        wrong += [
            *broken(screen.page, is_new=is_new and size == checked),
            *(["wider than its window"] if spilled(screen.page)[0] else []),
        ]
    return wrong


def test_without_a_board_nothing_is_right_or_wrong(
    start_server: StartServer, screens: Screens
) -> None:
    """The board's page shows that there is none, judges no cell and leads to the settings; the page
    of the tiles shows whose tiles they are.
    """
    server = start_server(kind=None)
    display = screens.display(server)
    board = board_page(server, display)
    board.says("#link", "No board")
    board.hides("#live")
    board.at("#settings").click()
    board.page.wait_for_url("**/host")

    board.page.goto(f"http://127.0.0.1:{server.port}/tiles")
    board.says("h1", "Vampire Radar")


def test_a_new_box_is_registered(start_server: StartServer, screens: Screens) -> None:
    """The page asks for one piece with a new tag and for its name; several, or none, are refused in
    words; the tags are kept, and a piece's tag can be forgotten.
    """
    server = start_server(world=World(map(Pawn, PAWNS), box="new"))
    board = board_page(server, screens.display(server))
    board.says("#task", "put one new piece")
    board.press("choose", "pawn:H1a")
    board.press("maintain", {"step": "register", "thing": "pawn:H1a"})
    board.says("#notice", "no new tag")
    for pawn in PAWNS:
        server.board.put(pawn, "A1")
    board.says("#task", "Leave only one")
    server.board.put("H1b", None)
    board.says("#task", "Choose what it is")
    board.press("choose", "pawn:H1a")
    wrong = looked_at(board, "board-register")
    board.press("maintain", {"step": "register", "thing": "pawn:H1a"})
    board.says('[data-kind="pawn"]', "1 of")
    board.says('[data-cell-seen="A1"]', "not as expected")
    server.board.put("H1b", "B1")
    board.says("#task", "on B1")
    board.press("choose", "pawn:H1b")
    board.press("maintain", {"step": "register", "thing": "pawn:H1b"})
    board.says('[data-kind="pawn"]', "2 of")
    assert 2 == len(TagRegistry(server.data).tags())

    board.press("choose", "pawn:H1b")
    board.press("maintain", {"step": "forget", "thing": "pawn:H1b"})
    board.says('[data-kind="pawn"]', "1 of")
    assert [] == wrong


def test_what_is_uncertain_or_missing_is_asked(start_server: StartServer, screens: Screens) -> None:
    """A piece with a tag that nobody knows is asked about and never guessed. For a bullet taken by
    mistake the display asks to put it back, for a second token there to remove it; then play goes
    on.
    """
    server = start_server()
    display, vampire = screens.display(server), screens.vampire(server)
    vampire.sit("V")
    display.begin(vampire, "C3")

    server.board.put("X1", "D4")
    board = board_page(server, display)
    board.says("#asks", "D4")
    wrong = looked_at(board, "board-unsure")
    server.board.put("X1", None)
    display.in_sync()

    server.board.take_token("C2")
    display.says("#banner", "Put a bullet on C2")
    wrong += looked_at(display, "table-token-missing", is_new=False)
    assert [] == wrong
    display.page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    server.board.put_token("C2", "bullet")
    display.in_sync()
    server.board.put_token("B2", "bat")
    display.says("#banner", "Take the bat off B2")
    server.board.take_token("B2")
    display.in_sync()
