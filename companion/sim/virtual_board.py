"""A simulated sensor board: bytes in, bytes out, time passed in; no I/O, no threads.

It is the board's side of the line protocol (docs/your-own-board.md), with or without a tag reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from companion.core.placement import Cell
from companion.sensors.serial.firmware_version import FIRMWARE, NANO
from companion.sensors.serial.lines import WIRE_VERSION, with_checksum
from companion.sim.faults import Faults
from companion.sim.table_model import World

BoardKind = Literal["presence", "tags"]
VIRTUAL_ID = "virtual"
"""Id of a board whose tags are known."""
NEW_BOX_ID = "virtual-new"
"""Id of a board with new tags."""
BEAT = 0.25
"""Seconds between two reports of an unchanged state: a busy machine delays them."""
AGAIN = 0.005
"""Seconds after which a change is sent again."""
MAX_INPUT = 1000


class VirtualBoard:
    """One board. Call `step` with bytes or at `due`; it returns what it sends.

    `beat`: s between two reports of an unchanged state. `starts`: how often it has started.
    """

    def __init__(
        self,
        kind: BoardKind,
        world: World,
        *,
        faults: Faults | None = None,
        board_id: str | None = None,
        beat: float = BEAT,
        now: float = 0.0,
    ) -> None:
        self.kind: BoardKind = kind
        self.world = world
        self.faults = faults or Faults()
        self.starts = 0
        self._id = board_id or (NEW_BOX_ID if world.box else VIRTUAL_ID)
        self._beat = beat
        self.reset(now)

    def __repr__(self) -> str:
        return f"VirtualBoard({self.kind!r}, starts={self.starts})"

    def due(self) -> float:
        """Return when `step` is needed without bytes."""
        return float("inf") if self.faults.mask else min(self._next, self.faults.due())

    def reset(self, now: float) -> None:
        """Restart; unsent bytes are lost."""
        self.starts += 1
        self._lamps: dict[Cell, str] = {}
        self._now = now
        self._begun = b""
        self._state: str | None = None
        self._next = now
        self._out = bytearray(b"\n")  # end the line that the restart cut short
        self._send(self.greeting())

    def greeting(self) -> bytes:
        """Return the line that says which board it is."""
        faults = self.faults
        version = WIRE_VERSION if faults.protocol is None else faults.protocol
        kind = "virtual" if faults.firmware is None else NANO
        reads = " reads=tags" if self.kind == "tags" else ""
        words = f'id={self._id} name="virtual board" kind={kind} fw={faults.firmware or FIRMWARE}'
        return f"#board {version} {self.world.field.name} {words}{reads}\n".encode()

    def state(self) -> str:
        """Return the line of what stands where, without a checksum."""
        if self.kind == "tags":
            there = [f"{cell}={uid}" for cell, uid in self.world.tags() if not self.faults.misses()]
            return " ".join(there) or "-"
        return " ".join(self.faults.contacts(self.world.occupied(), self._now)) or "-"

    def lamps(self) -> Mapping[Cell, str]:
        """Return the colour of each lit cell."""
        return self._lamps

    def step(self, now: float, data: bytes = b"") -> bytes:
        """Take bytes and the time; return the bytes to send."""
        if self.faults.mask:
            return self._masked(data)
        self._now = now
        for line in self._lines(self.faults.noisy(data)):
            if line == b"?":
                self._send(self.greeting())
            elif line.startswith(b"*"):
                self._lamps = _lit_cells(line[1:].decode("ascii", "replace"))
        state = self.state()
        if state != self._state:
            self._state = state
            self._report(now + AGAIN)
        elif now >= self._next:
            self._report(now + self._beat)
        out, self._out = bytes(self._out), bytearray()
        return out

    def _report(self, following: float) -> None:
        assert self._state is not None
        self._next = following
        self._send(with_checksum(self._state))
        for fault in sorted(self.faults.reported):
            self._send(f"!{fault}\n".encode())

    def _lines(self, data: bytes) -> Iterator[bytes]:
        *ended, begun = (self._begun + data.replace(b"\r", b"\n")).split(b"\n")
        self._begun = begun[:MAX_INPUT]
        return (line.strip() for line in ended)

    def _masked(self, data: bytes) -> bytes:
        match self.faults.mask:
            case "echo":
                return data
            case "modem":
                return b"\r\nERROR\r\n" if data else b""
        return b""

    def _send(self, line: bytes) -> None:
        if self.faults.reset_after is not None:
            cut, self.faults.reset_after = line[: self.faults.reset_after], None
            sent = bytes(self._out) + cut
            self.reset(self._now)
            self._out[:0] = sent
            return
        self._out += self.faults.sent(line)


def _lit_cells(words: str) -> dict[Cell, str]:
    """Return the colour of each cell that a line of lamps names."""
    lit: dict[Cell, str] = {}
    colour = "white"
    for word in words.split():
        if word.isalpha():
            colour = word
        else:
            lit[Cell(word)] = colour
    return lit
