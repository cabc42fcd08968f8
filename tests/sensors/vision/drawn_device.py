"""A stand-in for the process that opens a V4L2 device: `drawn_device.py PICTURE EVERY` writes the
frames of a picture with the same code.
"""

from __future__ import annotations

import sys
from typing import Any

import cv2
from numpy.typing import NDArray

from companion.sensors.vision.frames.device_worker import write_frames


class DrawnCapture:
    """Captures the picture in a file."""

    def __init__(self, path: str) -> None:
        self._path = path

    def grab(self) -> bool:
        """Return True: there is always a picture."""
        return True

    def retrieve(self) -> tuple[bool, NDArray[Any]]:
        """Decode the picture."""
        image = cv2.imread(self._path)
        assert image is not None
        return True, image


if __name__ == "__main__":
    write_frames(DrawnCapture(sys.argv[1]), sys.stdout.buffer, float(sys.argv[2]))
