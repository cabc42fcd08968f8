"""Decode camera frames in a process of its own, restarted after a timeout."""

from __future__ import annotations

import subprocess
from importlib.util import find_spec
from threading import Timer

import msgspec
from msgspec import Struct

from companion.core.game import Message
from companion.process import start_worker
from companion.sensors.vision.frame import FrameContext, FrameResult

CAMERA_WORKER = "companion.sensors.vision.camera_worker"
FRAME_TIMEOUT = 5.0
"""Seconds after which a frame is given up."""
STARTUP_TIME = 30.0
"""Extra seconds for the first frame: loading OpenCV is slow on a small machine."""


class FrameRequest(Struct, frozen=True):
    """Header before each frame: its length in bytes, and the expected pieces."""

    length: int
    context: FrameContext


class CameraDecoder:
    """Decodes frames. For one thread; `close` ends the process."""

    def __init__(self, seconds: float = FRAME_TIMEOUT) -> None:
        self._seconds = seconds
        self.process: subprocess.Popen[bytes] | None = None

    def decode(self, picture: bytes, context: FrameContext) -> FrameResult:
        """Return the result of a frame, or why there is none."""
        if find_spec("cv2") is None:
            return FrameResult(problem=Message("camera.no_reader"))
        starting = 0.0
        if self.process is None:
            # Each further thread of numpy takes 180 MB of address space.
            self.process = start_worker(CAMERA_WORKER, {"OPENBLAS_NUM_THREADS": "1"})
            starting = STARTUP_TIME
        timer = Timer(self._seconds + starting, self.process.kill)
        timer.start()
        try:
            line = _exchange(self.process, picture, context)
        finally:
            timer.cancel()
        if line:
            return msgspec.json.decode(line, type=FrameResult)
        status = self.process.poll()
        self.close()
        return FrameResult(
            problem=Message(
                "scan.too_slow" if status is None or status < 0 else "scan.broken_picture"
            )
        )

    def close(self) -> None:
        """End the process; the next frame starts another."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def _exchange(process: subprocess.Popen[bytes], picture: bytes, context: FrameContext) -> bytes:
    """Return the process's response line, b"" if it has ended."""
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write(msgspec.json.encode(FrameRequest(len(picture), context)) + b"\n")
        process.stdin.write(picture)
        process.stdin.flush()
    except OSError:
        return b""
    return process.stdout.readline()
