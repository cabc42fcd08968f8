"""A stand-in for the process that has a V4L2 device open: `drawn_device.py PICTURE EVERY` writes
what a capture of the picture gives, by the code that writes a device's.
"""

from __future__ import annotations

import sys
from typing import Any

import cv2
from numpy.typing import NDArray

from companion.sensors.vision.frames.device_worker import write_frames


class DrawnCapture:
    """Gives the picture that a file holds now."""

    def __init__(self, path: str) -> None:
        self._path = path

    def grab(self) -> bool:
        """Take the picture."""
        return True

    def retrieve(self) -> tuple[bool, NDArray[Any]]:
        """Decode it."""
        found = cv2.imread(self._path)
        assert found is not None
        return True, found


if __name__ == "__main__":
    write_frames(DrawnCapture(sys.argv[1]), sys.stdout.buffer, float(sys.argv[2]))
