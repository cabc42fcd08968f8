"""What every message of protocol 1 is made of: payloads as values, numbers little endian, tags by
their number.

The byte-by-byte description is firmware/README.md.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntFlag
from struct import calcsize, pack, unpack
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
