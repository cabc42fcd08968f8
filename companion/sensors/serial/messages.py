"""The messages of protocol 1, their payloads and their types.

Numbers are little endian. Each request is answered under its own `seq`, also when it is repeated.
Unrequested messages of a board have their own counter. firmware/README.md describes every byte.
"""

from __future__ import annotations

import struct
from enum import IntFlag
from typing import ClassVar, NewType, Self

from msgspec import Struct
from msgspec.structs import astuple

from companion.sensors.serial.frames import Frame, FrameError

LOOPS = 26
MAX_STRENGTH = 8
ALL_TAGS, TILE_TAGS, PAWN_TAGS, TOKEN_TAGS = 0x00, 0x71, 0x72, 0x73
"""AFI classes of tags that a scan selects; 0 selects all."""
ALL_LOOPS, CELL_LOOPS, FOLLOWED_LOOPS = 0, 1, 2
"""Loops of a scan: all 26; the 12 centred ones; or one axis, and others for changed tags only."""
UNFINISHED_LOOPS = 3
"""A scan's end before all tags were read: the next scan of followed loops continues."""

SLOTS = 16
"""Slots of an inventory; a tag's number names its slot."""
Uid = NewType("Uid", str)
"""A tag's unique number: 16 hex digits, the most significant byte (E0) first."""


class MessageError(FrameError):
    """Error raised when a valid frame holds no message of protocol 1."""


class Caps(IntFlag):
    """A board's capabilities."""

    PRESENCE = 1
    UID = 2
    RSSI = 4
    ROTATION = 8
    FOLLOW = 16


def uid_name(raw: bytes) -> Uid:
    """Return the printed form of a unique number received least significant byte first."""
    return Uid(raw[::-1].hex().upper())


def parse_uid(uid: Uid) -> bytes:
    """Return a printed number's 8 bytes, least significant first; raise ValueError."""
    raw = bytes.fromhex(uid)
    if len(raw) != 8:
        raise ValueError(f"{uid!r} is not a tag's number of 16 hex digits")
    return raw[::-1]


def slot_of(uid: Uid) -> str:
    """Return the slot in which a tag answers: its last printed digit.

    Two tags in one slot cost one more round, and the stronger may hide the other.
    """
    return uid[-1]


class TagRecord(Struct, frozen=True):
    """A tag in a scan: its strength on each of the 26 loops, 0 (not read) to 8."""

    uid: Uid
    strengths: tuple[int, ...]

    SIZE: ClassVar[int] = 21

    def pack(self) -> bytes:
        """Return 21 bytes: the number, then two loops a byte, the even one in the low half."""
        nibbles = self.strengths
        return parse_uid(self.uid) + bytes(
            nibbles[i] | nibbles[i + 1] << 4 for i in range(0, LOOPS, 2)
        )

    @classmethod
    def unpack(cls, raw: bytes) -> Self:
        """Return the record of 21 bytes; raise `MessageError` for a strength above 8."""
        strengths = tuple(nibble for byte in raw[8:21] for nibble in (byte & 15, byte >> 4))
        if max(strengths) > MAX_STRENGTH:
            raise MessageError("a strength above 8")
        return cls(uid_name(raw[:8]), strengths)


class WireMessage(Struct, frozen=True):
    """Base of all messages. `TYPE`: the frame's type. `LAYOUT`: the payload as a struct format.

    A message with a payload of variable size overrides `payload` and `of_payload`.
    """

    TYPE: ClassVar[int]
    LAYOUT: ClassVar[str] = "<"

    def payload(self) -> bytes:
        """Return the payload's bytes."""
        return struct.pack(self.LAYOUT, *astuple(self))

    @classmethod
    def of_payload(cls, payload: bytes) -> WireMessage:
        """Return the message of a payload; raise `MessageError`."""
        if len(payload) != struct.calcsize(cls.LAYOUT):
            raise MessageError(f"{cls.__name__} of {len(payload)} bytes")
        return cls(*struct.unpack(cls.LAYOUT, payload))

    def frame(self, seq: int) -> Frame:
        """Return the message as a frame."""
        return Frame(self.TYPE, seq, self.payload())


PROTOCOL_VERSION = 1


class Hello(WireMessage, frozen=True):
    """Ask for the board's identity. Answered by `HelloReply`."""

    TYPE: ClassVar[int] = 0x01
    LAYOUT: ClassVar[str] = "<B"
    protocol: int = PROTOCOL_VERSION


class Ping(WireMessage, frozen=True):
    """Echo 0 to 16 bytes. Answered by `Pong`."""

    TYPE: ClassVar[int] = 0x02
    data: bytes = b""

    def payload(self) -> bytes:
        return self.data

    @classmethod
    def of_payload(cls, payload: bytes) -> WireMessage:
        if len(payload) > 16:
            raise MessageError("more than 16 bytes to say again")
        return cls(payload)


class GetPresence(WireMessage, frozen=True):
    """Ask for the occupied cells. Answered by `Presence`."""

    TYPE: ClassVar[int] = 0x03


class Scan(WireMessage, frozen=True):
    """Scan for tags. Answered by `TagPart` … `ScanEnd`."""

    TYPE: ClassVar[int] = 0x10
    LAYOUT: ClassVar[str] = "<BB"
    afi: int = ALL_TAGS
    loops: int = ALL_LOOPS


class Watch(WireMessage, frozen=True):
    """Scan every `period_ms` (0: stop) and send each scan that differs, under this `seq`."""

    TYPE: ClassVar[int] = 0x11
    LAYOUT: ClassVar[str] = "<HBB"
    period_ms: int
    afi: int = ALL_TAGS
    loops: int = ALL_LOOPS


class Calibrate(WireMessage, frozen=True):
    """Scan one loop only. Answered as `Scan`."""

    TYPE: ClassVar[int] = 0x12
    LAYOUT: ClassVar[str] = "<B"
    loop: int


class TagWriteAfi(WireMessage, frozen=True):
    """Write the AFI byte of one tag. Answered by `Done`."""

    TYPE: ClassVar[int] = 0x13
    uid: Uid
    afi: int

    def payload(self) -> bytes:
        return parse_uid(self.uid) + bytes((self.afi,))

    @classmethod
    def of_payload(cls, payload: bytes) -> WireMessage:
        if len(payload) != 9:
            raise MessageError(f"TagWriteAfi of {len(payload)} bytes")
        return cls(uid_name(payload[:8]), payload[8])


class Configure(WireMessage, frozen=True):
    """Store this name and geometry, used from the next start. Answered by `Done`."""

    TYPE: ClassVar[int] = 0x2E
    LAYOUT: ClassVar[str] = "<8sB"
    board_id: bytes
    geometry: int


class Reset(WireMessage, frozen=True):
    """Restart if the board's start count is still `boot`. No answer, then `Boot`."""

    TYPE: ClassVar[int] = 0x2F
    LAYOUT: ClassVar[str] = "<H4s"
    boot: int
    magic: bytes = b"BOOT"


MAX_RECORDS = 9


class Boot(WireMessage, frozen=True):
    """The board has started; `cause`: 1 power, 2 external, 4 brown-out, 8 watchdog."""

    TYPE: ClassVar[int] = 0x80
    LAYOUT: ClassVar[str] = "<HBH"
    boot: int
    cause: int
    firmware: int

    BROWN_OUT: ClassVar[int] = 4
    WATCHDOG: ClassVar[int] = 8


class HelloReply(WireMessage, frozen=True):
    """The board's identity: geometry 0 square, 1 hexagonal; `firmware` 0x0102 is 1.2."""

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
        """Return the reply, or `OtherProtocol` for another protocol version."""
        if len(payload) >= 3 and payload[2] != PROTOCOL_VERSION:
            return OtherProtocol(payload[2])
        return super().of_payload(payload)


class OtherProtocol(WireMessage, frozen=True):
    """A HELLO reply in another protocol version. Never sent."""

    TYPE: ClassVar[int] = 0x81
    protocol: int


class Pong(WireMessage, frozen=True):
    """The bytes of the `Ping`."""

    TYPE: ClassVar[int] = 0x82
    data: bytes = b""

    def payload(self) -> bytes:
        return self.data

    @classmethod
    def of_payload(cls, payload: bytes) -> WireMessage:
        return cls(payload)


class Presence(WireMessage, frozen=True):
    """One bit a cell in 5 bytes; bit 7 of the first byte is cell 0."""

    TYPE: ClassVar[int] = 0x83
    LAYOUT: ClassVar[str] = "<H5s"
    boot: int
    bits: bytes


class CellEvent(WireMessage, frozen=True):
    """A cell's contact changed: only a `Presence` counts.

    `t_ms`: the board's clock, modulo 2¹⁶.
    """

    TYPE: ClassVar[int] = 0x84
    LAYOUT: ClassVar[str] = "<HBBH"
    boot: int
    cell: int
    on: int
    t_ms: int


class TagEvent(WireMessage, frozen=True):
    """A tag is new (1), moved (2) or gone (3). Nothing depends on it."""

    TYPE: ClassVar[int] = 0x85
    boot: int
    kind: int
    record: TagRecord

    def payload(self) -> bytes:
        return struct.pack("<HB", self.boot, self.kind) + self.record.pack()

    @classmethod
    def of_payload(cls, payload: bytes) -> WireMessage:
        if len(payload) != 3 + TagRecord.SIZE:
            raise MessageError(f"TagEvent of {len(payload)} bytes")
        boot, kind = struct.unpack("<HB", payload[:3])
        return cls(boot, kind, TagRecord.unpack(payload[3:]))


class Done(WireMessage, frozen=True):
    """The request is done."""

    TYPE: ClassVar[int] = 0x8F


class TagPart(WireMessage, frozen=True):
    """Part number `part`, from 0, of a scan: up to 9 tags."""

    TYPE: ClassVar[int] = 0x91
    boot: int
    scan: int
    part: int
    records: tuple[TagRecord, ...]

    _HEAD: ClassVar[struct.Struct] = struct.Struct("<HHB")

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


class ScanEnd(WireMessage, frozen=True):
    """The end of a scan: `parts` parts, `count` tags, and the CRC-32 of all records.

    One with `UNFINISHED_LOOPS` has no records: the next scan continues.
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


class Heartbeat(WireMessage, frozen=True):
    """Sent every second.

    `state_crc`: CRC-32 of the presence bytes, if any, and the last scan's records, if any.
    """

    TYPE: ClassVar[int] = 0x93
    LAYOUT: ClassVar[str] = "<HIHIBB"
    boot: int
    uptime_ms: int
    scan: int
    state_crc: int
    crc_errors: int
    overruns: int


class Nak(WireMessage, frozen=True):
    """The request failed: 1 checksum (under seq 0), 2 unknown, 3 busy, 4 arguments."""

    TYPE: ClassVar[int] = 0xFE
    LAYOUT: ClassVar[str] = "<BB"
    code: int
    detail: int = 0

    CRC: ClassVar[int] = 1
    UNKNOWN: ClassVar[int] = 2
    BUSY: ClassVar[int] = 3
    ARGUMENTS: ClassVar[int] = 4


class BoardFault(WireMessage, frozen=True):
    """A board's fault: 1 reader silent, 2 loop `detail` open, 3 supply, 4 tag table full."""

    TYPE: ClassVar[int] = 0xFF
    LAYOUT: ClassVar[str] = "<HBB"
    boot: int
    code: int
    detail: int = 0

    READER_SILENT: ClassVar[int] = 1
    LOOP_OPEN: ClassVar[int] = 2
    SUPPLY: ClassVar[int] = 3
    TABLE_FULL: ClassVar[int] = 4


class UnknownType(MessageError):
    """Error raised when a frame's type is not one of protocol 1."""


REQUESTS: tuple[type[WireMessage], ...] = (
    Hello,
    Ping,
    GetPresence,
    Scan,
    Watch,
    Calibrate,
    TagWriteAfi,
    Configure,
    Reset,
)
RESPONSES: tuple[type[WireMessage], ...] = (
    Boot,
    HelloReply,
    Pong,
    Presence,
    CellEvent,
    TagEvent,
    Done,
    TagPart,
    ScanEnd,
    Heartbeat,
    Nak,
    BoardFault,
)
UNSOLICITED = (Boot, CellEvent, TagEvent, Heartbeat, BoardFault)
"""Messages that are no responses; a board counts them from 0 at its start."""
_BY_TYPE = {message.TYPE: message for message in REQUESTS + RESPONSES}


def parse_message(frame: Frame) -> WireMessage:
    """Return a frame's message; raise `UnknownType` or `MessageError`."""
    kind = _BY_TYPE.get(frame.type)
    if kind is None:
        raise UnknownType(f"type {frame.type:02x}")
    return kind.of_payload(frame.payload)


def message_name(type_: int) -> str:
    """Return the name of a frame's type, or the type in hex."""
    kind = _BY_TYPE.get(type_)
    return f"{type_:02x}" if kind is None else kind.__name__
