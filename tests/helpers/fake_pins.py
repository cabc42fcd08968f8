"""Pins for tests: press the button, and read the states of lamp and piezo."""

from __future__ import annotations

from collections.abc import Callable

CHATTER = 0.004
"""Seconds between two bounces of the contacts."""


class FakePins:
    """Pins whose contacts bounce for `bounce` seconds at each edge."""

    def __init__(self, monotonic: Callable[[], float], bounce: float = 0.0) -> None:
        self._now = monotonic
        self._bounce = bounce
        self._presses: list[tuple[float, float]] = []
        self.record: list[tuple[float, str, int]] = []
        """Changes in order, as (seconds, "lamp" or "tone", value)."""
        self.closed = False

    def press(self, seconds: float = 0.2) -> None:
        """Press the button for `seconds`."""
        self._presses.append((self._now(), self._now() + seconds))

    def hold(self, seconds: float = 2.0) -> None:
        """Hold the button for `seconds`."""
        self.press(seconds)

    def pressed(self) -> bool:
        return any(self._closed_by(down, up) for down, up in self._presses)

    def _closed_by(self, down: float, up: float) -> bool:
        now = self._now()
        chattering = any(0 <= now - edge < self._bounce for edge in (down, up))
        if chattering:
            since = now - (up if now >= up else down)
            return int(since / CHATTER) % 2 == 0
        return down <= now < up

    def lamp(self, on: bool) -> None:
        self.record.append((self._now(), "lamp", int(on)))

    def tone(self, hertz: int) -> None:
        self.record.append((self._now(), "tone", hertz))

    def close(self) -> None:
        self.lamp(False)
        self.tone(0)
        self.closed = True

    def states(self, part: str) -> list[int]:
        """Return the values of "lamp" or "tone" so far, in order."""
        return [value for _, name, value in self.record if name == part]

    def assert_states(self, part: str, expected: list[int]) -> None:
        """Raise AssertionError unless "lamp" or "tone" had exactly these values; clear them."""
        got = self.states(part)
        if got != expected:
            raise AssertionError(f"{part} was {got} instead of {expected}")
        self.record = [entry for entry in self.record if entry[1] != part]
