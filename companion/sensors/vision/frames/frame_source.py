"""Sources of camera frames: their interface, and a base for those that wait for each frame."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from threading import Event, Thread
from typing import Protocol

from companion.core.game import Message
from companion.sensors.sensor_source import FailureLog

RETRY_PAUSE = 2.0
"""Seconds after a failure until a source is tried again."""
CLOSE_TIMEOUT = 2.0
"""Seconds to wait for a source's thread at the end; it may wait for a name server."""


class Unchanged:
    """The kind of `UNCHANGED`: the view is still that of the last frame."""


UNCHANGED = Unchanged()


class FrameSource(Protocol):
    """A camera's frames, made as `Frames(address, *, every, monotonic, …)`: s, and the clock."""

    def newest(self) -> bytes | Message | Unchanged | None:
        """Return the newest unread frame, None without one, or why there will be none."""

    def wait(self, seconds: float) -> None:
        """Return when a frame may have come, after `seconds` at the latest."""

    def close(self) -> None:
        """Stop the source."""


class SourceFailed(Exception):
    """Error raised when a source ends, with the reason for people."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.code)
        self.message = message


class BackgroundSource(ABC):
    """Reads frames on a thread of its own, and keeps the newest one.

    The thread starts with the first `newest`. A reader that ended or failed starts again, whatever
    the error.
    `every`: least seconds from frame to frame; frames between are dropped.
    """

    def __init__(self, *, every: float, monotonic: Callable[[], float]) -> None:
        self._every = every
        self._monotonic = monotonic
        self._frames: deque[bytes] = deque(maxlen=1)
        self._problems: deque[Message] = deque(maxlen=1)
        self._failures = FailureLog(monotonic)
        self._next = monotonic()
        self._deadline: float | None = None
        self._closing = Event()
        self._arrived = Event()
        self._thread = Thread(target=self._run, name="camera-source", daemon=True)
        self._started = False

    def newest(self) -> bytes | Message | None:
        if not self._started:
            self._started = True
            self._thread.start()
        if self._deadline is not None and self._monotonic() > self._deadline:
            self._interrupt()
        for newest in (self._frames, self._problems):
            # Only this thread takes from them.
            if newest:
                return newest.pop()
        return None

    def wait(self, seconds: float) -> None:
        self._arrived.wait(seconds)
        self._arrived.clear()

    def close(self) -> None:
        self._closing.set()
        self._interrupt()
        if self._started:
            self._thread.join(CLOSE_TIMEOUT)

    @abstractmethod
    def _read(self) -> None:
        """Read frames until the source ends; give each to `_keep`. Raise `SourceFailed`."""

    @abstractmethod
    def _interrupt(self) -> None:
        """Make `_read` end soon. Called from other threads, more than once."""

    def _keep(self, frame: bytes) -> None:
        """Keep a frame as the newest one, unless the last one is younger than `every`."""
        now = self._monotonic()
        if now >= self._next:
            self._next = now + self._every
            self._frames.append(frame)
            self._arrived.set()

    def _allow(self, seconds: float | None) -> None:
        """Interrupt the reader after `seconds` from now; None: never."""
        self._deadline = None if seconds is None else self._monotonic() + seconds

    def _run(self) -> None:
        while not self._closing.is_set():
            pause = self._every
            try:
                self._read()
            except SourceFailed as failed:
                self._problems.append(failed.message)
                pause = RETRY_PAUSE
            except Exception as wrong:
                self._failures.add("a camera's source", wrong)
                self._problems.append(Message("camera.failed"))
                pause = RETRY_PAUSE
            self._allow(None)
            self._closing.wait(pause)
