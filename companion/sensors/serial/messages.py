"""The messages of protocol 1, their payloads and their types.

Numbers are little endian. Each request is answered under its own `seq`, also when it is repeated.
What a board sends unasked has a counter of its own. firmware/README.md describes every byte.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntFlag
from struct import Struct, calcsize, pack, unpack
from typing import ClassVar, NewType, Self

from companion.sensors.serial.frames import Frame, FrameError

LOOPS = 26
MAX_STRENGTH = 8
ALL_TAGS, TILE_TAGS, PAWN_TAGS, TOKEN_TAGS = 0x00, 0x71, 0x72, 0x73
"""What a scan asks for: a tag's AFI byte, written once, 0 for every tag."""
ALL_LOOPS, CELL_LOOPS, FOLLOWED_LOOPS = 0, 1, 2
"""Which loops a scan switches on: all 26, only the 12 that are centred on rows and columns, or of
those one axis, and the others for the tags alone that were heard otherwise than before.
"""
UNFINISHED_LOOPS = 3
"""What the end of a scan says in place of `FOLLOWED_LOOPS` if not all was heard yet: the next such
scan goes on.
"""

SLOTS = 16
"""Slots of an inventory: a tag answers in the one that its number names."""
Uid = NewType("Uid", str)
"""A tag's unique number as it is printed: 16 hex digits, the most significant byte (E0) first."""


class MessageError(FrameError):
    """Error raised when a good frame holds no message of protocol 1."""


class Caps(IntFlag):
    """What a board can do."""

    PRESENCE = 1
    UID = 2
    RSSI = 4
    ROTATION = 8
    LED = 16
    BUTTONS = 32
    FOLLOW = 64


def uid_name(raw: bytes) -> Uid:
    """Return the printed form of a unique number as it was received, least significant byte
    first.
    """
    return Uid(raw[::-1].hex().upper())


def parse_uid(uid: Uid) -> bytes:
    """Return the 8 bytes, least significant first, of a printed unique number; raise ValueError."""
    raw = bytes.fromhex(uid)
    if len(raw) != 8:
        raise ValueError(f"{uid!r} is not a tag's number of 16 hex digits")
    return raw[::-1]


def slot_of(uid: Uid) -> str:
    """Return the slot of an inventory in which a tag answers: the last of the printed digits. Two
    tags that are heard in one slot cost a round more, and the stronger may drown the other.
    """
    return uid[-1]


@dataclass(frozen=True)
class TagRecord:
    """One tag in a scan: how strongly it answered on each of the 26 loops, 0 not at all, 1 to 8."""

    uid: Uid
    strengths: tuple[int, ...]

    SIZE: ClassVar[int] = 21

    def pack(self) -> bytes:
        """Return the record's 21 bytes: number, then two loops a byte, the even one in the low
        half.
        """
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


@dataclass(frozen=True)
class WireMessage:
    """Base of all messages. `TYPE` is the frame's type; `LAYOUT` the payload in struct's notation.

    A message whose payload is not of fixed size overrides `payload` and `of_payload`.
    """

    TYPE: ClassVar[int]
    LAYOUT: ClassVar[str] = "<"

    def payload(self) -> bytes:
        """Return the payload's bytes."""
        return pack(self.LAYOUT, *(getattr(self, field.name) for field in fields(self)))

    @classmethod
    def of_payload(cls, payload: bytes) -> WireMessage:
        """Return the message with this payload; raise `MessageError` if its length or content is
        wrong.
        """
        if len(payload) != calcsize(cls.LAYOUT):
            raise MessageError(f"{cls.__name__} of {len(payload)} bytes")
        return cls(*unpack(cls.LAYOUT, payload))

    def frame(self, seq: int) -> Frame:
        """Return the message as a frame."""
        return Frame(self.TYPE, seq, self.payload())


PROTOCOL_VERSION = 1


@dataclass(frozen=True)
class Hello(WireMessage):
    """Who are you? Answered by `HelloReply`."""

    TYPE: ClassVar[int] = 0x01
    LAYOUT: ClassVar[str] = "<B"
    protocol: int = PROTOCOL_VERSION


@dataclass(frozen=True)
class Ping(WireMessage):
    """Say these 0 to 16 bytes again. Answered by `Pong`."""

    TYPE: ClassVar[int] = 0x02
    data: bytes = b""

    def payload(self) -> bytes:
        return self.data

    @classmethod
    def of_payload(cls, payload: bytes) -> WireMessage:
        if len(payload) > 16:
            raise MessageError("more than 16 bytes to say again")
        return cls(payload)


@dataclass(frozen=True)
class GetPresence(WireMessage):
    """Which cells are occupied? Answered by `Presence`."""

    TYPE: ClassVar[int] = 0x03


@dataclass(frozen=True)
class Scan(WireMessage):
    """Which tags answer on which loops? Answered by `TagPart` … `ScanEnd`."""

    TYPE: ClassVar[int] = 0x10
    LAYOUT: ClassVar[str] = "<BB"
    afi: int = ALL_TAGS
    loops: int = ALL_LOOPS


@dataclass(frozen=True)
class Watch(WireMessage):
    """Scan every `period_ms` (0: stop) and send each scan that differs, under this request's
    seq.
    """

    TYPE: ClassVar[int] = 0x11
    LAYOUT: ClassVar[str] = "<HBB"
    period_ms: int
    afi: int = ALL_TAGS
    loops: int = ALL_LOOPS


@dataclass(frozen=True)
class Calibrate(WireMessage):
    """Scan one loop only. Answered as `Scan`."""

    TYPE: ClassVar[int] = 0x12
    LAYOUT: ClassVar[str] = "<B"
    loop: int


@dataclass(frozen=True)
class TagWriteAfi(WireMessage):
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


@dataclass(frozen=True)
class Led(WireMessage):
    """Show these colours (red, green, blue, 0 to 255) from lamp `first` on. Answered by `Done`."""

    TYPE: ClassVar[int] = 0x20
    first: int
    colours: tuple[tuple[int, int, int], ...]

    def payload(self) -> bytes:
        return bytes((self.first, len(self.colours))) + b"".join(
            bytes(colour) for colour in self.colours
        )

    @classmethod
    def of_payload(cls, payload: bytes) -> WireMessage:
        if len(payload) < 2 or len(payload) != 2 + 3 * payload[1]:
            raise MessageError(f"Led of {len(payload)} bytes")
        red, green, blue = payload[2::3], payload[3::3], payload[4::3]
        return cls(payload[0], tuple(zip(red, green, blue, strict=True)))


@dataclass(frozen=True)
class Beep(WireMessage):
    """Sound a tone of `hertz` for `ms` milliseconds. Answered by `Done`."""

    TYPE: ClassVar[int] = 0x21
    LAYOUT: ClassVar[str] = "<HH"
    hertz: int
    ms: int


@dataclass(frozen=True)
class Configure(WireMessage):
    """Keep this name and this geometry, which counts from the next start. Answered by `Done`."""

    TYPE: ClassVar[int] = 0x2E
    LAYOUT: ClassVar[str] = "<8sB"
    board_id: bytes
    geometry: int


@dataclass(frozen=True)
class Reset(WireMessage):
    """Start anew if your life is still `boot`. Answered by nothing, then `Boot`."""

    TYPE: ClassVar[int] = 0x2F
    LAYOUT: ClassVar[str] = "<H4s"
    boot: int
    magic: bytes = b"BOOT"


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
    Led,
    Beep,
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
    Button,
    Done,
    TagPart,
    ScanEnd,
    Heartbeat,
    Nak,
    BoardFault,
)
UNSOLICITED = (Boot, CellEvent, TagEvent, Button, Heartbeat, BoardFault)
"""Messages that the board sends by itself, under its own counter from 0 at its start."""
_BY_TYPE = {message.TYPE: message for message in REQUESTS + RESPONSES}


def parse_message(frame: Frame) -> WireMessage:
    """Return the message that a frame holds; raise `UnknownType` or, for a wrong payload,
    `MessageError`.
    """
    kind = _BY_TYPE.get(frame.type)
    if kind is None:
        raise UnknownType(f"type {frame.type:02x}")
    return kind.of_payload(frame.payload)


def message_name(type_: int) -> str:
    """Return the name of a frame's type, or the type in hex if protocol 1 has none such."""
    kind = _BY_TYPE.get(type_)
    return f"{type_:02x}" if kind is None else kind.__name__
