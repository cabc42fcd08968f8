"""A panel in a simulated world, and a module RPi.GPIO that records its calls."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from companion.core.game import GameError, Message, Seat
from companion.panel.panel import BUTTON_POLL, Panel
from companion.table.broadcast import Update
from tests.helpers.fake_pins import FakePins


class Refusal(GameError, ValueError):
    """A refusal by the table, for tests."""

    code = "refused"


class World:
    """A panel with a clock that a test sets, and the record of its requests to the table."""

    def __init__(self, bounce: float = 0.0) -> None:
        self.seconds = 0.0
        self.pins = FakePins(self.now, bounce)
        self.requests: list[tuple[Any, ...]] = []
        self.refusals: list[Message] = []
        self.refuse: str | None = None
        self.panel = Panel(
            self.pins, self.submit, self.undo, self.now, refused=self.refusals.append
        )

    def now(self) -> float:
        return self.seconds

    def submit(self, seat: Seat, actions: list[dict[str, Any]]) -> None:
        self._ask("submit", seat, actions)

    def undo(self, seat: Seat) -> None:
        self._ask("undo", seat)

    def _ask(self, *request: object) -> None:
        if self.refuse is not None:
            raise Refusal(self.refuse)
        self.requests.append(request)

    def run(self, seconds: float) -> None:
        """Let time pass, the panel reading its button every `BUTTON_POLL` seconds."""
        end = self.seconds + seconds
        while self.seconds < end:
            self.panel.poll()
            self.seconds += BUTTON_POLL


@pytest.fixture
def world() -> World:
    """A panel before its first update."""
    return World()


@pytest.fixture(scope="session")
def make_world() -> Callable[..., World]:
    """Make further worlds."""
    return World


def _snapshot(**changes: Any) -> dict[str, Any]:
    return {
        "position": 7,
        "phase": "play",
        "to_move": "H1",
        "secret": False,
        "revealing": False,
        "legal": [{"type": "walk", "pawn": "H1a", "to": "B1"}, {"type": "end"}],
        "settings": {"sound": True, "player_groans": False},
        "board": {"source": "serial", "link": "up"},
        **changes,
    }


def _update(*events: dict[str, Any], position: int = 7, **changes: Any) -> Update:
    lines = [
        {"position": position, "event": event, "message": {"code": "x", "params": {}}}
        for event in events
    ]
    return Update(_snapshot(position=position, **changes), lines)


@pytest.fixture(scope="session")
def update() -> Callable[..., Update]:
    """Make a public update of a game in which it is H1's turn, from events and changes of the
    snapshot.
    """
    return _update


class FakeGPIO(ModuleType):
    """A module RPi.GPIO: it records its calls and answers `input` with the level that the test set
    on the pin.
    """

    BCM, IN, OUT, HIGH, LOW, PUD_UP = 11, 1, 0, 1, 0, 22

    def __init__(self) -> None:
        super().__init__("RPi.GPIO")
        self.calls: list[tuple[Any, ...]] = []
        self.levels: dict[int, int] = {}
        self.failure: Exception | None = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)

        def call(*args: Any, **options: Any) -> None:
            if self.failure is not None:
                raise self.failure
            self.calls.append((name, *args, *sorted(options.items())))

        return call

    def input(self, pin: int) -> int:
        return self.levels.get(pin, self.HIGH)

    def PWM(self, pin: int, hertz: int) -> FakePWM:
        self.calls.append(("PWM", pin, hertz))
        return FakePWM(self)


class FakePWM:
    """The software PWM of the fake module."""

    def __init__(self, gpio: FakeGPIO) -> None:
        self._gpio = gpio

    def __getattr__(self, name: str) -> Any:
        return lambda *args: self._gpio.calls.append((f"pwm.{name}", *args))


@pytest.fixture
def fake_gpio(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGPIO]:
    """Put the fake module where `import RPi.GPIO` finds it."""
    gpio, package = FakeGPIO(), ModuleType("RPi")
    package.GPIO = gpio  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "RPi", package)
    monkeypatch.setitem(sys.modules, "RPi.GPIO", gpio)
    yield gpio
