"""Frames on the wire, without I/O: COBS( type · seq · payload · crc32 ) 0x00.

firmware/README.md defines the format; firmware/vectors.json tests both ends.
"""

from __future__ import annotations

import zlib
from collections import deque

from msgspec import Struct

MAX_PAYLOAD = 200
MAX_DECODED = MAX_PAYLOAD + 6
MAX_ENCODED = MAX_DECODED + 1
"""A whole frame fits one COBS run of 254 bytes, so the encoding adds one byte."""
DELIMITER = b"\x00"
_RESIDUE = 0x2144DF1C
"""The CRC-32 of anything followed by its own CRC-32 in little endian."""


class FrameError(ValueError):
    """Error raised when bytes are no frame."""


class Frame(Struct, frozen=True):
    """One message on the wire: `type` and `seq` are bytes, `payload` is 0 to 200 bytes."""

    type: int
    seq: int
    payload: bytes = b""


def cobs_encode(data: bytes) -> bytes:
    """Return `data` without zero bytes: each run is preceded by its length plus one."""
    encoded = bytearray()
    for run in data.split(b"\x00"):
        while len(run) >= 254:
            encoded += b"\xff" + run[:254]
            run = run[254:]
        encoded += bytes((len(run) + 1,)) + run
    return bytes(encoded)


def cobs_decode(encoded: bytes) -> bytes:
    """Reverse `cobs_encode`; raise `FrameError` if a run is cut short or holds a zero."""
    decoded, at = bytearray(), 0
    while at < len(encoded):
        length = encoded[at]
        run = encoded[at + 1 : at + length]
        if length == 0 or len(run) != length - 1 or 0 in run:
            raise FrameError("a COBS run is cut short or holds a zero")
        decoded += run
        at += length
        if length < 255 and at < len(encoded):
            decoded.append(0)
    return bytes(decoded)


def encode_frame(frame: Frame) -> bytes:
    """Return the frame's bytes with delimiter; raise `FrameError` if it is too long."""
    if len(frame.payload) > MAX_PAYLOAD:
        raise FrameError(f"a payload of {len(frame.payload)} bytes is longer than {MAX_PAYLOAD}")
    body = bytes((frame.type, frame.seq)) + frame.payload
    return cobs_encode(body + zlib.crc32(body).to_bytes(4, "little")) + DELIMITER


def decode_frame(encoded: bytes) -> Frame:
    """Return the frame of these bytes without delimiter; raise `FrameError`."""
    if len(encoded) > MAX_ENCODED:
        raise FrameError("longer than any frame")
    decoded = cobs_decode(encoded)
    if len(decoded) < 6:
        raise FrameError("shorter than any frame")
    if zlib.crc32(decoded) != _RESIDUE:
        raise FrameError("wrong checksum")
    return Frame(decoded[0], decoded[1], decoded[2:-4])


class FrameDecoder:
    """Decodes a byte stream into frames: `receive`, then `next_frame` until None.

    Never raises. Keeps at most one unfinished frame, and each whole one until it is taken.
    `rejected` counts dropped frames, not empty ones.
    """

    def __init__(self) -> None:
        self.rejected = 0
        self._frames: deque[Frame] = deque()
        self._partial = bytearray()

    def receive(self, data: bytes) -> None:
        """Take bytes from the wire, in pieces of any size."""
        *ended, rest = data.split(DELIMITER)
        for piece in ended:
            self._grow(piece)
            self._finish()
        self._grow(rest)

    def next_frame(self) -> Frame | None:
        """Return the next valid frame, None without one."""
        return self._frames.popleft() if self._frames else None

    def _grow(self, piece: bytes) -> None:
        # One byte more than allowed is kept as the mark of a frame that is too long.
        self._partial += piece[: MAX_ENCODED + 1 - len(self._partial)]

    def _finish(self) -> None:
        encoded, self._partial = bytes(self._partial), bytearray()
        if not encoded:
            return
        try:
            self._frames.append(decode_frame(encoded))
        except FrameError:
            self.rejected += 1
