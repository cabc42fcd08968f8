"""What a phone makes of rendered light: the lens's distortion and vignette, shake, the sensor's
noise, and the JPEG or the frame of a compressed video.
"""

from __future__ import annotations

import io
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tools.photos.rendered.scene import Sensor

Pixels = NDArray[np.uint8]
VIDEO_FRAMES = 6
"""Frames of the same view before the one that is read: a codec takes some to settle."""


def taken(picture: Path, sensor: Sensor, seed: int) -> bytes:
    """Return the JPEG that a phone sends of a rendered picture."""
    light = cv2.imread(str(picture))
    assert light is not None, picture
    bent = _through_lens(light, sensor)
    frames = [
        _noisy(bent, sensor, seed + shot) for shot in range(1 + VIDEO_FRAMES * sensor.is_video)
    ]
    pixels = _through_codec(frames) if sensor.is_video else frames[-1]
    buffer = io.BytesIO()
    Image.fromarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB)).save(
        buffer, "JPEG", quality=sensor.quality
    )
    return buffer.getvalue()


def _through_lens(light: cv2.typing.MatLike, sensor: Sensor) -> NDArray[np.float32]:
    height, width = light.shape[:2]
    across, down = np.meshgrid(
        np.arange(width, dtype=np.float32) - width / 2,
        np.arange(height, dtype=np.float32) - height / 2,
    )
    radius = (across**2 + down**2) / (width**2 + height**2) * 4
    stretch = (1 + sensor.barrel * radius).astype(np.float32)
    bent = cv2.remap(
        light,
        across * stretch + width / 2,
        down * stretch + height / 2,
        cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )
    if sensor.shake:
        # Eight steps between two pixels are smooth.
        length = max(2, round(sensor.shake) + 1)
        kernel = np.eye(length, dtype=np.float32) / length
        bent = cv2.filter2D(bent, -1, kernel)
    shade = (1 - sensor.vignette * radius)[..., None]
    return np.asarray(bent * shade, dtype=np.float32)


def _noisy(light: NDArray[np.float32], sensor: Sensor, seed: int) -> Pixels:
    grain = np.random.default_rng(seed).normal(0, sensor.noise, light.shape[:2])
    noisy = light + grain[..., None]
    return np.asarray(noisy.clip(0, 255), dtype=np.uint8)


def _through_codec(frames: list[Pixels]) -> Pixels:
    """Return the last frame as MPEG-4 leaves it."""
    height, width = frames[0].shape[:2]
    with TemporaryDirectory(prefix="video-") as name:
        path = f"{name}/table.mp4"
        writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"mp4v"), 15, (width, height))
        for frame in frames:
            writer.write(frame)
        writer.release()
        reader = cv2.VideoCapture(path)
        decoded = frames[-1]
        while (read := reader.read())[0]:
            decoded = np.asarray(read[1], dtype=np.uint8)
        reader.release()
    return decoded
