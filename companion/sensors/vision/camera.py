"""A camera over the table: decode the newest picture repeatedly, on its own thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from companion.core.game import Message
from companion.core.placement import Cell
from companion.locks import LockRank, make_lock
from companion.sensors.link import Link, LinkState
from companion.sensors.observation import Observation
from companion.sensors.sensor_source import SensorSource
from companion.sensors.vision.camera_client import CameraDecoder
from companion.sensors.vision.frame import FrameContext, FrameResult
from companion.sensors.vision.frames.frame_source import FrameSource, Unchanged
from companion.sensors.vision.tracker import CameraTracker

CAMERA_SOURCE = "camera"
FRAME_POLL = 0.1
"""Seconds between two checks for a new picture."""


class CameraDiagnosis(Struct, frozen=True):
    """The camera's state for diagnostics.

    `problem`: why the last frame could not be used. `seconds`: decoding time. `age`: seconds since
    the last frame that showed the field.
    """

    link: Link
    pictures: int = 0
    useless: int = 0
    seconds: float | None = None
    age: float | None = None
    problem: Message | None = None

    def to_json(self) -> dict[str, Any]:
        """Return JSON-ready values for the diagnostics page."""
        return {
            "link": self.link.state,
            "port": self.link.port,
            "age": None if self.age is None else round(self.age, 2),
            "counters": {"pictures": self.pictures, "useless": self.useless},
            "scan": None if self.seconds is None else {"ms": round(1000 * self.seconds)},
            "problem": None if self.problem is None else to_builtins(self.problem),
        }


class Camera(SensorSource):
    """Reads the table from the newest of its `frames`.

    `address`: its name for people. `context` returns the expected state of the table. `on_result`
    gets each frame's reading with the cells that it does not show, `on_confirm` the time (s) at
    which the last frame still held.
    `timeout`: seconds without a usable frame after which the camera is called silent.
    """

    failed = "camera.failed"

    def __init__(
        self,
        address: str,
        *,
        frames: FrameSource,
        monotonic: Callable[[], float],
        context: Callable[[], FrameContext],
        on_observation: Callable[[Observation], None],
        on_link: Callable[[Link], None],
        timeout: float,
        on_result: Callable[[FrameResult, frozenset[Cell]], None] = lambda result, covered: None,
        on_confirm: Callable[[float], None] = lambda at: None,
    ) -> None:
        super().__init__(address, monotonic=monotonic, on_link=on_link, source=CAMERA_SOURCE)
        self._frames = frames
        self._context = context
        self._on_observation = on_observation
        self._on_result, self._on_confirm = on_result, on_confirm
        self._timeout = timeout
        self._useful = False
        self._decoder = CameraDecoder()
        self._tracker = CameraTracker(CAMERA_SOURCE)
        self._fresh: float | None = None
        self._lock = make_lock(LockRank.CAMERA)
        self._diagnosis = CameraDiagnosis(self._link)

    def start(self) -> None:
        """Start the thread."""
        self._on_link(self.link)
        super().start()

    def close(self) -> None:
        """Stop; returns when the camera is released. Not to be called from a callback."""
        super().close()
        self._decoder.close()
        self._frames.close()

    @property
    def link(self) -> Link:
        """The connection now."""
        return self._diagnosis.link

    def diagnosis(self) -> CameraDiagnosis:
        """Return the camera's state."""
        with self._lock:
            age = None if self._fresh is None else self._monotonic() - self._fresh
            return replace(self._diagnosis, age=age)

    def _read(self) -> None:
        while not self._closing.is_set():
            self._read_next()

    def _show_failure(self, message: Message) -> None:
        # The frame that failed may show something else than the last one that was read.
        self._useful = False
        self._note(problem=message)
        self._change_link("silent", message)

    def _read_next(self) -> None:
        if self._fresh is not None and self._monotonic() - self._fresh > self._timeout:
            self._change_link("silent", Message("camera.silent"))
        new = self._frames.newest()
        if isinstance(new, bytes):
            self._decode(new)
        elif isinstance(new, Unchanged):
            self._confirm()
        elif new is not None:
            self._note(problem=new)
        if not isinstance(new, bytes):
            self._frames.wait(FRAME_POLL)

    def _decode(self, picture: bytes) -> None:
        began = self._monotonic()
        result = self._decoder.decode(picture, self._context())
        now = self._monotonic()
        known = self._diagnosis
        self._note(
            problem=result.problem,
            pictures=known.pictures + 1,
            useless=known.useless + (result.problem is not None),
            seconds=now - began,
        )
        # A hand before the lens or a cropped picture shows nothing: no pawn is gone.
        self._useful = result.problem is None
        if not self._useful:
            self._on_result(result, frozenset())
            return
        self._fresh = now
        self._change_link("up")
        observation = self._tracker.update(result, began)
        self._on_result(result, observation.unknown)
        self._on_observation(observation)

    def _confirm(self) -> None:
        """Take the last frame as fresh, if it showed the field.

        It is not observed again: a misread marker would agree with itself.
        """
        if self._useful:
            self._fresh = self._monotonic()
            self._change_link("up")
            self._on_confirm(self._fresh)

    def _note(self, **changes: object) -> None:
        with self._lock:
            self._diagnosis = replace(self._diagnosis, **changes)

    def _change_link(self, state: LinkState, message: Message | None = None) -> None:
        link = self.link
        if link.state == state:
            return
        generation = link.generation + (state == "up")
        self._note(link=replace(link, state=state, generation=generation, message=message))
        self._on_link(self.link)
