"""A sensor source: a device that a thread of its own reads until it is closed.

docs/new-sensor.md says how to write one.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from threading import Event, Thread
from typing import ClassVar

from msgspec.structs import replace

from companion.core.game import Message
from companion.core.text import describe_error
from companion.sensors.link import Link, LinkState

LOG_AGAIN = 3600.0
"""Seconds until the log has the same failure once more: one that repeats must not fill a disk."""
_logger = logging.getLogger(__name__)


class FailureLog:
    """Logs each failure of one device once in `LOG_AGAIN`. For one thread."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._logged: dict[str, float] = {}

    def add(self, device: object, wrong: Exception) -> None:
        """Log an error without its text and values, unless it is the same as a moment ago."""
        now, failure = self._monotonic(), describe_error(wrong)
        self._logged = {old: at for old, at in self._logged.items() if now - at < LOG_AGAIN}
        if failure not in self._logged:
            self._logged[failure] = now
            _logger.error("%s failed: %s", device, failure)


RETRY_FIRST, RETRY_MOST = 0.5, 30.0
"""Seconds until a source that failed starts again: twice as many after each further failure, and
the first ones again after `RETRY_MOST` without a failure.
"""


class SensorSource(ABC):
    """One device, read on a thread of its own.

    Made as `Source(address, *, monotonic, on_link, …)`: what names the device, then by keyword the
    clock (s), the callbacks and what this kind needs besides. `on_link` gets each change of the
    connection, which names the `source`. All callbacks run on the source's thread, never two at a
    time.

    An exception that `_read` lets through, its callbacks' included, never ends the source: the log
    has it once an hour, people read the message `failed`, and `_read` is called again after
    a pause.
    """

    failed: ClassVar[str]
    """The code of the message for people after an error of the program."""

    def __init__(
        self,
        address: str,
        *,
        monotonic: Callable[[], float],
        on_link: Callable[[Link], None],
        source: str = "",
    ) -> None:
        self._address = address
        self._monotonic = monotonic
        self._on_link = on_link
        self._link = Link("searching", port=address, source=source)
        self._closing = Event()
        self._failures = FailureLog(monotonic)
        self._thread = Thread(target=self._run, name=type(self).__name__, daemon=True)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._address!r}, {self.link.state})"

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop; returns when the device is closed. Not to be called from a callback."""
        self._closing.set()
        self._interrupt()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def link(self) -> Link:
        """The connection now."""
        return self._link

    @abstractmethod
    def _read(self) -> None:
        """Open the device and read it, again whenever it is lost, until `_closing` is set."""

    def _show_failure(self, message: Message) -> None:
        """Change the link to silent with this message, and pass it on."""
        self._change_link("silent", message)

    def _change_link(self, state: LinkState, message: Message | None = None) -> None:
        """Change the connection, and pass it on if it is another one."""
        link = replace(self._link, state=state, message=message)
        if link != self._link:
            self._link = link
            self._on_link(link)

    def _interrupt(self) -> None:
        """End a wait of `_read` soon; called from other threads. By default there is none."""
        return

    def _wait_for_change(
        self, pause: float, step: float, look: Callable[[], object], known: object
    ) -> bool:
        """Wait before the next attempt; return True as soon as `look`, called each `step` seconds,
        returns something else than `known`.
        """
        until = self._monotonic() + pause
        while self._monotonic() < until and not self._closing.wait(step):
            if look() != known:
                return True
        return False

    def _run(self) -> None:
        pause = RETRY_FIRST
        while not self._closing.is_set():
            began = self._monotonic()
            try:
                self._read()
            except Exception as wrong:
                if self._monotonic() - began >= RETRY_MOST:
                    pause = RETRY_FIRST
                self._report(wrong)
                self._closing.wait(pause)
                pause = min(2 * pause, RETRY_MOST)

    def _report(self, wrong: Exception) -> None:
        self._failures.add(self, wrong)
        try:
            self._show_failure(Message(self.failed))
        except Exception as again:
            # A callback that fails must not end the thread either.
            self._failures.add(self, again)
