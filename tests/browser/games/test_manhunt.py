"""Manhunt through the pages: hidden on a phone, hunted on the display and a phone, to the end, the
proof and the replay.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SEVEN_INCH, WIDE, Screens, StartServer
from tests.browser.games.test_whole_game import decided_again
from tests.browser.looks import broken
from tests.browser.page_objects import Display, Phone, VampirePhone
from tests.browser.screens.test_screens import REQUEST
from tests.browser.screenshots import save_screenshot, settled, spilled
from tests.browser.server import TableServer
from tests.games.manhunt.small_map import SMALL


@pytest.fixture
def hunted(start_server: StartServer, tmp_path: Path) -> TableServer:
    """A table without a board, to which the household gave the small map."""
    path = tmp_path / "small.toml"
    path.write_text(SMALL.replace("shows = [3, 6]", "shows = [1]"), encoding="utf-8")
    return start_server(None, f'content = ["{path}"]')


def begun(server: TableServer, screens: Screens, size: tuple[int, int] = WIDE) -> Display:
    """Choose the game with the small map, two pawns of one hunter."""
    display = screens.display(server, size)
    display.choose("manhunt")
    display.until(lambda snapshot: snapshot["game"] == "manhunt", "another game")
    options = {"content": "small.toml"}
    change = {"players": 2, "options": options, "start": {"H1a": "1", "H1b": "3"}}
    assert display.page.evaluate(REQUEST, ["propose", {"change": change}])["ok"]
    return display


def hide(display: Display, fugitive: VampirePhone) -> None:
    """Start the game; let the fugitive hide on 9, until it is the hunter's turn."""
    display.press("start")
    fugitive.look()
    fugitive.tile("9")
    fugitive.press("end")
    fugitive.press_again("end")
    display.turn_of("H1")
    fugitive.cover()


def shot(screen: Display | VampirePhone, name: str, *, is_new: bool = True) -> None:
    """Keep a picture; nothing on the page may be wrong or spill."""
    settled(screen.page)
    save_screenshot(screen.page, f"manhunt-{name}.png")
    assert [] == broken(screen.page, is_new=is_new)
    assert 0 == spilled(screen.page)[0]


def end(display: Display) -> None:
    """End a hunter's turn."""
    before = display.server.snapshot["position"]
    display.press_again("look")
    display.until(lambda snapshot: snapshot["position"] > before, "the end of the turn")


def moved(display: Display, fugitive: VampirePhone, *cells: str) -> None:
    """Let the fugitive look, step, and end its turn."""
    fugitive.look()
    for cell in cells:
        fugitive.step(cell)
    fugitive.press("end")
    fugitive.says("#end-turn", "Sure")
    fugitive.press_again("end")
    display.turn_of("H1")
    fugitive.cover()


def test_a_whole_hunt(hunted: TableServer, screens: Screens, tmp_path: Path) -> None:
    """The fugitive hides and moves on its phone, the display walks pawns and asks; it is caught,
    the proof holds, and the record decides alike a second time.
    """
    display, fugitive = begun(hunted, screens), screens.vampire(hunted)
    fugitive.sit("F")
    display.press("start")
    display.says("#banner", "chooses a start")
    fugitive.says("#cover", "fugitive's turn")
    fugitive.look()
    fugitive.tile("9")
    fugitive.says("#plan", "9 Orchard")
    shot(fugitive, "phone-start")
    fugitive.press("end")
    fugitive.press_again("end")
    display.turn_of("H1")
    fugitive.cover()
    end(display)
    moved(display, fugitive, "10")
    display.says("#travels", "street")
    display.says("#travels", "10 Tannery")
    display.tile("5")
    display.pawn_on("H1a", "5")
    display.press("ask", "which_of")
    display.press_again("ask", "which_of")
    display.says("#answer", "Next to 5? No")
    shot(display, "turn")
    end(display)
    moved(display, fugitive, "9")
    display.hides("#answer")
    display.press("pawn", "H1a")
    display.tile("9")
    display.pawn_on("H1a", "9")
    end(display)
    display.says("#banner", "The hunters win")
    display.says("#banner", "It was at 9 Orchard.")
    expect(display.at("#field .way path")).to_have_count(2)
    expect(display.at("#facts li")).to_have_count(3)
    display.says("#facts", "2 ways")
    shot(display, "end")
    display.press("reveal")
    display.says("#truth", "9")
    display.hides("#truth .cross")
    shot(display, "over", is_new=False)
    assert ("hunters", "caught") == decided_again(hunted, tmp_path / "game.jsonl")

    display.press("replay")
    display.shows("#field")
    for _ in range(6):
        display.press("next")
    display.says("#counts", "Round 1 of 8")
    display.shows("#field .ring.me")
    shot(display, "replay")


def asked_for_paper(
    display: Display, phone: Phone, fugitive: VampirePhone, secret: str, copied: str
) -> None:
    """Ask all to go on without the fugitive's phone: it shows its way under the hold alone."""
    display.press("info")
    display.press("onpaper")
    display.says("#banner", "on paper?")
    for each in (phone, fugitive):
        each.says("#vote", "on paper?")
    assert secret not in fugitive.at("body").inner_text()
    assert [0, 0] == spilled(display.page)
    fugitive.look()
    fugitive.says("#copy", copied)
    save_screenshot(fugitive.page, "manhunt-paper-copy.png")
    fugitive.cover()
    fugitive.press("agree")
    fugitive.says("#cover", "Write on paper")
    display.says("#caption", "From here on")


def test_a_double_move(hunted: TableServer, screens: Screens) -> None:
    """On the phone two turns are drafted in a row and sent together; both are announced. A phone
    that is lost then leaves no part of its path on the cover, and shows it to be copied under the
    hold.
    """
    display, fugitive = begun(hunted, screens), screens.vampire(hunted)
    fugitive.sit("F")
    hide(display, fugitive)
    end(display)
    fugitive.look()
    fugitive.step("10")
    fugitive.press("twice")
    expect(fugitive.at("#plan")).to_have_text("10 Tannery")
    fugitive.step("11")
    shot(fugitive, "phone-double", is_new=False)
    fugitive.press("end")
    fugitive.press_again("end")
    display.turn_of("H1")
    display.says("#travels", "2: street")
    display.says("#round", "Round 2 of 8")
    fugitive.cover()
    asked_for_paper(display, fugitive, fugitive, "Cellar", "You go on from 11 Cellar")


def test_a_map_of_the_editor_is_played_with_a_bot(
    start_server: StartServer, screens: Screens, tmp_path: Path
) -> None:
    """What the map editor gives to the table is drawn there with its rule card; a bot is the
    fugitive on it; it is one of the maps on the page of settings.
    """
    path = tmp_path / "small.toml"
    path.write_text(SMALL, encoding="utf-8")
    server = start_server(None)
    display = screens.display(server)
    editor = display.page.context.new_page()
    editor.goto(f"http://127.0.0.1:{server.port}/map-editor")
    editor.locator("#file").set_input_files(path)
    editor.locator('[data-action="play"]').click()
    display.until(lambda snapshot: snapshot["lobby"]["options"] == {"content": "box"}, "the map")
    editor.close()
    display.press("players", "2")
    display.give("F", "random")
    display.press("start")
    display.turn_of("H1")
    display.shows('#field [data-cell="12"]')
    display.press("info")
    display.says("#card", "The fugitive shows itself in rounds 3, 6.")
    shot(display, "card")


def test_the_map_is_enlarged(hunted: TableServer, screens: Screens) -> None:
    """On a small display the map is enlarged in steps, and small again after the last."""
    display = begun(hunted, screens, SEVEN_INCH)
    display.give("F", "random")
    display.press("start")
    display.shows("#mapbox.zoom-1")
    display.press("zoom")
    display.shows("#mapbox.zoom-2")
    display.press("zoom")
    display.press("zoom")
    display.shows("#mapbox.zoom-1")
    shot(display, "small", is_new=False)
