"""Debounce button samples into gestures: a short press or a hold. No clock, no pins."""

from __future__ import annotations

from typing import Literal

Gesture = Literal["down", "press", "hold"]
"""Pressed; released soon; held for long."""

DEBOUNCE_TIME = 0.05
"""Seconds for which the contacts must not change."""


class GestureDetector:
    """Detects gestures in samples; `hold`: seconds that make a hold."""

    def __init__(self, hold: float) -> None:
        self._hold = hold
        self._closed = False
        self._since = 0.0
        self._down_at: float | None = None
        self._held = False

    def sample(self, closed: bool, now: float) -> Gesture | None:
        """Return the gesture that this sample completes, None without one."""
        if closed != self._closed:
            self._closed, self._since = closed, now
        elif now - self._since >= DEBOUNCE_TIME:
            return self._settled_gesture(now)
        return None

    def _settled_gesture(self, now: float) -> Gesture | None:
        if self._closed and self._down_at is None:
            self._down_at, self._held = self._since, False
            return "down"
        if self._down_at is None:
            return None
        if self._closed:
            return self._hold_gesture(now)
        self._down_at = None
        return None if self._held else "press"

    def _hold_gesture(self, now: float) -> Gesture | None:
        if self._held or self._down_at is None or now - self._down_at < self._hold:
            return None
        self._held = True
        return "hold"
