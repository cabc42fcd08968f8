"""A field set up from one photo, a whole game on it by taps, and a second photo during it."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Screens, StartServer
from tests.browser.games.test_whole_game import decided_again
from tests.browser.page_objects import Display, Phone, VampirePhone
from tests.browser.screenshots import COLOURS, save_screenshot, spilled, violations
from tests.browser.server import TableServer
from tests.helpers.repetitions import soak
from tests.sensors.serial.test_barcode_scanner import Plug
from tests.server.routes.test_photo import FIELD, HOUSE
from tools.photos.scene import Scene
from tools.photos.views import View, photo

BULLETS = [
    cell for cell in HOUSE if FIELD["tiles"][int(cell[1]) - 1]["ABCDEF".index(cell[0])] in "bo"
]
"""Cells with a token: bats and bullets."""


def test_a_field_is_photographed(
    start_server: StartServer, screens: Screens, tmp_path: Path
) -> None:
    """One photo taken on a phone, a hidden tile entered by a tap, confirmed: that is the field of
    the game that begins; a photo in the middle of it asks for what pawns cover and names what was
    turned.
    """
    server = start_server(None)
    display, phone = screens.display(server), screens.phone(server)
    display.press("players", "2")
    phone.sit("H1", name="Ana")
    display.give("V", "greedy")
    lay(phone, display, tmp_path)
    assert FIELD == server.snapshot["lobby"]["field"]
    display.press("start")
    display.turn_of("H1")
    display.tile("A1")
    display.tile("A2")
    display.pawn_on("H1a", "A2")
    rescan(phone, tmp_path)


@pytest.mark.soak
def test_a_game_on_a_photographed_field(
    start_server: StartServer, screens: Screens, tmp_path: Path
) -> None:
    """One photo taken on a phone, a hidden tile entered by a tap, confirmed: that is the field of
    the game, which is played to its end by taps; a photo in the middle of it asks for what pawns
    cover and names what was turned.
    """
    server = start_server(None)
    display, vampire, phone = (
        screens.display(server),
        screens.vampire(server),
        screens.phone(server),
    )
    display.press("players", "2")
    vampire.sit("V")
    phone.sit("H1", name="Ana")
    lay(phone, display, tmp_path)
    assert FIELD == server.snapshot["lobby"]["field"]
    display.press("start")
    vampire.says("#cover", "Night")
    vampire.look()
    vampire.step("B2")
    vampire.press("end_night")
    display.turn_of("H1")
    vampire.cover()

    display.tile("A1")
    display.tile("A2")
    display.pawn_on("H1a", "A2")
    shoot(display, 1)
    rescan(phone, tmp_path)
    night(display, vampire)
    shoot(display, 2)
    shoot(display, 3)
    night(display, vampire)
    shoot(display, 4)

    display.says("#banner", "The village lives")
    assert ("humans", "vampire_dead") == decided_again(server, tmp_path / "game.jsonl")


def lay(phone: Phone, display: Display, folder: Path) -> None:
    """Photograph the laid tiles, one of them under something, enter that one, choose the direction,
    and confirm; the display shows what was read.
    """
    scene = Scene(
        laid=HOUSE, pawns=(("C4", -6.0, 0.0), ("C4", 7.0, 2.0)), tokens=(("C4", 0.0, 8.0),)
    )
    take(phone, folder / "table.jpg", photo(scene, View(tilt=25, orientation=6), 3))
    phone.says("#count", "35 of 36")
    phone.says("#north", "top is taken as row 1")
    assert phone.at('[data-action="lay"]').get_attribute("aria-disabled") == "true"
    save_screenshot(phone.page, "tiles-photo.png", full_page=True)
    assert ([], [0, 0]) == (violations(phone.page), spilled_sideways(phone))
    phone.press("light")
    phone.shows("html.light")
    save_screenshot(phone.page, "tiles-photo-light.png", full_page=True)
    assert ([], [0, 0]) == (violations(phone.page, COLOURS), spilled_sideways(phone))
    display.press("field")
    display.says("#read", "35 of 36")
    display.says('[data-read="C4"]', "?")
    display.says('[data-read="D4"]', str(HOUSE["D4"][0]))
    save_screenshot(display.page, "tiles-display.png")
    assert [] == violations(display.page)
    display.press("seats")
    phone.tile("C4")
    offered = phone.at("#choices .numbers button").all_inner_texts()
    used = {str(number) for cell, (number, _) in HOUSE.items() if cell != "C4"}
    assert 3 == len(offered) and not used & set(offered)
    save_screenshot(phone.page, "tiles-ask.png", full_page=True)
    phone.press("number", HOUSE["C4"][0])
    phone.tile("C4")
    for _ in range(HOUSE["C4"][1] // 90):
        phone.tile("C4")
        phone.press("turn")
        phone.tile("C4")
    assert phone.at('[data-action="lay"]').get_attribute("aria-disabled") == "true"
    for _ in range(4):
        phone.press("quarter")
    phone.press("lay")
    phone.shows("#done")


def rescan(phone: Phone, folder: Path) -> None:
    """Photograph the table in the middle of the game: pawns and tokens lie on it, and one tile was
    turned.
    """
    turned = HOUSE | {"D4": (HOUSE["D4"][0], (HOUSE["D4"][1] + 90) % 360)}
    pawns = (
        ("A2", -5.0, 0.0),
        ("A2", 6.0, 3.0),
        ("F1", 0.0, 0.0),
        ("A6", 0.0, 0.0),
        ("F6", 0.0, 0.0),
    )
    scene = Scene(
        laid=turned, pawns=pawns, tokens=tuple((cell, 0.0, 0.0) for cell in BULLETS if cell != "D4")
    )
    take(phone, folder / "middle.jpg", photo(scene, View(tilt=15, azimuth=90), 3))
    phone.says("#covered", "A2")
    phone.says('[data-wrong="D4"]', "turn")
    phone.says("#north", "tiles themselves")
    save_screenshot(phone.page, "tiles-middle.png", full_page=True)
    assert [] == violations(phone.page)
    phone.tile("A2")
    phone.press("number", HOUSE["A2"][0])
    expect(phone.at("#covered")).not_to_contain_text("A2")
    phone.hides('[data-wrong="A2"]')
    phone.page.goto(phone.server.phone("/seat"))


def take(phone: Phone, path: Path, image: bytes) -> None:
    """Take a photo on the page of tiles."""
    path.write_bytes(image)
    phone.page.goto(phone.server.phone("/tiles"))
    phone.shows("#take-photo")
    phone.at("#photo").set_input_files(path)
    phone.shows("#overlay")


def spilled_sideways(phone: Phone) -> list[int]:
    """Return by how many pixels the page is too wide; it may be as long as it likes."""
    return [spilled(phone.page)[0], 0]


def shoot(display: Display, hits: int) -> None:
    """Fire along row 2 with the pawn on A2, which is chosen already where it acted before in this
    turn.
    """
    if not display.at('[data-action="shoot"][data-arg="E"]').count():
        display.tile("A2")
    display.fire("E")
    display.until(lambda snapshot: 4 - snapshot["view"]["hp"] == hits, f"hit {hits}")
    if hits < 4:
        display.says("#hearts", str(4 - hits))


def night(display: Display, vampire: VampirePhone) -> None:
    """Let the vampire stand still for a night."""
    display.end_turn("H1", "V")
    vampire.says("#cover", "Night")
    vampire.look()
    vampire.end_night()
    display.turn_of("H1")
    vampire.cover()


@pytest.mark.parametrize("enter", ["vrt{:02}", *soak("VRT{:02}")])
def test_tile_by_tile_with_a_hand_scanner(
    start_server: StartServer, screens: Screens, enter: str
) -> None:
    """A scanner that types: each code fills the next cell, ended by Enter, TAB or nothing; another
    code, a repeated tile and a scanner that ends no code give a message, undo takes one back, a tap
    turns a tile, and 36 of them are a field.
    """
    server: TableServer = start_server(None)
    phone = screens.phone(server)
    phone.sit("H1")
    phone.page.goto(server.phone("/tiles"))
    phone.press("scan")
    field = phone.at("#scanner")
    cells = list(HOUSE)
    for typed in (
        enter.format(HOUSE["A1"][0]),
        "HELLO",
        enter.format(HOUSE["A1"][0]),
        enter.format(HOUSE["C1"][0]),
    ):
        field.press_sequentially(typed + "\n", delay=0)
    phone.says("#count", "2 of 36")
    phone.press("undo")
    phone.says("#count", "1 of 36")
    field.press_sequentially("ABCDEFGHIJKLM", delay=0)
    phone.says("#notice", "Set its suffix")
    for cell, end in zip(cells[1:], cycle(["", "\n", "\t"]), strict=False):
        field.press_sequentially(enter.format(HOUSE[cell][0]) + end, delay=0)
    phone.says("#count", "36 of 36")
    for cell in cells:
        for _ in range(HOUSE[cell][1] // 90):
            phone.tile(cell)
    save_screenshot(phone.page, f"tiles-scanner-{enter[0]}.png", full_page=True)
    phone.press("lay")
    phone.shows("#done")

    assert FIELD == server.snapshot["lobby"]["field"]


def test_tile_by_tile_with_a_scanner_on_the_companion(
    start_server: StartServer, screens: Screens, tmp_path: Path
) -> None:
    """A scanner on the companion's own port fills the list on the phone that has it open, and on no
    other: another code gives a message, undo takes one back, and 36 beeps are counted.
    """
    plug = Plug(tmp_path / "scanner")
    server: TableServer = start_server(None, f'scanner = "{plug.path}"')
    phone, other = screens.phone(server), screens.phone(server)
    for each, seat in ((phone, "H1"), (other, "H2")):
        each.sit(seat)
        each.page.goto(server.phone("/tiles"))
    phone.press("scan")
    phone.says("#scanner-link", "ready")
    plug.beep(f"VRT{HOUSE['A1'][0]:02}\r\nHELLO\r\n")
    phone.says("#notice", "no tile")
    phone.says("#count", "1 of 36")
    plug.beep(f"vrt{HOUSE['C1'][0]:02}\n")
    phone.says("#count", "2 of 36")
    phone.press("undo")
    phone.says("#count", "1 of 36")
    for cell in list(HOUSE)[1:]:
        plug.beep(f"VRT{HOUSE[cell][0]:02}\r\n")
    phone.says("#count", "36 of 36")
    save_screenshot(phone.page, "tiles-scanner-serial.png", full_page=True)
    expect(other.at("#count")).to_have_count(0)
    for cell, (_, turn) in HOUSE.items():
        for _ in range(turn // 90):
            phone.tile(cell)
    phone.press("lay")
    phone.shows("#done")

    assert FIELD == server.snapshot["lobby"]["field"]
    plug.pull()
