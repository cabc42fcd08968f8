"""Send requests to a board on an open port, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle

from companion.sensors.serial.frames import DELIMITER, FrameDecoder, FrameError, encode_frame
from companion.sensors.serial.messages import (
    BoardFault,
    Done,
    Hello,
    HelloReply,
    Nak,
    Pong,
    Presence,
    ScanEnd,
    TagPart,
    WireMessage,
    parse_message,
)
from companion.sensors.serial.ports import Port, transfer

ANSWER = 1.0
"""Seconds to wait for a response."""
HELLOS = 5
"""Tries of HELLO: some modules need seconds after their port was opened."""


class BoardError(OSError):
    """Error raised when the board does not answer, or refuses."""


class BoardClient:
    """A board on an open port. `faults`: those it has reported so far."""

    def __init__(self, port: Port, monotonic: Callable[[], float]) -> None:
        self._port, self._now = port, monotonic
        self._decoder = FrameDecoder()
        self._numbers = cycle(range(1, 256))
        self.faults: list[BoardFault] = []

    def receive(self, seconds: float) -> Iterator[tuple[int, WireMessage]]:
        """Yield (seq, message) received within `seconds`; skip damaged frames."""
        until = self._now() + seconds
        while (left := until - self._now()) > 0:
            self._decoder.receive(transfer(self._port, b"", min(left, 0.05)))
            yield from self._whole()

    def _whole(self) -> Iterator[tuple[int, WireMessage]]:
        while True:
            try:
                frame = self._decoder.next_frame()
                if frame is None:
                    return
                message = parse_message(frame)
            except FrameError:
                continue
            if isinstance(message, BoardFault):
                self.faults.append(message)
            yield frame.seq, message

    def ask(self, request: WireMessage, seconds: float = ANSWER) -> list[WireMessage]:
        """Send a request and return its response; of a scan all parts and the end.

        Raises `BoardError` if none comes in time.
        """
        number = next(self._numbers)
        self._port.write(DELIMITER + encode_frame(request.frame(number)))
        answers: list[WireMessage] = []
        for seq, message in self.receive(seconds):
            if isinstance(message, Nak):
                raise BoardError(f"the board refuses {type(request).__name__}: code {message.code}")
            if seq == number and isinstance(
                message, HelloReply | Pong | Presence | Done | TagPart | ScanEnd
            ):
                answers.append(message)
                if not isinstance(message, TagPart):
                    return answers
        raise BoardError(f"no answer to {type(request).__name__} within {seconds:g} s")

    def hello(self, tries: int = HELLOS) -> HelloReply:
        """Return the board's identity; raise `BoardError` without an answer."""
        for _ in range(tries):
            try:
                answer = self.ask(Hello())[-1]
            except BoardError:
                continue
            if isinstance(answer, HelloReply):
                return answer
        raise BoardError(
            "no board answers here: is the firmware flashed, and is it the right port?"
        )
