"""Encode the streams: public updates as server-sent events, a seat's lines half encrypted.

Nothing here depends on anything private: a stream writes at each public update and at each
heartbeat, and each line of a seat has one frame of one size.
"""

from __future__ import annotations

import base64
from collections import deque
from collections.abc import Callable, Iterator

import msgspec

from companion.locks import LockRank, make_lock
from companion.table.broadcast import Subscription, Update

HEARTBEAT_SECONDS = 15.0
"""Seconds between heartbeats, at the same moments for all streams."""
RETRY = b"retry: 1000\n\n"
PING = b": ping\n\n"

SealFrame = Callable[[int], tuple[bytes, bool]]
"""Returns the encrypted frame with this number, always of one size, and whether it is the last."""


class UpdateEncoder:
    """Encode each update once for all listeners. Thread-safe."""

    def __init__(self) -> None:
        self._lock = make_lock(LockRank.STREAM_ENCODER)
        # Holds the updates: an object's id is only unique during its lifetime.
        self._recent: deque[tuple[Update, bytes]] = deque(maxlen=8)

    def encode(self, update: Update) -> bytes:
        """Return {"snapshot", "events"} as one line of JSON."""
        with self._lock:
            for known, encoded in self._recent:
                if known is update:
                    return encoded
            encoded = to_json({"snapshot": update.snapshot, "events": update.events})
            self._recent.append((update, encoded))
            return encoded


def to_json(value: object) -> bytes:
    """Return a value as one line of JSON in UTF-8."""
    return msgspec.json.encode(value)


def updates(subscription: Subscription) -> Iterator[Update | None]:
    """Yield each update, and None at each heartbeat, until the subscription ends."""
    while True:
        update = subscription.get()
        if update is None and subscription.closed:
            return
        yield update


def public_stream(subscription: Subscription, encoder: UpdateEncoder) -> Iterator[bytes]:
    """Yield server-sent events, each with the whole snapshot; `id` is the public position."""
    yield RETRY
    for update in updates(subscription):
        yield PING if update is None else sse_message(update, encoder)


def sse_message(update: Update, encoder: UpdateEncoder) -> bytes:
    """Return one update as a server-sent event."""
    position: int = update.snapshot["position"]
    return b"id: %d\ndata: %b\n\n" % (position, encoder.encode(update))


def seat_stream(
    subscription: Subscription, encoder: UpdateEncoder, frame: SealFrame
) -> Iterator[bytes]:
    """Yield JSON lines {"id", "update", "box"}: `update` is null at a heartbeat, `box` a frame."""
    position = 0
    for count, update in enumerate(updates(subscription)):
        clear = b"null"
        if update is not None:
            clear, position = encoder.encode(update), update.snapshot["position"]
        box, is_last = frame(count)
        yield b'{"id":%d,"update":%b,"box":"%b"}\n' % (position, clear, base64.b64encode(box))
        if is_last:
            return


def last_event_id(header: str | None, query: str | None) -> int | None:
    """Return the position of the last event that a listener has, None without a valid one."""
    text = header if header is not None else query
    return (
        int(text)
        if text is not None and text.isascii() and text.isdigit() and len(text) < 16
        else None
    )
