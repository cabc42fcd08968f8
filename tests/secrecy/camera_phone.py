"""A spare phone over the table of a twin run: it sends what the table looks like, over the wire."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import cache, lru_cache, partial
from unittest.mock import patch

import companion.sensors.vision.camera as camera_module
from companion.games.vampireradar.options import Layout
from companion.games.vampireradar.tiles import tiles_of_layout
from companion.sensors.vision.camera import Camera
from companion.sensors.vision.camera_client import CameraDecoder
from companion.server.routes.uploads import TICKET_HEADER
from tests.photos.frame_sequence import FrameSequence
from tests.photos.views import VIEWS
from tests.secrecy.paired_vampireradar import Twins
from tests.secrecy.sockets import Reply, WirePhone

DECODED_WITHIN = 120.0
"""Real seconds that a frame may take on a machine with much else to do."""
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
    """Return what the camera sees of these pawns; both sides of a pair see the same."""
    return film(layout).picture(dict(pawns))


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
        patient = partial(CameraDecoder, DECODED_WITHIN)
        stack.enter_context(patch.object(camera_module, "CameraDecoder", patient))

    def after(self, send: Callable[[], Reply]) -> Reply:
        """Send a frame, and return the answer when it has been decoded."""
        with self._changed:
            before = self._count
        reply = send()
        with self._changed:
            assert self._changed.wait_for(lambda: self._count > before, DECODED_WITHIN)
        return reply


class CameraPhone:
    """The phone, paired by the display's code."""

    def __init__(self, phone: WirePhone, display: WirePhone, frames: DecodedFrames) -> None:
        self._phone, self._frames = phone, frames
        code = display.ask("camera_code")["camera"]["url"].partition("#")[2][43:]
        assert phone.ask("pair_camera", code=code)["ok"]

    def see(self, twins: Twins, pawns: Mapping[str, str]) -> Reply:
        """Send a frame of the pair's field with these pawns on it, and return the answer when the
        table has read it.
        """
        ticket = self._phone.ask("watch", changed=True)["ticket"]
        assert ticket
        assert twins.setup.field
        frame = picture(twins.setup.field, tuple(sorted(pawns.items())))
        return self._frames.after(
            lambda: self._phone.post("/frame", frame, f"{TICKET_HEADER}: {ticket}\r\n")
        )
