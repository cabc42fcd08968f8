"""Nobody notices when a secret turn is submitted: nothing is written then, and nobody waits for a
write.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from companion.core.game import Seat
from companion.table.storage.log import NO_REQUEST, Log, RequestId
from tests.table.play import Play
from tests.table.test_placing import GAME, begun, pick, place
from tests.table.toy_game import A, End, S, Shout, Step

LIMIT = 90.0
"""Real seconds after which a request counts as stuck."""


@pytest.fixture
def play(tmp_path: Path) -> Play:
    return Play(tmp_path / "data")


def write_times(play: Play, seconds: float) -> list[float]:
    """Let time pass; return when entries were written, in seconds from now."""
    began, entries, times = play.clock.monotonic(), len(play.log), []
    while play.clock.monotonic() < began + seconds:
        play.clock.advance(0.25)
        times += [play.clock.monotonic() - began] * (len(play.log) - entries)
        entries = len(play.log)
    return times


@pytest.mark.parametrize("hesitation", [0.0, 0.25, 5.0, 10.25])
@pytest.mark.parametrize("mark", [0.0, 3.0, 8.0])
def test_a_night_is_written_at_one_moment(play: Play, hesitation: float, mark: float) -> None:
    """However early a night is submitted within the shortest time, it is written a second before
    dawn, and so are the batches of the dawn; an entry of somebody else moves nothing.
    """
    play.start("S", "A")
    acts: list[tuple[float, Callable[[], object]]] = [
        (hesitation, lambda: play.submit("S", Step(1), Shout(), End())),
        (mark, lambda: play.table.mark(A, "A1", "?")),
    ]
    for moment, act in sorted(acts, key=lambda each: each[0]):
        play.clock.advance(moment - play.clock.monotonic())
        act()
    passed = play.clock.monotonic()

    assert [11.0, 12.0, 14.5] == [passed + time for time in write_times(play, 20 - passed)]


def test_a_late_night_is_written_on_a_whole_second(play: Play) -> None:
    """After the shortest time a night is written on a whole second after nightfall: it tells no
    more than its dawn, a second later.
    """
    play.start("S")
    play.clock.advance(30.25)
    play.submit("S", End())

    assert [0.75, 1.75, 4.25] == write_times(play, 10)


@pytest.mark.parametrize("hesitation", [0.0, 1.5, 4.75, None])
def test_a_turn_of_fixed_length_is_written_alike(tmp_path: Path, hesitation: float | None) -> None:
    """A card that is placed early, late or by the table is written at the same moments."""
    play = begun(Play(tmp_path / "data", GAME))
    seat, moved = pick(play), hesitation or 0.0
    play.clock.advance(moved)
    if hesitation is not None:
        place(play, seat)

    assert [5.0 - moved, 6.0 - moved] == write_times(play, 7.0 - moved)


def test_a_turn_is_acknowledged_when_it_is_stored(play: Play) -> None:
    """A submitted night is not acknowledged before it is on the disk; the same request tells when
    it is. Only its own seat sees that it was submitted.
    """
    play.start("S", "A")
    first = play.table.submit(S, [Step(2), End()], id="1")
    again = play.table.submit(S, [Step(2), End()], id="1")
    shown = [play.table.seat_snapshot(seat)["submitted"] for seat in (S, A)]
    number = play.table.seat_snapshot(S)["own"]["number"]
    play.clock.advance(11)
    stored = play.table.submit(S, [Step(2), End()], id="1")

    assert [False, False, True] == [receipt.is_stored for receipt in (first, again, stored)]
    assert ([True, False], 2) == (shown, number)


def test_a_turn_that_was_not_acknowledged_is_submitted_again(play: Play) -> None:
    """A crash forgets a night that was not acknowledged, and nothing else: its phone submits it
    again, and dawn comes.
    """
    play.start("S", "A")
    play.table.submit(S, [Step(2), Shout(), End()], id="1")
    play.clock.advance(10)
    before = play.table.snapshot()
    play.crash()

    assert before == play.table.snapshot()
    assert not play.table.seat_snapshot(S)["submitted"]
    play.table.submit(S, [Step(2), Shout(), End()], id="1")
    play.clock.advance(60)
    assert ["night_sealed", "shouted", "turn_ended"] == play.events()[-3:]
    assert {"number": 2} == play.table.seat_snapshot(S)["own"]


@pytest.mark.parametrize("is_submitted", [True, False])
def test_a_pause_stops_the_night(play: Play, is_submitted: bool) -> None:
    """In a pause no dawn comes, submitted or not: a pause would show which. Afterwards the night
    takes its shortest time again.
    """
    play.start("S", "A")
    if is_submitted:
        play.submit("S", End())
    play.clock.advance(10)
    play.table.pause(True)

    assert [] == write_times(play, 60)
    play.table.pause(False)
    if not is_submitted:
        play.submit("S", End())
    assert [11.0, 12.0, 14.5] == write_times(play, 20)


@pytest.mark.parametrize("is_submitted", [True, False])
def test_an_undo_drops_the_night(play: Play, is_submitted: bool) -> None:
    """An undo in the night drops what was submitted, and writes and publishes the same."""
    play.start("S", "A", "B")
    play.night("S", End())
    play.submit("A", End())
    play.submit("B", End())
    if is_submitted:
        play.submit("S", Step(1), End())
    entries = len(play.log)
    play.table.votes.undo(Seat("B"))

    assert entries + 1 == len(play.log)
    assert "rewound" == play.events()[-1]
    assert [] == write_times(play, 60)
    assert {"number": 0} == play.table.seat_snapshot(S)["own"]


def test_nobody_waits_for_the_disk(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """While an entry is being written, a stream opens, and what a screen asks is answered."""
    play.start("S", "A")
    table = play.table
    is_writing, may_go_on, append = Event(), Event(), Log.append

    def wait_and_append(
        log: Log, body: str, request: RequestId = NO_REQUEST, answer: str = ""
    ) -> None:
        is_writing.set()
        assert may_go_on.wait(LIMIT)
        append(log, body, request, answer)

    monkeypatch.setattr(Log, "append", wait_and_append)
    position, head = table.snapshot()["position"], table.snapshot()["head"]
    questions: list[Callable[[], object]] = [
        table.journal.subscribe,
        lambda: table.journal.subscribe(0),
        table.snapshot,
        table.reference,
        table.disclosed,
        table.board_view,
        lambda: table.seat_snapshot(S),
        lambda: table.preview(S, [Step(1)]),
        lambda: table.check_memory(position, head),
    ]
    with ThreadPoolExecutor(2) as pool:
        mark = pool.submit(table.mark, A, "A1", "?")
        assert is_writing.wait(LIMIT)
        try:
            for question in questions:
                pool.submit(question).result(LIMIT)
            assert not mark.done()
        finally:
            may_go_on.set()
        mark.result(LIMIT)


def test_a_stream_that_opens_before_an_update_gets_each_event_once(play: Play) -> None:
    """A stream that opens between an entry and its publication gets the entry's events once."""
    table = play.start("S", "A")
    position, opened = table.snapshot()["position"], []
    table.journal.on_commit.append(lambda: opened.append(table.journal.subscribe(position)))
    table.mark(A, "A1", "?")
    [stream] = opened
    updates = [stream.get(0), stream.get(0)]

    assert [[], ["marked"]] == [
        [line["event"]["event"] for line in update.events] for update in updates if update
    ]
    assert stream.get(0) is None
