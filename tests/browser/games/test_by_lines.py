"""Whole games by the field of commands: nothing is pressed but letters and Enter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Screens, StartServer
from tests.browser.games.test_by_tree import COURT, DEALT, FOREST, FUGITIVE, NAMES, SEEKER
from tests.browser.line_player import LinePlayer
from tests.browser.players import Manner, play_to_end
from tests.browser.screens.test_layout import Pages, Screen, opened, seated
from tests.browser.screens.test_screens import REQUEST
from tests.browser.server import Json
from tests.browser.states import played

PRESSES = 900
"""More than any of these games takes of one player."""
AFTER = 100
"""Milliseconds in which a page draws a state, and the field reads it."""
GAMES: dict[str, tuple[str, Json, dict[str, Manner]]] = {
    "nosferatu": ("nosferatu", {}, {"vampires": FOREST, "villagers": FOREST}),
    "manhunt": ("manhunt", {"content": "ship"}, {"F": FUGITIVE, "H1": SEEKER}),
    "vampire_empire": ("vampire_empire", {}, {"vampire": COURT, "human": COURT}),
    **{
        game: (name, {}, dict.fromkeys(seats, manner))
        for game, (name, seats, manner) in DEALT.items()
    },
}
"""Games: name, options, and what the player of each seat presses."""


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_a_game_by_lines(game: str, start_server: StartServer, screens: Screens) -> None:
    """All seats are played to the end by typed lines alone; each line that the field completes
    presses what it names.
    """
    name, options, manners = GAMES[game]
    server = start_server(None)
    display = screens.display(server)
    display.choose(name)
    if options:
        change = {"change": {"options": options}}
        assert display.page.evaluate(REQUEST, ["propose", change])["ok"]
    if server.snapshot["lobby"]["players"] != len(manners):
        display.press("players", str(len(manners)))
    players: dict[LinePlayer, Manner] = {}
    for number, (seat, manner) in enumerate(manners.items()):
        phone = screens.phone(server)
        phone.sit(seat, name=NAMES[number])
        players[LinePlayer(phone.page, Random(number))] = manner
    display.press("start")
    for player in players:
        player.open()

    play_to_end(players, PRESSES)
    assert "over" == server.snapshot["phase"]


EACH_LINE = """async () => {
  const field = () => document.getElementById("command");
  const told = () => document.getElementById("command-answer").textContent;
  const options = [...document.querySelectorAll("#command-list option")];
  const lines = options.map(({ value }) => value);
  const clicked = [];
  const stop = (event) => {
    clicked.push(event.target);
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  const wrong = [];
  const pressed = new Set();
  document.addEventListener("click", stop, true);
  for (const line of lines.slice(0, lines.indexOf("now"))) {
    // A look goes on while its player types.
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift" }));
    clicked.length = 0;
    field().value = line;
    field().form.requestSubmit();
    while (!told()) await new Promise((done) => setTimeout(done, 5));
    const isField = document.activeElement.closest("#screen :is(input, select, textarea)");
    const control = isField ? document.activeElement : clicked[0];
    if (clicked.length + Boolean(isField) !== 1 || pressed.has(control))
      wrong.push(`${line}: ${told()}`);
    pressed.add(control);
  }
  document.removeEventListener("click", stop, true);
  return [lines.length, wrong];
}"""
"""Types each line that the field completes; returns their number, and those that press nothing,
more than one control, or one that another line presses.
"""
OF_PHONES: dict[str, tuple[str, int, dict[str, str], tuple[str, ...]]] = {
    "nosferatu": ("nosferatu", 2, {}, ("vampires", "villagers")),
    "manhunt": ("manhunt", 3, {}, ("F", "H1")),
    "shisogari": ("shisogari", 4, {}, ("P1", "P2")),
    "shisogari-box": ("shisogari", 4, {"hands": "cards"}, ("P1", "P2")),
    "vampire_empire": ("vampire_empire", 2, {}, ("vampire", "human")),
    "vampire_empire-box": ("vampire_empire", 2, {"content": "box"}, ("vampire", "human")),
    "vwars": ("vwars", 3, {}, ("P1", "P2")),
    "vwars-box": ("vwars", 3, {"content": "box"}, ("P1", "P2")),
}
"""Games, with cards of their box too: players, options, and whose phones are typed on."""


@pytest.fixture
def phone(browser: Browser) -> Iterator[Screen]:
    yield from opened(browser, Pages(), is_phone=True)


@pytest.mark.soak
@pytest.mark.parametrize("game", OF_PHONES)
def test_each_line_presses_one_control(phone: Screen, game: str, tmp_path: Path) -> None:
    """In the fullest picture of each step of a game, covered and uncovered, each line that the
    field completes presses one control, and no two lines press the same.
    """
    name, players, options, seats = OF_PHONES[game]
    states = [each for each in played(tmp_path, name, players, options, 120) if each.private]
    wrong: list[str] = []
    lines = 0
    for seat in seats:
        seated(phone, states[0], seat)
        phone.page.wait_for_selector("#open-commands", state="attached")
        phone.page.keyboard.press("F2")
        for state in states:
            phone.show(state, seat)
            phone.page.wait_for_timeout(AFTER)
            for toggle in (None, "#reveal, #look"):
                if toggle and not phone.page.locator(toggle).count():
                    continue
                if toggle:
                    phone.page.evaluate("(it) => document.querySelector(it).click()", toggle)
                phone.page.locator("#command").focus()
                count, faults = phone.page.evaluate(EACH_LINE)
                lines += count
                wrong += [f"{state.name} {seat}: {each}" for each in faults]
            phone.page.evaluate("dispatchEvent(new Event('blur'))")
    assert lines > 20
    assert [] == wrong, "\n".join(wrong)
