"""The identity board in a browser: pieces are registered, the board is calibrated, the display asks
about what is uncertain.
"""

from __future__ import annotations

import json

import pytest
from companion.sensors.rfid.registry import TAGS_FILE
from companion.sensors.serial.messages import slot_of

from companion.core.placement import Pawn
from companion.sim.table_model import World, uid_of
from tests.browser.conftest import HANDHELD, WIDE, Screens, StartServer
from tests.browser.looks import broken
from tests.browser.page_objects import Display, Screen
from tests.browser.screenshots import save_screenshot, settled, spilled
from tests.browser.server import TableServer

FIRST = uid_of("H1a", "new")
PAWNS = ("H1a", "H1b", "H1c", "H1d", "H2a", "H2b", "H2c", "H2d", "H3a", "H3b", "H3c", "H3d")


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


@pytest.fixture
def new_box(start_server: StartServer) -> TableServer:
    """A table whose pieces have unregistered tags."""
    return start_server(world=World(map(Pawn, PAWNS), box="new"))


def test_a_new_box_is_registered(new_box: TableServer, screens: Screens) -> None:
    """The page asks for every pawn by name and registers it on A1; a registered one is refused in
    words; all tags are kept.
    """
    registered(new_box, screens)


@pytest.mark.soak
def test_a_registered_box_is_played_with(new_box: TableServer, screens: Screens) -> None:
    """All tags survive a restart, and the game that follows is played with these pawns."""
    display = registered(new_box, screens)
    new_box.board.put("H1a", None)
    screens.may_lose_link = True
    new_box.kill()
    new_box.start()
    vampire = screens.vampire(new_box)
    vampire.sit("V")
    display.begin(vampire, "C3")
    display.walk("H1a", "A2")


def registered(new_box: TableServer, screens: Screens) -> Display:
    """Register every pawn, one of them twice; return the display."""
    display = screens.display(new_box)
    board = board_page(new_box, display)
    board.says('[data-kind="pawn"]', "0 of 12")
    board.press("maintain:register:pawn")
    board.says("#task", "alone")
    wrong = looked_at(board, "board-register")
    for number, pawn in enumerate(PAWNS):
        new_box.board.put(pawn, "A1")
        board.says('[data-kind="pawn"]', f"{number + 1} of 12")
        new_box.board.put(pawn, None)
    board.hides("#now")

    board.press("choose:pawn:H1b")
    board.press("maintain:register:pawn:H1b")
    new_box.board.put("H1a", "A1")
    board.says("#task", "already")
    wrong += looked_at(board, "board-known", is_new=False)
    board.press("maintain:stop")
    assert [] == wrong
    assert 12 == len(json.loads((new_box.data / TAGS_FILE).read_text())["tags"])

    return display


def test_a_pawn_whose_tag_ends_as_anothers(start_server: StartServer, screens: Screens) -> None:
    """A tag that answers in another pawn's slot is refused in words; pressing *Take it all the
    same* takes it.
    """
    twin = next(
        name
        for name in map("spare-{}".format, range(100))
        if slot_of(uid_of(name, "new")) == slot_of(FIRST)
    )
    server = start_server(world=World([Pawn("H1a"), Pawn(twin)], box="new"))
    board = board_page(server, screens.display(server))
    board.press("maintain:register:pawn")
    server.board.put("H1a", "A1")
    board.says('[data-kind="pawn"]', "1 of 12")
    server.board.put("H1a", None)
    server.board.put(twin, "A1")
    board.says("#task", "at the same moment")
    board.shows('[data-action="maintain:override"]')
    wrong = looked_at(board, "board-crowd")
    board.press("maintain:override")

    board.says('[data-kind="pawn"]', "2 of 12")
    assert {FIRST, uid_of(twin, "new")} == set(
        json.loads((server.data / TAGS_FILE).read_text())["tags"]
    )
    assert [] == wrong


def test_what_is_uncertain_or_missing_is_asked(start_server: StartServer, screens: Screens) -> None:
    """A pawn on a border is named on the display and never guessed, a tile between two turns too;
    the game goes on when they lie right. For a bullet taken by mistake the display asks to put it
    back, for a second token there to remove it; then play goes on.
    """
    server = start_server()
    for number, cell in enumerate(("C1", "C2", "D1"), 1):
        server.board.put_tile(cell, number)
    display, vampire = screens.display(server), screens.vampire(server)
    server.board.nudge("C2", 15, -6)
    display.press("field")
    display.says("#asks", "between two turns")
    server.board.put_tile("C2", 2)
    display.hides("#asks")
    display.press("seats")
    vampire.sit("V")
    display.begin(vampire, "C3")

    server.board.put("H1a", "B1")
    server.board.nudge("H1a", -30, 0)
    display.says("#banner", "Straighten")
    display.shows(".ring.unsure")
    assert "A1" == server.snapshot["view"]["pawns"]["H1a"]
    wrong = looked_at(display, "table-unsure-pawn")
    board = board_page(server, display)
    board.says("#asks", "Straighten")
    board.shows('[data-tag="pawn:H1a"].unsure')
    wrong += looked_at(board, "board-unsure")

    display.page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    server.board.put("H1a", "B1")
    display.pawn_on("H1a", "B1")
    display.in_sync()
    display.hides(".ring.unsure")

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


def test_a_board_is_calibrated(start_server: StartServer, screens: Screens) -> None:
    """From a laid field the loops' gains are measured by one press and shown; without a tile the
    page shows that.
    """
    server = start_server()
    board = board_page(server, screens.display(server))
    board.press("maintain:calibrate")
    board.says("#prompt", "No registered tile")
    cells = [f"{column}{row}" for row in range(1, 7) for column in "ABCDEF"]
    for number, cell in enumerate(cells, 1):
        server.board.put_tile(cell, number, 90 * (number % 4))
    board.press("maintain:calibrate")
    board.says("#calibration", "Calibrated on")
    board.says('[data-loop="0"]', "dB")

    assert [] == looked_at(board, "board-calibrated")
