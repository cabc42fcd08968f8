"""Who sends a connection's bytes: the worker that has them, and the server's loop what is left."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from waitress.adjustments import Adjustments  # type: ignore[import-untyped]

from companion.server.http.timeouts import TimeoutChannel

WATERMARK = 100
LONG = 10_000
"""Bytes of an update that waitress keeps in a buffer, as V-Wars' are; shorter ones it does not."""


class Loop:
    """The server's loop as a channel sees it; `asked` is whether the channel had it write each time
    that it was woken.
    """

    def __init__(self) -> None:
        self.active_channels: dict[int, TimeoutChannel] = {}
        self.asked: list[bool] = []

    def monotonic(self) -> float:
        return 0.0

    def pull_trigger(self) -> None:
        self.asked += [channel.writable() for channel in self.active_channels.values()]


class FullChannel(TimeoutChannel):
    """A channel whose socket takes `room` bytes more; `asked` is whether it had the loop write each
    time that a worker sent.
    """

    def __init__(self, *arguments: Any, room: int) -> None:
        self.asked: list[bool] = []
        self.room = room
        super().__init__(*arguments)

    def send(self, data: bytes, do_close: bool = True) -> int:
        self.asked.append(self.writable())
        taken = min(self.room, len(data))
        self.room -= taken
        return taken


@pytest.fixture
def near() -> Iterator[socket.socket]:
    near, far = socket.socketpair()
    with near, far:
        yield near


def channel_of(
    near: socket.socket, room: int, watermark: int = WATERMARK
) -> tuple[FullChannel, Loop]:
    loop, adjustments = Loop(), Adjustments(outbuf_high_watermark=watermark)
    return FullChannel(loop, near, ("127.0.0.1", 1), adjustments, {}, room=room), loop


def test_the_loop_rests_while_a_worker_sends(near: socket.socket) -> None:
    """A socket that takes everything is the worker's alone: the loop, which would find it writable
    again and again, is neither asked to write nor woken.
    """
    channel, loop = channel_of(near, room=WATERMARK)
    channel.write_soon(b"x" * WATERMARK)

    assert ([False], [], False) == (channel.asked, loop.asked, channel.writable())


def test_the_loop_sends_what_is_left(near: socket.socket) -> None:
    """What the socket does not take is left to the loop, which is woken when the worker is done."""
    channel, loop = channel_of(near, room=1)
    channel.write_soon(b"xy")

    assert [False, False] == channel.asked
    assert (True, True) == (loop.asked[-1], channel.writable())


def test_a_worker_with_too_many_bytes_waits_for_the_loop(near: socket.socket) -> None:
    """Above the watermark a worker sleeps until the loop has sent, so the loop must write."""
    channel, _ = channel_of(near, room=0)
    channel.write_soon(b"x" * (WATERMARK + 1))

    assert [True] == channel.asked


def test_what_was_sent_is_not_kept(near: socket.socket) -> None:
    """After many updates a stream's buffers hold no more than the last one."""
    channel, _ = channel_of(near, room=10 * LONG, watermark=100 * LONG)
    for _ in range(10):
        channel.write_soon(b"x" * LONG)

    assert LONG >= sum(len(buffer.getfile().getvalue()) for buffer in channel.outbufs)
