"""The clocks."""

import threading
import time
import traceback
from types import SimpleNamespace

import pytest

from companion.clock import SystemClock
from tests.helpers.simulated_clock import SimulatedClock


def test_simulated_order() -> None:
    """Actions run in order of time, each at its own time; equal times in the order of entry."""
    clock = SimulatedClock()
    ran: list[tuple[str, float]] = []
    clock.call_at(2.0, lambda: ran.append(("late", clock.monotonic())))
    clock.call_at(1.0, lambda: ran.append(("early", clock.monotonic())))
    clock.call_at(2.0, lambda: ran.append(("later", clock.monotonic())))
    clock.advance(1.5)
    clock.advance(1.5)

    assert [("early", 1.0), ("late", 2.0), ("later", 2.0)] == ran
    assert 3.0 == clock.monotonic()


def test_simulated_chain() -> None:
    """An action may schedule another that falls due in the same advance."""
    clock = SimulatedClock()
    ran: list[float] = []
    clock.call_at(1.0, lambda: clock.call_at(2.0, lambda: ran.append(clock.monotonic())))
    clock.advance(5.0)

    assert [2.0] == ran


def test_wall_jumps() -> None:
    """A jump of the wall clock moves no scheduled action."""
    clock = SimulatedClock(wall=1e9)
    clock.shift_wall(-20 * 365 * 86400)

    assert 0.0 == clock.monotonic()
    assert clock.wall() < 1e9


def test_system_clock() -> None:
    """The system's clock runs an action once its time has come, earlier ones first."""
    clock = SystemClock()
    done = threading.Event()
    ran: list[str] = []
    start = clock.monotonic()
    clock.call_at(start + 0.02, done.set)
    clock.call_at(start + 0.015, lambda: ran.append("second"))
    clock.call_at(start + 0.01, lambda: ran.append("first"))

    assert done.wait(60)
    assert ["first", "second"] == ran
    clock.close()


def test_a_machine_that_slept_runs_what_was_due_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where time goes on while a machine sleeps, everything that was due then runs once, in order,
    when it wakes.
    """
    clock, done, ran = SystemClock(), threading.Event(), list[str]()
    start = clock.monotonic()
    clock.call_at(start + 7200, lambda: ran.append("dawn"))
    clock.call_at(start + 3600, lambda: ran.append("night"))
    clock.call_at(start + 7300, done.set)
    before = list(ran)
    later = SimpleNamespace(monotonic=lambda: time.monotonic() + 8000)
    monkeypatch.setattr("companion.clock.time", later)
    clock.call_at(0, lambda: None)  # It wakes.

    assert done.wait(60)
    clock.close()
    assert ([], ["night", "dawn"]) == (before, ran)


def test_system_clock_closed() -> None:
    """A closed clock has no thread any more."""
    clock = SystemClock()
    before = threading.active_count()
    clock.close()

    assert before - 1 == threading.active_count()


def test_what_failed_is_reported_without_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """An action that raises ends neither the clock nor a secret: its error's name and place are
    reported, never its text, which may hold a cell or a card.
    """
    printed: list[str] = []
    monkeypatch.setattr(
        threading,
        "excepthook",
        lambda args: printed.extend(traceback.format_exception(*args[:3])),
    )
    clock, done = SystemClock(), threading.Event()
    cells = {"A1": 1}
    clock.call_at(0, lambda: print(cells["".join(["D", "4"])]))
    clock.call_at(0, done.set)

    assert done.wait(60)
    clock.close()
    assert "KeyError" in printed[-1]
    assert "test_clock.py" in "".join(printed)
    assert "D4" not in "".join(printed)
