"""Bots play at a real table: paced, sealed and proved like people, whoever sits beside them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.bot_programs import SeatPrograms
from companion.bot_seats import LOOK, NIGHT, BotSeats
from companion.bots.levels import VAMPIRE_LEVELS
from companion.clock import SimulatedClock
from companion.core.game import Action, Seat
from companion.games import GAMES
from companion.games.vampireradar.model import V
from companion.table.log import Log, read_bodies
from companion.table.proof import verify
from companion.table.record import export
from companion.table.settings import TableSettings
from companion.table.table import Table

H1, H2 = Seat("H1"), Seat("H2")


class House:
    """A table with bots in simulated time."""

    def __init__(self, folder: Path, executor: ThreadPoolExecutor, programs: SeatPrograms) -> None:
        self.folder = folder
        self.clock = SimulatedClock()
        self.table = Table(GAMES, Log(folder), self.clock, Random(1).randbytes, Random(2), TableSettings(night_floor=0))
        self.hands = False
        self.bots = BotSeats(self.table, self.clock, Random(3).randbytes, executor, lambda: self.hands, programs)

    def start(self, **levels: str) -> None:
        self.table.propose({"players": 2 if "H2" not in levels else 3})
        for seat, level in levels.items():
            self.table.give(Seat(seat), level)
        self.table.start()

    @property
    def picture(self) -> dict[str, Any]:
        return self.table.picture()

    def told(self, name: str) -> int:
        return sum(line["event"]["event"] == name for line in self.picture["log"])


@contextmanager
def opened(folder: Path, programs: SeatPrograms | None = None) -> Iterator[House]:
    known = programs or SeatPrograms({}, time.monotonic)
    with ThreadPoolExecutor(5) as executor:
        house = House(folder, executor, known)
        try:
            yield house
        finally:
            known.close()
            house.table.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with opened(tmp_path / "data") as house:
        yield house


def test_bots_play_a_whole_game_that_is_proved(house: House) -> None:
    """Bots in all seats play to the end through the table's own door; the record's seals open to what was played."""
    house.start(V="greedy", H1="heuristic", H2="greedy")
    for _ in range(3000):
        if house.picture["phase"] == "over":
            break
        house.clock.advance(1)
    lines = list(export(read_bodies(house.folder), GAMES, None))
    proof = verify(lines, GAMES, {})

    assert "over" == house.picture["phase"]
    assert None is proof.wrong
    assert proof.seals > 1


def test_a_bot_s_night_is_handed_in_at_a_fixed_time(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a vampire bot does, its night is handed in the same seconds after nightfall."""
    taken: list[tuple[float, int]] = []
    submit = Table.submit

    def noted(self: Table, seat: Seat, actions: list[Action], **rest: Any) -> Any:
        if seat == V:
            taken.append((house.clock.monotonic() - fell[-1], len(actions)))
        return submit(self, seat, actions, **rest)

    monkeypatch.setattr(Table, "submit", noted)
    fell = [house.clock.monotonic()]
    house.start(V="random", H1="greedy")
    for _ in range(2400):
        night = house.picture["night"]
        house.clock.advance(0.25)
        if house.picture["night"] is not None and house.picture["night"] != night:
            fell.append(house.clock.monotonic())

    assert len(taken) > 4
    assert len({steps for _, steps in taken}) > 1
    assert all(NIGHT - 0.25 <= after <= NIGHT for after, _ in taken)


def test_a_walk_is_shown_before_it_is_made(house: House) -> None:
    """What a human bot is about to do stands in the picture for people to see, before it happens."""
    house.start(V="greedy", H1="greedy")
    while house.picture["to_move"] != "H1":
        house.clock.advance(0.5)
    while house.picture["aim"] is None:
        house.clock.advance(0.5)
    aim, before = house.picture["aim"], house.picture["view"]["pawns"]
    assert "walk" == aim["type"]
    assert before == house.picture["view"]["pawns"]

    house.clock.advance(LOOK)

    assert aim["to"] == house.picture["view"]["pawns"][aim["pawn"]]


def test_a_real_board_waits_for_the_hand(house: House) -> None:
    """Where people move the pawns, a bot's walk is only an instruction: it stands until a hand has made it."""
    house.hands = True
    house.start(V="greedy", H1="greedy")
    while house.picture["aim"] is None:
        house.clock.advance(0.5)
    aim, before = house.picture["aim"], house.picture["view"]["pawns"]
    house.clock.advance(300)
    assert (aim, before) == (house.picture["aim"], house.picture["view"]["pawns"])

    house.table.submit(H1, house.table.decode([aim]), id="by-hand")
    house.clock.advance(2)

    assert aim["to"] == house.picture["view"]["pawns"][aim["pawn"]]
    assert aim != house.picture["aim"]


def test_a_bot_takes_over_in_the_middle_of_a_turn(house: House) -> None:
    """A seat that is given away during its own turn is played on from there."""
    house.table.give(V, "greedy")
    house.table.claim(H1, "Ana", "01" * 32)
    house.table.propose({"players": 2})
    house.table.start()
    house.clock.advance(60)
    assert "H1" == house.picture["to_move"]
    position = house.picture["position"]
    house.clock.advance(600)
    assert position == house.picture["position"]

    house.table.give(H1, "greedy", by=H1)
    house.clock.advance(60)

    assert house.picture["position"] > position + 3


def test_a_pause_stops_bots(house: House) -> None:
    """While play is stopped no bot acts; afterwards it goes on by itself."""
    house.start(V="greedy", H1="greedy")
    while house.picture["to_move"] != "H1":
        house.clock.advance(0.5)
    house.table.pause(True)
    position = house.picture["position"]
    house.clock.advance(300)
    assert position == house.picture["position"]

    house.table.pause(False)
    house.clock.advance(30)

    assert house.picture["position"] > position + 1


def test_after_a_restart_the_bot_goes_on(tmp_path: Path) -> None:
    """A table that was cut off in a bot's turn is played on by the bot."""
    with opened(tmp_path / "data") as house:
        house.start(V="greedy", H1="greedy")
        house.clock.advance(20)
    with opened(tmp_path / "data") as house:
        position = house.picture["position"]
        house.clock.advance(60)
        assert house.picture["position"] > position


def test_a_bot_that_fails_tells_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error in a vampire's head is reported by its kind alone: its words may know the place."""

    def stumble(self: object, own: object) -> list[Action]:
        raise ValueError("the vampire is on D4")

    monkeypatch.setattr(VAMPIRE_LEVELS["greedy"], "choose", stumble)
    house.start(V="greedy", H1="greedy")

    with pytest.raises(RuntimeError, match=r"^the bot at V failed with ValueError$") as failed:
        house.clock.advance(30)
    assert failed.value.__suppress_context__


def test_nosferatu_against_itself(house: House) -> None:
    """Bots play both sides of a game without secrets, whole captures at once, each shown before it is taken."""
    house.table.propose({"game": "nosferatu"})
    house.table.give(Seat("vampires"), "greedy")
    house.table.give(Seat("villagers"), "random")
    house.table.start()
    shown = set()
    for _ in range(4000):
        house.clock.advance(0.5)
        if house.picture["aim"]:
            shown.add(house.picture["aim"]["type"])
        if house.picture["phase"] == "over":
            break
    assert "over" == house.picture["phase"]
    assert {"enter", "move", "jump"} <= shown


def test_bots_choose_before_the_game(house: House) -> None:
    """In the lobby of a game of which seats choose something each bot chooses, none the same; whoever takes a bot's
    choice leaves it another one."""
    house.table.propose({"game": "vwars", "players": 3})
    for seat, level in (("P2", "greedy"), ("P3", "random")):
        house.table.give(Seat(seat), level)
    house.clock.advance(1)
    roles = house.picture["lobby"]["roles"]
    assert {"P2", "P3"} == set(roles) and 2 == len(set(roles.values()))

    house.table.claim(Seat("P1"), "Ana", f"{1:064x}")
    house.table.choose(Seat("P1"), "roles", roles["P2"])
    house.clock.advance(1)
    after = house.picture["lobby"]["roles"]
    assert (roles["P2"], 3) == (after["P1"], len(set(after.values())))
