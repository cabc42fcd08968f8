"""The decoder process for camera frames: requests on stdin, one result line each on stdout.

It limits itself before the first frame, and lives on because OpenCV loads slowly. The server never
imports it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import msgspec

from companion.core.game import Message
from companion.sensors.vision.aruco import detect_markers
from companion.sensors.vision.camera_client import FrameRequest
from companion.sensors.vision.field import NoField
from companion.sensors.vision.frame import FrameResult, Marker, analyse_frame
from companion.sensors.vision.photo_worker import render_field, warm_up
from companion.sensors.vision.sandbox import address_space, apply_rlimits, write_out
from companion.sensors.vision.zxing_reader import ZxingReader, open_photo

MEMORY_HEADROOM = 256 * 1024 * 1024
"""Bytes of address space beyond what the libraries take on this machine."""


class ArucoReader(ZxingReader):
    """Reads the markers of pawns' caps, too."""

    def marks(self) -> Sequence[Marker]:
        return detect_markers(self._picture)


def decode_frames_from_stdin() -> None:
    """Decode frames until stdin ends."""
    warm_up()
    detect_markers(render_field({}))
    apply_rlimits(address_space() + MEMORY_HEADROOM, processor_seconds=None)
    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    while line := requests.readline():
        request = msgspec.json.decode(line, type=FrameRequest)
        picture = requests.read(request.length)
        write_out(replies, msgspec.json.encode(read_frame(picture, request)) + b"\n")


def read_frame(picture: bytes, request: FrameRequest) -> FrameResult:
    """Return what a frame shows."""
    try:
        return analyse_frame(ArucoReader(open_photo(picture)), request.context)
    except NoField as refused:
        return FrameResult(problem=refused.said)
    except MemoryError:
        return FrameResult(problem=Message("scan.too_heavy"))


if __name__ == "__main__":
    decode_frames_from_stdin()
