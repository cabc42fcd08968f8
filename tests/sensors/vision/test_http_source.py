"""Pictures from an HTTP address: a real server on this machine sends good and bad responses."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count

import pytest

from companion.config import CameraAddress, CameraSettings
from companion.core.game import Message
from companion.sensors.vision.frames import frame_source, http_source
from companion.sensors.vision.frames.http_source import HttpSource, is_on_this_network
from companion.sensors.vision.frames.open_frame_source import open_frame_source
from companion.sensors.vision.sandbox import MAX_UPLOAD_BYTES
from tests.sensors.vision.test_multipart import body

TIMEOUT = 60.0
"""Seconds; no assertion depends on time."""
JPEG = b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n"
STREAM = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=fence\r\n\r\n"

Answer = Callable[[socket.socket, int], None]
"""Answers one connection, by its number."""


class Sender:
    """A server on this machine that answers each connection with the test's bytes."""

    def __init__(self, answer: Answer) -> None:
        self.requests: list[bytes] = []
        self._answer = answer
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}/shot.jpg?size=5"

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join()

    def _run(self) -> None:
        for number in count():
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            with connection:
                self.requests.append(connection.recv(4096))
                try:
                    self._answer(connection, number)
                except OSError:
                    continue


def jpeg_response(picture: bytes) -> bytes:
    """Return a response with one picture."""
    return JPEG + f"Content-Length: {len(picture)}\r\n\r\n".encode() + picture


class Sources:
    """Sources and servers that are closed after the test."""

    def __init__(self) -> None:
        self._open: list[HttpSource | Sender] = []

    def watch(self, answer: Answer, every: float = 0.0) -> tuple[Sender, HttpSource]:
        """Return a server and a source that reads it."""
        sender = Sender(answer)
        address = CameraSettings(source=sender.address).address()
        return sender, self.source(address, sender, every=every)

    def source(
        self, address: CameraAddress | None, *more: Sender, every: float = 0.0
    ) -> HttpSource:
        assert address is not None
        source = HttpSource(address, every=every, monotonic=time.monotonic)
        self._open += [source, *more]
        return source

    def close(self) -> None:
        for each in self._open:
            each.close()


@pytest.fixture
def sources(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sources]:
    monkeypatch.setattr(frame_source, "RETRY_PAUSE", 0.01)
    sources = Sources()
    yield sources
    sources.close()


def first_frame(source: HttpSource, accept: Callable[[object], bool] = bool) -> bytes | Message:
    """Return the first frame or message that `accept` accepts."""
    end = time.monotonic() + TIMEOUT
    while not (frame := source.newest()) or not accept(frame):
        assert time.monotonic() < end
        time.sleep(0.005)
    return frame


def test_single_pictures(sources: Sources) -> None:
    """An address with a single picture is requested repeatedly, and every picture is read; the
    path, the query and the login are sent to the camera.
    """
    read = threading.Event()

    def answer(connection: socket.socket, number: int) -> None:
        assert number == 0 or read.wait(TIMEOUT)
        connection.sendall(jpeg_response(b"2\xff\xd9" if number else b"1\xff\xd9"))

    sender = Sender(answer)
    named = sender.address.replace("//", "//me:p%40ss@")
    source = sources.source(CameraSettings(source=named).address(), sender)

    assert b"1\xff\xd9" == first_frame(source)
    read.set()
    assert b"2\xff\xd9" == first_frame(source)
    assert b"GET /shot.jpg?size=5 HTTP/1.1" == sender.requests[0].splitlines()[0]
    assert b"Authorization: Basic bWU6cEBzcw==" in sender.requests[0].splitlines()


@pytest.mark.parametrize("lengths", [True, False])
def test_a_stream(sources: Sources, lengths: bool) -> None:
    """The pictures of a stream are read as they arrive; when it ends, it is opened again."""
    read = threading.Event()

    def answer(connection: socket.socket, number: int) -> None:
        assert number == 0 or read.wait(TIMEOUT)
        part = b"2\xff\xd9" if number else b"1\xff\xd9"
        connection.sendall(STREAM + body([part], lengths=lengths))

    sender, source = sources.watch(answer)

    assert b"1\xff\xd9" == first_frame(source)
    read.set()
    assert b"2\xff\xd9" == first_frame(source, lambda frame: isinstance(frame, bytes))
    assert 2 <= len(sender.requests)


def test_frames_between_are_dropped(sources: Sources) -> None:
    """A stream that is faster than `every` gives one picture in that time, and not the backlog."""
    parts = [f"{number}\xff\xd9".encode("latin-1") for number in range(50)]
    done = threading.Event()

    def answer(connection: socket.socket, _: int) -> None:
        connection.sendall(STREAM + body(parts, lengths=True))
        done.set()

    _, source = sources.watch(answer, every=600)

    assert parts[0] == first_frame(source)
    assert done.wait(TIMEOUT)
    assert isinstance(first_frame(source), Message)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "camera.http_status"),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n", "camera.http_status"),
        (b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", "camera.no_password"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>", "camera.no_pictures"),
        (STREAM.replace(b"boundary=fence", b""), "camera.bad_stream"),
        (STREAM + b"x" * 20_000, "camera.bad_stream"),
        (STREAM, "camera.stream_ended"),
        (b"nonsense\r\n\r\n", "camera.no_answer"),
        (b"", "camera.no_answer"),
        (STREAM + b"--fence\r\nContent-Length: 999999999\r\n\r\n", "scan.too_many_bytes"),
        (JPEG + b"\r\n" + b"x" * (MAX_UPLOAD_BYTES + 1), "scan.too_many_bytes"),
    ],
    ids=[
        "not found", "elsewhere", "password", "text", "no boundary", "no part", "ended", "nonsense",
        "nothing", "announced as too large", "too large",
    ],
)  # fmt: skip
def test_a_bad_answer_is_reported(sources: Sources, answer: bytes, code: str) -> None:
    """A bad response gives one sentence that names the camera without its path and login; the next
    good response is read.
    """
    read = threading.Event()

    def respond(connection: socket.socket, number: int) -> None:
        # A frame that has come is read before a message.
        assert number == 0 or read.wait(TIMEOUT)
        connection.sendall(jpeg_response(b"good\xff\xd9") if number else answer)

    sender, source = sources.watch(respond)

    message = first_frame(source)
    read.set()
    assert isinstance(message, Message)
    assert code == message.code
    assert message.params.get("address") in (None, sender.address.removesuffix("/shot.jpg?size=5"))
    assert b"good\xff\xd9" == first_frame(source, lambda frame: isinstance(frame, bytes))


@pytest.mark.slow
def test_slow_senders_are_given_up(sources: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sender that is silent, and one that sends a byte at a time, time out; the next connection
    is read.
    """
    monkeypatch.setattr(http_source, "SILENCE_TIMEOUT", 0.2)
    monkeypatch.setattr(http_source, "HTTP_FRAME_TIMEOUT", 0.5)
    released = threading.Event()

    def answer(connection: socket.socket, number: int) -> None:
        if number == 0:
            released.wait(1)
        elif number == 1:
            for byte in JPEG + b"X: " + b"x" * 60_000:
                connection.sendall(bytes([byte]))
                released.wait(0.01)
        else:
            connection.sendall(jpeg_response(b"good\xff\xd9"))

    sender, source = sources.watch(answer)

    assert b"good\xff\xd9" == first_frame(source, lambda frame: isinstance(frame, bytes))
    released.set()
    assert 3 <= len(sender.requests)


def test_only_private_networks() -> None:
    """An address on the internet is refused before a byte is sent to it, unless the settings allow
    it.
    """
    for address in ("127.0.0.1", "10.1.2.3", "192.168.1.5", "169.254.3.4", "fd00::1", "fe80::1%2"):
        assert is_on_this_network(address), address
    for address in ("8.8.8.8", "2001:4860:4860::8888", "::ffff:8.8.8.8"):
        assert not is_on_this_network(address), address

    source = open_frame_source(CameraSettings(source="http://8.8.8.8/x"), time.monotonic)
    assert isinstance(source, HttpSource)
    message = first_frame(source)
    source.close()
    assert Message("camera.public_address", {"address": "http://8.8.8.8:80"}) == message


def test_a_server_that_is_not_there(sources: Sources) -> None:
    """A refused connection is reported with the reason."""
    free = socket.create_server(("127.0.0.1", 0))
    port = free.getsockname()[1]
    free.close()
    address = CameraSettings(source=f"http://127.0.0.1:{port}").address()
    message = first_frame(sources.source(address))

    assert isinstance(message, Message)
    assert ("camera.no_answer", "Connection refused") == (message.code, message.params["why"])
