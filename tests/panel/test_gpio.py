"""The real pins' code, run against a module RPi.GPIO that records its calls.

None of this ran on a Pi.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from companion.config import PanelSettings
from companion.panel.panel import Panel
from companion.panel.pins import NoPins, PanelUnavailable, open_pins

GPIO = PanelSettings(pins="gpio", button=5, lamp=6, piezo=13)


def test_pins_are_set_up(fake_gpio: Any) -> None:
    """Pins have Broadcom's numbers; the button is pulled up, lamp and piezo begin low."""
    open_pins(GPIO)

    expected = [
        ("setwarnings", False),
        ("setmode", fake_gpio.BCM),
        ("setup", 5, fake_gpio.IN, ("pull_up_down", fake_gpio.PUD_UP)),
        ("setup", [6, 13], fake_gpio.OUT, ("initial", fake_gpio.LOW)),
        ("PWM", 13, 440),
    ]
    assert expected == fake_gpio.calls


def test_a_pressed_button_pulls_the_pin_low(fake_gpio: Any) -> None:
    """The button connects to ground: low is pressed, high is not."""
    pins = open_pins(GPIO)
    assert not pins.pressed()
    fake_gpio.levels[5] = fake_gpio.LOW

    assert pins.pressed()


def test_lamp_tone_and_silence(fake_gpio: Any) -> None:
    """The lamp is a level; a tone starts the wave once, changes its pitch, and silence stops it."""
    pins = open_pins(GPIO)
    fake_gpio.calls.clear()
    pins.lamp(True)
    pins.lamp(False)
    pins.tone(200)
    pins.tone(180)
    pins.tone(0)
    pins.tone(200)
    pins.close()

    expected = [
        ("output", 6, fake_gpio.HIGH),
        ("output", 6, fake_gpio.LOW),
        ("pwm.ChangeFrequency", 200),
        ("pwm.start", 50),
        ("pwm.ChangeFrequency", 180),
        ("pwm.stop",),
        ("pwm.ChangeFrequency", 200),
        ("pwm.start", 50),
        ("pwm.stop",),
        ("cleanup", [5, 6, 13]),
    ]
    assert expected == fake_gpio.calls


def test_hit_and_miss_differ_in_pitch_alone(fake_gpio: Any, world: Any, update: Any) -> None:
    """A hit and a miss are the same calls at the same moments; only the pitches differ."""
    traces = []
    for hit in (True, False):
        fake_gpio.calls.clear()
        world.seconds = 0.0
        panel = Panel(open_pins(GPIO), world.submit, world.undo, world.now)
        panel.update(update())
        panel.update(update({"event": "shot_fired", "hit": hit}, position=8))
        trace = []
        for step in range(300):
            world.seconds = step * 0.015
            panel.poll()
            trace += [(step, call[0]) for call in fake_gpio.calls]
            fake_gpio.calls.clear()
        traces.append(trace)

    assert traces[0] == traces[1]


@pytest.mark.parametrize(
    "failure",
    [
        RuntimeError("No access to /dev/mem"),
        ValueError("another mode"),
        PermissionError("/dev/gpiochip0"),
    ],
)
def test_pins_that_cannot_be_set_up(fake_gpio: Any, failure: Exception) -> None:
    """Any exception during the set-up becomes one error with the reason."""
    fake_gpio.failure = failure

    with pytest.raises(PanelUnavailable) as caught:
        open_pins(GPIO)
    assert ("panel_no_pins", {"why": str(failure)}) == (
        caught.value.message.code,
        caught.value.message.params,
    )


def test_the_errors_of_lgpio(fake_gpio: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """rpi-lgpio passes on lgpio's own error, which is a plain Exception; it is handled too."""

    class LgpioError(Exception):
        pass

    lgpio = ModuleType("lgpio")
    lgpio.error = LgpioError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    fake_gpio.failure = LgpioError("can not open gpiochip")

    with pytest.raises(PanelUnavailable, match="can not open gpiochip"):
        open_pins(GPIO)


def test_a_machine_without_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """If no package provides RPi.GPIO the panel is unavailable, and nothing else breaks."""
    monkeypatch.setitem(sys.modules, "RPi", None)
    monkeypatch.delitem(sys.modules, "RPi.GPIO", raising=False)

    with pytest.raises(PanelUnavailable, match="panel_no_gpio"):
        open_pins(GPIO)


def test_the_module_is_not_imported_without_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a panel in the settings RPi.GPIO is never imported."""
    monkeypatch.setitem(sys.modules, "RPi", None)

    assert isinstance(open_pins(PanelSettings()), NoPins)


def test_no_pins_do_nothing() -> None:
    """A table without a panel is never pressed, and lighting or sounding it has no effect."""
    pins = NoPins()
    pins.lamp(True)
    pins.tone(440)
    pins.close()

    assert not pins.pressed()
