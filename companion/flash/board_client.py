"""Ask for a board's greeting on an open port."""

from __future__ import annotations

from collections.abc import Callable

from companion.sensors.serial.lines import Greeting, LineDecoder
from companion.sensors.serial.ports import Port, transfer
from companion.sensors.serial.session import ASK

ANSWER = 0.5
"""Seconds to wait for the greeting before asking again."""
TRIES = 12
"""A module that was reset by opening its port may stay in its bootloader for some seconds."""


def read_greeting(
    port: Port, monotonic: Callable[[], float], tries: int = TRIES
) -> Greeting | None:
    """Return the board's greeting, None without an answer; raise OSError when the port is lost."""
    decoder = LineDecoder()
    for _ in range(tries):
        until, out = monotonic() + ANSWER, ASK
        while (wait := until - monotonic()) > 0:
            for line in decoder.receive(transfer(port, out, wait)):
                if isinstance(line, Greeting):
                    return line
            out = b""
    return None
