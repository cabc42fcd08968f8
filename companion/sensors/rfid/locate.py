"""Locate tags by Bayesian inference over the places where each may lie.

A loop also reads tags in the next strip and reads none over its own wire, so reading a tag on
loop i does not place it in strip i. The strengths of one tag on all loops are compared with the
model at each place; the tag's own level is unknown and marginalised. An uncertain place stays
undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import cos, exp, hypot, inf, log, pi, sin

from companion.core.placement import Cell
from companion.sensors.rfid.geometry import Axis, Geometry
from companion.sensors.rfid.signal_model import (
    CALIBRATED_DB,
    OUTLIER_PROB,
    REPEATED_OUTLIER_PROB,
    RESOLUTION,
    SPREAD_DB,
    LikelihoodTable,
    log_likelihoods,
    noise_log_prob,
    signal_db,
    table_index,
)

MAX_ERROR_ODDS = 1e-4
"""Odds against a cell up to which it is decided."""
MAX_TURN_ERROR_ODDS = 1e-3
"""Odds against a turn up to which it is decided."""
NOWHERE_PROB = 1e-4
"""Prior that a tag is at no place of the model, such as in a hand."""
GRID_MM = 3.0
"""Millimetres between the places along an axis."""
_REACH_MM = 36.0
"""Millimetres from a cell's centre to its farthest place."""
_LEVEL_STEP_DB = 3.0
_LEVELS_DB = tuple(_LEVEL_STEP_DB * n for n in range(-8, 5))
"""A tag's own level in dB relative to an ordinary one: levels to compare; bad tags are quiet.
"""
_LEVEL_SPREAD_DB = 4.5
_TAIL_SPREADS = 3.0
"""Standard deviation of a tag's level in dB, and the number of deviations that mean a bad tag."""
_PRUNE_LOG = 30.0
"""Log-likelihood below the best at which a place is skipped."""
_TURNS = (0, 90, 180, 270)


@dataclass(frozen=True)
class TagReading:
    """A tag's strengths in one scan by loop, and the loops that listened."""

    strengths: tuple[int, ...]
    loops: frozenset[int]


@dataclass(frozen=True)
class Spot:
    """A place in a cell, in mm from its centre, with its log prior."""

    x: float
    y: float
    weight: float = 0.0


@dataclass(frozen=True)
class TagPlace:
    """A tag's cell, None if undecided; `near`: its possible cells, the likeliest first.

    `turn`: a tile's turn, None if undecided; `turns`: the possible ones. `odds`: against the first
    cell.
    """

    cell: Cell | None
    near: tuple[Cell, ...]
    turn: int | None = None
    turns: tuple[int, ...] = ()
    odds: float = 0.0


def _rings(*rings: tuple[float, int, float]) -> tuple[Spot, ...]:
    return tuple(
        Spot(
            radius * cos(2 * pi * (k + 0.5) / count),
            radius * sin(2 * pi * (k + 0.5) / count),
            log(weight),
        )
        for radius, count, weight in rings
        for k in range(count)
    )


_BORDER_MM = 1.0
"""Millimetres by which a spot may be nearer to the next cell's centre."""
_OFF_PLACE_PROB = 0.003
"""Probability of a spot beside the usual place, relative to one within it."""
_BORDER = tuple(
    Spot(*((across, along) if first else (along, across)), log(_OFF_PLACE_PROB))
    for first in (True, False)
    for across in (-30.0, 30.0)
    for along in (-20.0, 0.0, 20.0)
)
PAWN_SPOTS = _BORDER + _rings(
    (0, 1, 1),
    (7, 6, 1),
    (13, 10, 1),
    (18, 14, 1),
    (23, 12, _OFF_PLACE_PROB),
    (28, 12, _OFF_PLACE_PROB),
)
"""A pawn: the ridges keep it within 19 mm of the centre, unless it stands on one."""
TOKEN_SPOTS = _BORDER + _rings(
    (0, 1, 1), (7, 6, 1), (13, 10, 1), (18, 14, 1), (22, 16, 1), (28, 12, _OFF_PLACE_PROB)
)
"""A token or an unknown tag: anywhere in the cell."""
TILE_SPOTS = (
    *(Spot(x, y) for x, y in ((-15, -15), (15, -15), (15, 15), (-15, 15))),
    *(Spot(x, y, log(_OFF_PLACE_PROB)) for x, y in ((0, -21), (21, 0), (0, 21), (-21, 0))),
)
"""A tile's tag, 15 mm from both centre lines, upper left when the tile is upright.

One spot for each turn, then one between each turn and the next for a crooked tile.
"""


class Locator:
    """Locates tags on one board, without I/O; equal readings are cached.

    `gains`: the loops' gains in dB, empty if the board is not calibrated.
    """

    def __init__(self, geometry: Geometry, gains: Sequence[float] = ()) -> None:
        self.geometry = geometry
        self.gains = tuple(gains)
        self._spread = CALIBRATED_DB if gains else SPREAD_DB
        self._by_places = geometry.by_places()
        self._places = {cell: places for places, cell in self._by_places.items()}
        self._scales = [_AxisModel(axis, gains) for axis in geometry.axes]
        self._known_spots: dict[
            tuple[Cell, tuple[Spot, ...]], list[tuple[Spot, tuple[int, ...]]]
        ] = {}
        self._weigh = lru_cache(maxsize=1024)(self._weighed)

    def locate(self, readings: Iterable[TagReading], spots: tuple[Spot, ...]) -> TagPlace:
        """Return the place of a tag at rest in these readings, among each cell's `spots`."""
        readings = tuple(readings)
        heard = tuple(_loop_strengths(loop, readings) for loop in range(self.geometry.loops))
        return self._weigh(heard, spots)

    def _weighed(self, heard: tuple[tuple[int, ...], ...], spots: tuple[Spot, ...]) -> TagPlace:
        strips = [_likely_places(scale.axis, heard) for scale in self._scales]
        axes = [scale.weighing(self._tables(scale, heard)) for scale in self._scales]
        weights: dict[Cell, list[float]] = {}
        best = -inf
        for cell in self._cells(strips):
            for spot, places in self._where(cell, spots):
                rows = [weigh(place) for weigh, place in zip(axes, places, strict=True)]
                weight = -inf
                if spot.weight + sum(most for most, _ in rows) > best - _PRUNE_LOG:
                    weight = spot.weight + _log_sum(
                        [
                            sum(column)
                            for column in zip(
                                _LEVEL_WEIGHTS, *(row for _, row in rows), strict=True
                            )
                        ]
                    )
                    best = max(best, weight)
                weights.setdefault(cell, []).append(weight)
        nowhere = log(NOWHERE_PROB) + sum(
            max(map(noise_log_prob, strengths)) for strengths in heard if strengths
        )
        return _decide(weights, nowhere, turns=spots is TILE_SPOTS)

    def _where(self, cell: Cell, spots: tuple[Spot, ...]) -> list[tuple[Spot, tuple[int, ...]]]:
        """Return the spots inside a cell with their places on the axes."""
        if (cell, spots) not in self._known_spots:
            x, y = self.geometry.centres[cell]
            self._known_spots[cell, spots] = [
                (spot, tuple(scale.at(x + spot.x, y + spot.y) for scale in self._scales))
                for spot in _spots_inside(self.geometry, spots)[cell]
            ]
        return self._known_spots[cell, spots]

    def _cells(self, strips: Sequence[Sequence[int]]) -> list[Cell]:
        """Return the cells on likely strips of every axis; all if the axes disagree."""
        likely = [
            cell
            for cell, places in self._places.items()
            if all(place in strip for place, strip in zip(places, strips, strict=True))
        ]
        return likely or list(self._places)

    def _tables(
        self, scale: _AxisModel, heard: tuple[tuple[int, ...], ...]
    ) -> dict[int, LikelihoodTable]:
        return {
            column: log_likelihoods(
                tuple(sorted(set(heard[loop]))),
                self._spread,
                OUTLIER_PROB if len(heard[loop]) == 1 else REPEATED_OUTLIER_PROB,
            )
            for column, loop in enumerate(scale.loops)
            if heard[loop]
        }


@cache
def _spots_inside(geometry: Geometry, spots: tuple[Spot, ...]) -> Mapping[Cell, list[Spot]]:
    """Return for each cell the spots that are nearer to its centre than to any other."""

    def far(x: float, y: float) -> float:
        return min(hypot(x - cx, y - cy) for cx, cy in geometry.centres.values())

    return {
        cell: [
            spot
            for spot in spots
            if hypot(spot.x, spot.y) <= far(x + spot.x, y + spot.y) + _BORDER_MM
        ]
        for cell, (x, y) in geometry.centres.items()
    }


Weight = tuple[float, list[float]]
"""The largest log-likelihood, and one for each level of the tag."""


def _level_weight(level: float) -> float:
    spreads = abs(level) / _LEVEL_SPREAD_DB
    return (
        -(spreads**2) / 2
        if spreads < _TAIL_SPREADS
        else _TAIL_SPREADS**2 / 2 - _TAIL_SPREADS * spreads
    )


_LEVEL_WEIGHTS = tuple(map(_level_weight, _LEVELS_DB))
_STEP = round(_LEVEL_STEP_DB / RESOLUTION)
_LOWEST, _HIGHEST = (
    round(level / RESOLUTION) + past for level, past in ((_LEVELS_DB[0], 0), (_LEVELS_DB[-1], 1))
)


class _AxisModel:
    """The expected signal of each loop of an axis at every place along it."""

    def __init__(self, axis: Axis, gains: Sequence[float]) -> None:
        lines = axis.lines()
        self.axis = axis
        self.loops = tuple(lines)
        self._far = (len(axis.centred) - 1) / 2 * axis.pitch + _REACH_MM + GRID_MM
        count = round(2 * self._far / GRID_MM) + 1
        self._entries = [
            [
                table_index(signal_db(i * GRID_MM - self._far - line) + (gains[n] if gains else 0))
                for n, line in lines.items()
            ]
            for i in range(count)
        ]

    def at(self, x: float, y: float) -> int:
        """Return the index of the place nearest to a point."""
        return round((self.axis.across(x, y) + self._far) / GRID_MM)

    def weighing(self, tables: Mapping[int, LikelihoodTable]) -> Callable[[int], Weight]:
        """Return a cached function from a place to the strengths' log-likelihoods."""
        known: dict[int, Weight] = {}

        def weigh(place: int) -> Weight:
            if place not in known:
                entries = self._entries[place]
                rows = [
                    heard[entries[n] + _LOWEST : entries[n] + _HIGHEST : _STEP]
                    for n, heard in tables.items()
                ]
                levels = [float(sum(column)) for column in zip(*rows, strict=True)] or [0.0] * len(
                    _LEVELS_DB
                )
                known[place] = max(levels), levels
            return known[place]

        return weigh


def _loop_strengths(loop: int, readings: Sequence[TagReading]) -> tuple[int, ...]:
    """Return a loop's strengths; a zero beside a non-zero one is dropped as an outlier."""
    strengths = [reading.strengths[loop] for reading in readings if loop in reading.loops]
    hits = sorted(strength for strength in strengths if strength)
    return tuple(hits or strengths)


def _likely_places(axis: Axis, heard: Sequence[tuple[int, ...]]) -> list[int]:
    """Return the strips that read the tag best, their neighbours, and those that were not
    scanned.
    """
    strengths = {place: max(heard[loop]) for place, loop in enumerate(axis.centred) if heard[loop]}
    best = max(strengths.values(), default=0)
    if not best:
        return list(range(len(axis.centred)))
    loud = {place for place, strength in strengths.items() if strength >= best - 1}
    near = {place + step for place in loud for step in (-1, 0, 1)}
    deaf = set(range(len(axis.centred))) - strengths.keys()
    return sorted((near | deaf) & set(range(len(axis.centred))))


def _decide(weights: Mapping[Cell, Sequence[float]], nowhere: float, turns: bool) -> TagPlace:
    cells = {cell: _log_sum(spots) for cell, spots in weights.items()}
    whole = _log_sum([*cells.values(), nowhere])
    shares = {cell: exp(weight - whole) for cell, weight in cells.items()}
    ranked = sorted(shares, key=lambda cell: -shares[cell])
    best = ranked[0]
    odds = exp(nowhere - whole) + sum(share for cell, share in shares.items() if cell != best)
    sure = odds <= MAX_ERROR_ODDS
    near = (
        (best,)
        if sure
        else tuple(cell for cell in ranked if cell == best or shares[cell] > MAX_ERROR_ODDS)
    )
    possible = _possible_turns(weights[best]) if turns else ()
    turn = possible[0] if sure and len(possible) == 1 else None
    return TagPlace(best if sure else None, near, turn, possible, odds)


def _possible_turns(spots: Sequence[float]) -> tuple[int, ...]:
    """Return the turns a tile may have; a spot between two turns counts for both."""
    count = len(_TURNS)
    upright, askew = spots[:count], spots[count:]
    whole = _log_sum(spots)
    shares = {
        turn: exp(_log_sum((upright[i], askew[i], askew[i - 1])) - whole)
        for i, turn in enumerate(_TURNS)
    }
    against = {turn: 1 - exp(upright[i] - whole) for i, turn in enumerate(_TURNS)}
    best = min(against, key=lambda turn: against[turn])
    if against[best] <= MAX_TURN_ERROR_ODDS:
        return (best,)
    return tuple(
        turn for turn, share in shares.items() if turn == best or share > MAX_TURN_ERROR_ODDS / 2
    )


def _log_sum(weights: Sequence[float]) -> float:
    most = max(weights)
    return most if most == -inf else most + log(sum(exp(weight - most) for weight in weights))
