"""Locate tags by Bayesian inference over the places where each may lie.

A loop also reads tags in the next strip and reads none over its own wire, so reading a tag on
loop i does not place it in strip i. The strengths of one tag on all loops are compared with the
model at each place; the tag's own level is unknown and marginalised. An uncertain place stays
undecided.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from math import cos, exp, hypot, inf, log, pi, sin

from msgspec import Struct

from companion.core.placement import Cell
from companion.sensors.rfid.geometry import Axis, Geometry
from companion.sensors.rfid.signal_model import (
    CALIBRATED_DB,
    OUTLIER_PROB,
    PROPORTIONAL_DECADE,
    REPEATED_OUTLIER_PROB,
    RESOLUTION,
    SPREAD_DB,
    TAG_RESPONSES,
    LikelihoodTable,
    TagResponse,
    leaked_db,
    log_likelihoods,
    noise_log_prob,
    table_index,
)

MAX_ERROR_ODDS, SINGLE_SCAN_ERROR_ODDS = 1e-5, 1e-4
"""Odds against a cell or a turn up to which it is decided, by several scans and by a single one.

A single scan cannot exclude an outlier (`OUTLIER_PROB`): at 1e-5 it would decide nothing.
"""
NOWHERE_PROB = 1e-4
"""Prior that a tag is at no place of the model, such as in a hand."""
GRID_MM = 3.0
"""Millimetres between the places along an axis."""
_REACH_MM = 36.0
"""Millimetres from a cell's centre to its farthest place."""
_LEVEL_STEP_DB = 3.0
_LEVELS_DB = tuple(_LEVEL_STEP_DB * n for n in range(-8, 5))
"""A tag's own level in dB relative to an ordinary one: levels to compare; bad tags are weak."""
_LEVEL_SPREAD_DB = 4.5
_TAIL_SPREADS = 3.0
"""Standard deviation of a tag's level in dB, and the number of deviations that mean a bad tag."""
_PRUNE_LOG = 30.0
"""Log-likelihood below the best at which a place is skipped."""
IMPLAUSIBLE_LOG = 10.0
"""Log-likelihood below the best at which a response is skipped."""
_TURNS = (0, 90, 180, 270)


class TagReading(Struct, frozen=True):
    """A tag's strengths in one scan by loop, and the scanned loops."""

    strengths: tuple[int, ...]
    loops: frozenset[int]


class Spot(Struct, frozen=True):
    """A place in a cell, in mm from its centre, with its log prior."""

    x: float
    y: float
    weight: float = 0.0


class TagPlace(Struct, frozen=True):
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
_OUTER_PROB = 0.2
"""Probability of a spot near a cell's edge, for a piece without ridges around it."""
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
    (0, 1, 1),
    (7, 6, 1),
    (13, 10, 1),
    (18, 14, 1),
    (22, 16, 1),
    (25, 16, _OUTER_PROB),
    (28, 12, _OUTER_PROB),
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

    `gains`: the loops' gains in dB, empty if the board is not calibrated. `responses`: the log
    weight of each response that the board and its tags may have, all equal without data.
    A place is decided if it is under every response that a tag's strengths leave plausible.
    """

    def __init__(
        self,
        geometry: Geometry,
        gains: Sequence[float] = (),
        responses: Mapping[TagResponse, float] | None = None,
    ) -> None:
        self.geometry = geometry
        self.gains = tuple(gains)
        self.responses = dict.fromkeys(TAG_RESPONSES, 0.0) if responses is None else responses
        self._by_places = geometry.by_places()
        self._places = {cell: places for places, cell in self._by_places.items()}
        self._scales = {
            leak: [_AxisModel(axis, gains, leak) for axis in geometry.axes]
            for leak in {response.leak for response in self.responses}
        }
        self._decided = lru_cache(maxsize=1024)(self._decide)
        # Each takes some kilobytes and is needed again only for fitting from a scan of tiles.
        self._weigh = lru_cache(maxsize=64 * len(self.responses))(self._weigh_places)

    def locate(self, readings: Iterable[TagReading], spots: tuple[Spot, ...]) -> TagPlace:
        """Return the place of a tag at rest in these readings, among each cell's `spots`."""
        readings = tuple(readings)
        limit = MAX_ERROR_ODDS if len(readings) > 1 else SINGLE_SCAN_ERROR_ODDS
        return self._decided(self._by_loop(readings), spots, limit)

    def evidence(
        self, readings: Iterable[TagReading], spots: tuple[Spot, ...], response: TagResponse
    ) -> float:
        """Return the log-likelihood of these strengths under a response."""
        return self._weigh(self._by_loop(readings), spots, response).evidence

    def _by_loop(self, readings: Iterable[TagReading]) -> tuple[tuple[int, ...], ...]:
        readings = tuple(readings)
        return tuple(_loop_strengths(loop, readings) for loop in range(self.geometry.loops))

    def _decide(
        self, by_loop: tuple[tuple[int, ...], ...], spots: tuple[Spot, ...], limit: float
    ) -> TagPlace:
        found = [
            self._weigh(by_loop, spots, response).plus(weight)
            for response, weight in self.responses.items()
        ]
        most = max(weighed.evidence for weighed in found)
        plausible = [weighed for weighed in found if weighed.evidence > most - IMPLAUSIBLE_LOG]
        return _place(_sum_weights(plausible), limit, turns=spots is TILE_SPOTS)

    def _weigh_places(
        self, by_loop: tuple[tuple[int, ...], ...], spots: tuple[Spot, ...], response: TagResponse
    ) -> Weighed:
        scales = self._scales[response.leak]
        strips = [_likely_places(scale.axis, by_loop) for scale in scales]
        axes = [scale.weighing(self._tables(scale, by_loop, response)) for scale in scales]
        known = _places(self.geometry, spots)
        weights = {cell: array("d", [-inf]) * len(known[cell]) for cell in self._cells(strips)}
        bounded: list[tuple[float, int, Cell, int, list[Weight]]] = []
        for cell in weights:
            for n, (spot, places) in enumerate(known[cell]):
                rows = [weigh(place) for weigh, place in zip(axes, places, strict=True)]
                bound = spot.weight + sum([most for most, _ in rows])
                bounded.append((bound, len(bounded), cell, n, rows))
        best = -inf
        for bound, _, cell, n, rows in sorted(bounded, reverse=True):
            if bound <= best - _PRUNE_LOG:
                break
            columns = zip(_LEVEL_WEIGHTS, *[row for _, row in rows], strict=True)
            weight = known[cell][n][0].weight + _log_sum([sum(column) for column in columns])
            weights[cell][n] = weight
            best = max(best, weight)
        nowhere = log(NOWHERE_PROB) + sum(
            max(map(noise_log_prob, strengths)) for strengths in by_loop if strengths
        )
        cells = {cell: _log_sum(found) for cell, found in weights.items()}
        return Weighed(cells, weights, nowhere, _log_sum([*cells.values(), nowhere]))

    def _cells(self, strips: Sequence[Sequence[int]]) -> list[Cell]:
        """Return the cells on likely strips of every axis; all if the axes disagree."""
        likely = [
            cell
            for cell, places in self._places.items()
            if all(place in strip for place, strip in zip(places, strips, strict=True))
        ]
        return likely or list(self._places)

    def _tables(
        self, scale: _AxisModel, by_loop: tuple[tuple[int, ...], ...], response: TagResponse
    ) -> dict[int, dict[int, LikelihoodTable]]:
        base = (CALIBRATED_DB if self.gains else SPREAD_DB) * (
            PROPORTIONAL_DECADE / response.decade
        ) ** 0.5
        return {
            column: {
                extra: log_likelihoods(
                    tuple(sorted(set(by_loop[loop]))),
                    round(hypot(base, extra), 1),
                    OUTLIER_PROB if len(by_loop[loop]) == 1 else REPEATED_OUTLIER_PROB,
                    response,
                )
                for extra in scale.extras
            }
            for column, loop in enumerate(scale.loops)
            if by_loop[loop]
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


class Weighed(Struct, frozen=True):
    """The log weights of a tag's cells and of each cell's spots under one response.

    `nowhere`: that of no place at all. `evidence`: the logarithm of their sum.
    """

    cells: Mapping[Cell, float]
    spots: Mapping[Cell, Sequence[float]]
    nowhere: float
    evidence: float

    def plus(self, weight: float) -> Weighed:
        """Return the same with a log weight added to each."""
        return Weighed(
            {cell: found + weight for cell, found in self.cells.items()},
            {
                cell: array("d", [one + weight for one in found])
                for cell, found in self.spots.items()
            },
            self.nowhere + weight,
            self.evidence + weight,
        )


@cache
def _places(
    geometry: Geometry, spots: tuple[Spot, ...]
) -> Mapping[Cell, list[tuple[Spot, tuple[int, ...]]]]:
    """Return for each cell the spots inside it with their places on the axes."""
    inside = _spots_inside(geometry, spots)
    return {
        cell: [
            (spot, tuple(_place_index(axis, x + spot.x, y + spot.y) for axis in geometry.axes))
            for spot in inside[cell]
        ]
        for cell, (x, y) in geometry.centres.items()
    }


def _farthest(axis: Axis) -> float:
    """Return the distance in mm from the board's middle to an axis's last place."""
    return (len(axis.centred) - 1) / 2 * axis.pitch + _REACH_MM + GRID_MM


def _place_index(axis: Axis, x: float, y: float) -> int:
    """Return the index of the place nearest to a point."""
    return round((axis.across(x, y) + _farthest(axis)) / GRID_MM)


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
    """The expected signal of each loop of an axis at every place along it.

    `extras`: the standard deviations in whole dB that leaking neighbours add.
    """

    def __init__(self, axis: Axis, gains: Sequence[float], leak: float) -> None:
        lines = axis.lines()
        self.axis = axis
        self.loops = tuple(lines)
        far = _farthest(axis)
        count = round(2 * far / GRID_MM) + 1
        self._entries = [
            [
                (table_index(level + (gains[n] if gains else 0)), round(extra))
                for n, line in lines.items()
                for level, extra in (leaked_db(i * GRID_MM - far - line, leak),)
            ]
            for i in range(count)
        ]
        self.extras = {extra for entries in self._entries for _, extra in entries}

    def weighing(
        self, tables: Mapping[int, Mapping[int, LikelihoodTable]]
    ) -> Callable[[int], Weight]:
        """Return a cached function from a place to the strengths' log-likelihoods."""
        known: dict[int, Weight] = {}

        def weigh(place: int) -> Weight:
            if place not in known:
                entries = self._entries[place]
                rows = [
                    by_loop[extra][entry + _LOWEST : entry + _HIGHEST : _STEP]
                    for n, by_loop in tables.items()
                    for entry, extra in (entries[n],)
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


def _likely_places(axis: Axis, by_loop: Sequence[tuple[int, ...]]) -> list[int]:
    """Return the strips that read the tag best, their neighbours, and those that were not
    scanned.
    """
    strengths = {
        place: max(by_loop[loop]) for place, loop in enumerate(axis.centred) if by_loop[loop]
    }
    best = max(strengths.values(), default=0)
    if not best:
        return list(range(len(axis.centred)))
    strong = {place for place, strength in strengths.items() if strength >= best - 1}
    near = {place + step for place in strong for step in (-1, 0, 1)}
    silent = set(range(len(axis.centred))) - strengths.keys()
    return sorted((near | silent) & set(range(len(axis.centred))))


def _place(weighed: Weighed, limit: float, turns: bool) -> TagPlace:
    shares = {cell: exp(weight - weighed.evidence) for cell, weight in weighed.cells.items()}
    ranked = sorted(shares, key=lambda cell: -shares[cell])
    best = ranked[0]
    odds = exp(weighed.nowhere - weighed.evidence) + sum(
        share for cell, share in shares.items() if cell != best
    )
    sure = odds <= limit
    open_to = [cell for cell in ranked if shares[cell] > SINGLE_SCAN_ERROR_ODDS]
    near = (best,) if sure else tuple(ranked[: max(2, len(open_to))])
    possible = _possible_turns(weighed.spots[best], limit) if turns else ()
    turn = possible[0] if sure and len(possible) == 1 else None
    return TagPlace(best if sure else None, near, turn, possible, odds)


def _sum_weights(found: Sequence[Weighed]) -> Weighed:
    """Return the sum of these weights over the responses."""
    spots: dict[Cell, list[float]] = {}
    for cell in dict.fromkeys(cell for weighed in found for cell in weighed.spots):
        rows = [weighed.spots[cell] for weighed in found if cell in weighed.spots]
        spots[cell] = [_log_sum(column) for column in zip(*rows, strict=True)]
    return Weighed(
        {cell: _log_sum(weights) for cell, weights in spots.items()},
        spots,
        _log_sum([weighed.nowhere for weighed in found]),
        _log_sum([weighed.evidence for weighed in found]),
    )


def _possible_turns(spots: Sequence[float], limit: float) -> tuple[int, ...]:
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
    if against[best] <= limit:
        return (best,)
    return tuple(turn for turn, share in shares.items() if turn == best or share > limit / 2)


def _log_sum(weights: Sequence[float]) -> float:
    most = max(weights)
    return most if most == -inf else most + log(sum(exp(weight - most) for weight in weights))
