"""Putting a scan together from its parts, and proving that it is whole."""

from __future__ import annotations

import zlib

from companion.sensors.serial.message import TagRecord
from companion.sensors.serial.responses import ScanEnd, TagPart


def records_crc(records: tuple[TagRecord, ...], before: bytes = b"") -> int:
    """Return the CRC-32 over `before` and then the records in order."""
    return zlib.crc32(b"".join(record.pack() for record in records), zlib.crc32(before))


class ScanAssembler:
    """The parts of the one scan that is being received; a part of another scan begins anew."""

    def __init__(self) -> None:
        self._scan: tuple[int, int] | None = None
        self._parts: dict[int, tuple[TagRecord, ...]] = {}

    def add(self, part: TagPart) -> None:
        """Keep a part; the same part twice is one."""
        if self._scan != (part.boot, part.scan):
            self._scan, self._parts = (part.boot, part.scan), {}
        self._parts[part.part] = part.records

    def finish(self, end: ScanEnd) -> tuple[TagRecord, ...] | None:
        """Return the scan's records in order, None unless every part of this very scan has
        arrived.
        """
        if end.parts and self._scan != (end.boot, end.scan):
            return None
        parts = [self._parts.get(number) for number in range(end.parts)]
        records = tuple(record for part in parts for record in part or ())
        whole = (
            None not in parts and len(records) == end.count and records_crc(records) == end.scan_crc
        )
        return records if whole else None
