"""Bots at a real table: paced, sealed and verified like people, beside any players."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from companion.bots import runner
from companion.bots.external_pool import ExternalBotPool
from companion.bots.runner import ANSWER_DELAY, SECRET_TURN_DELAY, SHOWN_SECONDS, BotRunner
from companion.clock import Clock, SimulatedClock, SystemClock
from companion.core.capabilities import HistoryBot
from companion.core.game import Action, Seat
from companion.games import GAMES
from companion.games.vampire_empire.actions import DRAW, PROCEED
from companion.games.vampireradar.actions import End
from companion.games.vampireradar.bots.levels import HUMAN_LEVELS, VAMPIRE_LEVELS
from companion.games.vampireradar.options import V
from companion.table.fairness.export import export_record
from companion.table.fairness.verify import verify_record
from companion.table.settings import TableSettings
from companion.table.storage.log import Log, read_bodies
from companion.table.table import Table
from tests.helpers.texts import found_in

H1, H2 = Seat("H1"), Seat("H2")
PATIENCE = 60.0
"""Seconds that anything may take before a test gives up."""


class House:
    """A table with bots in simulated time, unless a clock is given."""

    def __init__(
        self, folder: Path, executor: Executor, programs: ExternalBotPool, clock: Clock | None
    ) -> None:
        self.folder = folder
        self.clock = SimulatedClock()
        time = clock or self.clock
        self.table = Table(
            GAMES, Log(folder), time, Random(1).randbytes, Random(2), TableSettings(night_floor=0)
        )
        self.hands = False
        self.bots = BotRunner(
            self.table, time, Random(3).randbytes, executor, lambda: self.hands, programs
        )

    def start(self, **levels: str) -> None:
        self.table.lobby.propose({"players": 2 if "H2" not in levels else 3})
        for seat, level in levels.items():
            self.table.seats.give(Seat(seat), level)
        self.table.start()

    @property
    def picture(self) -> dict[str, Any]:
        return self.table.snapshot()

    def told(self, name: str) -> int:
        return sum(line["event"]["event"] == name for line in self.picture["log"])


@contextmanager
def opened(
    folder: Path, programs: ExternalBotPool | None = None, clock: Clock | None = None
) -> Iterator[House]:
    known = programs or ExternalBotPool({}, time.monotonic)
    with ThreadPoolExecutor(5) as executor:
        house = House(folder, executor, known, clock)
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
    """Bots in all seats play to the end through the table's own door; the record's seals open to
    what was played.
    """
    house.start(V="greedy", H1="heuristic", H2="greedy")
    for _ in range(3000):
        if house.picture["phase"] == "over":
            break
        house.clock.advance(1)
    lines = list(export_record(read_bodies(house.folder), GAMES, None))
    proof = verify_record(lines, GAMES, {})

    assert "over" == house.picture["phase"]
    assert None is proof.wrong
    assert proof.seals > 1


def test_a_bot_s_night_is_handed_in_at_a_fixed_time(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    assert all(SECRET_TURN_DELAY - 0.25 <= after <= SECRET_TURN_DELAY for after, _ in taken)


def test_a_walk_is_shown_before_it_is_made(house: House) -> None:
    """What a human bot is about to do stands in the picture for people to see, before it
    happens.
    """
    house.start(V="greedy", H1="greedy")
    while house.picture["to_move"] != "H1":
        house.clock.advance(0.5)
    while house.picture["aim"] is None:
        house.clock.advance(0.5)
    aim, before = house.picture["aim"], house.picture["view"]["pawns"]
    assert "walk" == aim["type"]
    assert before == house.picture["view"]["pawns"]

    house.clock.advance(SHOWN_SECONDS)

    assert aim["to"] == house.picture["view"]["pawns"][aim["pawn"]]


def test_a_real_board_waits_for_the_hand(house: House) -> None:
    """Where people move the pawns, a bot's walk is only an instruction: it stands until a hand has
    made it.
    """
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
    house.table.seats.give(V, "greedy")
    house.table.seats.claim(H1, "Ana", "01" * 32)
    house.table.lobby.propose({"players": 2})
    house.table.start()
    house.clock.advance(60)
    assert "H1" == house.picture["to_move"]
    position = house.picture["position"]
    house.clock.advance(600)
    assert position == house.picture["position"]

    house.table.seats.give(H1, "greedy", by=H1)
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


def stumble(self: object, own: object) -> list[Action]:
    raise ValueError("the vampire is on D4")


@pytest.mark.parametrize(("level", "stand_in"), [("greedy", "heuristic"), ("heuristic", "greedy")])
def test_a_vampire_bot_that_fails_is_replaced(
    house: House,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    level: str,
    stand_in: str,
) -> None:
    """A bot that raises loses the vampire's seat as a program does, at the moment of every bot's
    night: play stops, and another bot plays on. The error is reported by its kind alone, for its
    words may know the place.
    """
    monkeypatch.setattr(VAMPIRE_LEVELS[level], "choose", stumble)
    house.start(V=level, H1="greedy")
    house.clock.advance(SECRET_TURN_DELAY - 0.1)
    assert not house.picture["paused"]
    house.clock.advance(0.1)

    told = house.picture["log"][-1]["event"]
    assert {
        "event": "seat_handed_on",
        "seat": V,
        "level": level,
        "fault": "failed",
        "stand_in": stand_in,
    } == told
    assert house.picture["paused"]
    assert ["the bot at V failed with ValueError"] == caplog.messages
    assert "" == found_in(str(house.picture["log"]) + caplog.text, "D4")

    house.table.pause(False)
    house.clock.advance(60)
    assert house.picture["seal"]["number"] > 0


def test_a_human_bot_that_fails_frees_its_seat(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that raises at a seat without a secret loses it: everybody is told, play stops, and the
    seat is free.
    """
    monkeypatch.setattr(HUMAN_LEVELS["greedy"], "act", stumble)
    house.start(V="greedy", H1="greedy")
    house.clock.advance(60)

    told = house.picture["log"][-1]["event"]
    assert {"event": "seat_forfeited", "seat": H1, "level": "greedy", "fault": "failed"} == told
    assert house.picture["paused"]
    assert not next(place for place in house.picture["seats"] if place["seat"] == H1)["taken"]


def test_a_bot_that_fails_in_the_other_players_turn_loses_its_seat(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that raises when it is asked for a support card loses its seat too, and its words are
    not repeated.
    """

    def stumbled(*_: object) -> Action:
        raise ValueError("a hand full of garlic")

    monkeypatch.setattr(HistoryBot, "act", stumbled)
    house.table.lobby.propose({"game": "vampire_empire"})
    house.table.seats.claim(Seat("vampire"), "Ana", "01" * 32)
    house.table.seats.give(Seat("human"), "greedy")
    house.table.start()
    house.table.submit(Seat("vampire"), [DRAW], id="draw")
    house.table.submit(Seat("vampire"), [PROCEED], id="proceed")
    assert "human" == house.picture["view"]["window"]["asked"]
    house.clock.advance(ANSWER_DELAY)

    told = house.picture["log"][-1]["event"]
    assert ("seat_handed_on", "human", "failed") == (told["event"], told["seat"], told["fault"])
    assert house.picture["paused"]


def test_a_bot_that_does_what_is_not_allowed_loses_its_seat(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A built-in bot that breaks a rule loses its seat, as an external one does."""
    monkeypatch.setattr(VAMPIRE_LEVELS["greedy"], "choose", lambda self, own: [End()])
    house.start(V="greedy", H1="greedy")
    house.clock.advance(60)

    assert "forbidden" == house.picture["log"][-1]["event"]["fault"]


def test_the_clock_does_not_wait_for_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a bot thinks longer than it may, all else that falls due happens; what it thought of is
    taken then.
    """
    thinks, may_act, came, stopped = Event(), Event(), Event(), Event()

    def ponder(self: object, own: object) -> list[Action]:
        thinks.set()
        assert may_act.wait(PATIENCE)
        raise ValueError

    monkeypatch.setattr(VAMPIRE_LEVELS["greedy"], "choose", ponder)
    monkeypatch.setattr(runner, "SECRET_TURN_DELAY", 0.0)
    clock = SystemClock()
    with opened(tmp_path / "data", clock=clock) as house:
        house.start(V="greedy", H1="greedy")
        assert thinks.wait(PATIENCE)
        # The bot's own moment is before this one.
        clock.call_at(clock.monotonic() + 0.1, came.set)
        assert came.wait(PATIENCE)
        assert not house.picture["paused"]
        house.table.on_publish(stopped.set)
        may_act.set()
        assert stopped.wait(PATIENCE)
        assert house.picture["paused"]
        clock.close()


def test_nosferatu_against_itself(house: House) -> None:
    """Bots play both sides of a game without secrets, whole captures at once, each shown before it
    is taken.
    """
    house.table.lobby.propose({"game": "nosferatu"})
    house.table.seats.give(Seat("vampires"), "greedy")
    house.table.seats.give(Seat("villagers"), "random")
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
    """In a lobby with choices each bot chooses, none the same; a player may take a bot's choice."""
    house.table.lobby.propose({"game": "vwars", "players": 3})
    for seat, level in (("P2", "greedy"), ("P3", "random")):
        house.table.seats.give(Seat(seat), level)
    house.clock.advance(1)
    roles = house.picture["lobby"]["roles"]
    assert {"P2", "P3"} == set(roles) and 2 == len(set(roles.values()))

    house.table.seats.claim(Seat("P1"), "Ana", f"{1:064x}")
    house.table.lobby.choose(Seat("P1"), "roles", roles["P2"])
    house.clock.advance(1)
    after = house.picture["lobby"]["roles"]
    assert (roles["P2"], 3) == (after["P1"], len(set(after.values())))
