"""Open the frame source that a setting names."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from companion.config import CameraSettings
from companion.sensors.vision.frames.device_source import DeviceSource
from companion.sensors.vision.frames.folder_source import FolderSource, PiCamera
from companion.sensors.vision.frames.frame_source import FrameSource
from companion.sensors.vision.frames.http_source import HttpSource

PI = "pi"
"""The setting for the Pi's camera."""
DEVICE = re.compile(r"/dev/video[0-9]+")


def open_frame_source(settings: CameraSettings, monotonic: Callable[[], float]) -> FrameSource:
    """Return the source of the settings: the Pi's camera, a device, an address, or a folder."""
    named = settings.source
    if named == PI:
        return PiCamera(every=settings.every)
    if DEVICE.fullmatch(named):
        return DeviceSource(named, every=settings.every, monotonic=monotonic)
    if (address := settings.address()) is not None:
        return HttpSource(
            address, every=settings.every, monotonic=monotonic, internet=settings.internet
        )
    return FolderSource(Path(named).expanduser())
