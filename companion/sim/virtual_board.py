"""A simulated sensor board: bytes in, bytes out, time passed in; no I/O, no threads.

It is the board's side of the line protocol (docs/your-own-board.md), with or without a tag reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Literal

from msgspec import Struct, field

from companion.core.placement import Cell
from companion.sensors.serial.firmware_version import FIRMWARE, NANO
from companion.sensors.serial.lines import WIRE_VERSION, with_checksum
from companion.sim.table_model import World

Mask = Literal["", "mute", "echo", "modem"]
"""A device in the board's place: none, a silent one, an echo, or an AT modem."""
RATES = {"noise": 0.01, "stolen": 0.05, "lost": 0.2, "duplicated": 0.3, "torn": 0.2, "missed": 0.2}
"""Rates for "on": noise and stolen per byte, missed per tag and report, the others per line."""
FLICKER_EVERY = 0.2


class Faults(Struct):
    """Switches of one board, all off at first. The same `rng` gives the same faults."""

    rng: Random = field(default_factory=lambda: Random(0))
    noise: float = 0.0
    stolen: float = 0.0
    lost: float = 0.0
    duplicated: float = 0.0
    torn: float = 0.0
    missed: float = 0.0
    silence: bool = False
    baud: bool = False
    stuck: dict[Cell, bool] = field(default_factory=dict)
    flicker: set[Cell] = field(default_factory=set)
    reported: set[str] = field(default_factory=set)
    protocol: int | None = None
    firmware: str | None = None
    mask: Mask = ""
    reset_after: int | None = None
    """Bytes after which the next line is cut and the board restarts; None: off."""
    _flickering: set[Cell] = field(default_factory=set)
    _flicker_at: float = 0.0

    def sent(self, line: bytes) -> bytes:
        """Return the bytes of a sent line that arrive."""
        if self.silence or self._happens(self.lost):
            return b""
        if self.baud:
            # At another speed a byte arrives as other ones, most of them with the top bit set.
            return bytes(self.rng.randrange(128, 256) for _ in line)
        if self._happens(self.torn):
            return line[: self.rng.randrange(1, len(line))]
        line = line * (2 if self._happens(self.duplicated) else 1)
        return self.noisy(bytes(byte for byte in line if not self._happens(self.stolen)))

    def noisy(self, data: bytes) -> bytes:
        """Return the bytes as they arrive through the noise."""
        if not self.noise:
            return data
        return bytes(
            byte ^ 1 << self.rng.randrange(8) if self._happens(self.noise) else byte
            for byte in data
        )

    def contacts(self, occupied: frozenset[Cell], now: float) -> list[Cell]:
        """Return the closed contacts for these occupied cells, sorted."""
        if self.flicker and now >= self._flicker_at:
            self._flicker_at = now + FLICKER_EVERY
            self._flickering ^= {cell for cell in sorted(self.flicker) if self.rng.random() < 0.5}
        closed = {cell for cell, on in self.stuck.items() if on} | (self._flickering & self.flicker)
        return sorted(occupied - self.stuck.keys() - self.flicker | closed)

    def misses(self) -> bool:
        """Return whether this report misses a tag, under a hand for instance."""
        return self._happens(self.missed)

    def due(self) -> float:
        """Return when a contact may change by itself."""
        return self._flicker_at if self.flicker else float("inf")

    def _happens(self, rate: float) -> bool:
        return bool(rate) and self.rng.random() < rate


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
