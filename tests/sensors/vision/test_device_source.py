"""Pictures of a V4L2 device.

No device is opened here: a video file stands in for it behind OpenCV's own class, and a missing
device is opened. A real webcam was never tested.
"""

from __future__ import annotations

import io
import time
from pathlib import Path
from subprocess import PIPE, Popen

import cv2
import numpy
import pytest
from PIL import Image

from companion.core.game import Message
from companion.sensors.vision.frames.device_source import LENGTH_BYTES, DeviceSource
from companion.sensors.vision.frames.device_worker import write_frames

pytestmark = pytest.mark.slow

TIMEOUT = 120.0
"""Seconds; no assertion depends on time."""
SIZE = (320, 240)


def video(path: Path, greys: list[int]) -> Path:
    """Write a video of plain frames in these shades of grey."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, SIZE)
    for grey in greys:
        writer.write(numpy.full((SIZE[1], SIZE[0], 3), grey, numpy.uint8))
    writer.release()
    return path


def test_frames_are_written_as_jpegs(tmp_path: Path) -> None:
    """Each frame of a capture becomes a JPEG of its size after its length, until it ends."""
    greys = [40, 120, 200]
    capture, out = cv2.VideoCapture(str(video(tmp_path / "v.avi", greys))), io.BytesIO()
    write_frames(capture, out, every=0)
    out.seek(0)
    shades = []
    while length := int.from_bytes(out.read(LENGTH_BYTES), "big"):
        picture = Image.open(io.BytesIO(out.read(length)))
        assert SIZE == picture.size
        shades.append(round(numpy.asarray(picture.convert("L")).mean() / 40) * 40)

    assert greys == shades


MISSING = "/dev/video97"


def first_message() -> object:
    """Return the first result of a source of the missing device."""
    source = DeviceSource(MISSING, every=1.0, monotonic=time.monotonic)
    end = time.monotonic() + TIMEOUT
    while (result := source.newest()) is None:
        assert time.monotonic() < end
        time.sleep(0.02)
    source.close()
    return result


def test_a_device_that_is_not_there() -> None:
    """Its process ends, and the source reports that in one sentence."""
    assert Message("camera.no_device", {"device": MISSING}) == first_message()


def test_a_silent_process_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """A device without frames times out, and closing ends a process that waits."""
    monkeypatch.setattr("companion.sensors.vision.frames.device_source.DEVICE_FRAME_TIMEOUT", 0.1)
    asleep = ["/bin/sleep", "600"]
    monkeypatch.setattr(DeviceSource, "_start", lambda self: Popen(asleep, stdout=PIPE))

    assert Message("camera.no_frame", {"device": MISSING}) == first_message()
