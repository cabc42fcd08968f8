"""Debounce observations: one counts once the table rests."""

from __future__ import annotations

from companion.sensors.observation import Observation

REST_TIME = 0.75
"""Seconds without a change after which a presence snapshot rests; sliding a pawn takes less."""

EARLY_SHARE = 0.16
"""Share of the rest time after which a move that cannot continue is accepted: 0.12 s of 0.75 s.

It need not outlast a slide, since the rules exclude one. It is six times the contact bounce that
the board filters (20 ms), and longer than a passing touch. With those 20 ms and two polls it stays
below 150 ms from the contact on. Regular polls, 0.25 s apart, come too late: one is made at this
moment.
"""

AGREEING_SCANS = 2
"""Scans in a row that must agree if pawns are known by name."""


class Debouncer:
    """Passes an observation on once it rests, and every equal one after it.

    Pawns by name: `scans` equal scans in a row. Presence: no change for `rest` seconds, then one
    more observation that agrees. Neither (a photo of tiles): at once. A new source starts again.
    """

    def __init__(self, rest: float = REST_TIME, scans: int = AGREEING_SCANS) -> None:
        self._rest = rest
        self._scans = scans
        self._last: Observation | None = None
        self._since = 0.0
        self._equal = 0

    def update(self, observation: Observation, now: float) -> Observation | None:
        """Return `observation` if the table rests at `now` (monotonic seconds), else None."""
        if self._last is None or not same_facts(self._last, observation):
            self._since = now
            self._equal = 0
        self._last = observation
        self._equal += 1
        return observation if self._rests(observation, now) else None

    def rests_early(self, now: float) -> bool:
        """Return whether a presence snapshot has not changed for a share of the rest time."""
        last = self._last
        is_presence = last is not None and last.pawns is None and last.occupied is not None
        return is_presence and self._equal > 1 and now - self._since >= EARLY_SHARE * self._rest

    def reset(self) -> None:
        """Drop all observations: the next one is the first."""
        self._last = None

    def _rests(self, observation: Observation, now: float) -> bool:
        if observation.pawns is not None:
            return self._equal >= self._scans
        if observation.occupied is not None:
            return now - self._since >= self._rest
        return True


def same_facts(a: Observation, b: Observation) -> bool:
    """Return whether two observations of one source agree in their facts.

    Their time is ignored, and so are the candidate cells of an ambiguity, which flicker with noise.
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
    return sorted(
        (ambiguity.what, ambiguity.name, ambiguity.why) for ambiguity in observation.ambiguities
    )
