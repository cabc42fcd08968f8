"""The panel's pins: real, fake or none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.config import PanelSettings
from companion.core.game import GameError


class PanelUnavailable(GameError, RuntimeError):
    """Error raised when this machine's pins cannot be used; the game runs without them."""

    code = "panel_unavailable"


class Pins(Protocol):
    """The panel's three parts. For one thread; each may be missing."""

    def pressed(self) -> bool:
        """Return whether the button's contacts are closed at this instant, chatter included."""

    def lamp(self, on: bool) -> None:
        """Switch the lamp on or off."""

    def tone(self, hertz: int) -> None:
        """Sound the piezo at this pitch until the next call; 0 is silence."""

    def close(self) -> None:
        """Switch everything off and release the pins."""


class NoPins:
    """No panel: no press, light or sound."""

    def pressed(self) -> bool:
        return False

    def lamp(self, on: bool) -> None:
        return None

    def tone(self, hertz: int) -> None:
        return None

    def close(self) -> None:
        return None


def open_pins(settings: PanelSettings, monotonic: Callable[[], float]) -> Pins:
    """Return the pins that the settings ask for; raise `PanelUnavailable` without them.

    The module of the real pins is imported only here, when needed: on most machines its import
    fails.
    """
    if settings.pins == "gpio":
        from companion.panel.gpio import GpioPins

        return GpioPins(settings)
    if settings.pins == "fake":
        from companion.panel.fake_pins import FakePins

        return FakePins(monotonic)
    return NoPins()
