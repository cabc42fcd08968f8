"""The streams as values: the frames and their times, without a socket."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable, Iterator

import pytest

from companion.server.http.limits import StreamLimits, StreamsFull, StreamSlots
from companion.server.rpc.replies import FixedDelayExecutor
from companion.server.sse import (
    HEARTBEAT_SECONDS,
    RETRY,
    UpdateEncoder,
    last_event_id,
    public_stream,
    updates,
)
from companion.table.broadcast import QUEUE_LIMIT, Broadcaster, Subscription, Update, follow
from tests.helpers.simulated_clock import SimulatedClock
from tests.server.client import GameTable, Json


def update(position: int, text: str = "") -> Update:
    return Update({"position": position, "text": text}, [{"position": position}])


def read_event(chunk: bytes) -> tuple[int, Json]:
    number, data = chunk.decode().removesuffix("\n\n").split("\n")
    return int(number.removeprefix("id: ")), json.loads(data.removeprefix("data: "))


def test_a_stream_begins_with_retry_and_the_whole_picture() -> None:
    """A stream begins with retry and the whole snapshot, then sends each update with its public
    position as id.
    """
    streams = Broadcaster()
    subscription = streams.subscribe(lambda: update(3))
    streams.publish(update(4, "é"))
    stream = public_stream(subscription, UpdateEncoder())

    assert RETRY == next(stream)
    assert (
        3,
        {"snapshot": {"position": 3, "text": ""}, "events": [{"position": 3}]},
    ) == read_event(next(stream))
    assert (
        4,
        {"snapshot": {"position": 4, "text": "é"}, "events": [{"position": 4}]},
    ) == read_event(next(stream))


def test_heartbeats_keep_a_fixed_rhythm(game_table: GameTable) -> None:
    """Heartbeats come every 15 s, at the same moments for all listeners, whatever is published in
    between and whenever they came.
    """
    assert isinstance(game_table.clock, SimulatedClock)
    listening: list[Subscription] = []
    for opened_at in (0.0, 7.0):
        game_table.clock.advance(opened_at - game_table.clock.monotonic())
        listening.append(
            game_table.context.stream_slots.take(game_table.table.journal.subscribe, "a")
        )
    moments: list[list[float]] = [[], []]
    while game_table.clock.monotonic() < 3 * HEARTBEAT_SECONDS:
        game_table.clock.advance(0.5)
        game_table.table.mark(game_table.table.snapshot()["seats"][0]["seat"], "A1", "?")
        for subscription, beats in zip(listening, moments, strict=True):
            while subscription._waiting:
                beats += [] if subscription.get() else [game_table.clock.monotonic()]

    assert [[HEARTBEAT_SECONDS, 2 * HEARTBEAT_SECONDS, 3 * HEARTBEAT_SECONDS]] * 2 == moments


def test_every_listener_gets_the_same_bytes_made_once() -> None:
    """An update is encoded once, not once for each of 200 listeners."""
    streams, encoder = Broadcaster(), UpdateEncoder()
    listeners = [public_stream(streams.subscribe(lambda: update(1)), encoder) for _ in range(5)]
    received = [list(itertools.islice(listener, 2)) for listener in listeners]
    published = update(2)
    streams.publish(published)

    assert 1 == len({next(listener) for listener in listeners})
    assert encoder.encode(published) is encoder.encode(published)
    assert 5 == len(received)


def test_people_are_served_before_the_tables_own_threads() -> None:
    """The streams that people wait for are woken first, whoever subscribed first."""
    streams = Broadcaster()
    own = streams.subscribe(lambda: update(0), is_behind=True)
    person = streams.subscribe(lambda: update(0))

    assert (person, own) == streams._subscribers


def test_a_follower_that_was_too_slow_subscribes_again() -> None:
    """It gets each update, None after a wait without one, and after it was dropped the present
    snapshot; its subscription ends with it.
    """
    streams, looks = Broadcaster(), iter([False] * 4 + [True])
    seen = []
    for one in follow(lambda: streams.subscribe(lambda: update(7)), lambda: next(looks), 0.0):
        seen.append(one and one.snapshot["position"])
        if len(seen) == 1:
            for number in range(QUEUE_LIMIT + 1):
                streams.publish(update(number))

    assert ([7, None, 7, None], 0) == (seen, len(streams))


def test_a_slow_listener_is_dropped_and_delays_nobody() -> None:
    """At a full queue a slow listener's stream ends; the others have everything."""
    streams = Broadcaster()
    slow, fast = (streams.subscribe(lambda: update(0)) for _ in range(2))
    received = []
    for number in range(1, QUEUE_LIMIT + 2):
        fast.get(0)
        streams.publish(update(number))
        received.append(number)

    assert [] == list(updates(slow))
    assert not fast.closed


@pytest.mark.parametrize(
    ("header", "query", "position"),
    [
        ("41", None, 41),
        (None, "7", 7),
        ("3", "7", 3),
        (None, None, None),
        ("x", None, None),
        ("-1", None, None),
        ("٣", None, None),
        ("1" * 40, None, None),
        ("", "7", None),
    ],
)
def test_a_listener_sends_its_last_position(
    header: str | None, query: str | None, position: int | None
) -> None:
    """The position comes from `Last-Event-ID`, or from the address; anything else is none."""
    assert position == last_event_id(header, query)


def subscribing() -> Callable[[], Subscription]:
    streams = Broadcaster()
    return lambda: streams.subscribe(lambda: update(1))


def test_streams_are_bounded_in_all_and_by_address() -> None:
    """Listeners beyond the limits get Retry-After; a released place is free."""
    slots, subscribe = StreamSlots(StreamLimits(streams=3, per_address=2)), subscribing()
    first = slots.take(subscribe, "a")
    slots.take(subscribe, "a")
    with pytest.raises(StreamsFull):
        slots.take(subscribe, "a")
    slots.take(subscribe, "b")
    with pytest.raises(StreamsFull):
        slots.take(subscribe, "c")

    slots.release(first)
    slots.release(first)

    assert not slots.take(subscribe, "c").closed
    assert 3 == len(slots)


def test_strangers_cannot_take_the_streams_of_seats_and_displays() -> None:
    """When all slots are taken, a key with a role takes that of a stranger's oldest stream, of the
    address with most of them; it is refused only when all are of keys with a role.
    """
    slots = StreamSlots(StreamLimits(streams=4, per_address=3), {"V", "H1"}.__contains__)
    subscribe = subscribing()
    seat = slots.take(subscribe, "a", "V")
    strangers = [slots.take(subscribe, address, "guest") for address in ("a", "b", "b")]

    display = slots.take(subscribe, "b", "H1")
    with pytest.raises(StreamsFull):
        slots.take(subscribe, "c")
    assert [False, True, False] == [each.closed for each in strangers]
    taken = [slots.take(subscribe, "b", key) for key in ("V", "H1")]
    assert [True] * 3 == [each.closed for each in strangers]
    with pytest.raises(StreamsFull):
        slots.take(subscribe, "a", "H1")
    assert [False] * 4 == [each.closed for each in (seat, display, *taken)]


def test_a_seats_fifth_stream_ends_its_first() -> None:
    """A phone's fifth stream ends its first: a phone that came back many times has left streams
    half open.
    """
    slots, subscribe = StreamSlots(StreamLimits()), subscribing()
    opened = [slots.take(subscribe, "a", "key") for _ in range(5)]

    assert [True, False, False, False, False] == [subscription.closed for subscription in opened]
    assert 4 == len(slots)


@pytest.fixture
def release() -> Iterator[FixedDelayExecutor]:
    release = FixedDelayExecutor(0.05)
    yield release
    release.close()


def test_an_answer_that_is_late_is_found_again(release: FixedDelayExecutor) -> None:
    """A repeated question gets the same job's answer, and the job runs once."""

    ready, ran = threading.Event(), []

    def job() -> Json:
        ran.append(1)
        ready.wait(10)
        return {"ok": True}

    assert not release.run_delayed("question", job).done()
    ready.set()
    second = release.run_delayed("question", job)

    assert ({"ok": True}, 1) == (second.result(), len(ran))


def test_each_update_and_heartbeat_has_one_frame_of_one_size(game_table: GameTable) -> None:
    """Each update and heartbeat has one frame of one size, with or without a private update; the
    vampire's lines look like a guest's.
    """
    vampire, human = game_table.started()
    guest = game_table.phone()
    streams = [phone.follow() for phone in (vampire, human, guest)]
    first = [next(stream) for stream in streams]

    vampire.request("preview", actions=[{"type": "place", "cell": "C3"}])
    vampire.request("submit", actions=[{"type": "place", "cell": "C3"}])
    assert isinstance(game_table.clock, SimulatedClock)
    game_table.clock.advance(10)
    second = [next(stream) for stream in streams]

    for lines in (first, second):
        assert 1 == len({json.dumps({**outer, "box": len(outer["box"])}) for outer, _ in lines})
        assert {10976} == {len(outer["box"]) for outer, _ in lines}
    assert ["V", "H1", "guest"] == [frame["role"] for _, frame in first]
    assert [0, 1] == [frame["n"] for _, frame in (first[0], second[0])]
    assert "night_sealed" == second[0][0]["update"]["events"][0]["event"]["event"]
    assert None is second[2][1]["private"]


def test_private_news_alone_sends_nothing(game_table: GameTable) -> None:
    """Between the commit and dawn no queue receives anything."""
    vampire, _ = game_table.started()
    subscription = game_table.table.journal.subscribe()
    subscription.get(0)

    vampire.request("preview", actions=[{"type": "place", "cell": "C3"}])
    vampire.request("submit", actions=[{"type": "place", "cell": "C3"}])
    vampire.request("hello")

    assert None is subscription.get(0)


def test_a_revoked_phone_gets_nothing_private_any_more(game_table: GameTable) -> None:
    """A revoked phone gets nothing private from the next frame of its open stream on."""
    vampire, _ = game_table.placed()
    stream = vampire.follow()
    assert "C3" == next(stream)[1]["private"]["own"]["cell"]

    game_table.phone().request("recover", seat="V", pin="1111")

    assert [("guest", None)] * 2 == [
        (frame["role"], frame["private"]) for _, frame in itertools.islice(stream, 2)
    ]


def test_missed_events_are_sent_on_return(game_table: GameTable) -> None:
    """A returning listener gets exactly the events after its position; an unknown position gets the
    whole snapshot alone.
    """
    _, human = game_table.placed()
    position = game_table.table.snapshot()["position"]
    human.request("mark", cell="C3", mark="?")
    human.request("mark", cell="C4", mark="x")

    def first(after: int | None) -> list[int]:
        received = game_table.table.journal.subscribe(after).get(0)
        assert received is not None
        assert position + 2 == received.snapshot["position"]
        return [event["position"] for event in received.events]

    assert [position + 1, position + 2] == first(position)
    assert [] == first(position + 2)
    assert list(range(1, position + 3)) == first(0)
    assert [[], []] == [first(None), first(position + 500)]
