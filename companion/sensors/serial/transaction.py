"""One request at a time: three tries under the same number, then it is given up."""

from __future__ import annotations

from companion.sensors.link import Timing
from companion.sensors.serial.frames import Frame, encode_frame
from companion.sensors.serial.messages import Calibrate, Nak, Scan, WireMessage

TRIES = 3


class RequestTracker:
    """Keeps the one request that is outstanding.

    Without I/O: returns the bytes to write; time is handed in.
    """

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
        """The number of the outstanding request, or of the last one."""
        return self._seq

    def send(self, request: WireMessage, now: float) -> Frame:
        """Return the frame of a new request. Only when there is none outstanding."""
        if self.request is not None:
            raise ValueError(f"{self.request} is still outstanding")
        self.request = request
        self._seq = self._seq % 255 + 1
        self._tries = 1
        return self._frame(now)

    def expects(self, frame: Frame) -> bool:
        """Return whether the frame is under the number of the outstanding request."""
        return self.request is not None and frame.seq == self._seq

    def done(self) -> None:
        """The request is answered, or no longer wanted."""
        self.request = None

    def refused(self, nak: Nak, now: float) -> None:
        """Note a NAK: a damaged or busy request is tried again soon, one not understood is given
        up.
        """
        if nak.code in (Nak.UNKNOWN, Nak.ARGUMENTS):
            self.done()
        else:
            self._due = min(self._due, now + (0.0 if nak.code == Nak.CRC else self._timing.answer))

    def again_now(self, now: float) -> None:
        """The answer came incomplete: ask again at the next `again`."""
        self._due = now

    def again(self, now: float) -> Frame | None:
        """Return the frame once more if its time is over, None if it is not or if it was tried
        often enough.
        """
        if self.request is None or now < self._due:
            return None
        if self._tries >= TRIES:
            self.unanswered += 1
            self.done()
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
    """Return a frame's bytes behind a delimiter, so that noise before it cannot take it along."""
    return b"\x00" + encode_frame(frame)
