"""Detect ArUco markers with OpenCV.

OpenCV is large, so only the camera's decoder process imports this.
"""

from __future__ import annotations

import cv2
import numpy
from PIL import Image

from companion.sensors.vision.frame import Marker

# Use one core: the table needs the others.
cv2.setNumThreads(1)


def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    # No error correction: the markers differ in only 16 modules, and a wrong pawn would be a move.
    parameters.errorCorrectionRate = 0.0
    # A marker is 8 or 9 mm wide, and the field 360 mm.
    parameters.minMarkerPerimeterRate, parameters.maxMarkerPerimeterRate = 0.03, 0.2
    # The default three thresholds take three times as long, and find no more markers in drawn
    # pictures.
    parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = 23
    # With half of this, a quarter of the markers is not read from the side at 3 megapixels.
    parameters.perspectiveRemovePixelPerCell = 8
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100), parameters
    )


DETECTOR = _detector()


def detect_markers(picture: Image.Image) -> list[Marker]:
    """Return the markers in a grey picture; raise MemoryError at the memory limit."""
    try:
        corners, numbers, _ = DETECTOR.detectMarkers(numpy.asarray(picture))
    except cv2.error as wrong:
        if wrong.code == cv2.Error.StsNoMem:
            raise MemoryError from wrong
        raise
    if numbers is None:
        return []
    found = []
    for number, (square,) in zip(numbers.flatten(), corners, strict=True):
        one, two, three, four = ((float(x), float(y)) for x, y in square)
        found.append(Marker(int(number), (one, two, three, four)))
    return found
