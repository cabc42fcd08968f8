"""A camera over the table: the newest picture is looked at again and again, on a thread of its
own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event, Thread

from companion.core.game import Message
from companion.locks import Level, make_lock
from companion.sensors.link import Link, LinkState
from companion.sensors.observation import Observation
from companion.sensors.vision.camera_client import CameraDecoder
from companion.sensors.vision.frame import FrameContext
from companion.sensors.vision.frame_source import FrameSource
from companion.sensors.vision.tracker import CameraTracker

CAMERA_SOURCE = "camera"
FRAME_POLL = 0.1
"""Seconds between two looks for a new picture."""


@dataclass(frozen=True)
class CameraDiagnosis:
    """What the camera says of itself: `problem` is why the last picture says nothing, `seconds`
    what looking took, `age` how old the last one is that showed the field.
    """

    link: Link
    pictures: int = 0
    useless: int = 0
    seconds: float | None = None
    age: float | None = None
    problem: Message | None = None


class Camera:
    """Looks at the table for as long as this is not closed.

    `address` is what people call it. `watch` returns what is known of the table. `on_observation`
    gets what is seen, `on_link` how the camera does, when that changes; both run on the one thread.
    `patience` are the seconds without a picture of the field after which the camera is called
    silent.
    """

    def __init__(
        self,
        address: str,
        snapshots: FrameSource,
        *,
        monotonic: Callable[[], float],
        watch: Callable[[], FrameContext],
        on_observation: Callable[[Observation], None],
        on_link: Callable[[Link], None],
        patience: float,
    ) -> None:
        self._snapshots = snapshots
        self._monotonic = monotonic
        self._watch = watch
        self._on_observation, self._on_link = on_observation, on_link
        self._patience = patience
        self._lookout = CameraDecoder()
        self._picture = CameraTracker(CAMERA_SOURCE)
        self._fresh: float | None = None
        self._lock = make_lock(Level.CAMERA)
        self._diagnosis = CameraDiagnosis(
            Link(state="searching", port=address, source=CAMERA_SOURCE)
        )
        self._closing = Event()
        self._thread = Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._on_link(self._diagnosis.link)
        self._thread.start()

    def close(self) -> None:
        """Stop; returns when the camera is let go. Not to be called from a callback."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()

    def diagnosis(self) -> CameraDiagnosis:
        """Return what is known of the camera now."""
        with self._lock:
            age = None if self._fresh is None else self._monotonic() - self._fresh
            return replace(self._diagnosis, age=age)

    def _run(self) -> None:
        try:
            while not self._closing.is_set():
                new = self._snapshots.newest()
                if isinstance(new, bytes):
                    self._look(new)
                elif new is not None:
                    self._note(problem=new)
                if self._fresh is not None and self._monotonic() - self._fresh > self._patience:
                    self._link("silent")
                if not isinstance(new, bytes):
                    self._closing.wait(FRAME_POLL)
        finally:
            self._lookout.close()
            self._snapshots.close()

    def _look(self, picture: bytes) -> None:
        began = self._monotonic()
        glimpse = self._lookout.look(picture, self._watch())
        now = self._monotonic()
        known = self._diagnosis
        self._note(
            problem=glimpse.problem,
            pictures=known.pictures + 1,
            useless=known.useless + (glimpse.problem is not None),
            seconds=now - began,
        )
        # A hand before the lens, a picture that is cut off: it says nothing, least of all that a
        # pawn is gone.
        if glimpse.problem is None:
            self._fresh = now
            self._link("up")
            self._on_observation(self._picture.taken(glimpse, now))

    def _note(self, **changes: object) -> None:
        with self._lock:
            self._diagnosis = replace(self._diagnosis, **changes)  # type: ignore[arg-type]

    def _link(self, state: LinkState) -> None:
        link = self._diagnosis.link
        if link.state == state:
            return
        life = link.life + (state == "up")
        said = Message("camera.silent") if state == "silent" else None
        self._note(link=replace(link, state=state, life=life, said=said))
        self._on_link(self._diagnosis.link)
