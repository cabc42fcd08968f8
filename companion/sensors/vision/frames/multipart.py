"""Split a multipart/x-mixed-replace body, by which cameras send MJPEG, into its parts. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

MAX_PART_HEADER = 8 * 1024
"""Bytes between two parts: delimiter and header."""
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(
    rb"^content-length:[ \t]*([0-9]{1,12})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE
)


class PartTooLarge(Exception):
    """Error raised for a part of more than the allowed bytes."""


class BadMultipart(Exception):
    """Error raised for a body without the announced delimiters."""


class MultipartSplitter:
    """Splits the bytes of one body, in pieces of any size. `most`: bytes of a part."""

    def __init__(self, boundary: bytes, most: int) -> None:
        # Some cameras write the two hyphens of the delimiter into the announced boundary too.
        self._delimiter = b"--" + boundary.removeprefix(b"--")
        self._most = most
        self._held = bytearray()
        self._searched = 0
        self._in_part = False
        self._length: int | None = None

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """Yield each part that ends in this piece; raise `PartTooLarge` or `BadMultipart`."""
        self._held += piece
        while True:
            if not self._in_part and not self._enter_part():
                return
            part = self._leave_part()
            if part is None:
                return
            yield part

    def _enter_part(self) -> bool:
        """Drop all before the next part; return False if its start is missing."""
        start = self._held.find(self._delimiter)
        end = None if start < 0 else _HEADER_END.search(self._held, start)
        if end is None:
            if len(self._held) > MAX_PART_HEADER:
                raise BadMultipart
            return False
        length = _LENGTH.search(self._held, start, end.start() + 1)
        self._length = None if length is None else int(length[1])
        if self._length is not None and self._length > self._most:
            raise PartTooLarge
        del self._held[: end.end()]
        self._in_part, self._searched = True, 0
        return True

    def _leave_part(self) -> bytes | None:
        """Return the part that is complete, None if it is not."""
        if self._length is not None:
            end = self._length if len(self._held) >= self._length else -1
        else:
            end = self._held.find(self._delimiter, self._searched)
            self._searched = max(0, len(self._held) - len(self._delimiter))
        if end < 0:
            if len(self._held) > self._most + len(self._delimiter):
                raise PartTooLarge
            return None
        part = bytes(self._held[:end])
        del self._held[:end]
        self._in_part = False
        if self._length is not None:
            return part
        return part.removesuffix(b"\n").removesuffix(b"\r")
