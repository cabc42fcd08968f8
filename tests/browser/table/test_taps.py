"""How many taps things take, as the design promises them."""

from __future__ import annotations

from tests.browser.conftest import Screens, StartServer
from tests.browser.page_objects import Display, Screen, VampirePhone


def taps(screen: Screen) -> int:
    """Return how many presses there were since this was last asked."""
    counted, screen.presses = screen.presses, 0
    return counted


def test_taps_of_a_human(start_server: StartServer, screens: Screens) -> None:
    """With sensors a walk takes no tap; a radar takes 1, a shot 3, the end of a turn 1."""
    display = table(start_server, screens)
    display.walk("H1a", "A2", "A3")
    assert 0 == taps(display)
    display.press("radar")
    display.says("#answer", "2")
    assert 1 == taps(display)
    display.end_turn("H1", "H2")
    assert 1 == taps(display)
    display.shoot("F1", "S")
    display.says("#answer", "Silence")
    assert 3 == taps(display)


def test_taps_without_a_board(start_server: StartServer, screens: Screens) -> None:
    """By touch alone a walk takes at most 2 taps, and 1 where only one pawn can go there. Of the
    vampire, to stand takes 3 taps, two walks 5, an attack at most 6, each with the look and the
    double End night.
    """
    server = start_server(None)
    display, vampire = screens.display(server), screens.vampire(server)
    vampire.sit("V")
    display.begin(vampire, "B3")
    taps(display)
    display.tile("A1")
    display.tile("A2")
    display.pawn_on("H1a", "A2")
    assert 2 == taps(display)
    display.press("undo")
    display.pawn_on("H1a", "A1")
    taps(display)
    display.tile("B1")
    display.pawn_on("H1a", "B1")
    assert 1 == taps(display)
    assert 3 == night(display, vampire)
    assert 5 == night(display, vampire, "C3", "C2")
    assert night(display, vampire, "B2", "B1:attack") <= 6


def night(display: Display, vampire: VampirePhone, *steps: str) -> int:
    """End the human's turn, play a night of these steps, and return how many taps it took."""
    display.end_turn("H1", "V")
    vampire.says("#cover", "Night")
    taps(vampire)
    vampire.look()
    for step in steps:
        cell, _, kind = step.partition(":")
        vampire.step(cell, kind or None)
    vampire.end_night()
    display.turn_of("H1")
    count = taps(vampire)
    vampire.cover()
    return count


def table(start_server: StartServer, screens: Screens) -> Display:
    """Start a game of three on a board that reads tags."""
    server = start_server()
    display, vampire = screens.display(server), screens.vampire(server)
    vampire.sit("V")
    display.begin(vampire, "C3", players=3)
    taps(display)
    return display


MOST_WORDS = {"display": 20, "vampire": 20, "human": 23}
WORDS = """() => {
  const walker = document.createTreeWalker(document.getElementById("screen"), NodeFilter.SHOW_TEXT);
  const words = [];
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    const isRead = parentElement.checkVisibility() && !parentElement.closest("svg, .vh, table");
    if (isRead) words.push(...(data.match(/\\p{L}{2,}/gu) ?? []));
  }
  return words;
}"""
"""The words that can be read on a page; coordinates and the letters of pawns are none."""


def test_words_in_play(start_server: StartServer, screens: Screens) -> None:
    """A glance is enough: so few words stand on the display, on the vampire's map and on a human's
    phone.
    """
    server = start_server(None)
    display, vampire, ana = screens.display(server), screens.vampire(server), screens.phone(server)
    vampire.sit("V")
    ana.sit("H1", name="Ana")
    display.begin(vampire, "C3", players=4)
    display.shoot("F1", "S")
    display.says("#answer", "Silence")
    display.shows("#counts")  # the turn again, after the shot's result
    vampire.look()
    screens_in_play = {"display": display, "vampire": vampire, "human": ana}
    words = {name: screen.page.evaluate(WORDS) for name, screen in screens_in_play.items()}

    assert {} == {
        name: read for name, read in words.items() if not 5 < len(read) <= MOST_WORDS[name]
    }
