"""Read camera frames from a V4L2 device (`/dev/video0`) by a process of its own."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec

from companion.core.game import Message
from companion.process import minimal_env
from companion.sensors.vision.frames.frame_source import BackgroundSource, SourceFailed
from companion.sensors.vision.sandbox import MAX_UPLOAD_BYTES

DEVICE_FRAME_TIMEOUT = 20.0
"""Seconds for the first frame, loading OpenCV included, and for each further one."""
LENGTH_BYTES = 4
EXIT_NO_DEVICE, EXIT_NO_FRAME = 3, 4
"""Exit statuses of the process: the device cannot be opened; it gives no frame."""
PROBLEMS = {EXIT_NO_DEVICE: "camera.no_device", EXIT_NO_FRAME: "camera.no_frame"}


class DeviceSource(BackgroundSource):
    """Reads JPEGs from the process that has the device open (device_worker.py)."""

    def __init__(self, device: str, *, every: float, monotonic: Callable[[], float]) -> None:
        super().__init__(every=every, monotonic=monotonic)
        self._device = device
        self._process: subprocess.Popen[bytes] | None = None

    def _read(self) -> None:
        if find_spec("cv2") is None:
            raise SourceFailed(Message("camera.no_reader"))
        self._allow(DEVICE_FRAME_TIMEOUT)
        with self._start() as process:
            self._process = process
            try:
                while frame := receive_frame(process):
                    self._keep(frame)
                    self._allow(DEVICE_FRAME_TIMEOUT)
            finally:
                self._process = None
                process.kill()
                status = process.wait()
        code = PROBLEMS.get(status, "camera.no_frame")
        raise SourceFailed(Message(code, {"device": self._device}))

    def _interrupt(self) -> None:
        process = self._process
        if process is not None:
            with contextlib.suppress(OSError):
                process.kill()

    def _start(self) -> subprocess.Popen[bytes]:
        module = "companion.sensors.vision.frames.device_worker"
        return subprocess.Popen(
            [sys.executable, "-P", "-m", module, self._device, str(self._every)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            cwd="/",
            env=minimal_env() | {"OPENBLAS_NUM_THREADS": "1", "OPENCV_LOG_LEVEL": "ERROR"},
        )


def receive_frame(process: subprocess.Popen[bytes]) -> bytes:
    """Return the next frame that a process writes, b"" when it has ended."""
    assert process.stdout is not None
    head = process.stdout.read(LENGTH_BYTES)
    length = int.from_bytes(head, "big")
    if len(head) < LENGTH_BYTES or not 0 < length <= MAX_UPLOAD_BYTES:
        return b""
    frame = process.stdout.read(length)
    return frame if len(frame) == length else b""
