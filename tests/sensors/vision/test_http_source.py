"""Pictures from an http address: a real server on this machine sends them, well and badly."""

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
from companion.sensors.vision.frames.http_source import HttpSource, is_private
from companion.sensors.vision.frames.open_frame_source import open_frame_source
from companion.sensors.vision.sandbox import MAX_PHOTO_BYTES
from tests.sensors.vision.test_multipart import body

TIMEOUT = 60.0
"""Seconds; nothing is asserted about time."""
JPEG = b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n"
STREAM = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=fence\r\n\r\n"

Answer = Callable[[socket.socket, int], None]
"""Answers one connection, by its number."""


class Sender:
    """A server on this machine that answers each connection with the test's bytes."""

    def __init__(self, answer: Answer) -> None:
        self.asked: list[bytes] = []
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
                connected, _ = self._listening.accept()
            except OSError:
                return
            with connected:
                self.asked.append(connected.recv(4096))
                try:
                    self._answer(connected, number)
                except OSError:
                    continue


def sends(*answers: bytes) -> Answer:
    """Send one answer a connection, the last one again and again."""

    def answer(connected: socket.socket, number: int) -> None:
        connected.sendall(answers[min(number, len(answers) - 1)])

    return answer


def whole(picture: bytes) -> bytes:
    """Return the answer with one picture."""
    return JPEG + f"Content-Length: {len(picture)}\r\n\r\n".encode() + picture


class Opened:
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
        source = HttpSource(address, every, time.monotonic)
        self._open += [source, *more]
        return source

    def close(self) -> None:
        for each in self._open:
            each.close()


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[Opened]:
    monkeypatch.setattr(frame_source, "RETRY_PAUSE", 0.01)
    opened = Opened()
    yield opened
    opened.close()


def first(source: HttpSource, wanted: Callable[[object], bool] = bool) -> bytes | Message:
    """Return the first frame or problem that is wanted."""
    end = time.monotonic() + TIMEOUT
    while not (found := source.newest()) or not wanted(found):
        assert time.monotonic() < end
        time.sleep(0.005)
    return found


def test_single_pictures(opened: Opened) -> None:
    """An address that gives one picture is requested again and again, and every picture is taken;
    the path, the query and the login go to the camera.
    """
    taken = threading.Event()

    def answer(connected: socket.socket, number: int) -> None:
        assert number == 0 or taken.wait(TIMEOUT)
        connected.sendall(whole(b"2\xff\xd9" if number else b"1\xff\xd9"))

    sender = Sender(answer)
    named = sender.address.replace("//", "//me:p%40ss@")
    source = opened.source(CameraSettings(source=named).address(), sender)

    assert b"1\xff\xd9" == first(source)
    taken.set()
    assert b"2\xff\xd9" == first(source)
    assert b"GET /shot.jpg?size=5 HTTP/1.1" == sender.asked[0].splitlines()[0]
    assert b"Authorization: Basic bWU6cEBzcw==" in sender.asked[0].splitlines()


@pytest.mark.parametrize("lengths", [True, False])
def test_a_stream(opened: Opened, lengths: bool) -> None:
    """The pictures of a stream are taken as they come; when it ends, it is opened again."""
    taken = threading.Event()

    def answer(connected: socket.socket, number: int) -> None:
        assert number == 0 or taken.wait(TIMEOUT)
        part = b"2\xff\xd9" if number else b"1\xff\xd9"
        connected.sendall(STREAM + body([part], lengths=lengths))

    sender, source = opened.watch(answer)

    assert b"1\xff\xd9" == first(source)
    taken.set()
    assert b"2\xff\xd9" == first(source, lambda found: isinstance(found, bytes))
    assert 2 <= len(sender.asked)


def test_frames_between_are_dropped(opened: Opened) -> None:
    """A stream that is faster than `every` gives one picture in that time, and not the backlog."""
    parts = [f"{number}\xff\xd9".encode("latin-1") for number in range(50)]
    done = threading.Event()

    def answer(connected: socket.socket, _: int) -> None:
        connected.sendall(STREAM + body(parts, lengths=True))
        done.set()

    _, source = opened.watch(answer, every=600)

    assert parts[0] == first(source)
    assert done.wait(TIMEOUT)
    assert isinstance(first(source), Message)


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
        (JPEG + b"\r\n" + b"x" * (MAX_PHOTO_BYTES + 1), "scan.too_many_bytes"),
    ],
)
def test_a_bad_answer_is_reported(opened: Opened, answer: bytes, code: str) -> None:
    """A bad answer gives one sentence, which names the camera without its path and login; the next
    good answer is taken.
    """
    sender, source = opened.watch(sends(answer, whole(b"good\xff\xd9")))

    message = first(source)
    assert isinstance(message, Message)
    assert code == message.code
    assert message.params.get("address") in (None, sender.address.removesuffix("/shot.jpg?size=5"))
    assert b"good\xff\xd9" == first(source, lambda found: isinstance(found, bytes))


def test_slow_senders_are_given_up(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sender that is silent, and one that drips a byte at a time, are given up; the next
    connection is taken.
    """
    monkeypatch.setattr(http_source, "SILENCE_TIMEOUT", 0.2)
    monkeypatch.setattr(http_source, "HTTP_FRAME_TIMEOUT", 0.5)
    released = threading.Event()

    def answer(connected: socket.socket, number: int) -> None:
        if number == 0:
            released.wait(1)
        elif number == 1:
            for byte in JPEG + b"X: " + b"x" * 60_000:
                connected.sendall(bytes([byte]))
                released.wait(0.01)
        else:
            connected.sendall(whole(b"good\xff\xd9"))

    sender, source = opened.watch(answer)

    assert b"good\xff\xd9" == first(source, lambda found: isinstance(found, bytes))
    released.set()
    assert 3 <= len(sender.asked)


def test_only_private_networks() -> None:
    """An address on the internet is refused before a byte is sent to it, unless that is allowed."""
    for address in ("127.0.0.1", "10.1.2.3", "192.168.1.5", "169.254.3.4", "fd00::1", "fe80::1%2"):
        assert is_private(address), address
    for address in ("8.8.8.8", "2001:4860:4860::8888", "::ffff:8.8.8.8"):
        assert not is_private(address), address

    source = open_frame_source(CameraSettings(source="http://8.8.8.8/x"), time.monotonic)
    assert isinstance(source, HttpSource)
    message = first(source)
    source.close()
    assert Message("camera.public_address", {"address": "http://8.8.8.8:80"}) == message


def test_a_server_that_is_not_there(opened: Opened) -> None:
    """A refused connection is reported with the reason; once the camera is there its picture
    comes.
    """
    free = socket.create_server(("127.0.0.1", 0))
    port = free.getsockname()[1]
    free.close()
    address = CameraSettings(source=f"http://127.0.0.1:{port}").address()
    message = first(opened.source(address))

    assert isinstance(message, Message)
    assert ("camera.no_answer", "Connection refused") == (message.code, message.params["why"])
