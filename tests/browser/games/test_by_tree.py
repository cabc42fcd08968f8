"""A blind player's evening: whole games read from the accessibility tree and played by keys."""

from __future__ import annotations

from random import Random

import pytest

from tests.browser.conftest import HANDHELD, Screens, StartServer
from tests.browser.page_objects import Display
from tests.browser.server import TableServer
from tests.browser.tree_player import Hunter, Vampire

TURNS = 60
"""More than the rules let a game without a bullet or an attack go on."""


def open_game(server: TableServer, screens: Screens, bots: list[str]) -> Display:
    """Lay the first field for two, and give seats to bots."""
    display = screens.display(server)
    display.press("players", "2")
    for seat in bots:
        display.give(seat, "greedy")
    display.set_up()
    return display


@pytest.mark.soak
def test_a_hunter_plays_by_tree_and_keys(start_server: StartServer, screens: Screens) -> None:
    """A player who has a screen reader and keys takes a seat, reads the field, walks, shoots and
    plays to the end on a phone.
    """
    server = start_server(None)
    display = open_game(server, screens, ["V"])
    hunter = Hunter(screens.page(HANDHELD, is_phone=True), Random(7))
    hunter.join(server.invitation["url"], "Player 1", "Ana")
    display.press("start")

    assert hunter.play(TURNS), hunter.written()
    assert "over" == server.snapshot["phase"]


@pytest.mark.soak
def test_a_vampire_plays_by_tree_and_keys(start_server: StartServer, screens: Screens) -> None:
    """A vampire who has a screen reader and keys hides, plans its nights under the toggle, covers
    the phone and plays to the end.
    """
    server = start_server(None)
    display = open_game(server, screens, ["H1"])
    vampire = Vampire(screens.page(HANDHELD, is_phone=True), Random(3))
    vampire.join(server.invitation["url"], "Vampire", "Vera")
    display.press("start")

    assert vampire.play(TURNS), vampire.written()
    assert "over" == server.snapshot["phase"]
