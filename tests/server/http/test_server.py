"""Over real sockets: waitress on 127.0.0.1, for seconds at most."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from companion.clock import SystemClock
from companion.server.http.limits import StreamLimits
from companion.server.http.server import make_server
from tests.helpers.ended import end_server
from tests.server.client import BOXED, GameTable, Json, Phone

SECONDS = 60


class Served:
    """A table behind a real server."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.clock = SystemClock()
        limits = StreamLimits(streams=6, per_address=6)
        self.game_table = GameTable(folder, self.clock, limits=limits, release=0.1, **settings)
        self.server: Any = make_server(self.game_table.app, "127.0.0.1", 0, threads=12)
        self.port = int(self.server.effective_port)
        self.connections: list[http.client.HTTPConnection] = []
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()

    def close(self) -> None:
        self.game_table.close()
        for connection in self.connections:
            connection.close()
        end_server(self.server, self.thread, SECONDS)
        self.server.task_dispatcher.shutdown()
        self.clock.close()
        self.game_table.context.executor.close()

    def send(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        self.connections.append(connection)
        connection.request(method, path, body, dict(headers))
        return connection.getresponse()

    def get(self, path: str, **headers: str) -> http.client.HTTPResponse:
        return self.send(
            "GET", path, None, {name.replace("_", "-"): value for name, value in headers.items()}
        )

    def request(self, phone: Phone, **fields: Any) -> Json:
        message, _ = phone.seal({"id": phone.new_id()} | fields)
        return phone.open(self.send("POST", "/channel", message, {"Content-Type": BOXED}).read())

    def mark(self, cell: str) -> None:
        self.game_table.table.mark(self.game_table.table.snapshot()["seats"][0]["seat"], cell, "?")


def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds, however slow the machine is."""
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path)
    yield served
    served.close()


def events(stream: http.client.HTTPResponse) -> Iterator[tuple[int, Json]]:
    """Yield id and data of each server-sent event."""
    number = -1
    while line := stream.readline().decode().rstrip("\n"):
        if line.startswith("id: "):
            number = int(line[4:])
        elif line.startswith("data: "):
            yield number, json.loads(line[6:])
            assert "" == stream.readline().decode().rstrip("\n")
        else:
            assert "retry: 1000" == line
            assert "" == stream.readline().decode().rstrip("\n")


def test_an_interrupted_listener_gets_exactly_what_it_missed(served: Served) -> None:
    """A listener that returns with `Last-Event-ID` gets exactly the events that it missed."""
    stream = served.get("/events")
    assert ("text/event-stream; charset=utf-8", "no-store", "no") == tuple(
        stream.headers[name] for name in ("Content-Type", "Cache-Control", "X-Accel-Buffering")
    )
    stream_events = events(stream)
    start, _ = next(stream_events)
    served.mark("A1")
    position, update = next(stream_events)
    stream.close()
    served.mark("A2")
    served.mark("A3")

    _, back = next(events(served.get("/events", Last_Event_ID=str(position))))

    assert (start + 1, ["A1"]) == (position, [event["event"]["cell"] for event in update["events"]])
    assert ["A2", "A3"] == [event["event"]["cell"] for event in back["events"]]
    assert {"A1", "A2", "A3"} == set(back["snapshot"]["marks"])


@pytest.mark.slow
def test_streams_beyond_the_limit_are_sent_to_poll(served: Served) -> None:
    """Streams beyond the limit get 503 with `Retry-After`; pages and polling go on."""
    streams = [served.get("/events") for _ in range(6)]
    assert [200] * 6 == [stream.status for stream in streams]

    refused = served.get("/events")

    assert (503, "5") == (refused.status, refused.headers["Retry-After"])
    assert 200 == served.get("/snapshot").status


@pytest.mark.slow
def test_a_listener_that_never_reads_delays_nobody(served: Served) -> None:
    """A listener that never reads is dropped at a full queue; the good one has every update in
    order.
    """
    with socket.create_connection(("127.0.0.1", served.port), timeout=SECONDS) as stuck:
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stuck.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        slots = served.game_table.context.stream_slots
        until(lambda: len(slots) == 1)
        (dropped,) = slots._open
        good = events(served.get("/events"))
        start, _ = next(good)
        (kept,) = set(slots._open) - {dropped}

        cells = [f"{column}{row}" for row in range(1, 41) for column in "ABCDEF"]
        numbers = []
        for cell in cells:
            served.mark(cell)
            numbers.append(next(good)[0])
        # While it is still connected: when it hangs up, its slot is free at once.
        closed = [dropped.closed, kept.closed]

    assert list(range(start + 1, start + 1 + len(cells))) == numbers
    assert [True, False] == closed


def test_all_listeners_hear_the_same_bytes(served: Served) -> None:
    """All public listeners get the same bytes."""
    streams = [served.get("/events") for _ in range(6)]
    for stream in streams:
        next(events(stream))
    served.mark("B2")

    messages = {stream.readline() + stream.readline() for stream in streams}

    assert 1 == len(messages)


def test_one_claim_of_eight_wins_over_the_network(served: Served) -> None:
    """Eight threads, one code, one seat: the code lets several phones in, and one of them gets the
    seat.
    """
    code = served.game_table.code
    phones = [served.game_table.phone() for _ in range(8)]

    def claim(number: int) -> Json:
        return served.request(phones[number], do="claim", seat="V", code=code, pin="1111")

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(claim, range(8)))

    # One address: at most five guesses may be under way at once, so that some must wait.
    assert 1 == sum(answer["ok"] for answer in answers)
    refused = {answer["code"] for answer in answers if not answer["ok"]}
    assert {"seat_taken", "code_used", "too_many_codes"} >= refused


def test_a_foreign_host_is_refused_before_anything(served: Served) -> None:
    """A foreign host is refused first, on a stream too."""
    assert 400 == served.get("/events", Host="evil.example").status


def test_a_slow_disk_shows_as_pending_and_the_same_question_finds_its_answer(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A private answer leaves at its moment, ready or not; a repeated request gets the same job's
    answer.
    """
    vampire, _ = served.game_table.started()
    stored, submit = threading.Event(), served.game_table.table.submit

    def slowly(*arguments: Any, **named: Any) -> Any:
        stored.wait(SECONDS)
        return submit(*arguments, **named)

    monkeypatch.setattr(served.game_table.table, "submit", slowly)
    question = {
        "id": vampire.new_id(),
        "do": "submit",
        "actions": [{"type": "place", "cell": "C3"}],
    }

    first = served.request(vampire, **question)
    stored.set()
    answers: list[Json] = []

    def is_answered() -> bool:
        answers.append(served.request(vampire, **question))
        return "pending" not in answers[-1]

    until(is_answered)

    assert (True, True) == (first["ok"], first["pending"])
    reply = answers[-1]
    assert (True, True) == (reply["ok"], reply["private"]["submitted"])
