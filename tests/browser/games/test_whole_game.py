"""A whole evening through the pages: from the join code to the truth, and a verified record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.browser.conftest import Screens, StartServer
from tests.browser.page_objects import Display, Phone, VampirePhone
from tests.browser.server import Json, TableServer, run


@pytest.mark.soak
def test_four_people_play_a_game_to_its_end(
    server: TableServer, screens: Screens, tmp_path: Path
) -> None:
    """Pawns are moved by the board's frames alone, the vampire hides and hunts on a phone, one
    human plays on a phone, the others on the display; then both show the vampire where it is, and
    the record holds the same winner and decides alike a second time.
    """
    display = screens.display(server)
    vampire, chie = screens.vampire(server), screens.phone(server)
    display.press("players", "4")
    vampire.join("V")
    chie.join("H3", name="Chie")
    display.says('[data-seat="H3"]', "Chie")
    display.set_up({"bullets_each": 3})
    display.press("start")
    display.lay_table()

    hide(display, vampire, "B2")
    first_round(display, chie)
    first_night(display, vampire)
    second_round(display, chie)
    stand(display, vampire)
    third_round(display, chie)
    stand(display, vampire)
    last_shot(display)

    see_the_truth(display, vampire)
    for screen in (display, chie):
        screen.shows("#field .risen")
    assert ("humans", "vampire_dead") == decided_again(server, tmp_path / "game.jsonl")


def test_an_evening_of_two(server: TableServer, screens: Screens, tmp_path: Path) -> None:
    """The vampire hides under a hold, a human walks on the board and shoots on a phone; at night
    the vampire attacks and eats a bat, its victim is owed to be taken off the table; a bullet that
    is walked upon is picked up. After a draw the display shows the vampire's way, under seals that
    hold, and the record decides alike a second time.
    """
    display, vampire, ana = screens.display(server), screens.vampire(server), screens.phone(server)
    display.press("players", "2")
    vampire.sit("V")
    ana.sit("H1", name="Ana")
    display.set_up()
    display.press("start")
    display.lay_table()
    hide(display, vampire, "B2")
    display.walk("H1b", "F2")
    display.walk("H1a", "B1")
    ana.press("pawn", "H1a")
    ana.press("shoot", "S")
    ana.press_again("shoot", "S")
    display.says("#answer", "Hit")
    display.end_turn("H1", "V")
    vampire.says("#cover", "Night")
    vampire.look()
    vampire.step("B1", "attack")
    vampire.step("C1", "heal")
    vampire.end_night()
    taken_off(display, "H1a", "C1")
    display.walk("H1b", "E2")
    left = server.snapshot["view"]["bullets"]["H1"]
    pick_up(display, "H1b", "D2", bullets=left + 1)

    display.draw(vampire)
    display.press("reveal")
    display.says("#truth", "B2 → B1 → C1")
    display.hides("#truth .cross")
    assert ("draw", "agreed") == decided_again(server, tmp_path / "game.jsonl")


@pytest.mark.soak
@pytest.mark.motion
def test_two_people_on_a_board_without_names(
    start_server: StartServer, screens: Screens, tmp_path: Path
) -> None:
    """A board that only sees that something stands there is enough: the display asks about what has
    two meanings, and a draw is agreed by everybody on their own screens.
    """
    server = start_server("presence")
    display, vampire = screens.display(server), screens.vampire(server)
    vampire.sit("V")
    display.begin(vampire, "D2")

    server.board.put("H1a", "B2")
    display.until(
        lambda snapshot: snapshot["board"]["state"] == "ambiguous", "two ways from A1 to B2"
    )
    display.settle(1)
    display.pawn_on("H1a", "B2")
    display.in_sync()
    display.end_turn("H1", "V")
    stand(display, vampire)
    display.shoot("B2", "E")
    display.says("#answer", "Hit")
    display.walk("H1b", "F2")

    display.draw(vampire)
    assert ("draw", "agreed") == decided_again(server, tmp_path / "game.jsonl")


def hide(display: Display, vampire: VampirePhone, cell: str) -> None:
    """One finger holds, the other hand chooses the place and hides there."""
    display.says("#banner", "The vampire is choosing")
    holding = vampire.hold()
    holding.tap(vampire.at(f'g[data-cell="{cell}"]'))
    vampire.says("#plan", f"You: {cell}")
    holding.tap(vampire.at("#end-night"))
    vampire.hides("#end-night")
    holding.lift()
    vampire.hides(".secret")
    display.turn_of("H1")
    display.in_sync()


def first_round(display: Display, chie: Phone) -> None:
    """A radar, a shot on the display that hits, one on a phone that hits."""
    display.walk("H1a", "A2", "A3")
    display.press("radar")
    display.says("#answer", "2")
    display.end_turn("H1", "H2")

    display.walk("H2a", "F2")
    display.shoot("F2", "W")
    display.says("#answer", "Hit")
    display.end_turn("H2", "H3")

    chie.press("pawn", "H3c")
    chie.tile("B1")
    chie.pawn_on("H3c", "B1")
    chie.server.board.put("H3c", "B1")
    display.in_sync()
    chie.press("shoot", "S")
    chie.press_again("shoot", "S")
    chie.until(lambda snapshot: snapshot["view"]["hp"] == 2, "a second hit")
    display.says("#answer", "Hit")
    chie.press("end")


def first_night(display: Display, vampire: VampirePhone) -> None:
    """An attack, a bat, and the pawn that is owed to be taken off the table."""
    vampire.says("#cover", "Night")
    vampire.look()
    vampire.step("B1", "attack")
    vampire.step("C1", "heal")
    vampire.end_night()
    taken_off(display, "H3c", "C1")
    view = display.server.snapshot["view"]
    assert (3, None, False) == (
        view["hp"],
        view["pawns"].get("H3c"),
        "C1" in view["tokens"]["bats"],
    )


def taken_off(display: Display, victim: str, bat: str) -> None:
    """Take off the table what a night has left there."""
    display.until(lambda snapshot: snapshot["board"]["owed"], "a pawn to be taken off")
    display.says("#banner", "Take")
    display.server.board.put(victim, None)
    display.server.board.take_token(bat)
    display.turn_of("H1")
    display.in_sync()


def second_round(display: Display, chie: Phone) -> None:
    """Two bullets are walked upon and picked up."""
    display.walk("H1a", "B3")
    pick_up(display, "H1a", "C3", bullets=4)
    display.end_turn("H1", "H2")
    display.walk("H2a", "E2")
    pick_up(display, "H2a", "D2", bullets=3)
    display.end_turn("H2", "H3")
    chie.press("end")


def third_round(display: Display, chie: Phone) -> None:
    """Two more hits, and one miss in another direction."""
    display.shoot("C3", "N")
    display.until(lambda snapshot: snapshot["view"]["hp"] == 2, "a third hit")
    display.fire("N")
    display.until(lambda snapshot: snapshot["view"]["hp"] == 1, "a fourth hit")
    display.end_turn("H1", "H2")
    display.shoot("D2", "S")
    display.says("#answer", "Silence")
    pick_up(display, "H2a", "C2", bullets=3)
    display.end_turn("H2", "H3")
    chie.press("end")


def stand(display: Display, vampire: VampirePhone) -> None:
    """A night in which nothing happens."""
    vampire.says("#cover", "Night")
    vampire.look()
    vampire.end_night()
    display.turn_of("H1")


def last_shot(display: Display) -> None:
    """The vampire's last heart."""
    display.shoot("C3", "N")
    display.says("#banner", "The village lives")


def see_the_truth(display: Display, vampire: VampirePhone) -> None:
    """Every night's path is shown, each under a seal that holds."""
    display.press("reveal")
    display.says("#truth", "B2 → B1 → C1")
    display.hides("#truth .cross")
    vampire.press("truth")
    vampire.says("#truth", "B2 → B1 → C1")


def pick_up(display: Display, pawn: str, cell: str, *, bullets: int) -> None:
    """Walk onto a bullet: the table takes it for the player, a hand takes the token."""
    display.server.board.put(pawn, cell)
    display.pawn_on(pawn, cell)
    display.until(
        lambda snapshot: snapshot["view"]["bullets"][pawn[:2]] == bullets, f"the bullet of {cell}"
    )
    display.server.board.take_token(cell)
    display.in_sync()


def decided_again(server: TableServer, path: Path) -> tuple[str, str]:
    """Export the record, replay it, and return the winner that it gives."""
    run("export", "--data", server.data, path)
    assert "decided again, all alike" in run("replay", path)
    lines: list[Json] = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    events = [event for line in lines for event in line.get("public", [])]
    over = next(event for event in events if event["event"] == "game_over")
    return over["winner"], over["reason"]
