"""Detect ArUco markers with OpenCV.

OpenCV is large, so only the camera's decoder process imports this.
"""

from __future__ import annotations

import cv2
import numpy
from PIL import Image, ImageFilter

from companion.sensors.vision.frame import Marker

# Use one core: the table needs the others.
cv2.setNumThreads(1)


CUT_REACH, CUT_SIDE = 0.55, 320
"""Tiles from the middle of a place to the edge of its cut, and pixels along the cut."""
CUT_BLUR = 1.2
"""Pixels of blur that take a cut's noise away, a sixth of a marker's module."""


def _detector(least_perimeter: float, largest_perimeter: float) -> cv2.aruco.ArucoDetector:
    """Return a detector of markers whose perimeter is such a share of the picture's longer side."""
    parameters = cv2.aruco.DetectorParameters()
    # No error correction: the markers differ in only 16 modules, and a wrong pawn would be a move.
    parameters.errorCorrectionRate = 0.0
    parameters.minMarkerPerimeterRate = least_perimeter
    parameters.maxMarkerPerimeterRate = largest_perimeter
    # The default three thresholds take three times as long, and find no more markers in drawn
    # pictures.
    parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = 23
    # With half of this, a quarter of the markers is not read at an angle at 3 megapixels.
    parameters.perspectiveRemovePixelPerCell = 8
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100), parameters
    )


# A marker is 8 or 9 mm wide, the field 360 mm and a cut 66 mm.
FRAME_DETECTOR, CUT_DETECTOR = _detector(0.03, 0.2), _detector(0.3, 0.9)


def detect_markers(picture: Image.Image) -> list[Marker]:
    """Return the markers in a grey picture of the field; raise MemoryError at the memory limit."""
    return _detected(FRAME_DETECTOR, picture)


def detect_markers_in_cut(cut: Image.Image) -> list[Marker]:
    """Return the markers in a rectified grey cut; raise MemoryError at the memory limit."""
    return _detected(CUT_DETECTOR, cut.filter(ImageFilter.GaussianBlur(CUT_BLUR)))


def _detected(detector: cv2.aruco.ArucoDetector, picture: Image.Image) -> list[Marker]:
    try:
        corners, numbers, _ = detector.detectMarkers(numpy.asarray(picture))
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
