"""A spare phone over the table of a twin run: it sends frames over real sockets."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import cache, lru_cache
from typing import ClassVar
from unittest.mock import patch

import msgspec

import companion.sensors.vision.camera as camera_module
from companion.games.vampireradar.options import Layout
from companion.games.vampireradar.tiles import tiles_of_layout
from companion.sensors.vision.camera import Camera
from companion.sensors.vision.camera_client import CameraDecoder
from companion.sensors.vision.frame import FrameContext, FrameResult
from companion.server.routes.uploads import TICKET_HEADER
from tools.photos.frame_sequence import FrameSequence
from tools.photos.views import VIEWS
from tools.secrecy.paired_vampireradar import Twins
from tools.secrecy.sockets import Reply, SocketPhone

DECODED_WITHIN = 120.0
"""Real seconds that a frame may take on a loaded machine."""
FRAME_APART = 0.25
"""Simulated seconds before each frame: more than the table demands."""


@lru_cache(maxsize=1)
def film(layout: Layout) -> FrameSequence:
    """Return a camera nearly straight above the tiles of a set-up."""
    laid = tiles_of_layout(layout, {})
    return FrameSequence(
        {cell: (tile.number, tile.turn or 0) for cell, tile in laid.items()}, VIEWS["overhead"]
    )


@cache
def picture(layout: Layout, pawns: tuple[tuple[str, str], ...]) -> bytes:
    """Return the picture of these pawns; both sides of a pair get the same."""
    return film(layout).picture(dict(pawns))


class CachedDecoder(CameraDecoder):
    """Decodes each picture once for both sides of a pair if they expect the same pieces."""

    results: ClassVar[dict[tuple[bytes, bytes], FrameResult]] = {}

    def __init__(self) -> None:
        super().__init__(DECODED_WITHIN)

    def decode(self, picture: bytes, context: FrameContext) -> FrameResult:
        key = picture, msgspec.json.encode(context)
        if key not in self.results:
            self.results[key] = super().decode(picture, context)
        return self.results[key]


class DecodedFrames:
    """Counts the frames that a table's camera has decoded, reported and shown."""

    def __init__(self, stack: ExitStack) -> None:
        self._count = 0
        self._changed = threading.Condition()
        decode = Camera._decode

        def counted(camera: Camera, picture: bytes) -> None:
            decode(camera, picture)
            with self._changed:
                self._count += 1
                self._changed.notify_all()

        stack.enter_context(patch.object(Camera, "_decode", counted))
        stack.enter_context(patch.object(camera_module, "CameraDecoder", CachedDecoder))

    def send_and_wait(self, send: Callable[[], Reply]) -> Reply:
        """Send a frame, wait until it is decoded, and return the reply."""
        with self._changed:
            count = self._count
        reply = send()
        with self._changed:
            assert self._changed.wait_for(lambda: self._count > count, DECODED_WITHIN)
        return reply


class CameraPhone:
    """The phone, paired by the display's code."""

    def __init__(self, phone: SocketPhone, display: SocketPhone, frames: DecodedFrames) -> None:
        self._phone, self._frames = phone, frames
        code = display.request("camera_code")["camera"]["url"].partition("#")[2][43:]
        assert phone.request("pair_camera", code=code)["ok"]

    def send_frame(self, twins: Twins, pawns: Mapping[str, str]) -> Reply:
        """Send a frame of the pair's field with these pawns, wait until the table has read it, and
        return the reply.
        """
        ticket = self._phone.request("watch", changed=True)["ticket"]
        assert ticket
        assert twins.setup.field
        frame = picture(twins.setup.field, tuple(sorted(pawns.items())))
        return self._frames.send_and_wait(
            lambda: self._phone.post("/frame", frame, f"{TICKET_HEADER}: {ticket}\r\n")
        )
