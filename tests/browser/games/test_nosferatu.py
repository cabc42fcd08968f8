"""Nosferatu on the display and on a phone: chosen in the lobby, played by taps, to the end and in
the record.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import HANDHELD, SEVEN_INCH, WIDE, Screens, StartServer
from tests.browser.games.test_whole_game import decided_again
from tests.browser.page_objects import Display
from tests.browser.screens.test_screens import REQUEST
from tests.browser.screenshots import save_screenshot
from tests.browser.server import Json, TableServer
from tests.browser.table.test_taps import WORDS

FORCED = {
    "rows": [".x..", "..x.w", "sx....", ".x..w..", "..www.", "...w.", ".www"],
    "to_move": "villagers",
}
"""The position that the rules publish: after d3-c2 every move is forced."""


def begun(
    server: TableServer,
    screens: Screens,
    size: tuple[int, int] = WIDE,
    position: Json | None = None,
) -> Display:
    """Choose the game in the lobby and start it; nobody needs a phone."""
    display = screens.display(server, size)
    display.choose("nosferatu")
    display.until(lambda snapshot: snapshot["game"] == "nosferatu", "another game")
    if position:
        assert display.page.evaluate(REQUEST, ["propose", {"change": {"position": position}}])["ok"]
    save_screenshot(display.page, f"nosferatu-lobby-{size[0]}x{size[1]}.png")
    display.press("start")
    display.shows("#field.hex-board")
    return display


def turn(display: Display, *cells: str, choice: str | None = None) -> None:
    """Press cells, and the choice if one is offered; wait until the table has accepted it."""
    before = display.server.snapshot["position"]
    for cell in cells:
        display.tile(cell)
    if choice:
        display.press(choice)
    display.until(lambda snapshot: snapshot["position"] > before, f"{cells} {choice}")


def test_the_forced_line(start_server: StartServer, screens: Screens, tmp_path: Path) -> None:
    """The published line is played by taps: captures go jump by jump, Nosferatu turns a villager,
    and falls.
    """
    server = start_server(None)
    display = begun(server, screens, position=FORCED)
    turn(display, "d3", "c2")
    display.says("#banner", "must take")
    save_screenshot(display.page, "nosferatu-capture.png")
    turn(display, "b2", "d2")
    turn(display, "e2", "c2")
    display.tile("a2")
    display.tile("d2")
    display.shows('[data-action="convert"]')
    save_screenshot(display.page, "nosferatu-convert.png")
    turn(display, choice="convert")
    display.says("#banner", "go on")
    turn(display, "g5", choice="remove")
    turn(display, "g4", "g6")
    display.says("#banner", "Villagers win")
    save_screenshot(display.page, "nosferatu-over.png")
    assert ("villagers", "nosferatu_taken") == decided_again(server, tmp_path / "game.jsonl")


def test_set_by_hand(start_server: StartServer, screens: Screens) -> None:
    """A piece that was bumped is set by hand, where nobody is seated at once."""
    server = start_server(None)
    display = begun(server, screens, SEVEN_INCH, position=FORCED)
    display.press("info")
    display.press("byhand")
    display.tile("e7")
    display.tile("e6")
    display.says("#banner", "Villager on e6")
    save_screenshot(display.page, "nosferatu-by-hand-800x480.png")
    display.press("byhand", "ok")
    display.until(lambda snapshot: "e6" in snapshot["view"]["pawns"].values(), "a villager on e6")
    display.says("#log", "By hand")


def test_entering(start_server: StartServer, screens: Screens) -> None:
    """Entering shows the kinds in hand and only safe cells, with at most 20 words on the display;
    undo asks nobody where nobody is seated.
    """
    server = start_server(None)
    display = begun(server, screens, SEVEN_INCH)
    display.press("kind", "v")
    save_screenshot(display.page, "nosferatu-enter-800x480.png")
    turn(display, "a4")
    turn(display, "d4")
    display.press("kind", "n")
    assert [] == display.page.evaluate(WORDS)[20:]
    turn(display, "g7")
    assert [] == display.page.evaluate(WORDS)[20:]
    save_screenshot(display.page, "nosferatu-turn-800x480.png")
    display.press("undo")
    display.until(
        lambda snapshot: "n" not in snapshot["view"]["pawns"], "Nosferatu back in the hand"
    )


def test_a_side_on_a_phone(start_server: StartServer, screens: Screens) -> None:
    """Who likes plays from a phone; the other side needs none."""
    server = start_server(None)
    display = screens.display(server)
    display.choose("nosferatu")
    phone = screens.phone(server)
    phone.page.goto(server.invitation["url"])
    phone.choose_seat("villagers")
    phone.says("#banner", "Villagers")
    display.press("start")
    display.shows("#field.hex-board")
    display.press("kind", "v")
    turn(display, "b2")
    phone.says("#task", "place")
    save_screenshot(phone.page, f"nosferatu-phone-{HANDHELD[0]}x{HANDHELD[1]}.png")
    phone.tile("f6")
    phone.until(lambda snapshot: snapshot["view"]["pawns"].get("m1") == "f6", "a villager on f6")


@pytest.mark.soak
def test_alone_against_a_bot(start_server: StartServer, screens: Screens) -> None:
    """One person plays alone: a bot is given a side in the lobby, enters when it is its turn, and
    again after the answer. *Undo* then takes the bot's turn and the person's back.
    """
    server = start_server(None)
    display = screens.display(server)
    display.choose("nosferatu")
    display.give("vampires", "random")
    display.until(lambda snapshot: any("bot" in seat for seat in snapshot["seats"]), "a bot")
    save_screenshot(display.page, "nosferatu-bot-lobby.png")
    display.press("start")
    display.until(lambda snapshot: snapshot["to_move"] == "villagers", "the bot has entered")
    cell = next(
        action["to"] for action in display.server.snapshot["legal"] if action["type"] == "enter"
    )
    turn(display, cell)
    display.until(lambda snapshot: snapshot["to_move"] == "villagers", "the bot has entered again")
    assert 3 == len(display.server.snapshot["view"]["pawns"])
    display.press("undo")
    display.until(lambda snapshot: 1 == len(snapshot["view"]["pawns"]), "the turns taken back")
    save_screenshot(display.page, "nosferatu-bot-undone.png")
    turn(display, cell)
    display.until(lambda snapshot: 3 == len(snapshot["view"]["pawns"]), "both have entered again")
