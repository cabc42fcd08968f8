"""External bots at a real table: they receive what their seat may know, and lose it at their first
fault.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.bots import runner
from companion.bots.external import BotFailed, ExternalBot
from companion.bots.external_pool import ExternalBotPool
from companion.bots.runner import (
    MOVE_DELAY,
    SECRET_TURN_DELAY,
    START_DELAY,
    TIMED_START_DELAY,
)
from companion.core.game import Action, Seat, View
from companion.games import GAMES, find_game
from companion.games.shisogari.actions import KEEP, Give, Name, Pick, Take
from companion.games.shisogari.cards import ITEMS
from companion.games.shisogari.events import CardPassed
from companion.games.vampireradar.options import V
from companion.table.fairness.export import export_record
from companion.table.fairness.shuffle import Shuffle
from companion.table.fairness.verify import verify_record
from companion.table.seats import SeatClaims
from companion.table.storage.log import read_bodies
from companion.table.table import Table
from tests.bots.test_runner import BotMatch, opened
from tests.helpers.texts import found_in
from tests.table.play import start_with_all

pytestmark = pytest.mark.slow

GAME = find_game("vampireradar")
H1 = Seat("H1")
LAST = 'print(json.dumps({"actions": asked["legal"][-1:]}), flush=True)'
FIRST = LAST.replace("-1:", ":1")
TIMEOUT = 60.0
"""Seconds within which a program of the tests has answered, however busy the machine is."""


def command(folder: Path, *lines: str) -> str:
    """Write a program that answers each line with these lines of Python; return its command."""
    path = folder / "program.py"
    body = "".join(f"    {line}\n" for line in lines)
    path.write_text(
        f"import json, sys, time\nfor line in sys.stdin:\n    asked = json.loads(line)\n{body}"
    )
    return shlex.join([sys.executable, str(path)])


def programs(folder: Path, *lines: str, seconds: float = TIMEOUT) -> ExternalBotPool:
    return ExternalBotPool({"mine": command(folder, *lines)}, time.monotonic, seconds, start=0.0)


def until(match: BotMatch, holds: Callable[[dict[str, Any]], object]) -> None:
    """Let time pass until the snapshot meets a condition."""
    end = time.monotonic() + TIMEOUT
    while not holds(match.snapshot):
        assert time.monotonic() < end, match.snapshot["log"][-3:]
        match.clock.advance(0.25)
        time.sleep(0.002)


def waited_for(holds: Callable[[], object]) -> None:
    """Wait until a condition holds, while no simulated time passes."""
    end = time.monotonic() + TIMEOUT
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.002)


def last(snapshot: dict[str, Any], name: str) -> dict[str, Any]:
    events: list[dict[str, Any]] = [
        line["event"] for line in snapshot["log"] if line["event"]["event"] == name
    ]
    return events[-1] if events else {}


def seat_line(snapshot: dict[str, Any], seat: Seat) -> dict[str, Any]:
    seat_status: dict[str, Any] = next(each for each in snapshot["seats"] if each["seat"] == seat)
    return seat_status


def test_a_program_plays_seats_at_the_table(tmp_path: Path) -> None:
    """A household's program is in the snapshot, can be given either side like a bot, and plays
    it.
    """
    with opened(tmp_path / "data", programs(tmp_path, LAST)) as match:
        match.start(V="mine", H1="mine")

        until(match, lambda snapshot: last(snapshot, "night_sealed").get("number") == 3)

        assert ["mine"] == match.snapshot["programs"]
        assert not match.snapshot["paused"]


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_the_example_plays_every_game_at_the_table(game: str, tmp_path: Path) -> None:
    """`example_bot.py` plays each seat of each game to its end, each in one process from its first
    action to the last, and the record is proved.
    """
    starts = tmp_path / "starts"
    script = Path(__file__).with_name("example_bot.py")
    python = shlex.join([sys.executable, str(script)])
    counting = shlex.join(["sh", "-c", f"echo x >> {shlex.quote(str(starts))}; exec {python}"])
    pool = ExternalBotPool({"mine": counting}, time.monotonic, TIMEOUT, 0.0)
    with opened(tmp_path / "data", pool) as match:
        seats = find_game(game).seat_names(find_game(game).seats[0])
        match.table.lobby.propose({"game": game, "players": len(seats)})
        for seat in seats:
            match.table.seats.give(seat, "mine")
        match.clock.advance(1)
        start_with_all(match.table)

        until(match, lambda snapshot: snapshot["phase"] == "over")

        assert match.snapshot["outcome"]
        assert not last(match.snapshot, "bot_evicted") | last(match.snapshot, "seat_handed_on")
    proof = verify_record(list(export_record(read_bodies(match.folder), GAMES, None)), GAMES, {})
    assert None is proof.wrong
    assert 1 <= len(starts.read_text().split()) <= len(seats)


class Moments:
    """The times of a seat's actions, in seconds after the last change."""

    def __init__(self, match: BotMatch, monkeypatch: pytest.MonkeyPatch) -> None:
        self.handed_in: list[float] = []
        submit = Table.submit

        def record(table: Table, seat: Seat, actions: Sequence[Action], **options: Any) -> Any:
            self.handed_in.append(match.clock.monotonic() - self.changed)
            return submit(table, seat, list(actions), **options)

        def changed() -> None:
            self.changed = match.clock.monotonic()

        self.changed = 0.0
        monkeypatch.setattr(Table, "submit", record)
        match.table.on_publish(changed)


def test_an_answer_s_moment_does_not_depend_on_thinking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program whose seat has a secret acts first when every process has started, and then always
    the same time after the last change, however long it thinks.
    """
    thinking = "import random; time.sleep(random.random() / 20)"
    with opened(tmp_path / "data", programs(tmp_path, thinking, FIRST)) as match:
        moments = Moments(match, monkeypatch)
        match.table.lobby.propose({"game": "shisogari", "players": 5})
        for seat in find_game("shisogari").seat_names(5):
            match.table.seats.give(seat, "mine")
        start_with_all(match.table)
        until(match, lambda snapshot: snapshot["phase"] == "over")

    assert {START_DELAY, MOVE_DELAY} == set(moments.handed_in)
    assert START_DELAY == moments.handed_in[0]
    assert moments.handed_in.count(START_DELAY) <= 5


THINKER = """
import json, os, sys, time
for number, line in enumerate(sys.stdin):
    asked = json.loads(line)
    open(sys.argv[1], "a").write("x")
    while number == 1 and not os.path.exists(sys.argv[2]):
        time.sleep(0.01)
    print(json.dumps({"actions": asked["legal"][:1]}), flush=True)
"""
"""A program that answers its second question when a file is there, and notes each question."""


@pytest.mark.parametrize("has_answered", [False, True])
def test_a_question_that_does_not_count_hides_whether_it_was_answered(
    has_answered: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time of a later action does not show whether a program had answered when play was
    stopped: in both cases another process starts.
    """
    question_log, may_answer, script = (
        tmp_path / "asked",
        tmp_path / "answer",
        tmp_path / "program.py",
    )
    script.write_text(THINKER)
    words = shlex.join([sys.executable, str(script), str(question_log), str(may_answer)])
    pool = ExternalBotPool({"mine": words}, time.monotonic, TIMEOUT, 0.0)
    seats = find_game("shisogari").seat_names(5)
    with opened(tmp_path / "data", pool) as match:
        moments = Moments(match, monkeypatch)
        match.table.lobby.propose({"game": "shisogari", "players": 5})
        for seat in seats:
            match.table.seats.give(seat, "mine")
        start_with_all(match.table)
        until(match, lambda snapshot: len(moments.handed_in) == 1)
        match.clock.advance(0)
        waited_for(lambda: "xx" == question_log.read_text())
        if has_answered:
            may_answer.touch()
            waited_for(lambda: not any(each.busy for each in pool._sitting.values()))
        match.table.pause(True)
        may_answer.touch()
        match.clock.advance(10)
        match.table.pause(False)
        until(match, lambda snapshot: len(moments.handed_in) == 2)

    assert [START_DELAY, START_DELAY] == moments.handed_in


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (["sys.exit()"], "gone"),
        (['print("[", flush=True)'], "unreadable"),
        (
            ['print(json.dumps({"actions": [{"type": "place", "cell": "C3"}]}), flush=True)'],
            "forbidden",
        ),
        (['print(json.dumps({"actions": asked["legal"][-1:] * 2}), flush=True)'], "forbidden"),
    ],
)
def test_who_misbehaves_at_a_human_s_seat_frees_it(
    lines: Sequence[str], fault: str, tmp_path: Path
) -> None:
    """The seat is free, play stops, and the display has the reason; a person sits down there and
    goes on.
    """
    with opened(tmp_path / "data", programs(tmp_path, *lines)) as match:
        match.start(V="greedy", H1="mine")

        until(match, lambda snapshot: snapshot["paused"])

        assert fault == last(match.snapshot, "bot_evicted")["fault"]
        assert not seat_line(match.snapshot, H1)["taken"]
        match.table.seats.claim(H1, "Ana", "01" * 32)
        match.table.pause(False)
        assert {"seat": "H1", "name": "Ana", "taken": True} == seat_line(match.snapshot, H1)


def test_who_is_late_loses_the_seat(tmp_path: Path) -> None:
    """A late program loses the seat as one with an unreadable answer does."""
    with opened(tmp_path / "data", programs(tmp_path, "time.sleep(600)", seconds=0.2)) as match:
        match.start(V="greedy", H1="mine")

        until(match, lambda snapshot: snapshot["paused"])

        assert "late" == last(match.snapshot, "bot_evicted")["fault"]


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (
            ['print(json.dumps({"actions": [{"type": "walk", "to": "D4"}]}), flush=True)'],
            "forbidden",
        ),
        (
            ['print("the vampire is on D4", flush=True)', 'print("D4", file=sys.stderr)'],
            "unreadable",
        ),
    ],
)
def test_a_vampire_that_misbehaves_discloses_nothing(
    lines: Sequence[str],
    fault: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A program that loses the vampire's seat does so at the fixed moment of every bot's night and
    with one of four words; its output is published nowhere, and another bot plays on when people
    resume.
    """
    nightfalls: list[float] = []
    lost: list[float] = []
    evict = SeatClaims.evict_bot

    def record(self: SeatClaims, seat: Seat, fault: str, stand_in: str) -> None:
        lost.append(match.clock.monotonic() - nightfalls[-1])
        evict(self, seat, fault, stand_in)

    monkeypatch.setattr(SeatClaims, "evict_bot", record)
    with opened(tmp_path / "data", programs(tmp_path, *lines)) as match:
        nightfalls.append(match.clock.monotonic())
        match.start(V="mine", H1="greedy")

        until(match, lambda snapshot: snapshot["paused"])
        event = last(match.snapshot, "seat_handed_on")
        log = json.dumps(match.snapshot["log"])
        match.table.pause(False)
        until(match, lambda snapshot: snapshot["to_move"] == "H1")

    assert {
        "event": "seat_handed_on",
        "seat": V,
        "level": "mine",
        "fault": fault,
        "stand_in": "heuristic",
    } == event
    assert [True] == [SECRET_TURN_DELAY - 0.25 <= after <= SECRET_TURN_DELAY for after in lost]
    assert "" == found_in(log + "".join(capfd.readouterr()), "D4")


def test_only_a_bot_of_the_table_plays_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat with a secret that a program loses goes to a bot of the game, never to another program
    whose name is a level elsewhere.
    """
    monkeypatch.setattr(runner, "STAND_INS", ("greedy", "heuristic"))
    exits = command(tmp_path, "sys.exit()")
    pool = ExternalBotPool({"mine": exits, "greedy": exits}, time.monotonic, TIMEOUT, 0.0)
    with opened(tmp_path / "data", pool) as match:
        match.table.lobby.propose({"game": "vwars"})
        for seat in find_game("vwars").seat_names(3):
            match.table.seats.give(seat, "mine")
        match.table.start()
        until(match, lambda snapshot: snapshot["paused"])

        assert "heuristic" == last(match.snapshot, "seat_handed_on")["stand_in"]


def test_a_human_s_program_gets_public_events_alone(tmp_path: Path) -> None:
    """A human's process receives no own part and no event of the vampire's at the table."""
    received = tmp_path / "received"
    with opened(
        tmp_path / "data", programs(tmp_path, f"open({str(received)!r}, 'a').write(line)", LAST)
    ) as match:
        match.start(V="greedy", H1="mine")
        until(match, lambda snapshot: last(snapshot, "night_sealed").get("number") == 3)
    lines = [json.loads(line) for line in received.read_text().splitlines()]

    assert lines
    assert all(line["view"]["own"] is None for line in lines)
    assert not [
        event
        for line in lines
        for event in line["events"]
        if event["event"].startswith("vampire_m")
    ]


def test_an_undo_starts_another_process(tmp_path: Path) -> None:
    """After an undo another process receives the game from its beginning, also if its seat gets the
    same events as before: the time of its answer shows that a process started, which only an undo
    may show.
    """
    counts = tmp_path / "counts"
    note = f"open({str(counts)!r}, 'a').write(str(len(asked['events'])) + '\\n')"
    pool = programs(tmp_path, note, LAST)
    with opened(tmp_path / "data", ExternalBotPool({}, time.monotonic)) as match:
        match.start(V="greedy", H1="greedy")
        until(match, lambda snapshot: snapshot["to_move"] == "H1")
        _, own_view, history = match.table.bots.view(H1)
        try:
            pool.act(GAME, H1, "mine", own_view, history[:-1], 1)
            goes_on = [pool.is_running(H1, "mine", branch) for branch in (1, 2)]
            pool.act(GAME, H1, "mine", own_view, history, 1)
            pool.act(GAME, H1, "mine", own_view, history, 2)
        finally:
            pool.close()

    assert [True, False] == goes_on
    assert [len(history) - 1, 1, len(history)] == [int(line) for line in counts.read_text().split()]


def test_a_question_that_cannot_be_sent_ends_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After any error during a question the program is ended and its pipes are closed."""
    bots: list[ExternalBot] = []
    act = ExternalBot.act

    def failing(program: ExternalBot, view: View) -> list[Action]:
        bots.append(program)
        raise RuntimeError

    monkeypatch.setattr(ExternalBot, "act", failing)
    pool = programs(tmp_path, LAST)
    with opened(tmp_path / "data", ExternalBotPool({}, time.monotonic)) as match:
        match.start(V="greedy", H1="greedy")
        until(match, lambda snapshot: snapshot["to_move"] == "H1")
        _, own_view, history = match.table.bots.view(H1)
        with pytest.raises(RuntimeError):
            pool.act(GAME, H1, "mine", own_view, history, 1)
    monkeypatch.setattr(ExternalBot, "act", act)

    with pytest.raises(BotFailed, match="went away"):
        bots[0].act(own_view)
    assert not pool.is_running(H1, "mine", 1)


@pytest.mark.parametrize("answer", ["[", "{}", '{"actions": [{"type": "fly"}]}'])
def test_a_program_that_cannot_be_read_is_ended(answer: str, tmp_path: Path) -> None:
    """A program that loses its seat by its output leaves no process behind, although it waits for
    the next question.
    """
    pid = tmp_path / "pid"
    pool = programs(
        tmp_path,
        "import os",
        f"open({str(pid)!r}, 'w').write(str(os.getpid()))",
        f"print({answer!r}, flush=True)",
    )
    with opened(tmp_path / "data", ExternalBotPool({}, time.monotonic)) as match:
        match.start(V="greedy", H1="greedy")
        until(match, lambda snapshot: snapshot["to_move"] == "H1")
        _, own_view, history = match.table.bots.view(H1)
        with pytest.raises(BotFailed):
            pool.act(GAME, H1, "mine", own_view, history, 1)

    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_a_closed_table_starts_no_program(tmp_path: Path) -> None:
    """After the end no program is started, and an unknown name is a lost seat, not an error."""
    pool = programs(tmp_path, LAST)
    with opened(tmp_path / "data", ExternalBotPool({}, time.monotonic)) as match:
        match.start(V="greedy", H1="greedy")
        until(match, lambda snapshot: snapshot["to_move"] == "H1")
        _, own_view, history = match.table.bots.view(H1)
    with pytest.raises(BotFailed, match="no program other"):
        pool.act(GAME, H1, "other", own_view, history, 1)
    pool.close()

    with pytest.raises(BotFailed, match="no program mine"):
        pool.act(GAME, H1, "mine", own_view, history, 1)


def undo_last(table: Table) -> None:
    """Take the last submission back, as all people at the table agree."""
    by, *others = table.state.seats_of_people()
    table.votes.undo(by)
    for seat in others:
        table.votes.cast(seat, agree=True)


def pick_and_keep(match: BotMatch, picker: Seat) -> str:
    """Let a seat of Shisogari pick the first back and keep it; return the card."""
    table, position = match.table, match.snapshot["position"]
    table.submit(picker, [Pick(1)], id=f"pick{position}")
    table.submit(picker, [KEEP], id=f"keep{position}")
    until(match, lambda snapshot: snapshot["view"]["step"] == "turn")
    passed = [event for event in table.state.run.full_history() if isinstance(event, CardPassed)]
    return passed[-1].card


def start_beside_a_program(table: Table, seat: Seat, people: Sequence[Seat]) -> None:
    """Start Shisogari with a program at one seat; the first of the people begins."""
    table.lobby.propose({"game": "shisogari", "players": 1 + len(people), "first": people[0]})
    table.seats.give(seat, "mine")
    for number, each in enumerate(people, start=1):
        table.seats.claim(each, "", f"{number:064x}")
    start_with_all(table)


def test_after_an_undo_the_moment_hides_the_seat_s_new_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program acts at the same time after an undo, whether its seat's private events are then the
    same as before or not.
    """
    chance = ["j"]
    monkeypatch.setattr(Shuffle, "draw", lambda *_: chance[0])
    picker, giver, *others = find_game("shisogari").seat_names(5)
    with opened(tmp_path / "data", programs(tmp_path, FIRST)) as match:
        table, moments = match.table, Moments(match, monkeypatch)
        start_beside_a_program(table, giver, [picker, *others])
        table.submit(picker, [Take(giver)], id="take")
        own: Any = table.state.run.state.private[picker]
        table.submit(picker, [Name(next(card for card in own.cards if card in ITEMS))], id="name")
        cards, after = [], []
        for chance[0] in ("a", "b", "b", "a"):
            cards.append(pick_and_keep(match, picker))
            until(match, lambda snapshot: snapshot["view"]["step"] == "name")
            after.append(moments.handed_in[-1])
            for _ in ("keep", "pick"):
                undo_last(table)

    assert 1 < len(set(cards)) < len(cards)
    assert [START_DELAY] * len(cards) == after


def test_a_program_that_starts_again_still_places_its_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A placing takes the same time whenever it is handed in, so that a program which starts with
    its table in the middle of it places the card itself, before the table does it for the seat.
    """
    giver, picker, *others = find_game("shisogari").seat_names(5)
    with opened(tmp_path / "data", programs(tmp_path, FIRST)) as match:
        table = match.table
        start_beside_a_program(table, picker, [giver, *others])
        table.submit(giver, [Give(picker)], id="give")
        table.submit(giver, table.decode(table.seat_snapshot(giver)["legal"][:1]), id="name")
        until(match, lambda snapshot: snapshot["view"]["step"] == "place")
    with opened(tmp_path / "data", programs(tmp_path, FIRST)) as match:
        moments = Moments(match, monkeypatch)
        until(match, lambda snapshot: snapshot["view"]["step"] == "turn")

    assert [TIMED_START_DELAY] == moments.handed_in
