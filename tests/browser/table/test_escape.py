"""Escape closes what is open and returns the focus to what opened it, on every page, and never
acts: with Tab and Enter it is all that a switch needs.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Screens, StartServer
from tests.browser.games.test_by_commands import typed
from tests.browser.page_objects import Screen, button

FOCUSED = """() => {
  const { id, dataset: { action, arg } } = document.activeElement;
  return [action, arg].filter((each) => each !== undefined).join(" ") || id;
}"""
CLOSES = "[data-closes]"


def enter(screen: Screen, action: str, argument: object = None) -> None:
    """Press a control by Enter."""
    target = screen.at(button(action, argument)).first
    expect(target).to_be_visible()
    target.focus()
    screen.page.keyboard.press("Enter")


def opens_and_closes(screen: Screen, action: str, argument: object = None) -> None:
    """What a control opens is closed by Escape, the control has the focus again, and the table has
    heard nothing.
    """
    screen.hides(CLOSES)
    position = screen.server.snapshot["position"]
    enter(screen, action, argument)
    expect(screen.at(CLOSES)).not_to_have_count(0)
    screen.page.keyboard.press("Escape")
    screen.hides(CLOSES)
    name = " ".join(str(each) for each in (action, argument) if each is not None)
    screen.page.wait_for_function(f"(name) => ({FOCUSED})() === name", arg=name)
    assert position == screen.server.snapshot["position"]


def test_before_a_game(start_server: StartServer, screens: Screens) -> None:
    """On the display: what *i* opens, the games, how to play, the round to watch, the field, the
    bots; on the host's page the bots of a seat; in a game with roles their choice.
    """
    server = start_server(None)
    display, host = screens.display(server), screens.phone(server)
    for action in ("info", "games", "how", "tutorial", "field"):
        opens_and_closes(display, action)
    opens_and_closes(display, "give", "V")
    host.sit("H1")
    host.page.goto(server.phone("/host"))
    opens_and_closes(host, "give", "H2")
    display.choose("vwars")
    opens_and_closes(display, "choose", "roles")


@pytest.mark.slow
def test_in_a_game(start_server: StartServer, screens: Screens) -> None:
    """On the display: what *i* opens, why an answer is so, a lost phone's seat; on phones the
    rules, what the vampire looks at, and the field of commands; a refusal's sentence. With nothing
    open it does nothing. At the end the question of the next game.
    """
    server = start_server(None)
    display, vampire, ana = screens.display(server), screens.vampire(server), screens.phone(server)
    vampire.sit("V")
    ana.sit("H1", name="Ana")
    display.begin(vampire, "C4")
    opens_and_closes(display, "info")
    display.press("info")
    enter(display, "return")
    display.says("h1", "New phone")
    display.page.keyboard.press("Escape")
    display.shows("#field")
    for cell in ("A1", "A2", "A3"):
        display.tile(cell)
    display.press("radar")
    display.says("#answer", "3")
    opens_and_closes(display, "why")

    opens_and_closes(ana, "rules")
    typed(ana, "who", "Ana")
    ana.page.keyboard.press("Escape")
    ana.hides("#command")
    opens_and_closes(vampire, "reveal")
    vampire.page.keyboard.press("F2")
    expect(vampire.at("#command")).to_be_focused()
    vampire.at(button("rules")).focus()
    vampire.page.keyboard.press("Escape")
    vampire.hides("#command")

    display.at('g[data-cell="C5"]').focus()
    display.page.keyboard.press("Enter")
    display.shows("#why-not")
    display.page.keyboard.press("Escape")
    display.hides("#why-not")
    position, before = server.snapshot["position"], display.at("main").inner_html()
    display.at(button("end")).focus()
    display.page.keyboard.press("Escape")
    assert (position, before) == (server.snapshot["position"], display.at("main").inner_html())

    display.draw(vampire)
    opens_and_closes(display, "again")
