"""Strips of 74HC165 as a board: levels of the chain in, lines of the wire out. No I/O.

A strip is a row of the field, the nearest one first. Its byte has the cells from D7 on, 0 under a
pawn; D1, high unless it is a seventh cell; and D0, low. A plug that is out reads as ones or as
zeros, and a clock too many or too few shifts the bits: both show in D1 and D0.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from companion.core.placement import Cell
from companion.sensors.board_field import BoardField, parse_field
from companion.sensors.serial.lines import WIRE_VERSION, with_checksum

MAX_STRIPS = 7
STATE_EVERY = 0.5
"""Seconds between two reports of an unchanged state."""
DOUBT, MOST_DOUBT = 10, 20
"""Two wrong reads within 10 reads are a fault; 10 right ones end it."""
SEVENTH_READS = 4
"""Reads in a row in which a seventh strip answers before the field is a hexagon."""


class _Layout:
    """Where the bits of a field are in the chain's 56."""

    def __init__(self, name: str) -> None:
        field = parse_field(name)
        assert field is not None
        self.field: BoardField = field
        self.bits: dict[Cell, int] = {}
        self._sentinels = self._right = 0
        for strip, row in enumerate(_rows(field)):
            shift = 8 * (MAX_STRIPS - 1 - strip)
            self.bits |= {cell: 0x80 >> place << shift for place, cell in enumerate(row)}
            mask = 0b01 if len(row) == 7 else 0b11
            self._sentinels |= mask << shift
            self._right |= (mask & 0b10) << shift
        self.contacts = sum(self.bits.values())

    def first_wrong(self, levels: int) -> int:
        """Return the first strip, from 1, whose sentinels are wrong; 0: none."""
        wrong = (levels ^ self._right) & self._sentinels
        return MAX_STRIPS - (wrong.bit_length() - 1) // 8 if wrong else 0


class StripBoard:
    """The lines of a board of strips: 6 x 6, or a hexagon of side 4 once a seventh strip answers.

    A contact changes when two reads in a row agree, each contact by itself: one that chatters stops
    no other. A fault names the first strip that is wrong. A read with a wrong sentinel is dropped
    whole, since nobody knows where a clock slipped; only where nothing but ones comes from a strip
    on, its plug is open, and the strips before it are read. `is_at_rest`: the last read said
    nothing new.
    """

    def __init__(self) -> None:
        self._layout = _SQUARES
        self._last: int | None = None
        self._settled = ~0
        self._is_read = False
        self._doubt = self._wrong_strip = self._sevenths = 0
        self._greets = True
        self._said = b""
        self._state_at = 0.0
        self.is_at_rest = False

    def receive(self, data: bytes) -> None:
        """Take bytes of the host; a question mark asks for the greeting."""
        self._greets = self._greets or b"?" in data

    def step(self, levels: bytes, now: float) -> bytes:
        """Take one read of the chain, `MAX_STRIPS` bytes; return the lines to send."""
        value = int.from_bytes(levels, "big")
        is_equal = value == self._last == self._settled
        self.is_at_rest = is_equal and not (self._doubt or self._sevenths)
        if not self.is_at_rest:
            self._take(value)
        elif not self._greets and now < self._state_at:
            return b""
        return self._lines(now)

    def _take(self, value: int) -> None:
        last, self._last = self._last, value
        self._look_for_seventh(value)
        if wrong := self._layout.first_wrong(value):
            self._doubt = min(self._doubt + DOUBT, MOST_DOUBT)
            self._wrong_strip = wrong
            behind = (1 << 8 * (MAX_STRIPS + 1 - wrong)) - 1
            if value & behind != behind:
                self._last = None
                return
            value = self._last = value & ~behind | self._settled & behind
        else:
            self._doubt = max(self._doubt - 1, 0)
        if last is not None:
            differs = value ^ last
            self._settled = self._settled & differs | value & ~differs
            self._is_read = True

    def _look_for_seventh(self, value: int) -> None:
        if self._layout is _HEXAGON:
            return
        self._sevenths = 0 if _HEXAGON.first_wrong(value) else self._sevenths + 1
        if self._sevenths == SEVENTH_READS:
            self._layout, self._settled, self._greets = _HEXAGON, ~0, True
            self._sevenths = self._doubt = 0

    def _lines(self, now: float) -> bytes:
        out = b""
        if self._sevenths:
            return out
        if self._greets:
            self._greets = False
            out = f"#board {WIRE_VERSION} {self._layout.field.name} name=strips\n".encode()
        is_wrong = self._doubt > DOUBT
        if not (self._is_read or is_wrong):
            return out
        state = with_checksum(" ".join(self._occupied()) or "-")
        fault = with_checksum(f"!strip {self._wrong_strip}") if is_wrong else b""
        is_change, self._said = fault + state != self._said, fault + state
        if not is_change and now < self._state_at:
            return out
        self._state_at = now + STATE_EVERY
        # A state counts once two lines agree, and two reads have agreed here already.
        return out + fault + state * (2 if is_change else 1)

    def _occupied(self) -> Iterator[Cell]:
        return (cell for cell, bit in self._layout.bits.items() if not self._settled & bit)


def _rows(field: BoardField) -> Iterator[list[Cell]]:
    """Yield the cells of each row: squares have their row in the number, hexagons in the letter."""
    for _, row in groupby(field.cells, key=lambda cell: cell[1:] if cell.isupper() else cell[0]):
        yield list(row)


_SQUARES, _HEXAGON = _Layout("6x6"), _Layout("hex4")
