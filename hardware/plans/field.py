"""Solve the identity board's loops and resonators at 13.56 MHz from their wires alone.

Partial elements: each wire is cut into straight pieces with a resistance, a self-inductance and a
mutual inductance with each parallel piece (Grover 1946); wires side by side also have a
capacitance. SI units. Nothing was measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import acosh, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.plans import radio
from hardware.plans.source import Loop

Matrix = NDArray[Any]

MM, PF, NH = 1e-3, 1e-12, 1e-9
RADIUS = radio.WIRE / 2 * MM
WOOD = 1.4
"""Relative permittivity around two wires of which half lies in plywood: a guess."""
PIECES = 6
"""Number of pieces of a long side."""
NEAR = 12 * MM
"""Distance up to which two parallel wires have a capacitance."""
LAYER = 3 * MM
"""Distance between row loops and column loops: the plywood."""
GAP = 6 * MM
"""Distance between a loop's two ends."""
LEAD = radio.LEADS * NH
DIODE_ON, DIODE_OFF = 2.1, 0.2 * PF
"""A BAR64 at 12 mA in ohm, and at 10 V of reverse bias in farad: typical values."""
CHOKE_LOSS, COIL_Q, CAPACITOR_Q, WOOD_LOSS = 15.0, 40.0, 800.0, 0.03
POWER = 0.1
"""The reader's power in watts."""


@dataclass(frozen=True)
class Tuned:
    """Result for one selected loop: `trimmer` in pF, currents in ampere (rms)."""

    loop: int
    trimmer: float
    current: float
    neighbours: dict[int, float]
    """The largest current in each other loop."""
    return_loss: float
    """Return loss at the cable, in dB."""

    @property
    def worst(self) -> float:
        """Return the largest current in any other loop, relative to the selected loop's."""
        return max(self.neighbours.values()) / self.current


def _beside(u: Matrix, d: Matrix) -> Matrix:
    found: Matrix = u * np.arcsinh(u / d) - np.sqrt(u * u + d * d)
    return found


class LoopField:
    """The loops of a board; `apart` moves the sides of all loops inwards or outwards, in mm."""

    def __init__(self, loops: Sequence[Loop], apart: float = 0.0) -> None:
        self.loops = tuple(loops)
        self._ends: list[tuple[int, int]] = []
        pieces: list[tuple[int, int, int, tuple[float, float], tuple[float, float], int]] = []
        nodes = 0
        for number, loop in enumerate(loops):
            corners = _corners(loop, apart)
            turned = loop.angle % 180 == 90
            first = nodes
            for start, end in pairwise(corners):
                points = (start, end) if not turned else ((-start[1], start[0]), (-end[1], end[0]))
                pieces.append((number, nodes, nodes + 1, *points, int(turned)))
                nodes += 1
            self._ends.append((first, nodes))
            nodes += 1
        self.nodes = nodes
        self.owner = np.array([piece[0] for piece in pieces])
        self.incidence = np.zeros((nodes, len(pieces)))
        for i, piece in enumerate(pieces):
            self.incidence[piece[1], i], self.incidence[piece[2], i] = 1, -1
        centres = np.array([loop.centre for loop in loops]) * MM
        self.starts = np.array([piece[3] for piece in pieces]) + centres[self.owner]
        self.stops = np.array([piece[4] for piece in pieces]) + centres[self.owner]
        self.layers = np.array([piece[5] for piece in pieces])
        self.lengths = np.abs(self.stops - self.starts).sum(axis=1)
        self.inductances = self._inductances()
        self.capacitances = self._capacitances()

    def _frames(self) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """Return which axis each piece runs along, its sign, its start and its place across."""
        way = self.stops - self.starts
        axis = np.argmax(np.abs(way), axis=1)
        rows = np.arange(len(axis))
        sign = np.sign(way[rows, axis])
        along = np.minimum(self.starts[rows, axis], self.stops[rows, axis])
        return axis, sign, along, self.starts[rows, 1 - axis]

    def _inductances(self) -> Matrix:
        axis, sign, along, across = self._frames()
        parallel = axis[:, None] == axis[None, :]
        apart = np.hypot(
            across[:, None] - across[None, :], LAYER * (self.layers[:, None] - self.layers[None, :])
        )
        apart = np.maximum(apart, RADIUS)
        own, other = self.lengths[:, None], self.lengths[None, :]
        shift = along[None, :] - along[:, None]
        mutual = 1e-7 * (
            _beside(shift + other, apart)
            - _beside(shift + other - own, apart)
            + _beside(shift, apart) * -1
            + _beside(shift - own, apart)
        )
        found: Matrix = np.where(parallel, mutual * sign[:, None] * sign[None, :], 0.0)
        np.fill_diagonal(found, 2e-7 * self.lengths * (np.log(2 * self.lengths / RADIUS) - 1))
        return (found + found.T) / 2

    def _capacitances(self) -> list[tuple[int, int, float]]:
        """Return the capacitances between pieces that run beside each other, by their nodes."""
        axis, _, along, across = self._frames()
        found = []
        for i in range(len(axis)):
            for j in range(i + 1, len(axis)):
                away = abs(across[i] - across[j])
                if axis[i] != axis[j] or self.layers[i] != self.layers[j] or away >= NEAR:
                    continue
                if self.owner[i] == self.owner[j]:
                    continue
                shared = min(along[i] + self.lengths[i], along[j] + self.lengths[j])
                shared -= max(along[i], along[j])
                if shared > 0:
                    each = pi * 8.854e-12 * WOOD / acosh(max(away, 0.6 * MM) / (2 * RADIUS))
                    for one, other in zip(self._nodes(i), self._nodes(j), strict=True):
                        found.append((one, other, each * shared / 2))
        return found

    def _nodes(self, piece: int) -> tuple[int, int]:
        """Return a piece's nodes, the one with the smaller coordinate first."""
        ends = (
            int(np.argmax(self.incidence[:, piece])),
            int(np.argmin(self.incidence[:, piece])),
        )
        return ends if self.stops[piece].sum() > self.starts[piece].sum() else ends[::-1]

    def inductance(self, loop: int) -> float:
        """Return a loop's inductance in nH, without its leads."""
        return self.mutual(loop, loop)

    def mutual(self, one: int, other: int) -> float:
        """Return the mutual inductance of two loops in nH."""
        pieces = np.ix_(self.owner == one, self.owner == other)
        return float(self.inductances[pieces].sum()) / NH

    def _system(self, selected: int) -> tuple[Matrix, int, int]:
        """Return the equations with one diode on and no trimmer at it, its tank and the cable."""
        w, count = radio.OMEGA, len(self.loops)
        cable = self.nodes + count
        size = cable + 1
        admit = np.zeros((size, size), complex)

        def join(one: int, other: int | None, value: complex) -> None:
            admit[one, one] += value
            if other is not None:
                admit[other, other] += value
                admit[one, other] -= value
                admit[other, one] -= value

        for one, other, farad in self.capacitances:
            join(one, other, 1j * w * farad * (1 - 1j * WOOD_LOSS))
        middle = sum(radio.TRIMMER) / 2
        for number, (hot, cold) in enumerate(self._ends):
            tank = self.nodes + number
            picofarad = radio.FIXED + radio.STRAY + (0 if number == selected else middle)
            join(tank, None, 1j * w * picofarad * PF * (1 - 1j / CAPACITOR_Q))
            join(tank, None, 1 / (1j * w * radio.CHOKE * NH + CHOKE_LOSS))
            join(cable, tank, 1j * w * radio.COUPLING * PF)
            blocked = 1 / (1j * w * radio.BLOCKING * PF)
            join(cold, None, 1 / (1j * w * LEAD / 2 + 0.02 + blocked))
            lead = 1j * w * LEAD / 2
            off = 1j * w * DIODE_OFF
            join(tank, hot, 1 / (DIODE_ON + lead) if number == selected else off)
        coil = w * radio.COIL * NH
        for _ in range(2):
            join(cable, None, 1 / (1j * coil + coil / COIL_Q))
        join(cable, None, 1 / radio.SOURCE)
        skin = sqrt(2 * 1.72e-8 / (w * 4e-7 * pi))
        ohms = 1.72e-8 * self.lengths / (2 * pi * RADIUS * skin)
        impede = 1j * w * self.inductances + np.diag(ohms)
        wires = np.zeros((size, len(self.lengths)))
        wires[: self.nodes] = self.incidence
        whole = np.block([[admit, wires], [wires.T, -impede]])
        return whole, self.nodes + selected, cable

    def tuned(self, selected: int) -> Tuned:
        """Return the result with the trimmer set for the highest current; negative: unbuildable."""
        whole, tank, cable = self._system(selected)
        volts = 2 * sqrt(POWER * radio.SOURCE)
        given = np.zeros((len(whole), 2), complex)
        given[cable, 0], given[tank, 1] = volts / radio.SOURCE, 1
        fed, poked = np.linalg.solve(whole, given).T
        mine = len(whole) - len(self.lengths) + np.flatnonzero(self.owner == selected)
        best, answer = (-1.0, 0.0), fed
        for trimmer in np.arange(-60.0, 90.0, 0.25):
            # The trimmer alone changes: the solution with it follows from the one without it.
            admittance = 1j * radio.OMEGA * trimmer * PF
            now = fed - poked * admittance * fed[tank] / (1 + admittance * poked[tank])
            current = float(np.abs(now[mine]).max())
            if current > best[0]:
                best, answer = (current, float(trimmer)), now
        currents = np.abs(answer[len(whole) - len(self.lengths) :])
        others = {
            loop.number: float(currents[self.owner == n].max())
            for n, loop in enumerate(self.loops)
            if n != selected
        }
        reflected = abs(2 * answer[cable] / volts - 1)
        loss = -20 * float(np.log10(max(reflected, 1e-6)))
        return Tuned(self.loops[selected].number, best[1], best[0], others, loss)


def _corners(loop: Loop, apart: float) -> list[tuple[float, float]]:
    """Return a loop's wire from end to end in metres, lying along x, its long sides in pieces."""
    half, along = (loop.width / 2 + apart) * MM, (loop.length / 2 + apart) * MM
    steps = [-along + 2 * along * n / PIECES for n in range(PIECES + 1)]
    upper = [(x, -half) for x in steps]
    lower = [(x, half) for x in reversed(steps)]
    return [(-along, -GAP / 2), *upper, *lower, (-along, GAP / 2)]


def coupling(field: LoopField, one: int, other: int) -> float:
    """Return the coupling coefficient of two loops."""
    return field.mutual(one, other) / sqrt(field.inductance(one) * field.inductance(other))
