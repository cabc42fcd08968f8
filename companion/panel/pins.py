"""The panel's pins: those of a Raspberry Pi, by any package with the module RPi.GPIO, or none.

The button is polled. Edge detection would fail with RPi.GPIO on kernels from 6.6
(raspberrypi/linux #6037), while plain reading works with it and with rpi-lgpio alike.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any, Protocol

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


DUTY_CYCLE = 50
"""Per cent of a period that the piezo's pin is high: one loudness for every tone."""


class GpioPins:
    """Button (to ground, internal pull-up), lamp (high lights it) and passive piezo on BCM pins."""

    def __init__(self, settings: PanelSettings) -> None:
        self._gpio = _import_gpio()
        self._button, self._lamp = settings.button, settings.lamp
        self._outputs = [settings.lamp, settings.piezo]
        try:
            self._set_up(settings.piezo)
        except _failures() as failed:
            raise PanelUnavailable("panel_no_pins", why=str(failed)) from failed
        self._sounding = False

    def _set_up(self, piezo: int) -> None:
        gpio = self._gpio
        gpio.setwarnings(False)
        gpio.setmode(gpio.BCM)
        gpio.setup(self._button, gpio.IN, pull_up_down=gpio.PUD_UP)
        gpio.setup(self._outputs, gpio.OUT, initial=gpio.LOW)
        self._piezo = gpio.PWM(piezo, 440)

    def pressed(self) -> bool:
        return not self._gpio.input(self._button)

    def lamp(self, on: bool) -> None:
        self._gpio.output(self._lamp, self._gpio.HIGH if on else self._gpio.LOW)

    def tone(self, hertz: int) -> None:
        if not hertz:
            self._piezo.stop()
        else:
            self._piezo.ChangeFrequency(hertz)
            if not self._sounding:
                self._piezo.start(DUTY_CYCLE)
        self._sounding = bool(hertz)

    def close(self) -> None:
        self._piezo.stop()
        del self._piezo  # its own cleanup would use pins that are already released
        self._gpio.cleanup([self._button, *self._outputs])


def _import_gpio() -> Any:
    try:
        return importlib.import_module("RPi.GPIO")
    except (
        ImportError,
        RuntimeError,
        OSError,
    ) as failed:  # RuntimeError: no Pi; OSError: lgpio cannot write to its folder
        raise PanelUnavailable("panel_no_gpio", why=str(failed)) from failed


def _failures() -> tuple[type[Exception], ...]:
    """The errors of setting up: rpi-lgpio passes on those of lgpio, which derive from Exception."""
    known = (RuntimeError, ValueError, OSError)
    lgpio = sys.modules.get("lgpio")
    return known if lgpio is None else (*known, lgpio.error)


def open_pins(settings: PanelSettings) -> Pins:
    """Return the pins that the settings ask for; raise `PanelUnavailable` without them."""
    return GpioPins(settings) if settings.pins == "gpio" else NoPins()
