"""What drives the box: real pins, pins that are played by a test, or none at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.config import PanelSettings
from companion.core.game import GameError


class PanelUnavailable(GameError, RuntimeError):
    """Error raised when the pins of this machine cannot be used; the game goes on without them."""

    code = "panel_unavailable"


class Pins(Protocol):
    """The three parts of the box. Called from one thread; each may be missing on the real box."""

    def pressed(self) -> bool:
        """Return whether the button's contacts are closed at this instant, chatter included."""

    def lamp(self, on: bool) -> None:
        """Light the lamp or put it out."""

    def tone(self, hertz: int) -> None:
        """Sound the piezo at this pitch until told otherwise; 0 is silence."""

    def close(self) -> None:
        """Put everything out and let the pins go."""


class NoPins:
    """A table without a box: nothing is ever pressed, lit or sounded."""

    def pressed(self) -> bool:
        return False

    def lamp(self, on: bool) -> None:
        return None

    def tone(self, hertz: int) -> None:
        return None

    def close(self) -> None:
        return None


def open_pins(settings: PanelSettings, monotonic: Callable[[], float]) -> Pins:
    """Return the pins that the settings ask for; raise `PanelUnavailable` where there are none.

    The module of the real pins is imported only here and only when asked for: on most machines
    its import fails.
    """
    if settings.pins == "gpio":
        from companion.panel.gpio import GpioPins

        return GpioPins(settings)
    if settings.pins == "fake":
        from companion.panel.fake_pins import FakePins

        return FakePins(monotonic)
    return NoPins()
