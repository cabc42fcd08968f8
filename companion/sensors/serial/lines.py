"""The lines of a board's wire: bytes to lines, a line to its meaning. No I/O.

docs/your-own-board.md has them for makers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import reduce
from operator import xor

from msgspec import Struct

from companion.core.placement import Cell
from companion.sensors.reported_pieces import Piece
from companion.sensors.tags.registry import Uid

WIRE_VERSION = 1
MAX_LINE = 4096
"""Bytes of a line: 64 cells with two tags of 16 digits each fit."""
MAX_FAULT = 40

_CELL = rb"[A-Za-z]{1,2}[1-9][0-9]?"
_THING = rb"%s(?:=(?:[0-9A-Fa-f]{2}){2,16})?" % _CELL
_STATE = re.compile(rb"-|%s(?: %s)*" % (_THING, _THING))
_CHECKED = re.compile(rb"(.*)\*([0-9A-Fa-f]{2})", re.DOTALL)
_FAULT = re.compile(rb"!([ -~]{1,%d})" % MAX_FAULT)
_GREETING = re.compile(rb"#board ([0-9]{1,4})(?: ([ -~]*))?")
_WORD = re.compile(r'([a-z]+)=(?:"([^"]*)"|(\S+))|(\S+)')


class StateLine(Struct, frozen=True):
    """Everything that lies on the board, sorted. `checked`: the line had a checksum."""

    pieces: tuple[Piece, ...]
    checked: bool


class Greeting(Struct, frozen=True):
    """A board's greeting: the wire's version, the field's name ("" untold), further words."""

    version: int
    field: str = ""
    words: Mapping[str, str] = {}


class Fault(Struct, frozen=True):
    """The board says that something is wrong with it now."""

    text: str


class Damaged(Struct, frozen=True):
    """A line with a wrong checksum, or a line that is too long."""

    text: str


class Foreign(Struct, frozen=True):
    """Any other line: a boot message, a comment, another device."""

    text: str


Line = StateLine | Greeting | Fault | Damaged | Foreign


class LineDecoder:
    """Splits bytes into lines at CR, LF or both, and drops lines of more than `MAX_LINE` bytes.

    `text`: the line that was yielded last, as people may see it.
    """

    def __init__(self) -> None:
        self.text = ""
        self._begun = bytearray()
        self._is_too_long = False

    def receive(self, data: bytes) -> Iterator[Line]:
        """Yield each line that ends in `data`; empty lines are nothing."""
        *ended, begun = data.replace(b"\r", b"\n").split(b"\n")
        for part in ended:
            self._begin(part)
            self.text = _text(bytes(self._begun).strip())
            if self._is_too_long:
                yield Damaged("")
            elif self._begun.strip():
                yield parse_board_line(bytes(self._begun))
            self._begun.clear()
            self._is_too_long = False
        self._begin(begun)

    def _begin(self, part: bytes) -> None:
        self._is_too_long = self._is_too_long or len(self._begun) + len(part) > MAX_LINE
        if self._is_too_long:
            self._begun.clear()
        else:
            self._begun += part


def parse_board_line(line: bytes) -> Line:
    """Return the meaning of a line without its end."""
    line = line.strip()
    checked = _CHECKED.fullmatch(line)
    body = line if checked is None else checked[1]
    if checked is not None and checksum(body) != int(checked[2], 16):
        return Damaged(_text(line))
    if _STATE.fullmatch(body):
        things = body.decode().split() if body != b"-" else []
        return StateLine(tuple(sorted(_piece(thing) for thing in things)), checked is not None)
    if greeting := _GREETING.fullmatch(body):
        return _greeting(int(greeting[1]), (greeting[2] or b"").decode())
    if fault := _FAULT.fullmatch(body):
        return Fault(fault[1].decode().strip())
    return Foreign(_text(line))


def checksum(body: bytes) -> int:
    """Return the XOR of the bytes before the `*`."""
    return reduce(xor, body, 0)


def with_checksum(body: str) -> bytes:
    """Return a line with its checksum and its end."""
    return b"%s*%02X\n" % (body.encode(), checksum(body.encode()))


def _piece(thing: str) -> Piece:
    cell, _, uid = thing.partition("=")
    return Cell(cell), Uid(uid.upper())


def _greeting(version: int, rest: str) -> Greeting:
    field, words = "", {}
    for key, quoted, plain, other in _WORD.findall(rest):
        if key:
            words[key] = (quoted or plain)[:MAX_FAULT]
        elif not field:
            field = other.lower()
    return Greeting(version, field, words)


def _text(line: bytes) -> str:
    """Return a line as people may see it, cut."""
    return line[:200].decode("ascii", "replace").replace("\ufffd", "?")
