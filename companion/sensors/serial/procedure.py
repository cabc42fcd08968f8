"""What an identity board is asked in place of what lies on it: which tag is which thing, how loud
its loops are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from companion.sensors.serial.messages import Calibrate, Scan, TagRecord, WireMessage


class Procedure(ABC):
    """What a `TagPoller` asks while this is under way.

    Without I/O; `over` once nothing more is to be asked.
    """

    over: bool = False

    @abstractmethod
    def wanted(self) -> WireMessage:
        """Return what to ask next."""

    @abstractmethod
    def scanned(self, asked: Scan | Calibrate, records: Sequence[TagRecord]) -> None:
        """Take a whole scan."""

    @abstractmethod
    def answered(self, asked: WireMessage) -> None:
        """What was asked, and was no scan, is done."""

    @abstractmethod
    def refused(self, asked: WireMessage) -> None:
        """What was asked is refused, or was asked in vain: it is asked again if it is still
        wanted.
        """
