"""Read camera frames from a folder that another program fills, or from a Pi's camera."""

from __future__ import annotations

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import NamedTuple

from companion.core.game import Message
from companion.sensors.vision.sandbox import MAX_PHOTO_BYTES

SUFFIXES = (".jpg", ".jpeg", ".png")
END_MARKERS = (b"\xff\xd9", b"IEND\xaeB`\x82")
"""Last bytes of a complete JPEG and PNG."""
WIDTH, HEIGHT = 2304, 1728
"""Frame size of a Pi's camera: enough for a cap's marker, small enough for the machine."""


class FrameFile(NamedTuple):
    """A picture's file; another size or time is another picture."""

    path: Path
    changed: int
    size: int


class FolderSource:
    """Reads the newest complete picture of a folder, and changes nothing in it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._taken: FrameFile | None = None
        self._unfinished: FrameFile | None = None

    def newest(self) -> bytes | Message | None:
        try:
            newest = max(
                self._pictures(), default=None, key=lambda each: (each.changed, each.path.name)
            )
            if newest is None or newest == self._taken:
                return None
            if newest.size > MAX_PHOTO_BYTES:
                self._taken = newest
                return Message("scan.too_many_bytes", {"most": MAX_PHOTO_BYTES // 1024 // 1024})
            picture = newest.path.read_bytes()
        except FileNotFoundError:
            return (
                None
                if self._path.is_dir()
                else Message("camera.no_folder", {"path": str(self._path)})
            )
        except OSError as wrong:
            return Message(
                "camera.no_reading", {"path": str(self._path), "why": wrong.strerror or str(wrong)}
            )
        if not picture.rstrip(b"\x00").endswith(END_MARKERS) and newest != self._unfinished:
            # It is still being copied; or a film follows the photo, or its end is lost.
            self._unfinished = newest
            return None
        self._taken = newest
        return picture

    def wait(self, seconds: float) -> None:
        Event().wait(seconds)

    def close(self) -> None:
        """Do nothing."""

    def _pictures(self) -> list[FrameFile]:
        pictures = []
        for path in self._path.iterdir():
            if path.suffix.lower() in SUFFIXES and not path.name.startswith("."):
                status = path.stat()
                pictures.append(FrameFile(path, status.st_mtime_ns, status.st_size))
        return pictures


class PiCamera:
    """The Pi's camera through rpicam-still, which writes into a temporary folder.

    Starts with the first read, and again when it has ended. Not yet run on a Raspberry Pi.
    """

    def __init__(self, *, every: float) -> None:
        self._milliseconds = round(1000 * every)
        self._folder = TemporaryDirectory(prefix="camera-")
        self._pictures = FolderSource(Path(self._folder.name))
        self._program: subprocess.Popen[bytes] | None = None

    def newest(self) -> bytes | Message | None:
        if self._program is None or self._program.poll() is not None:
            try:
                self._program = subprocess.Popen(self._command(), stdin=subprocess.DEVNULL)
            except OSError:
                return Message("camera.no_program")
        picture = self._pictures.newest()
        if isinstance(picture, bytes):
            self._clear()
        return picture

    def wait(self, seconds: float) -> None:
        self._pictures.wait(seconds)

    def close(self) -> None:
        if self._program is not None:
            self._program.terminate()
            self._program.wait()
        self._folder.cleanup()

    def _command(self) -> list[str]:
        pace = ["--timeout", "0", "--timelapse", str(self._milliseconds)]
        size = ["--width", str(WIDTH), "--height", str(HEIGHT)]
        return [
            "rpicam-still",
            "--nopreview",
            *pace,
            *size,
            "-o",
            str(Path(self._folder.name) / "%08d.jpg"),
        ]

    def _clear(self) -> None:
        """Delete all but the newest: temporary files may lie in memory."""
        for path in sorted(Path(self._folder.name).iterdir())[:-1]:
            path.unlink(missing_ok=True)
