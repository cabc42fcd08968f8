"""A hunter at a table with hints asks what a good one would do, on the real pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SEVEN_INCH, WIDE, Screens, StartServer
from tests.browser.games.test_manhunt import begun, hide
from tests.browser.page_objects import Display
from tests.browser.screens.test_replay import look
from tests.browser.screens.test_screens import REQUEST
from tests.browser.server import TableServer
from tests.games.manhunt.small_map import SMALL

ASKING = '[data-action="suggest"]'


def suggested(server: TableServer) -> Any:
    """Return the suggestion that the table has computed."""
    return server.get("/suggestion.json")["suggestion"]


def show_hints(display: Display) -> None:
    """Switch the hints on."""
    change = {"change": {"hints": True, "clues": True}}
    assert display.page.evaluate(REQUEST, ["settings", change])["ok"]


def test_a_press_shows_what_a_hunter_would_do(start_server: StartServer, screens: Screens) -> None:
    """By default nobody can ask. At a table with hints a press shows the table's suggestion,
    with an arrow for the walk, at both sizes; a second press, or the walk itself, removes it, and
    no other page shows it.
    """
    server = start_server(None)
    display, vampire = screens.display(server), screens.vampire(server)
    vampire.sit("V")
    display.begin(vampire, "C3")
    assert 0 == display.at(ASKING).count()

    show_hints(display)
    display.shows(f".lower {ASKING}")
    display.press("suggest")
    display.shows("#field .arrow")
    found = suggested(server)
    assert "walk" == found["action"]["type"]
    display.says("#task", f"to {found['action']['to']}.")
    wrong = look(display.page, "suggest", WIDE)
    display.press("suggest")
    display.says("#task", "Tap a pawn.")
    expect(display.at("#field .arrow")).to_have_count(0)

    display.page.set_viewport_size({"width": SEVEN_INCH[0], "height": SEVEN_INCH[1]})
    display.press("info")
    display.page.locator(f".panel {ASKING}").click()
    display.says("#task", f"to {found['action']['to']}.")
    wrong += look(display.page, "suggest", SEVEN_INCH)
    assert [] == wrong
    assert 0 == vampire.at(f"{ASKING}, .suggestion").count()

    start = server.snapshot["view"]["pawns"][found["action"]["pawn"]]
    display.tile(start)
    display.tile(found["action"]["to"])
    display.pawn_on(found["action"]["pawn"], found["action"]["to"])
    expect(display.at(".suggestion")).to_have_count(0)


@pytest.fixture
def hunted(start_server: StartServer, tmp_path: Path) -> TableServer:
    """A table without a board, to which the household gave the small map."""
    path = tmp_path / "small.toml"
    path.write_text(SMALL.replace("shows = [3, 6]", "shows = [1]"), encoding="utf-8")
    return start_server(None, f'content = ["{path}"]')


@pytest.mark.soak
def test_a_hunter_of_the_fugitive_asks(hunted: TableServer, screens: Screens) -> None:
    """In Manhunt the display of a table with hints marks the possible places, and a press
    shows the table's suggestion in the place of the task.
    """
    display, fugitive = begun(hunted, screens), screens.vampire(hunted)
    fugitive.sit("F")
    hide(display, fugitive)
    assert 0 == display.at(f"{ASKING}, #hints").count()

    show_hints(display)
    display.says("#hints", "Practice")
    display.press("suggest")
    assert "look" == suggested(hunted)["action"]["type"]
    display.says("#banner", "Nothing else is possible now.")
    assert [] == look(display.page, "manhunt-suggest", WIDE)
