"""A source whose code fails says so and starts again, later each time."""

from __future__ import annotations

import logging
from queue import SimpleQueue
from threading import Event

import pytest

from companion.core.game import Message
from companion.sensors import sensor_source
from companion.sensors.link import Link
from companion.sensors.sensor_source import LOG_AGAIN, RETRY_FIRST, RETRY_MOST, SensorSource

LIMIT = 90.0
"""Real seconds after which a thread counts as stuck."""


class Pauses(Event):
    """An event that never waits: each pause is noted and, on a simulated clock, over at once."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.lengths: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.lengths.append(timeout or 0.0)
        self.now += timeout or 0.0
        return self.is_set()


class Failing(SensorSource):
    """Fails after each of these times (s), with a secret in the error's text; then it waits."""

    failed = "link.failed"

    def __init__(self, *lives: float) -> None:
        self.pauses = Pauses()
        self.links: SimpleQueue[Link] = SimpleQueue()
        super().__init__("/dev/x", monotonic=lambda: self.pauses.now, on_link=self.links.put)
        self._closing = self.pauses
        self._lives = list(lives)
        self.has_recovered, self._ended = Event(), Event()

    def _read(self) -> None:
        if not self._lives:
            self.has_recovered.set()
            self._ended.wait(LIMIT)
            return
        self.pauses.now += self._lives.pop(0)
        raise LookupError("the vampire is on C3")

    def _interrupt(self) -> None:
        self._ended.set()


def test_a_source_that_fails_is_shown_and_starts_again(caplog: pytest.LogCaptureFixture) -> None:
    """People get a sentence, once while nothing changes; the log names error and source, and no
    value.
    """
    source = Failing(0.0, 0.0)
    with caplog.at_level(logging.ERROR, sensor_source.__name__):
        source.start()
        assert source.has_recovered.wait(LIMIT)
        source.close()

    link = source.links.get(timeout=LIMIT)
    assert ("silent", Message("link.failed"), True) == (
        link.state,
        link.message,
        source.links.empty(),
    )
    (line,) = caplog.messages
    assert "Failing('/dev/x', silent) failed: LookupError" in line
    assert "C3" not in caplog.text


def test_a_failure_that_repeats_is_logged_once_in_an_hour(caplog: pytest.LogCaptureFixture) -> None:
    """A source that fails for hours fills no log; each hour has one entry."""
    source = Failing(*[0.0] * 100, LOG_AGAIN)
    with caplog.at_level(logging.ERROR, sensor_source.__name__):
        source.start()
        assert source.has_recovered.wait(LIMIT)
        source.close()

    assert sum(source.pauses.lengths[:100]) < LOG_AGAIN
    assert 2 == len(caplog.messages)


def test_the_pause_doubles_up_to_its_most_and_begins_again_after_a_good_time() -> None:
    """A source that fails at once waits twice as long each time; one that read for a while starts
    again soon.
    """
    source = Failing(*[0.0] * 8, RETRY_MOST)
    source.start()
    assert source.has_recovered.wait(LIMIT)
    source.close()

    doubled = [min(RETRY_FIRST * 2**n, RETRY_MOST) for n in range(8)]
    assert [*doubled, RETRY_FIRST] == source.pauses.lengths


def test_a_callback_that_fails_does_not_end_the_source() -> None:
    """Not even the callback that is to show the failure."""
    source = Failing(0.0)

    def broken(link: Link) -> None:
        raise ValueError

    source._on_link = broken
    source.start()
    assert source.has_recovered.wait(LIMIT)
    source.close()
