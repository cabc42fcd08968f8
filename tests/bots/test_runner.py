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
from companion.bots.runner import (
    ANSWER_DELAY,
    PREVIEW_TIME,
    SECRET_TURN_DELAY,
    BotRunner,
    bot_levels,
)
from companion.clock import Clock, SystemClock
from companion.core.capabilities import HistoryBot
from companion.core.game import Action, Seat
from companion.games import GAMES
from companion.games.vampire_empire.actions import DRAW, PROCEED
from companion.games.vampireradar.actions import End
from companion.games.vampireradar.bots import HUMAN_LEVELS, VAMPIRE_LEVELS
from companion.games.vampireradar.options import V
from companion.table.fairness.export import export_record
from companion.table.fairness.verify import verify_record
from companion.table.settings import TableSettings
from companion.table.storage.log import Log, read_bodies
from companion.table.table import Table
from tests.helpers.simulated_clock import SimulatedClock
from tests.helpers.texts import found_in

H1, H2 = Seat("H1"), Seat("H2")
TIMEOUT = 60.0
"""Seconds that anything may take before a test gives up."""


class BotMatch:
    """A table with bots in simulated time, unless a clock is given."""

    def __init__(
        self, folder: Path, executor: Executor, programs: ExternalBotPool, clock: Clock | None
    ) -> None:
        self.folder = folder
        self.clock = SimulatedClock()
        time = clock or self.clock
        self.table = Table(
            GAMES,
            Log(folder),
            time,
            Random(1).randbytes,
            Random(2),
            TableSettings(night_floor=0),
            bot_levels=bot_levels(GAMES, programs.names),
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
    def snapshot(self) -> dict[str, Any]:
        return self.table.snapshot()


@contextmanager
def opened(
    folder: Path, programs: ExternalBotPool | None = None, clock: Clock | None = None
) -> Iterator[BotMatch]:
    pool = programs or ExternalBotPool({}, time.monotonic)
    with ThreadPoolExecutor(5) as executor:
        match = BotMatch(folder, executor, pool, clock)
        try:
            yield match
        finally:
            pool.close()
            match.table.close()


@pytest.fixture
def match(tmp_path: Path) -> Iterator[BotMatch]:
    with opened(tmp_path / "data") as match:
        yield match


def test_bots_play_a_whole_game_that_is_proved(match: BotMatch) -> None:
    """Bots in all seats play to the end through the table's own interface; the record's seals open
    to the actions played.
    """
    match.start(V="greedy", H1="heuristic", H2="greedy")
    for _ in range(3000):
        if match.snapshot["phase"] == "over":
            break
        match.clock.advance(1)
    lines = list(export_record(read_bodies(match.folder), GAMES, None))
    proof = verify_record(lines, GAMES, {})

    assert "over" == match.snapshot["phase"]
    assert None is proof.wrong
    assert proof.seals > 1


@pytest.mark.slow
def test_a_bot_s_night_is_handed_in_at_a_fixed_time(
    match: BotMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A vampire bot's night is handed in at the same delay after nightfall, whatever it does."""
    handed_in: list[tuple[float, int]] = []
    submit = Table.submit

    def record(self: Table, seat: Seat, actions: list[Action], **rest: Any) -> Any:
        if seat == V:
            handed_in.append((match.clock.monotonic() - nightfalls[-1], len(actions)))
        return submit(self, seat, actions, **rest)

    monkeypatch.setattr(Table, "submit", record)
    nightfalls = [match.clock.monotonic()]
    match.start(V="greedy", H1="greedy")
    for _ in range(2400):
        night = match.snapshot["night"]
        match.clock.advance(0.25)
        if match.snapshot["night"] is not None and match.snapshot["night"] != night:
            nightfalls.append(match.clock.monotonic())

    assert len(handed_in) > 4
    assert len({steps for _, steps in handed_in}) > 1
    assert all(SECRET_TURN_DELAY - 0.25 <= after <= SECRET_TURN_DELAY for after, _ in handed_in)


def test_a_walk_is_shown_before_it_is_made(match: BotMatch) -> None:
    """A human bot's next action stands in the snapshot before it happens."""
    match.start(V="greedy", H1="greedy")
    while match.snapshot["to_move"] != "H1":
        match.clock.advance(0.5)
    while match.snapshot["aim"] is None:
        match.clock.advance(0.5)
    aim, before = match.snapshot["aim"], match.snapshot["view"]["pawns"]
    assert "walk" == aim["type"]
    assert before == match.snapshot["view"]["pawns"]

    match.clock.advance(PREVIEW_TIME)

    assert aim["to"] == match.snapshot["view"]["pawns"][aim["pawn"]]


def test_a_real_board_waits_for_the_hand(match: BotMatch) -> None:
    """Where people move the pawns, a bot's walk is only an instruction: it stands until a hand has
    carried it out.
    """
    match.hands = True
    match.start(V="greedy", H1="greedy")
    while match.snapshot["aim"] is None:
        match.clock.advance(0.5)
    aim, before = match.snapshot["aim"], match.snapshot["view"]["pawns"]
    match.clock.advance(300)
    assert (aim, before) == (match.snapshot["aim"], match.snapshot["view"]["pawns"])

    match.table.submit(H1, match.table.decode([aim]), id="by-hand")
    match.clock.advance(2)

    assert aim["to"] == match.snapshot["view"]["pawns"][aim["pawn"]]
    assert aim != match.snapshot["aim"]


def test_a_bot_takes_over_in_the_middle_of_a_turn(match: BotMatch) -> None:
    """A seat that is given away during its own turn plays on from there."""
    match.table.seats.give(V, "greedy")
    match.table.seats.claim(H1, "Ana", "01" * 32)
    match.table.lobby.propose({"players": 2})
    match.table.start()
    match.clock.advance(60)
    assert "H1" == match.snapshot["to_move"]
    position = match.snapshot["position"]
    match.clock.advance(600)
    assert position == match.snapshot["position"]

    match.table.seats.give(H1, "greedy", by=H1)
    match.clock.advance(60)

    assert match.snapshot["position"] > position + 3


def test_a_pause_stops_bots(match: BotMatch) -> None:
    """While play is stopped no bot acts; afterwards bots go on by themselves."""
    match.start(V="greedy", H1="greedy")
    while match.snapshot["to_move"] != "H1":
        match.clock.advance(0.5)
    match.table.pause(True)
    position = match.snapshot["position"]
    match.clock.advance(300)
    assert position == match.snapshot["position"]

    match.table.pause(False)
    match.clock.advance(30)

    assert match.snapshot["position"] > position + 1


def test_after_a_restart_the_bot_goes_on(tmp_path: Path) -> None:
    """After a restart in a bot's turn the bot plays on."""
    with opened(tmp_path / "data") as match:
        match.start(V="greedy", H1="greedy")
        match.clock.advance(20)
    with opened(tmp_path / "data") as match:
        position = match.snapshot["position"]
        match.clock.advance(60)
        assert match.snapshot["position"] > position


def fail_bot(self: object, own: object) -> list[Action]:
    raise ValueError("the vampire is on D4")


@pytest.mark.parametrize(("level", "stand_in"), [("greedy", "heuristic"), ("heuristic", "greedy")])
def test_a_vampire_bot_that_fails_is_replaced(
    match: BotMatch,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    level: str,
    stand_in: str,
) -> None:
    """A bot that raises loses the vampire's seat as a program does, at the moment of every bot's
    night: play stops, and another bot plays on. The error is reported by its kind alone, since its
    text may hold the place.
    """
    monkeypatch.setattr(VAMPIRE_LEVELS[level], "choose", fail_bot)
    match.start(V=level, H1="greedy")
    match.clock.advance(SECRET_TURN_DELAY - 0.1)
    assert not match.snapshot["paused"]
    match.clock.advance(0.1)

    event = match.snapshot["log"][-1]["event"]
    assert {
        "event": "seat_handed_on",
        "seat": V,
        "level": level,
        "fault": "failed",
        "stand_in": stand_in,
    } == event
    assert match.snapshot["paused"]
    assert ["the bot at V failed with ValueError"] == caplog.messages
    assert "" == found_in(str(match.snapshot["log"]) + caplog.text, "D4")

    match.table.pause(False)
    match.clock.advance(60)
    assert match.snapshot["seal"]["number"] > 0


def test_a_human_bot_that_fails_frees_its_seat(
    match: BotMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that raises at a seat without a secret loses it: the display shows that, play stops,
    and the seat is free.
    """
    monkeypatch.setattr(HUMAN_LEVELS["greedy"], "act", fail_bot)
    match.start(V="greedy", H1="greedy")
    match.clock.advance(60)

    event = match.snapshot["log"][-1]["event"]
    assert {"event": "bot_evicted", "seat": H1, "level": "greedy", "fault": "failed"} == event
    assert match.snapshot["paused"]
    assert not next(place for place in match.snapshot["seats"] if place["seat"] == H1)["taken"]


def test_a_bot_that_fails_in_the_other_players_turn_loses_its_seat(
    match: BotMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that raises at a question for a support card loses its seat too, and the text of its
    error is not repeated.
    """

    def fail(*_: object) -> Action:
        raise ValueError("a hand full of garlic")

    monkeypatch.setattr(HistoryBot, "act", fail)
    match.table.lobby.propose({"game": "vampire_empire"})
    match.table.seats.claim(Seat("vampire"), "Ana", "01" * 32)
    match.table.seats.give(Seat("human"), "heuristic")
    match.table.start()
    match.table.submit(Seat("vampire"), [DRAW], id="draw")
    match.table.submit(Seat("vampire"), [PROCEED], id="proceed")
    assert "human" == match.snapshot["view"]["window"]["asked"]
    match.clock.advance(ANSWER_DELAY)

    event = match.snapshot["log"][-1]["event"]
    assert ("seat_handed_on", "human", "failed") == (event["event"], event["seat"], event["fault"])
    assert match.snapshot["paused"]


def test_a_bot_that_does_what_is_not_allowed_loses_its_seat(
    match: BotMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A built-in bot that breaks a rule loses its seat, as an external one does."""
    monkeypatch.setattr(VAMPIRE_LEVELS["greedy"], "choose", lambda self, own: [End()])
    match.start(V="greedy", H1="greedy")
    match.clock.advance(60)

    assert "forbidden" == match.snapshot["log"][-1]["event"]["fault"]


def test_the_clock_does_not_wait_for_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a bot exceeds its time, every other due event happens; its next answer is accepted
    then.
    """
    thinks, may_act, tick, stopped = Event(), Event(), Event(), Event()

    def think(self: object, own: object) -> list[Action]:
        thinks.set()
        assert may_act.wait(TIMEOUT)
        raise ValueError

    monkeypatch.setattr(VAMPIRE_LEVELS["greedy"], "choose", think)
    monkeypatch.setattr(runner, "SECRET_TURN_DELAY", 0.0)
    clock = SystemClock()
    with opened(tmp_path / "data", clock=clock) as match:
        match.start(V="greedy", H1="greedy")
        assert thinks.wait(TIMEOUT)
        # The bot's own moment is before this one.
        clock.call_at(clock.monotonic() + 0.1, tick.set)
        assert tick.wait(TIMEOUT)
        assert not match.snapshot["paused"]
        match.table.on_publish(stopped.set)
        may_act.set()
        assert stopped.wait(TIMEOUT)
        assert match.snapshot["paused"]
        clock.close()


def test_nosferatu_against_itself(match: BotMatch) -> None:
    """Bots play both sides of a game without secrets, whole captures at once, each shown before it
    happens.
    """
    match.table.lobby.propose({"game": "nosferatu"})
    match.table.seats.give(Seat("vampires"), "heuristic")
    match.table.seats.give(Seat("villagers"), "random")
    match.table.start()
    aims = set()
    for _ in range(4000):
        match.clock.advance(0.5)
        if match.snapshot["aim"]:
            aims.add(match.snapshot["aim"]["type"])
        if match.snapshot["phase"] == "over":
            break
    assert "over" == match.snapshot["phase"]
    assert {"enter", "move", "jump"} <= aims


def test_bots_choose_before_the_game(match: BotMatch) -> None:
    """In a lobby with choices each bot makes one, all different; a player may take a bot's
    choice.
    """
    match.table.lobby.propose({"game": "vwars", "players": 3})
    for seat, level in (("P2", "heuristic"), ("P3", "random")):
        match.table.seats.give(Seat(seat), level)
    match.clock.advance(1)
    roles = match.snapshot["lobby"]["roles"]
    assert {"P2", "P3"} == set(roles) and 2 == len(set(roles.values()))

    match.table.seats.claim(Seat("P1"), "Ana", f"{1:064x}")
    match.table.lobby.choose(Seat("P1"), "roles", roles["P2"])
    match.clock.advance(1)
    after = match.snapshot["lobby"]["roles"]
    assert (roles["P2"], 3) == (after["P1"], len(set(after.values())))
