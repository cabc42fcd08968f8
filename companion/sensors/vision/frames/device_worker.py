"""The process that has a V4L2 device open: it writes JPEGs, each after its length, to stdout.

It limits itself once the device is open. The server never imports it.
"""

from __future__ import annotations

import sys
from typing import IO, Any, Protocol

import cv2
from numpy.typing import NDArray

from companion.clock import real_monotonic
from companion.platforms import limit_process, memory_in_use
from companion.sensors.vision.frames.device_source import (
    EXIT_NO_DEVICE,
    EXIT_NO_FRAME,
    LENGTH_BYTES,
)
from companion.sensors.vision.frames.folder_source import HEIGHT, WIDTH
from companion.sensors.vision.sandbox import write_out

JPEG_QUALITY = 92
FRAME_MEMORY = 512 * 1024 * 1024
"""Bytes of address space for frames, beyond what the library takes."""


class Capture(Protocol):
    """The part of OpenCV's VideoCapture that is used."""

    def grab(self) -> bool:
        """Take the next frame; return False without one."""

    def retrieve(self) -> tuple[bool, NDArray[Any]]:
        """Decode the frame that was taken."""


def write_frames_of_device() -> int:
    """Write the frames of the device in argv until it ends; return the exit status."""
    device, every = sys.argv[1], float(sys.argv[2])
    cv2.setNumThreads(1)
    capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
    if not capture.isOpened():
        return EXIT_NO_DEVICE
    for setting, value in (
        # Uncompressed frames of this size do not fit through USB 2.
        (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
        (cv2.CAP_PROP_FRAME_WIDTH, WIDTH),
        (cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT),
        # A queue of frames would delay each one.
        (cv2.CAP_PROP_BUFFERSIZE, 1),
    ):
        capture.set(setting, value)
    limit_process(memory_in_use() + FRAME_MEMORY, processor_seconds=None)
    write_frames(capture, sys.stdout.buffer, every)
    return EXIT_NO_FRAME


def write_frames(capture: Capture, out: IO[bytes], every: float) -> None:
    """Write a frame each `every` seconds, and drop those between, until there are none."""
    due = real_monotonic()
    while capture.grab():
        if real_monotonic() < due:
            continue
        due = real_monotonic() + every
        read, frame = capture.retrieve()
        if not read:
            return
        _, jpeg = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        picture = jpeg.tobytes()
        write_out(out, len(picture).to_bytes(LENGTH_BYTES, "big") + picture)


if __name__ == "__main__":
    sys.exit(write_frames_of_device())
