"""A fixed camera over one laid table, which takes picture after picture of what is moved on it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from companion.core.placement import Pawn
from companion.sensors.vision.codes import FIRST_MARKER, MARKED_PAWNS
from tests.photos.scene import Laid, Scene
from tests.photos.views import View, bare, people, taken

MEGAPIXELS = 3


class Film:
    """The camera: `picture` is what it sees now, `shoot` writes that into a folder as a camera's
    program does.
    """

    def __init__(self, laid: Laid, view: View) -> None:
        self._view = view
        self._scene = Scene(laid=laid)
        self._camera, self._bare = bare(self._scene, view, MEGAPIXELS)

    def picture(
        self, pawns: Mapping[str, str], hand: tuple[float, float] | None = None, seed: int = 0
    ) -> bytes:
        """Return a picture with these pawns on these cells, four of them side by side on a tile."""
        caps = tuple(
            (cell, 27.0 * (number % 2) - 13.5, 27.0 * (number // 2 % 2) - 13.5, number)
            for pawn, cell in pawns.items()
            for number in [FIRST_MARKER + MARKED_PAWNS.index(Pawn(pawn))]
        )
        picture = self._bare.copy()
        people(picture, self._camera, replace(self._scene, caps=caps, hand=hand))
        return taken(picture, self._view, MEGAPIXELS, seed)


def show(folder: Path, picture: bytes) -> None:
    """Put a picture into a folder at once, in place of the one before."""
    new = folder / ".picture.jpg"
    new.write_bytes(picture)
    new.replace(folder / "picture.jpg")
