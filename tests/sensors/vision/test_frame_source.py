"""A camera that fails in a way that nobody expected says so, and is tried again."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from companion.core.game import Message
from companion.sensors import sensor_source
from companion.sensors.link import Link
from companion.sensors.vision import camera as camera_module
from companion.sensors.vision.camera import Camera
from companion.sensors.vision.frame import FrameContext, FrameResult
from companion.sensors.vision.frames import frame_source
from companion.sensors.vision.frames.frame_source import UNCHANGED, BackgroundSource, Unchanged

LIMIT = 90.0
"""Real seconds after which a thread counts as stuck."""
FAILED = Message("camera.failed")


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_source, "RETRY_PAUSE", 0.0)
    monkeypatch.setattr(sensor_source, "RETRY_FIRST", 0.0)


class BrokenOnce(BackgroundSource):
    """Fails with an error of the program, then gives a frame and waits for its end."""

    def __init__(self) -> None:
        super().__init__(every=0.0, monotonic=time.monotonic)
        self.reads = 0
        self.ended = Event()

    def _read(self) -> None:
        self.reads += 1
        if self.reads == 1:
            raise ZeroDivisionError
        self._keep(b"frame")
        self.ended.wait(LIMIT)

    def _interrupt(self) -> None:
        self.ended.set()


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_a_source_starts_again_after_any_error() -> None:
    """An error of the program in a source is a sentence, and the source reads again."""
    source = BrokenOnce()
    results: list[object] = []

    def both() -> bool:
        results.append(source.newest())
        return b"frame" in results and FAILED in results

    until(both)
    source.close()

    assert 2 == source.reads


class Broken(BackgroundSource):
    """Fails with an error of the program each time."""

    def __init__(self) -> None:
        super().__init__(every=0.0, monotonic=time.monotonic)
        self.reads = 0

    def _read(self) -> None:
        self.reads += 1
        raise ZeroDivisionError

    def _interrupt(self) -> None:
        pass


def test_a_source_that_fails_repeatedly_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """It is tried again for hours, and must not fill the log."""
    source = Broken()
    with caplog.at_level(logging.ERROR):
        source.newest()
        until(lambda: source.reads > 3)
        source.close()

    (line,) = caplog.messages
    assert "a camera's source failed: ZeroDivisionError" in line


class BrokenDecoder:
    """Fails with an error of the program, then reads frames."""

    def __init__(self) -> None:
        self.calls = 0

    def decode(self, picture: bytes, context: FrameContext) -> FrameResult:
        self.calls += 1
        if self.calls == 1:
            raise ZeroDivisionError
        return FrameResult(problem=Message("camera.no_frame"))

    def close(self) -> None:
        pass


class Frames:
    """A source of frames without end."""

    def newest(self) -> bytes:
        return b"frame"

    def wait(self, seconds: float) -> None:
        pass

    def close(self) -> None:
        pass


def test_a_camera_reads_on_after_any_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of the program in a camera's thread is shown as its problem and on its link, and the
    next frame is read.
    """
    links: list[Link] = []
    monkeypatch.setattr(camera_module, "CameraDecoder", BrokenDecoder)
    camera = Camera(
        "camera", frames=Frames(), monotonic=time.monotonic, context=lambda: FrameContext({}),
        on_observation=lambda observation: None, on_link=links.append, timeout=LIMIT,
    )  # fmt: skip
    camera.start()
    until(lambda: camera.diagnosis().problem == Message("camera.no_frame"))
    camera.close()

    assert [("searching", None), ("silent", FAILED)] == [(one.state, one.message) for one in links]


class FailsOnce:
    """Reads the first frame, and fails with an error of the program at the second one."""

    def decode(self, picture: bytes, context: FrameContext) -> FrameResult:
        if picture == b"second":
            raise ZeroDivisionError
        return FrameResult()

    def close(self) -> None:
        pass


class PhoneFrames(Frames):
    """Two frames, and that the second one still holds."""

    def __init__(self) -> None:
        self.sent: list[bytes | Unchanged] = [b"first", b"second", UNCHANGED]

    def newest(self) -> Any:
        return self.sent.pop(0) if self.sent else None

    def wait(self, seconds: float) -> None:
        Event().wait(0.001)


def test_a_frame_that_failed_confirms_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone that still sees the frame at which the program failed does not confirm the one
    before: the table may look different.
    """
    states: list[str] = []
    confirmed: list[float] = []
    frames = PhoneFrames()
    monkeypatch.setattr(camera_module, "CameraDecoder", FailsOnce)
    camera = Camera(
        "phone", frames=frames, monotonic=time.monotonic, context=lambda: FrameContext({}),
        on_observation=lambda observation: None, on_link=lambda link: states.append(link.state),
        timeout=LIMIT, on_confirm=confirmed.append,
    )  # fmt: skip
    camera.start()
    until(lambda: not frames.sent)
    camera.close()

    assert ["searching", "up", "silent"] == states
    assert [] == confirmed
