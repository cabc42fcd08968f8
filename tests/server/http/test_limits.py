"""A real table with few descriptors: streams are refused first, everything else goes on, nothing is
lost.
"""

from __future__ import annotations

import http.client
import json
import resource
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

import pytest

from companion.server.http.limits import (
    DESCRIPTORS_PER_TLS,
    PAGE_CONNECTIONS,
    RESERVED_DESCRIPTORS,
    StreamLimits,
    cap_streams,
    connection_limit,
)
from tests.helpers.ports import free_port
from tests.server.client import BOXED, Json
from tools.bench.played_table import Caller
from tools.photos.scene import Scene, random_laid
from tools.photos.views import View, photo

pytestmark = pytest.mark.slow

FEW, FEW_BEHIND_TLS = 64, 96
TIMEOUT = 90
CROWD = 60
"""Listeners who come: more than there are descriptors for."""


@contextmanager
def served(data: Path, port: int, few: int, *more: str) -> Iterator[subprocess.Popen[str]]:
    """Run `companion serve` with few descriptors; yield when it reports that it is ready."""
    limited = ["prlimit", f"--nofile={few}:{few}", sys.executable, "-m", "companion", "serve"]
    words = [
        "--data",
        str(data),
        "--host",
        "127.0.0.1",
        "--port",
        f"{port}",
        "--board",
        "none",
        *more,
    ]
    with subprocess.Popen(
        [*limited, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert "ready" in process.stdout.readline()
            yield process
        finally:
            process.kill()


def listener(port: int, number: int, stack: ExitStack, tls: bool) -> http.client.HTTPResponse:
    """Connect as a listener from an address of its own; return the answer's head."""
    address = "127.0.0.1", port
    source = f"127.0.1.{number + 1}", 0
    connection = http.client.HTTPConnection(*address, timeout=TIMEOUT, source_address=source)
    if tls:
        careless = ssl.create_default_context()
        careless.check_hostname, careless.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection(
            *address, timeout=TIMEOUT, source_address=source, context=careless
        )
    stack.callback(connection.close)
    try:
        connection.request("GET", "/events")
        answer = connection.getresponse()
    except ConnectionResetError:
        # The refused connection before it may not have ended yet; a browser tries again too.
        connection.close()
        connection.request("GET", "/events")
        answer = connection.getresponse()
    stack.callback(answer.close)
    if answer.status != 200:
        # A browser closes refused connections.
        answer.read()
        connection.close()
    return answer


def display_of(data: Path, port: int) -> Caller:
    """Return the table's display, paired."""
    code = (data / "display-code").read_text().strip()
    display = Caller(port, code[:43])
    display.request("pair", code=code[43:])
    return display


def send_photo(port: int, ticket: str) -> tuple[int, Json]:
    """Send a photo of a field; return the status and the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    image = photo(Scene(laid=random_laid(Random(4))), View(), 2)
    connection.request("POST", "/photo", image, {"X-Ticket": ticket, "Content-Type": BOXED})
    answer = connection.getresponse()
    body: Json = json.loads(answer.read())
    connection.close()
    return answer.status, body


@pytest.mark.parametrize(
    ("few", "more", "room"),
    [
        (FEW, (), FEW - RESERVED_DESCRIPTORS),
        (
            FEW_BEHIND_TLS,
            ("--tls",),
            (FEW_BEHIND_TLS - RESERVED_DESCRIPTORS) // DESCRIPTORS_PER_TLS,
        ),
    ],
)
def test_streams_are_refused_first(
    tmp_path: Path, few: int, more: tuple[str, ...], room: int
) -> None:
    """With few descriptors, of which a connection behind TLS takes three, listeners beyond the
    limit get a 503 with Retry-After; pages, actions, copies of the log and photos go on; after a
    kill and a start with as few, the table stands as acknowledged.
    """
    data, port = tmp_path / "data", free_port()
    with served(data, port, few, *more) as process, ExitStack() as stack:
        answers = [listener(port, number, stack, bool(more)) for number in range(CROWD)]
        statuses = [answer.status for answer in answers]
        display = display_of(data, port)
        stack.callback(display.close)
        display.request("propose", change={"players": 2})
        status, body = send_photo(port, display.request("photo")["ticket"])
        while body["problems"] and body["problems"][0]["code"] == "scan.too_slow":
            # A busy machine has not read the photo in time.
            status, body = send_photo(port, display.request("photo")["ticket"])
        before = display.get("/snapshot")
        process.kill()
        _, complaints = process.communicate(timeout=TIMEOUT)

    most = room - PAGE_CONNECTIONS
    assert [200] * most + [503] * (CROWD - most) == statuses
    assert {"5"} == {answer.headers["Retry-After"] for answer in answers if answer.status == 503}
    assert (200, 36) == (status, len(body["tiles"]))
    assert "Too many open files" not in complaints
    with served(data, port, few, *more):
        reopened = display_of(data, port)
        after = reopened.get("/snapshot")
        reopened.close()
    assert (before["position"], before["head"], before["lobby"]["players"]) == (
        after["position"],
        after["head"],
        after["lobby"]["players"],
    )


@pytest.mark.parametrize(
    ("soft", "tls", "connections", "streams"),
    [
        (1024, False, 256, 40),
        (1024, True, 256, 40),
        (256, True, 74, 40),
        (96, True, 21, 13),
        (64, False, 32, 24),
        (16, False, 12, 4),
        (resource.RLIM_INFINITY, True, 256, 40),
    ],
)
def test_what_there_is_room_for(
    monkeypatch: pytest.MonkeyPatch, soft: int, tls: bool, connections: int, streams: int
) -> None:
    """The table's own descriptors are reserved, and pages' descriptors before those of streams; a
    connection behind TLS takes three.
    """
    monkeypatch.setattr(resource, "getrlimit", lambda limit: (soft, soft))

    assert (connections, streams) == (
        connection_limit(256, tls=tls),
        cap_streams(StreamLimits(), tls=tls).streams,
    )
