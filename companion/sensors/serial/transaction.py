"""One outstanding request with up to three tries under one sequence number."""

from __future__ import annotations

from companion.sensors.link import Timing
from companion.sensors.serial.frames import Frame, encode_frame
from companion.sensors.serial.messages import Calibrate, Nak, Scan, WireMessage

TRIES = 3


class RequestTracker:
    """Tracks the outstanding request, without I/O."""

    def __init__(self, timing: Timing) -> None:
        self.request: WireMessage | None = None
        self.retries = 0
        self.unanswered = 0
        self._timing = timing
        self._seq = 0
        self._tries = 0
        self._due = 0.0

    @property
    def seq(self) -> int:
        """The sequence number of the last request."""
        return self._seq

    def send(self, request: WireMessage, now: float) -> Frame:
        """Return the frame of a new request; only without an outstanding one."""
        if self.request is not None:
            raise ValueError(f"{self.request} is still outstanding")
        self.request = request
        self._seq = self._seq % 255 + 1
        self._tries = 1
        return self._frame(now)

    def expects(self, frame: Frame) -> bool:
        """Return whether a frame answers the outstanding request."""
        return self.request is not None and frame.seq == self._seq

    def complete(self) -> None:
        """Drop the request: it is answered or no longer wanted."""
        self.request = None

    def handle_nak(self, nak: Nak, now: float) -> None:
        """Retry a damaged or busy request soon; drop one that the board does not support."""
        if nak.code in (Nak.UNKNOWN, Nak.ARGUMENTS):
            self.complete()
        else:
            self._due = min(self._due, now + (0.0 if nak.code == Nak.CRC else self._timing.answer))

    def retry_now(self, now: float) -> None:
        """Retry at the next `retry`: the answer was incomplete."""
        self._due = now

    def retry(self, now: float) -> Frame | None:
        """Return the frame again after its timeout, None before it or after the last try."""
        if self.request is None or now < self._due:
            return None
        if self._tries >= TRIES:
            self.unanswered += 1
            self.complete()
            return None
        self._tries += 1
        self.retries += 1
        return self._frame(now)

    def _frame(self, now: float) -> Frame:
        assert self.request is not None
        slow = isinstance(self.request, Scan | Calibrate)
        self._due = now + (self._timing.scan if slow else self._timing.answer)
        return self.request.frame(self._seq)


def to_wire(frame: Frame) -> bytes:
    """Return a frame's bytes behind a delimiter, so that earlier noise cannot damage it."""
    return b"\x00" + encode_frame(frame)
