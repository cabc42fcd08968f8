"""What the host may ask of a board: requests, each answered under its own seq or repeated with the
same one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from companion.sensors.serial.message import (
    ALL_LOOPS,
    ALL_TAGS,
    MessageError,
    Uid,
    WireMessage,
    parse_uid,
    uid_name,
)

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
