"""The Pi plays: a vampire that nobody has to play, and humans that fill empty seats, on the real
pages.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.core.game import Seat
from companion.games import GAMES
from companion.games.nosferatu.rules import Nosferatu
from companion.table.results import AUTO_LEVEL
from tests.browser.conftest import Screens, StartServer
from tests.browser.looks import broken
from tests.browser.page_objects import Screen
from tests.browser.screenshots import save_screenshot, settled, spilled, violations
from tests.browser.server import TableServer, run
from tests.table.finished_games import play_to_last_jump
from tests.table.play import Play


def look(screen: Screen, name: str, *, is_new: bool = True) -> None:
    """Photograph a screen, and see that nothing spills and nobody is shut out."""
    settled(screen.page)
    save_screenshot(screen.page, f"{name}.png")

    assert [0, 0] == spilled(screen.page)
    assert [] == broken(screen.page, is_new=is_new)


@pytest.mark.soak
def test_humans_by_taps_against_the_pi(
    start_server: StartServer, screens: Screens, tmp_path: Path
) -> None:
    """A bot gets the vampire's seat by two presses on the display; people tap, a second bot
    plays beside them by instructions, the night comes by itself, and when a draw is agreed the
    record is proved by its seals.
    """
    server = start_server(None)
    display = screens.display(server)
    display.give("V", "greedy")
    display.says('[data-seat="V"]', "Bot, for a first evening")
    display.give("V", "heuristic")
    display.says('[data-seat="V"]', "Bot, for regular players")
    display.give("H2", "greedy")
    look(display, "bots-lobby", is_new=False)
    display.set_up()
    display.press("start")
    display.turn_of("H1")

    display.tile("A1")
    display.tile("A2")
    display.pawn_on("H1a", "A2")
    display.end_turn("H1", "H2")
    display.says("#banner", "Move")
    display.turn_of("H1")
    night = server.snapshot["seal"]["number"]
    host = screens.phone(server)
    host.page.goto(server.phone("/host"))
    host.says('[data-seat="V"]', "Bot, for regular players")

    display.press("info")
    display.press("draw")
    display.says('[data-action="draw"]', "Sure?")
    assert server.snapshot["outcome"] is None
    display.press_again("draw")
    display.press("reveal")
    display.shows(".truth")
    look(display, "bots-truth")
    record = tmp_path / "game.jsonl"
    run("export", "--data", server.data, record)

    assert 2 == night
    assert f"{night} seals opened" in run("verify", record)


def test_the_lobby_of_a_small_screen_holds_four_seats_and_their_bots(
    start_server: StartServer, screens: Screens
) -> None:
    """On 800 × 480 nothing spills with four seats and the longest names of levels, in every
    language; the host's page names the bots too, and gives the display the same buttons.
    """
    server = start_server(None)
    display = screens.display(server, (800, 480))
    display.press("players", "4")
    for seat in ("V", "H3"):
        display.give(seat, "greedy")
        display.says(f'[data-seat="{seat}"]', "Bot, for a first evening")
    for language in ("en", "ja", "nl"):
        display.shows(f'html[lang="{language}"]')
        look(display, f"bots-lobby-{language}", is_new=language == "en")
        for action in ("info", "language", "info"):
            display.press(action)
    host = display.page.context.new_page()
    host.goto(f"http://127.0.0.1:{server.port}/host")
    host.wait_for_selector('[data-action="give"][data-arg="H1"]')

    assert [] == violations(host)
    assert ["Bot, for a first evening"] * 2 == [
        host.inner_text(f'[data-action="give"][data-arg="{seat}"]') for seat in ("V", "H3")
    ]


def test_bots_take_all_free_seats_by_one_press(start_server: StartServer, screens: Screens) -> None:
    """Before anybody sits, one press leaves one seat to the people at the table; a person who joins
    then takes a bot's seat, and the game begins. The display shows what to do for a bot.
    """
    server = start_server(None)
    display, ana = screens.display(server), screens.phone(server)
    display.press("players", "4")
    display.shows('[data-seat="H3"]')
    display.press("bots", ["V", "H2", "H3"])
    for seat in ("V", "H2", "H3"):
        display.says(f'[data-seat="{seat}"]', "Bot, even odds")
    display.hides('[data-action="bots"]')
    ana.join("H2", name="Ana")
    display.says('[data-seat="H2"]', "Ana")

    assert {"V": "auto", "H3": "auto"} == bots(server)
    display.set_up()
    display.press("start")
    display.turn_of("H1")
    display.end_turn("H1", "H2")
    display.end_turn("H2", "H3")
    display.says("#banner", "Move")
    look(display, "bots-instruction")


def test_even_odds_over_two_games(start_server: StartServer, screens: Screens) -> None:
    """People win against a bot at even odds; the next lobby says so where a level is chosen, even
    odds is pressed again, and the next game begins one level higher, in words on the display.
    """
    server = start_server(None)
    display = screens.display(server, (800, 480))
    screens.may_lose_link = True
    server.close()
    play = Play(server.data, Nosferatu())
    play.games = GAMES
    play.table.close()
    play.open()
    play.table.lobby.propose({"game": "nosferatu"})
    play.table.lobby.bot_levels = {"nosferatu": (AUTO_LEVEL,)}
    play.table.seats.give(Seat("vampires"), AUTO_LEVEL)
    jump = play_to_last_jump(play.table, Random(4))
    start = play.table.snapshot()["view"]["pawns"][jump["pawn"]]
    play.table.close()
    server.start()
    display.says("#banner", "must take")
    assert {"vampires": "heuristic"} == bots(server)
    display.tile(start)
    display.tile(jump["to"])
    display.says("#banner", "Villagers win")

    display.press("again")
    display.press("again", "0")
    display.says('[data-seat="vampires"]', "Bot, even odds")
    display.press("give", "vampires")
    display.says(
        '[data-action="bot"][data-arg="heuristic"]', "as measured here: people won 1\u00a0of\u00a01"
    )
    look(display, "bots-levels")
    display.press("bot", "search")
    display.says('[data-seat="vampires"]', "Bot, for experienced players")
    display.give("vampires", "auto")
    display.says('[data-seat="vampires"]', "Bot, even odds")
    display.press("start")
    display.says("#say", "Even odds: a bot for experienced players plays Vampires.")
    assert {"vampires": "search"} == bots(server)
    save_screenshot(display.page, "bots-even-odds.png")


def bots(server: TableServer) -> dict[str, str]:
    """Return the levels of the seats that bots play."""
    return {each["seat"]: each["bot"] for each in server.snapshot["seats"] if "bot" in each}
