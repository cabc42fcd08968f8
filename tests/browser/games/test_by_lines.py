"""Whole games by the field of commands: nothing is pressed but letters and Enter."""

from __future__ import annotations

from random import Random

import pytest

from tests.browser.conftest import Screens, StartServer
from tests.browser.games.test_by_tree import COURT, DEALT, FOREST, FUGITIVE, NAMES, SEEKER
from tests.browser.line_player import LinePlayer
from tests.browser.players import Manner, play_to_end
from tests.browser.screens.test_screens import REQUEST
from tests.browser.server import Json

PRESSES = 900
"""More than any of these games takes of one player."""
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
