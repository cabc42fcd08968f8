"""A blind player's evening: whole games read from the accessibility tree and played by keys."""

from __future__ import annotations

from random import Random

import pytest

from tests.browser.conftest import HANDHELD, WIDE, Screens, StartServer
from tests.browser.page_objects import SLIP
from tests.browser.players import Manner, Press, play_to_end
from tests.browser.screens.test_screens import REQUEST
from tests.browser.server import Json
from tests.browser.tree_player import TreePlayer

PRESSES = 900
"""More than any of these games takes."""
COVERED = "^Tap to look$"
HUNTER = (
    Press("^(Call radar|Take bullet|Fire )"),
    Press("^(Aim |[A-F][1-6](?!.*Ana))"),
    Press("^End turn$"),
)
VAMPIRE = (
    Press("^Hide$", "^Done"),
    Press(COVERED, "^Choose (your way|where you begin)"),
    Press("^(Sure|Attack$|Eat the bat$|Hide here$)"),
    Press("^[A-F][1-6].*Attack"),
    Press("^([A-F][1-6].*Walk|End night$)"),
    Press("^[A-F][1-6]"),
)
FOREST = (
    Press("^(Pass|Take it|Turn it)$"),
    Press("^[a-g][1-7]$"),
    Press("^(Nosferatu|Vampire|Villager|[a-g][1-7], .*)$"),
)
WAYS = "(street|boat|train|alley|passage|stairs|shaft)"
SEEKER = (
    Press(f"^(Begin|{WAYS})$"),
    Press("^(Is|Was) it ", "Press it again to ask"),
    Press(r"^(End turn|Arrest|(Is|Was) it .*|\d+ (?!.*(Ana|Ben) [a-d]).*)$"),
)
FUGITIVE = (
    Press("^Hide$", "^Done"),
    Press(COVERED, "^Hold or tap below to look"),
    Press(f"^(Sure|Start here$|{WAYS}|End turn$|No way left$)"),
    Press(r"^\d+ "),
)
COURT = (
    Press("^(Against |Understood$|To the |Pay |Lay |Take: |Play: |It is )"),
    Press("lit$", "^(Pay|Lay) "),
    Press("^(Remove |Attack marker|Defence marker|Into the city)"),
    Press("^(Draw to 8|Go on|Attack |Hide .|Holy water|Reveal |Pass|No more|Nothing$|Draw none)"),
    Press(
        COVERED,
        "^(Discard what|Reveal a vampire,|One action|Holy water has|Attack the vampire"
        "|Pay |The support card|Lay a|Who comes|A support card)",
    ),
)
TABLE = (
    Press("^A (white|black) card$"),
    Press("^(Crucifix|Holy Water|Silver Dagger|Stake|Bible|Garlic)$", "Name an item"),
    Press("^Card "),
    Press("^(Into the hand|Lay it )"),
    Press(COVERED, "Place the card"),
    Press("^(Name |Determine the Vampire$)"),
    Press("^(Ana|Ben|Chie|Dee)$", "^Who is the Vampire"),
    Press("^Hide$", r"^(Your hand$|(Vampire|Hunter|Kin)\.$)"),
    Press("^(Take from|Give to|Tap to look|Pass$)", "Take from somebody"),
)
EVENT = (
    "^(?!Undo|Offer a draw|Sure|How to play|Language|Hold|Tap to look|Hide|Events|Back|Ask or act"
    "|Reveal yourself|(Ana|Ben|Chie|Dee|Player .)$|.* human,)"
)
"""What decides an event, whose task is its own text: all but what a page always has, its cities,
and what is offered to everybody under the hold.
"""
WORLD = (
    Press("^(Go to |Deploy in |Choose |Give |Discard |Done$|Begin the riot|Nothing$)"),
    Press("within reach", "tap a lit city"),
    Press("^(vampires|humans) ", "^(Give|Discard) a card"),
    Press("^(Move|Deploy|To the event)$"),
    Press("within reach"),
    Press(COVERED, "^(Give a card|Discard a card|Hold to look, and answer)"),
    Press(EVENT),
)
SHIP: Json = {"options": {"content": "ship"}}
ALONE: dict[str, tuple[str, str, str, Json, Manner]] = {
    "radar-human": ("vampireradar", "H1", "Player 1", {}, HUNTER),
    "radar-vampire": ("vampireradar", "V", "Vampire", {}, VAMPIRE),
    "nosferatu-vampires": ("nosferatu", "vampires", "Vampires", {}, FOREST),
    "nosferatu-villagers": ("nosferatu", "villagers", "Villagers", {}, FOREST),
    "manhunt-hunter": ("manhunt", "H1", "Player 1", SHIP, SEEKER),
    "manhunt-fugitive": ("manhunt", "F", "Fugitive", SHIP, FUGITIVE),
    "empire-vampire": ("vampire_empire", "vampire", "Vampire", {}, COURT),
    "empire-human": ("vampire_empire", "human", "Human", {}, COURT),
}
"""Sides: game, seat, its name on the page of joining, a change of the lobby, what is pressed."""
DEALT: dict[str, tuple[str, list[str], Manner]] = {
    "shisogari": ("shisogari", ["P1", "P2", "P3", "P4"], TABLE),
    "vwars": ("vwars", ["P1", "P2", "P3"], WORLD),
}
"""Games that deal the sides in secret: all seats are played."""
NAMES = "Ana", "Ben", "Chie", "Dee"
FACTIONS = {"Human": 3, "Vampire": 3, "Infected": 4}
"""The factions of V-Wars, with a number of players that has them."""
DEALS = 60
"""Deals in which one seat surely has each faction once."""


@pytest.mark.soak
@pytest.mark.parametrize("side", ALONE)
def test_a_game_against_bots(side: str, start_server: StartServer, screens: Screens) -> None:
    """A player who has a screen reader and keys takes a seat, and plays to the end against bots."""
    game, seat, name, change, manner = ALONE[side]
    server = start_server(None)
    display = screens.display(server)
    if game != "vampireradar":
        display.choose(game)
    if change:
        assert display.page.evaluate(REQUEST, ["propose", {"change": change}])["ok"]
    for other in server.snapshot["seats"]:
        if other["seat"] != seat:
            display.give(other["seat"], "greedy" if game == "vampireradar" else "random")
    player = TreePlayer(screens.page(HANDHELD, is_phone=True), Random(7))
    player.join(server.invitation["url"], name, NAMES[0])
    display.press("start")

    play_to_end({player: manner}, PRESSES)
    assert "over" == server.snapshot["phase"]


@pytest.mark.soak
@pytest.mark.parametrize("game", DEALT)
def test_a_game_of_dealt_sides(game: str, start_server: StartServer, screens: Screens) -> None:
    """Where sides are dealt in secret, players with screen readers and keys play all of them."""
    name, seats, manner = DEALT[game]
    server = start_server(None)
    display = screens.display(server)
    display.choose(name)
    display.press("players", len(seats))
    players = []
    for number, called in enumerate(NAMES[: len(seats)], start=1):
        players.append(TreePlayer(screens.page(HANDHELD, is_phone=True), Random(number)))
        players[-1].join(server.invitation["url"], f"Player {number}", called)
    display.press("start")

    play_to_end(dict.fromkeys(players, manner), PRESSES)
    assert "over" == server.snapshot["phase"]


@pytest.mark.soak
@pytest.mark.parametrize("faction", FACTIONS)
def test_a_faction_against_bots(faction: str, start_server: StartServer, screens: Screens) -> None:
    """A player with each faction of V-Wars plays to the end against bots."""
    server = start_server(None)
    display = screens.display(server)
    display.choose("vwars")
    display.press("players", FACTIONS[faction])
    for other in server.snapshot["seats"][1:]:
        display.give(other["seat"], "random")
    player = TreePlayer(screens.page(HANDHELD, is_phone=True), Random(7))
    player.join(server.invitation["url"], "Player 1", NAMES[0])
    for _ in range(DEALS):
        display.press("start")
        if is_dealt(player, faction):
            break
        assert player.page.evaluate(REQUEST.replace("display-key", "seat-key"), ["draw", {}])["ok"]
        display.until(lambda snapshot: snapshot["phase"] == "over", "a draw")
        assert display.page.evaluate(REQUEST, ["next_game", {}])["ok"]

    play_to_end({player: WORLD}, PRESSES)
    assert "over" == server.snapshot["phase"]


def is_dealt(player: TreePlayer, faction: str) -> bool:
    """Look whether a player has this faction, and cover it."""
    player.wait(lambda: player.has("^Offer a draw$"), "the game")
    player.press(COVERED)
    player.wait(lambda: player.has("^(Human|Infected|Vampire)$", "heading"), "the faction")
    answer = player.has(f"^{faction}$", "heading")
    player.press("^Hide$")
    player.wait(lambda: player.has(COVERED), "the cover")
    return answer


def test_an_evening(start_server: StartServer, screens: Screens) -> None:
    """By the tree and keys alone the display gives a seat to a bot and starts, a player joins,
    walks, and after a draw reads the proof and the replay; the host's page changes a setting.
    """
    server = start_server(None)
    table = TreePlayer(screens.page(WIDE), Random(1))
    table.open(server.display_address, "^Start$")
    table.press("^2 players$")
    table.wait(lambda: table.is_pressed("^2 players$"), "two players")
    table.press("^Vampire: let a bot play$")
    table.wait(lambda: table.has("Bot, for a first evening"), "the bots")
    table.press("Bot, for a first evening")
    table.wait(lambda: table.has("^Start$"), "the lobby")
    ana = TreePlayer(screens.page(HANDHELD, is_phone=True), Random(1))
    ana.join(server.invitation["url"], "Player 1", "Ana")
    table.press("^Start$")
    ana.wait(lambda: ana.has("^End turn$"), "her turn")
    ana.wait(lambda: ana.act(HUNTER), "a walk")

    table.press("^More$")
    table.wait(lambda: table.has("^Offer a draw$"), "what else there is")
    table.press("^Offer a draw$")
    table.wait(lambda: table.has("^Sure"), "the question")
    table.page.wait_for_timeout(SLIP)
    table.press("^Sure")
    ana.wait(lambda: ana.has("^A draw$", "heading"), "the end")
    ana.press("^Keep the proof$")
    ana.wait(lambda: ana.has("all correct", "StaticText"), "the proof")
    ana.press("^Watch the hunt$")
    ana.wait(lambda: ana.has("", "slider"), "the replay")
    ana.press("^One step on$")
    ana.wait(lambda: ana.announcements, "the moment in words")
    assert ana.has("^A1", "gridcell"), ana.written()

    table.open(f"http://127.0.0.1:{server.port}/host", "^20$")
    table.press("^20$")
    table.wait(lambda: table.is_pressed("^20$"), "another volume")
    assert 20 == server.snapshot["settings"]["volume"]
