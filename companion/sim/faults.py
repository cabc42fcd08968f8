"""Switches for the faults of a board and its wire.

Every fault met in practice gets one.
"""

from __future__ import annotations

from random import Random
from typing import Literal

from msgspec import Struct, field

Mask = Literal["", "mute", "echo", "modem"]
"""A device in the board's place: none, a silent one, an echo, or an AT modem."""
RATES = {"noise": 0.01, "lost": 0.2, "duplicated": 0.3, "torn": 0.2, "missed": 0.2}
"""Rates for "on": noise per byte, missed per tag and scan, the others per frame."""
FLICKER_EVERY = 0.2


class Faults(Struct):
    """Switches of one board, all off at first. The same `rng` gives the same faults."""

    rng: Random = field(default_factory=lambda: Random(0))
    noise: float = 0.0
    lost: float = 0.0
    duplicated: float = 0.0
    torn: float = 0.0
    missed: float = 0.0
    silence: bool = False
    stuck: dict[int, bool] = field(default_factory=dict)
    flicker: set[int] = field(default_factory=set)
    broken_loops: set[int] = field(default_factory=set)
    reader_silent: bool = False
    protocol: int | None = None
    firmware: int | None = None
    mask: Mask = ""
    reset_after: int | None = None
    """Bytes after which the next frame is cut and the board restarts; None: off."""
    _flickering: set[int] = field(default_factory=set)
    _flicker_at: float = 0.0

    def sent(self, frame: bytes) -> bytes:
        """Return the bytes of a sent frame that arrive."""
        if self.silence or self._happens(self.lost):
            return b""
        if self._happens(self.torn):
            return frame[: self.rng.randrange(1, len(frame))]
        return self.noisy(frame) * (2 if self._happens(self.duplicated) else 1)

    def noisy(self, data: bytes) -> bytes:
        """Return the bytes as they arrive through the noise."""
        if not self.noise:
            return data
        return bytes(
            byte ^ 1 << self.rng.randrange(8) if self._happens(self.noise) else byte
            for byte in data
        )

    def contacts(self, occupied: frozenset[int], now: float) -> frozenset[int]:
        """Return the closed contacts for these occupied cells."""
        if self.flicker and now >= self._flicker_at:
            self._flicker_at = now + FLICKER_EVERY
            self._flickering ^= {cell for cell in self.flicker if self.rng.random() < 0.5}
        closed = {cell for cell, on in self.stuck.items() if on} | (self._flickering & self.flicker)
        return occupied - self.stuck.keys() - self.flicker | closed

    def misses(self) -> bool:
        """Return whether this scan misses a tag: a hand, or a stronger tag in its slot."""
        return self._happens(self.missed)

    def due(self) -> float:
        """Return when a contact may change by itself."""
        return self._flicker_at if self.flicker else float("inf")

    def _happens(self, rate: float) -> bool:
        return bool(rate) and self.rng.random() < rate
