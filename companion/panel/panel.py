"""The panel: shows public updates, and ends or undoes a turn by the button.

Light and sound depend on public updates alone. A press without effect looks and sounds like none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from companion.core.game import GameError, Message, Seat
from companion.panel.pins import Pins
from companion.table.broadcast import Subscription, Update, follow


class Tone(NamedTuple):
    """A pitch in hertz (0: silence) and its length in seconds."""

    seconds: float
    hertz: int


Tune = tuple[Tone, ...]

# A bare piezo disc of 20 mm is nearly mute below 1 kHz; its resonance is above 4 kHz.
HEARTBEAT_TUNE: Tune = (Tone(0.12, 1000), Tone(0.18, 0), Tone(0.12, 1000), Tone(0.78, 0))
"""Heartbeat before the answer, 1.2 s as on the display."""

_GROAN = (
    2100, 2200, 2160, 2050, 2080, 1960, 1900, 1930, 1820, 1760,
    1780, 1670, 1600, 1620, 1500, 1410, 1430, 1300, 1180, 1040,
)  # fmt: skip
_WIND = (
    2340, 2745, 2520, 3105, 3330, 2970, 3645, 3420, 3960, 3555,
    3825, 3285, 3465, 2880, 3150, 2655, 2835, 2430, 2610, 2250,
)  # fmt: skip

# A hit and a miss have the same length, step by step: only the sound differs.
HIT: Tune = HEARTBEAT_TUNE + tuple(Tone(0.1, hertz) for hertz in _GROAN)
MISS: Tune = HEARTBEAT_TUNE + tuple(Tone(0.1, hertz) for hertz in _WIND)


def length(tune: Tune) -> float:
    """Return a tune's length in seconds."""
    return sum(step.seconds for step in tune)


def pitch(tune: Tune, elapsed: float) -> int | None:
    """Return the pitch `elapsed` seconds into a tune, None after its end."""
    for step in tune:
        if elapsed < step.seconds:
            return step.hertz
        elapsed -= step.seconds
    return None


Gesture = Literal["down", "press", "hold"]
"""Pressed; released soon; held for long."""

DEBOUNCE_TIME = 0.05
"""Seconds for which the contacts must not change."""


class GestureDetector:
    """Detects gestures in samples; `hold`: seconds that make a hold."""

    def __init__(self, hold: float) -> None:
        self._hold = hold
        self._closed = False
        self._since = 0.0
        self._down_at: float | None = None
        self._held = False

    def sample(self, closed: bool, now: float) -> Gesture | None:
        """Return the gesture that this sample completes, None without one."""
        if closed != self._closed:
            self._closed, self._since = closed, now
        elif now - self._since >= DEBOUNCE_TIME:
            return self._settled_gesture(now)
        return None

    def _settled_gesture(self, now: float) -> Gesture | None:
        if self._closed and self._down_at is None:
            self._down_at, self._held = self._since, False
            return "down"
        if self._down_at is None:
            return None
        if self._closed:
            return self._hold_gesture(now)
        self._down_at = None
        return None if self._held else "press"

    def _hold_gesture(self, now: float) -> Gesture | None:
        if self._held or self._down_at is None or now - self._down_at < self._hold:
            return None
        self._held = True
        return "hold"


BUTTON_POLL = 0.015
"""Seconds between two reads of the button."""
LAMP_OFF_TIME = 0.15
"""Seconds of darkness of the lamp after a public event."""
BLINK_TIME = 0.5
"""Seconds of light and of dark while the board is lost."""
REPEAT_GUARD = 1.0
"""Seconds after an accepted press in which another one is ignored."""
LOST_STATES = frozenset({"searching", "silent", "refused"})

SubmitCallback = Callable[[Seat, list[dict[str, Any]]], object]
"""Submits a seat's actions, as JSON of legal ones; raises `GameError`."""


class Panel:
    """Button, lamp and piezo of one table. Call `update` and `poll` from one thread.

    `monotonic` returns seconds; `refused` receives the reason for a refused press.
    """

    def __init__(
        self,
        pins: Pins,
        submit: SubmitCallback,
        undo: Callable[[Seat], object],
        monotonic: Callable[[], float],
        *,
        hold: float = 1.5,
        refused: Callable[[Message], None] = lambda message: None,
    ) -> None:
        self._pins, self._now = pins, monotonic
        self._submit, self._undo, self._refused = submit, undo, refused
        self._button = GestureDetector(hold)
        self._snapshot: Mapping[str, Any] = {}
        self._seen: int | None = None
        self._holder: Seat | None = None
        self._quiet_until = self._dark_until = self._lost_since = self._tune_since = float("-inf")
        self._lost = False
        self._tune: Tune = ()
        self._lit, self._hertz = False, 0

    def update(self, update: Update) -> None:
        """Handle one public update: the current snapshot and the events that led to it.

        Events of the first update, and events already handled, are not played.
        """
        now = self._now()
        self._snapshot = update.snapshot
        self._update_link(now)
        events = [
            entry["event"]
            for entry in update.events
            if self._seen is not None and entry["position"] > self._seen
        ]
        self._seen = self._snapshot["position"]
        if events:
            self._dark_until = now + LAMP_OFF_TIME
        for event in events:
            if event["event"] == "shot_fired" and self._sound_is_on():
                self._tune, self._tune_since = (HIT if event["hit"] else MISS), now

    def poll(self) -> None:
        """Read the button, and set lamp and piezo."""
        now = self._now()
        gesture = self._button.sample(self._pins.pressed(), now)
        if gesture is not None:
            self._handle_gesture(gesture, now)
        self._light(now)
        self._sound(now)

    def close(self) -> None:
        """Switch lamp and piezo off and release the pins."""
        self._pins.close()

    def _update_link(self, now: float) -> None:
        board = self._snapshot["board"]
        lost = board.get("source") == "serial" and board.get("link") in LOST_STATES
        if lost and not self._lost:
            self._lost_since = now
        self._lost = lost

    def _sound_is_on(self) -> bool:
        """Whether shots have a sound: not while the vampire's player groans."""
        settings = self._snapshot["settings"]
        return bool(settings["sound"]) and not settings["player_groans"]

    def _open_turn(self) -> Seat | None:
        """The seat whose turn anybody may end: never one with a secret turn."""
        snapshot = self._snapshot
        if (
            not snapshot
            or snapshot["phase"] != "play"
            or snapshot["secret"]
            or snapshot["revealing"]
        ):
            return None
        seat: Seat | None = snapshot["to_move"]
        return seat

    def _handle_gesture(self, gesture: Gesture, now: float) -> None:
        if gesture == "down":
            self._holder = self._open_turn()
            return
        seat = self._holder
        # The turn may have ended during the press, which was then not for this seat.
        if seat is None or seat != self._open_turn() or now < self._quiet_until:
            return
        try:
            self._act(gesture, seat, now)
        except GameError as error:
            self._refused(error.message)

    def _act(self, gesture: Gesture, seat: Seat, now: float) -> None:
        if gesture == "hold":
            self._undo(seat)
        else:
            end = [action for action in self._snapshot["legal"] if action["type"] == "end"]
            if not end:
                return
            self._submit(seat, end)
        self._quiet_until = now + REPEAT_GUARD

    def _light(self, now: float) -> None:
        on = bool(self._snapshot) and now >= self._dark_until
        if self._lost:
            on = on and int((now - self._lost_since) / BLINK_TIME) % 2 == 0
        if on != self._lit:
            self._lit = on
            self._pins.lamp(on)

    def _sound(self, now: float) -> None:
        hertz = pitch(self._tune, now - self._tune_since) or 0
        if hertz != self._hertz:
            self._hertz = hertz
            self._pins.tone(hertz)


def run_panel(
    panel: Panel, subscribe: Callable[[], Subscription], stopped: Callable[[], bool]
) -> None:
    """Run the panel until `stopped`; subscribe again when dropped as too slow."""
    try:
        for update in follow(subscribe, stopped, BUTTON_POLL):
            if update is not None:
                panel.update(update)
            panel.poll()
    finally:
        panel.close()
