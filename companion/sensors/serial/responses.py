"""What a board says: answers, under the seq of the request, and what it says by itself, under its
own counter.

`boot` is the board's count of its own starts: a change of it is a reset.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import Struct, pack, unpack
from typing import ClassVar

from companion.sensors.serial.message import MessageError, TagRecord, WireMessage
from companion.sensors.serial.requests import PROTOCOL_VERSION

MAX_RECORDS = 9


@dataclass(frozen=True)
class Boot(WireMessage):
    """The board has started; `cause` as its MCU names it: 1 power, 2 external, 4 brown-out, 8
    watchdog.
    """

    TYPE: ClassVar[int] = 0x80
    LAYOUT: ClassVar[str] = "<HBH"
    boot: int
    cause: int
    firmware: int

    BROWN_OUT: ClassVar[int] = 4
    WATCHDOG: ClassVar[int] = 8


@dataclass(frozen=True)
class HelloReply(WireMessage):
    """What the board is: geometry 0 square, 1 hexagonal; `firmware` 0x0102 is 1.2; `uptime_ms`
    since its start.
    """

    TYPE: ClassVar[int] = 0x81
    LAYOUT: ClassVar[str] = "<HBBBBBH8sHI"
    boot: int
    protocol: int
    geometry: int
    rows: int
    columns: int
    loops: int
    caps: int
    board_id: bytes
    firmware: int
    uptime_ms: int

    @classmethod
    def of_payload(cls, payload: bytes) -> WireMessage:
        """Return the reply, or `OtherProtocol` if the board speaks another version, whatever
        follows it.
        """
        if len(payload) >= 3 and payload[2] != PROTOCOL_VERSION:
            return OtherProtocol(payload[2])
        return super().of_payload(payload)


@dataclass(frozen=True)
class OtherProtocol(WireMessage):
    """A board's answer to HELLO in a version of the protocol that is not ours. Never sent."""

    TYPE: ClassVar[int] = 0x81
    protocol: int


@dataclass(frozen=True)
class Pong(WireMessage):
    """The same bytes as the `Ping`."""

    TYPE: ClassVar[int] = 0x82
    data: bytes = b""

    def payload(self) -> bytes:
        return self.data

    @classmethod
    def of_payload(cls, payload: bytes) -> WireMessage:
        return cls(payload)


@dataclass(frozen=True)
class Presence(WireMessage):
    """One bit a cell, 5 bytes, bit 7 of the first byte is cell 0: whether something stands
    there.
    """

    TYPE: ClassVar[int] = 0x83
    LAYOUT: ClassVar[str] = "<H5s"
    boot: int
    bits: bytes


@dataclass(frozen=True)
class CellEvent(WireMessage):
    """A cell's contact changed.

    A hint: only a `Presence` is believed. `t_ms` is the board's clock, modulo 2¹⁶.
    """

    TYPE: ClassVar[int] = 0x84
    LAYOUT: ClassVar[str] = "<HBBH"
    boot: int
    cell: int
    on: int
    t_ms: int


@dataclass(frozen=True)
class TagEvent(WireMessage):
    """A tag is new (1), moved (2) or gone (3). A hint that nothing depends on."""

    TYPE: ClassVar[int] = 0x85
    boot: int
    kind: int
    record: TagRecord

    def payload(self) -> bytes:
        return pack("<HB", self.boot, self.kind) + self.record.pack()

    @classmethod
    def of_payload(cls, payload: bytes) -> WireMessage:
        if len(payload) != 3 + TagRecord.SIZE:
            raise MessageError(f"TagEvent of {len(payload)} bytes")
        boot, kind = unpack("<HB", payload[:3])
        return cls(boot, kind, TagRecord.unpack(payload[3:]))


@dataclass(frozen=True)
class Button(WireMessage):
    """Button `n` went down (1) or up (0)."""

    TYPE: ClassVar[int] = 0x86
    LAYOUT: ClassVar[str] = "<HBB"
    boot: int
    n: int
    down: int


@dataclass(frozen=True)
class Done(WireMessage):
    """What the request asked for is done."""

    TYPE: ClassVar[int] = 0x8F


@dataclass(frozen=True)
class TagPart(WireMessage):
    """Part number `part`, from 0, of the scan: up to 9 tags."""

    TYPE: ClassVar[int] = 0x91
    boot: int
    scan: int
    part: int
    records: tuple[TagRecord, ...]

    _HEAD: ClassVar[Struct] = Struct("<HHB")

    def payload(self) -> bytes:
        return self._HEAD.pack(self.boot, self.scan, self.part) + b"".join(
            record.pack() for record in self.records
        )

    @classmethod
    def of_payload(cls, payload: bytes) -> WireMessage:
        count, rest = divmod(len(payload) - cls._HEAD.size, TagRecord.SIZE)
        if rest or not 0 <= count <= MAX_RECORDS:
            raise MessageError(f"TagPart of {len(payload)} bytes")
        starts = range(cls._HEAD.size, len(payload), TagRecord.SIZE)
        records = tuple(
            TagRecord.unpack(payload[start : start + TagRecord.SIZE]) for start in starts
        )
        boot, scan, part = cls._HEAD.unpack_from(payload)
        return cls(boot, scan, part, records)


@dataclass(frozen=True)
class ScanEnd(WireMessage):
    """The scan has ended: `parts` parts with `count` tags, whose records in order have the CRC-32
    `scan_crc`.

    One of `UNFINISHED_LOOPS` has none: not all was heard yet, and the next scan goes on with it.
    """

    TYPE: ClassVar[int] = 0x92
    LAYOUT: ClassVar[str] = "<HHBBBBHHHBI"
    boot: int
    scan: int
    parts: int
    count: int
    afi: int
    loops: int
    ms: int
    rounds: int
    collisions: int
    timeouts: int
    scan_crc: int


@dataclass(frozen=True)
class Heartbeat(WireMessage):
    """Every second: alive. `state_crc` is the CRC-32 of the presence bytes, if the board has them,
    and then of the records of the scan named, if there was one.
    """

    TYPE: ClassVar[int] = 0x93
    LAYOUT: ClassVar[str] = "<HIHIBB"
    boot: int
    uptime_ms: int
    scan: int
    state_crc: int
    crc_errors: int
    overruns: int


@dataclass(frozen=True)
class Nak(WireMessage):
    """The request was not acted upon: 1 its checksum was wrong (under seq 0), 2 unknown, 3 busy, 4
    arguments.
    """

    TYPE: ClassVar[int] = 0xFE
    LAYOUT: ClassVar[str] = "<BB"
    code: int
    detail: int = 0

    CRC: ClassVar[int] = 1
    UNKNOWN: ClassVar[int] = 2
    BUSY: ClassVar[int] = 3
    ARGUMENTS: ClassVar[int] = 4


@dataclass(frozen=True)
class BoardFault(WireMessage):
    """The board's own trouble: 1 reader silent, 2 loop `detail` open, 3 supply, 4 a table of tags
    is full.
    """

    TYPE: ClassVar[int] = 0xFF
    LAYOUT: ClassVar[str] = "<HBB"
    boot: int
    code: int
    detail: int = 0

    READER_SILENT: ClassVar[int] = 1
    LOOP_OPEN: ClassVar[int] = 2
    SUPPLY: ClassVar[int] = 3
    TABLE_FULL: ClassVar[int] = 4
