"""Estimate the gain of each loop from tiles on the board, and its drift since."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf

from msgspec import Struct

from companion.sensors.rfid.geometry import Geometry
from companion.sensors.rfid.locate import IMPLAUSIBLE_LOG, TILE_SPOTS, Locator, TagReading
from companion.sensors.rfid.registry import TaggedItem, TileTag
from companion.sensors.rfid.signal_model import DESIGNED, TagResponse, signal_db, strength_db
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
"""Rounds of fitting loop gains and tag levels in turn."""
_FLAT = ((0.0, 18.0), (38.0, 50.0))
"""Distances in mm at which a millimetre changes the level little."""
EVIDENCE_SHARE = 0.5
"""How much of a tile's evidence counts: tiles share the loops' unknown gains."""
DROPPED_LOG = 3 * IMPLAUSIBLE_LOG
"""Log weight below the best at which a response is dropped for as long as the board is open."""
MIN_TAGS = 3
"""Tags that a loop must read before its estimate is used uncalibrated."""


class LaidTag(Struct, frozen=True):
    """A tile's tag at a known place, in mm from the board's centre, with its strengths by loop."""

    x: float
    y: float
    strengths: tuple[int, ...]


class LoopGains(Struct, frozen=True):
    """Each loop's gain in dB, and by how many tags it was estimated (0: unknown)."""

    gains: tuple[float, ...]
    tags: tuple[int, ...]


def estimate_gains(
    geometry: Geometry, laid: Sequence[LaidTag], response: TagResponse = DESIGNED
) -> LoopGains:
    """Estimate the loop gains from these tags, fitting the tags' own levels too.

    The mean of the tag levels is taken as 0 dB.
    """
    excesses = [
        (tag, loop, excess)
        for tag, one in enumerate(laid)
        for loop, excess in _excesses(geometry, one, response)
    ]
    levels = [0.0] * len(laid)
    gains = [0.0] * geometry.loops
    for _ in range(FIT_ROUNDS):
        levels = _means(((tag, excess - gains[loop]) for tag, loop, excess in excesses), len(laid))
        common = sum(levels) / max(1, len(levels))
        levels = [level - common for level in levels]
        gains = _means(
            ((loop, excess - levels[tag]) for tag, loop, excess in excesses), geometry.loops
        )
    counts = [sum(loop == one for _, one, _ in excesses) for loop in range(geometry.loops)]
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
) -> Locator:
    """Return a locator with the gains and the response that fit these tags.

    The tags were read on all of `loops`. Gains are estimated unless they are known or the tags are
    too few.
    """
    responses = plausible_responses(locator, known, strengths)
    fitted = Locator(locator.geometry, locator.gains, responses)
    if locator.gains:
        return fitted
    estimate = estimate_gains(
        fitted.geometry, find_laid_tags(fitted, known, strengths), likeliest_response(responses)
    )
    enough = all(estimate.tags[loop] >= MIN_TAGS for loop in loops)
    return Locator(fitted.geometry, estimate.gains, responses) if enough else fitted


def plausible_responses(
    locator: Locator, known: Mapping[Uid, TaggedItem], strengths: Mapping[Uid, tuple[int, ...]]
) -> dict[TagResponse, float]:
    """Return the log weight of each response by all of these tiles' strengths.

    A response that falls far behind is dropped on the way.
    """
    every = frozenset(range(locator.geometry.loops))
    weights = dict(locator.responses)
    for uid, excesses in strengths.items():
        if isinstance(known.get(uid), TileTag):
            reading = [TagReading(excesses, every)]
            found = {
                response: weight + EVIDENCE_SHARE * locator.evidence(reading, TILE_SPOTS, response)
                for response, weight in weights.items()
            }
            most = max(found.values())
            weights = {
                response: weight - most
                for response, weight in found.items()
                if weight - most > -DROPPED_LOG
            }
    return weights


def likeliest_response(responses: Mapping[TagResponse, float]) -> TagResponse:
    """Return the response of the greatest weight, the designed one where it is plausible."""
    if responses.get(DESIGNED, -inf) > -IMPLAUSIBLE_LOG:
        return DESIGNED
    return max(responses, key=lambda response: responses[response])


def gain_drift(
    geometry: Geometry, gains: Sequence[float], laid: Sequence[LaidTag]
) -> dict[int, float]:
    """Return each loop's drift from its gain in dB, for the loops that read these tags."""
    now = estimate_gains(geometry, laid)
    excesses = [loop for loop in range(geometry.loops) if now.tags[loop]]
    common = sum(now.gains[loop] - gains[loop] for loop in excesses) / max(1, len(excesses))
    return {loop: now.gains[loop] - gains[loop] - common for loop in excesses}


class Calibration(Procedure):
    """Scans each loop alone, and estimates its gain from the tiles with a certain place.

    `on_gains` receives the gains, None if there are no tiles.
    """

    def __init__(
        self,
        known: Mapping[Uid, TaggedItem],
        locator: Locator,
        on_gains: Callable[[LoopGains | None], None],
    ) -> None:
        self._known = known
        self._locator = locator
        self._on_gains = on_gains
        self._loop = 0
        self._strengths: dict[Uid, list[int]] = {}

    @property
    def loop(self) -> int:
        """The loop that is measured now."""
        return self._loop

    def next_request(self) -> WireMessage:
        return Calibrate(self._loop)

    def take_scan(self, asked: Scan | Calibrate, records: Sequence[TagRecord]) -> None:
        for record in records:
            self._strengths.setdefault(record.uid, [0] * LOOPS)[self._loop] = record.strengths[
                self._loop
            ]
        self._next()

    def request_done(self, asked: WireMessage) -> None:
        """Do nothing: only scans are requested."""

    def request_refused(self, asked: WireMessage) -> None:
        """Skip a loop that cannot be read alone."""
        self._next()

    def _next(self) -> None:
        self._loop += 1
        if self._loop == self._locator.geometry.loops:
            self.over = True
            laid = find_laid_tags(
                self._locator, self._known, {uid: tuple(s) for uid, s in self._strengths.items()}
            )
            self._on_gains(estimate_gains(self._locator.geometry, laid) if laid else None)


def find_laid_tags(
    locator: Locator, known: Mapping[Uid, TaggedItem], strengths: Mapping[Uid, tuple[int, ...]]
) -> list[LaidTag]:
    """Return the tags of tiles whose cell and turn are certain."""
    every = frozenset(range(locator.geometry.loops))
    laid = []
    for uid, excesses in strengths.items():
        if isinstance(known.get(uid), TileTag):
            place = locator.locate([TagReading(excesses, every)], TILE_SPOTS)
            if place.cell is not None and place.turn is not None:
                x, y = locator.geometry.centres[place.cell]
                spot = TILE_SPOTS[place.turn // 90]
                laid.append(LaidTag(x + spot.x, y + spot.y, excesses))
    return laid


def _excesses(geometry: Geometry, tag: LaidTag, response: TagResponse) -> list[tuple[int, float]]:
    """Return a tag's excess in dB over the model, on the loops with a measurable one."""
    return [
        (loop, strength_db(strength, response) - signal_db(distance))
        for axis in geometry.axes
        for loop, line in axis.lines().items()
        for strength in (tag.strengths[loop],)
        if 0 < strength < MAX_STRENGTH
        if strength_db(strength - 0.5, response) > response.wake
        for distance in (abs(axis.across(tag.x, tag.y) - line),)
        if any(low <= distance <= high for low, high in _FLAT)
    ]


def _means(values: Iterable[tuple[int, float]], count: int) -> list[float]:
    sums, counts = [0.0] * count, [0] * count
    for i, value in values:
        sums[i] += value
        counts[i] += 1
    return [total / number if number else 0.0 for total, number in zip(sums, counts, strict=True)]
