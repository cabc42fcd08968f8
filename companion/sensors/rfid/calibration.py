"""How loud each loop of a board is, learnt from tiles that lie on it; and whether it is still
so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.sensors.rfid.geometry import Geometry
from companion.sensors.rfid.locate import TILE_SPOTS, Locator, TagReading
from companion.sensors.rfid.registry import TaggedItem, TileTag
from companion.sensors.rfid.signal_model import signal_db, strength_db
from companion.sensors.serial.messages import (
    LOOPS,
    MAX_STRENGTH,
    Calibrate,
    Scan,
    TagRecord,
    Uid,
    WireMessage,
)
from companion.sensors.serial.procedure import Procedure

FIT_ROUNDS = 20
"""How often loops and tags are fitted to one another in turn."""
_FLAT = ((0.0, 18.0), (38.0, 50.0))
"""Distances in mm at which a millimetre more or less hardly matters."""
MAX_DRIFT_DB = 5.0
"""By how much a loop may differ from its calibration before it is worth a word: more than one step.
"""
MIN_TAGS = 3
"""How many tags must tell of a loop before it is believed without a calibration."""


@dataclass(frozen=True)
class LaidTag:
    """A tile's tag at a known place, in mm from the board's centre, with its strength on every
    loop.
    """

    x: float
    y: float
    strengths: tuple[int, ...]


@dataclass(frozen=True)
class LoopGains:
    """How much louder than ordinary each loop is, in dB, and by how many tags that is known; 0 of
    them: it is not.
    """

    gains: tuple[float, ...]
    tags: tuple[int, ...]


def estimate_gains(geometry: Geometry, laid: Sequence[LaidTag]) -> LoopGains:
    """Return how loud the loops are that heard these tags. The tags' own loudness is fitted with
    them; on the average they are ordinary.
    """
    heard = [
        (tag, loop, excess)
        for tag, one in enumerate(laid)
        for loop, excess in _excesses(geometry, one.x, one.y, one.strengths)
    ]
    levels = [0.0] * len(laid)
    gains = [0.0] * geometry.loops
    for _ in range(FIT_ROUNDS):
        levels = _means(((tag, excess - gains[loop]) for tag, loop, excess in heard), len(laid))
        common = sum(levels) / max(1, len(levels))
        levels = [level - common for level in levels]
        gains = _means(
            ((loop, excess - levels[tag]) for tag, loop, excess in heard), geometry.loops
        )
    counts = [sum(loop == one for _, one, _ in heard) for loop in range(geometry.loops)]
    known = [gain for gain, count in zip(gains, counts, strict=True) if count]
    ordinary = sum(known) / max(1, len(known))
    return LoopGains(
        tuple(g if n else ordinary for g, n in zip(gains, counts, strict=True)), tuple(counts)
    )


def calibrated_locator(
    locator: Locator,
    known: Mapping[Uid, TaggedItem],
    strengths: Mapping[Uid, tuple[int, ...]],
    loops: frozenset[int],
) -> Locator | None:
    """Return a locator that knows how loud the loops are by these tags, heard on all of `loops`, of
    a board that nobody has calibrated; None where too few tiles among them are sure to tell of
    every loop.
    """
    tuning = estimate_gains(locator.geometry, find_laid_tags(locator, known, strengths))
    enough = all(tuning.tags[loop] >= MIN_TAGS for loop in loops)
    return Locator(locator.geometry, tuning.gains) if enough else None


def gain_drift(
    geometry: Geometry, gains: Sequence[float], laid: Sequence[LaidTag]
) -> dict[int, float]:
    """Return by how many dB each loop now differs from its gain, for those that hear these tags."""
    now = estimate_gains(geometry, laid)
    heard = [loop for loop in range(geometry.loops) if now.tags[loop]]
    common = sum(now.gains[loop] - gains[loop] for loop in heard) / max(1, len(heard))
    return {loop: now.gains[loop] - gains[loop] - common for loop in heard}


class Calibration(Procedure):
    """Hears every loop by itself, and tunes the board by the tiles that lie on it in places that
    are sure.

    `tuned` is called with what was found, None if no tile lies there.
    """

    def __init__(
        self,
        known: Mapping[Uid, TaggedItem],
        locator: Locator,
        tuned: Callable[[LoopGains | None], None],
    ) -> None:
        self._known = known
        self._locator = locator
        self._tuned = tuned
        self._loop = 0
        self._strengths: dict[Uid, list[int]] = {}

    @property
    def loop(self) -> int:
        """The loop that is heard now."""
        return self._loop

    def wanted(self) -> WireMessage:
        return Calibrate(self._loop)

    def scanned(self, asked: Scan | Calibrate, records: Sequence[TagRecord]) -> None:
        for record in records:
            self._strengths.setdefault(record.uid, [0] * LOOPS)[self._loop] = record.strengths[
                self._loop
            ]
        self._next()

    def answered(self, asked: WireMessage) -> None:
        """Nothing but scans is asked."""

    def refused(self, asked: WireMessage) -> None:
        """A loop that cannot be heard alone is left out."""
        self._next()

    def _next(self) -> None:
        self._loop += 1
        if self._loop == self._locator.geometry.loops:
            self.over = True
            laid = find_laid_tags(
                self._locator, self._known, {uid: tuple(s) for uid, s in self._strengths.items()}
            )
            self._tuned(estimate_gains(self._locator.geometry, laid) if laid else None)


def find_laid_tags(
    locator: Locator, known: Mapping[Uid, TaggedItem], strengths: Mapping[Uid, tuple[int, ...]]
) -> list[LaidTag]:
    """Return the tiles among these tags whose cell and turn are sure."""
    every = frozenset(range(locator.geometry.loops))
    laid = []
    for uid, heard in strengths.items():
        if isinstance(known.get(uid), TileTag):
            place = locator.locate([TagReading(heard, every)], TILE_SPOTS)
            if place.cell is not None and place.turn is not None:
                x, y = locator.geometry.centres[place.cell]
                spot = TILE_SPOTS[place.turn // 90]
                laid.append(LaidTag(x + spot.x, y + spot.y, heard))
    return laid


def _excesses(
    geometry: Geometry, x: float, y: float, strengths: Sequence[int]
) -> list[tuple[int, float]]:
    """Return by how many dB a tag is louder than an ordinary one on the loops where that can be
    told.
    """
    return [
        (loop, strength_db(strengths[loop]) - signal_db(distance))
        for axis in geometry.axes
        for loop, line in axis.lines().items()
        if 0 < strengths[loop] < MAX_STRENGTH
        for distance in (abs(axis.across(x, y) - line),)
        if any(low <= distance <= high for low, high in _FLAT)
    ]


def _means(values: Iterable[tuple[int, float]], count: int) -> list[float]:
    sums, counts = [0.0] * count, [0] * count
    for i, value in values:
        sums[i] += value
        counts[i] += 1
    return [total / number if number else 0.0 for total, number in zip(sums, counts, strict=True)]
