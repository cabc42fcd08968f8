"""Waiting for hands: an observation counts once the table rests."""

from __future__ import annotations

from companion.sensors.observation import Observation

REST_TIME = 0.75
"""Seconds without a change after which a presence board's picture rests: sliding a pawn takes less
between cells.
"""

AGREEING_SCANS = 2
"""How many scans in a row must decode to the same placement where pawns are known by name."""


class Debouncer:
    """Passes on a source's observation once it rests, and every equal one after it.

    Pawns by name: `scans` equal scans in a row. Presence: no change for `rest` seconds and then one
    fresh observation that agrees. Neither (a photo of tiles): at once. Another source starts anew.
    """

    def __init__(self, rest: float = REST_TIME, scans: int = AGREEING_SCANS) -> None:
        self._rest = rest
        self._scans = scans
        self._last: Observation | None = None
        self._since = 0.0
        self._equal = 0

    def settle(self, observation: Observation, now: float) -> Observation | None:
        """Return `observation` if the table rests at `now` (monotonic seconds), None while a hand
        is over it.
        """
        if self._last is None or not same_facts(self._last, observation):
            self._since = now
            self._equal = 0
        self._last = observation
        self._equal += 1
        return observation if self._rests(observation, now) else None

    def reset(self) -> None:
        """Forget what was seen: the next observation is the first."""
        self._last = None

    def _rests(self, observation: Observation, now: float) -> bool:
        if observation.pawns is not None:
            return self._equal >= self._scans
        if observation.occupied is not None:
            return now - self._since >= self._rest
        return True


def same_facts(a: Observation, b: Observation) -> bool:
    """Return whether two observations of one source say the same, apart from when and from how much
    they leave open: between which cells a thing lies may flicker with the noise, that it is not
    sure does not.
    """
    return (
        a.source == b.source
        and a.occupied == b.occupied
        and a.pawns == b.pawns
        and a.tokens == b.tokens
        and a.tiles == b.tiles
        and _open(a) == _open(b)
    )


def _open(observation: Observation) -> list[tuple[str, str, str]]:
    return sorted((doubt.what, doubt.name, doubt.why) for doubt in observation.doubts)
