"""A fixed camera over one laid table, which takes a picture after each change."""

from __future__ import annotations

import io
import time
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace
from PIL import Image

from companion.core.placement import Pawn
from companion.sensors.vision.codes import FIRST_MARKER, MARKED_PAWNS
from tools.photos.scene import Laid, Scene
from tools.photos.views import VIEWS, View, bare, people, taken

MEGAPIXELS = 3
FRAMES_A_SECOND = 15
"""Of the video that a browser takes for its camera."""


class FrameSequence:
    """The camera: `picture` is its present picture."""

    def __init__(self, laid: Laid, view: View) -> None:
        self._view = view
        self._scene = Scene(laid=laid)
        self._camera, self._bare = bare(self._scene, view, MEGAPIXELS)

    def scene_picture(self, scene: Scene, seed: int = 0) -> bytes:
        """Return a picture of a scene's pieces on the table."""
        picture = self._bare.copy()
        people(picture, self._camera, scene)
        return taken(picture, self._view, MEGAPIXELS, seed)

    def picture(
        self, pawns: Mapping[str, str], hand: tuple[float, float] | None = None, seed: int = 0
    ) -> bytes:
        """Return a picture with these pawns on these cells, four of them side by side on a tile."""
        caps = tuple(
            (cell, 27.0 * (number % 2) - 13.5, 27.0 * (number // 2 % 2) - 13.5, number)
            for pawn, cell in pawns.items()
            for number in [FIRST_MARKER + MARKED_PAWNS.index(Pawn(pawn))]
        )
        return self.scene_picture(replace(self._scene, caps=caps, hand=hand), seed)


class Capture:
    """A video of one frame, which the fake device repeats. Its bytes are replaced in place, so that
    the camera sees each drawing of the test.
    """

    def __init__(self, path: Path, laid: Laid) -> None:
        self.path = path
        self._film = FrameSequence(laid, VIEWS["overhead"])
        self._seed = 0
        self.show({})

    def show(self, pawns: Mapping[str, str]) -> float:
        """Draw the table with these pawns; return the monotonic moment when it can be seen."""
        self._seed += 1
        return self.show_picture(self._film.picture(pawns, seed=self._seed))

    def show_picture(self, drawn: bytes) -> float:
        """Show a picture; return the monotonic moment when it can be seen."""
        picture = Image.open(io.BytesIO(drawn))
        width, height = picture.size
        light, blue, red = picture.convert("YCbCr").split()
        half = (width // 2, height // 2)
        head = f"YUV4MPEG2 W{width} H{height} F{FRAMES_A_SECOND}:1 Ip A1:1 C420jpeg\n"
        parts = [light.tobytes(), *(part.resize(half).tobytes() for part in (blue, red))]
        with self.path.open("r+b" if self.path.exists() else "wb") as file:
            file.write(head.encode() + b"FRAME\n" + b"".join(parts))
        return time.monotonic()


def show(folder: Path, picture: bytes) -> None:
    """Put a picture into a folder at once, replacing the one before."""
    new = folder / ".picture.jpg"
    new.write_bytes(picture)
    new.replace(folder / "picture.jpg")
