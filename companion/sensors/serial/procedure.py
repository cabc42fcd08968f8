"""Procedures on an identity board instead of polling: registration and calibration."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from companion.sensors.serial.messages import Calibrate, Scan, TagRecord, WireMessage


class Procedure(ABC):
    """Requests that a `TagPoller` sends instead of polling, without I/O.

    `over` once there are no more requests.
    """

    over: bool = False

    @abstractmethod
    def next_request(self) -> WireMessage:
        """Return the next request."""

    @abstractmethod
    def take_scan(self, asked: Scan | Calibrate, records: Sequence[TagRecord]) -> None:
        """Take a whole scan."""

    @abstractmethod
    def request_done(self, asked: WireMessage) -> None:
        """Handle a request, not a scan, that is done."""

    @abstractmethod
    def request_refused(self, asked: WireMessage) -> None:
        """Handle a request that was refused or not answered; it may be repeated."""
