"""Receive camera frames from a spare phone. One frame is held, in memory, until it is decoded."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from msgspec import Struct

from companion.core.game import GameError, Message
from companion.core.placement import Cell, Pawn
from companion.locks import LockRank, make_lock
from companion.sensors.vision.frame import FrameResult
from companion.sensors.vision.frames.frame_source import UNCHANGED, Unchanged

MAX_FRAME_BYTES = 4 * 1024 * 1024
MIN_FRAME_INTERVAL = 0.1
"""Least seconds between two frames: about the reading time of one."""


class CameraRefused(GameError, RuntimeError):
    """Error raised while a phone's frames are refused."""

    code = "camera_refused"


class FrameReading(Struct, frozen=True):
    """The table's reading of the last frame. `count`: frames read so far. `tiles`: number of tiles.

    With a `problem` the rest is empty.
    """

    count: int
    tiles: int
    pawns: tuple[Pawn, ...]
    covered: tuple[Cell, ...]
    problem: Message | None


class PhoneSource:
    """The newest frame of the paired phone. Thread-safe.

    `refusal` returns why no phone may send frames now, None if one may. `on_first` runs after the
    first frame, on the thread that received it.
    """

    def __init__(
        self, *, monotonic: Callable[[], float], refusal: Callable[[], Message | None]
    ) -> None:
        self.on_first: Callable[[], None] = lambda: None
        self.reading: FrameReading | None = None
        self._refusal = refusal
        self._monotonic = monotonic
        self._lock = make_lock(LockRank.PHONE_FRAMES)
        self._frame: bytes | None = None
        self._unchanged = False
        self._arrived = Event()
        self._used = False
        self._admitted = monotonic() - MIN_FRAME_INTERVAL

    def check(self) -> None:
        """Raise `CameraRefused` while no phone may send frames."""
        if (why := self._refusal()) is not None:
            raise CameraRefused(why.code, **why.params)

    def admit(self) -> bool:
        """Return whether a frame may be sent now, and count it; none while one waits to be read."""
        with self._lock:
            now = self._monotonic()
            if self._frame is not None or now - self._admitted < MIN_FRAME_INTERVAL:
                return False
            self._admitted = now
            return True

    def put(self, frame: bytes) -> None:
        """Replace the frame that waits."""
        with self._lock:
            self._frame, self._unchanged = frame, False
            first, self._used = not self._used, True
        self._arrived.set()
        if first:
            self.on_first()

    def confirm(self) -> None:
        """Record that the phone's last frame still holds."""
        with self._lock:
            self._unchanged = True
        self._arrived.set()

    def newest(self) -> bytes | Message | Unchanged | None:
        with self._lock:
            frame, self._frame = self._frame, None
            unchanged, self._unchanged = self._unchanged, False
        return frame if frame is not None else UNCHANGED if unchanged else None

    def wait(self, seconds: float) -> None:
        """Return when the phone has sent something, after `seconds` at the latest."""
        self._arrived.wait(seconds)
        self._arrived.clear()

    def close(self) -> None:
        """Do nothing."""

    def show(self, result: FrameResult, covered: frozenset[Cell]) -> None:
        """Store the reading of a frame."""
        count = 1 if self.reading is None else self.reading.count + 1
        pawns, hidden = tuple(sorted(result.pawns)), tuple(sorted(covered))
        self.reading = FrameReading(count, len(result.tiles), pawns, hidden, result.problem)
