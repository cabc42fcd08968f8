"""Switches for the faults of a board and its wire.

Every fault met in practice gets one.
"""

from __future__ import annotations

from random import Random
from typing import Literal

from msgspec import Struct, field

from companion.core.placement import Cell

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
