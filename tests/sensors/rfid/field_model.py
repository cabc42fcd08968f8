"""A model of the field to test the decoder with, independent of its tables: two long wires and a
square tag.

The flux of a strip's two wires (56 mm apart) through a square tag above them is an integral in
closed form. Loops and tags differ, tags lie at slightly different heights, readings are noisy, and
sometimes a loop or a whole scan misses a tag. A `Physics` says by which law a tag answers, how much
field it needs, and how much current flows in the loops beside the selected one.
"""

from __future__ import annotations

from cmath import exp
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import floor, log, log10, pi
from random import Random

from companion.sensors.rfid.geometry import Geometry
from companion.sensors.rfid.locate import TagReading

HALF_STRIP = 28.0
HALF_TAG = {"pawn": 8.0, "token": 8.0, "tile": 12.5}
LOOP_SPREAD, TAG_SPREAD = 0.12, 0.20
NOISE_DB = 0.5
STEP_DB = 4.0
TOP_STEP_DB = 9.5
"""Level at which the highest of the 8 steps begins; 0 dB is an ordinary tag in the middle of a
loop.
"""
REACH = 61.0
"""Millimetres between the middles of loops that share current."""
SILENT = -200.0


@dataclass(frozen=True)
class Physics:
    """The properties of a board and its tags that the decoder does not know.

    `law`: by how many dB a tag is stronger when its flux is ten times as great; 40 for a
    proportional answer, 20 for one that does not grow with its supply. `wake`: the flux below which
    it is silent, relative to the middle of an ordinary loop. `leak`: the current in each of the
    loops beside the selected one, relative to its own, in a random phase.
    """

    law: float = 40.0
    wake: float = 0.0
    leak: float = 0.0


AS_DESIGNED = Physics()
PHYSICS: Mapping[str, Physics] = {
    "as designed": AS_DESIGNED,
    "30 dB a decade": Physics(law=30.0),
    "20 dB a decade": Physics(law=20.0),
    "wakes at half of the centre's flux": Physics(wake=0.5),
    "wakes at 0.8 of the centre's flux": Physics(wake=0.8),
    "wakes at the centre's flux": Physics(wake=1.0),
    "neighbours carry 5 %": Physics(leak=0.05),
    "neighbours carry 10 %": Physics(leak=0.10),
}
"""Variations of properties that have not been measured."""


@cache
def flux(offset: float, height: float = 6.0, half_tag: float = 8.0) -> float:
    """Return the mean vertical field in a square tag `offset` mm from a strip's centre line,
    relative to the middle of the strip at 6 mm.
    """

    def potential(x: float) -> float:
        return 0.5 * log(((HALF_STRIP + x) ** 2 + height**2) / ((HALF_STRIP - x) ** 2 + height**2))

    middle = 2 * HALF_STRIP / (HALF_STRIP**2 + 36.0)
    return (potential(offset + half_tag) - potential(offset - half_tag)) / (2 * half_tag) / middle


def decibels(relative: float) -> float:
    """Return a flux in dB; it counts twice, to the tag and back."""
    return 40 * log10(max(abs(relative), 1e-4))


def step(level: float) -> int:
    """Return the reader's 3-bit strength plus one; 0 without an answer."""
    return max(0, min(8, 8 + floor((level - TOP_STEP_DB) / STEP_DB)))


@dataclass
class BoardModel:
    """One built board: each loop's gain in dB."""

    geometry: Geometry
    loops: Sequence[float]
    rng: Random
    physics: Physics = AS_DESIGNED
    phases: dict[tuple[int, int], complex] = field(default_factory=dict)
    """Share of the current in a loop while another one is selected."""

    @classmethod
    def built(
        cls,
        geometry: Geometry,
        rng: Random,
        spread: float = LOOP_SPREAD,
        physics: Physics = AS_DESIGNED,
    ) -> BoardModel:
        """Build a board whose loops differ by a standard deviation of `spread`."""
        loops = [decibels(max(0.3, rng.gauss(1.0, spread))) for _ in range(geometry.loops)]
        return cls(geometry, loops, rng, physics)

    def leak_current(self, selected: int, beside: int) -> complex:
        """Return the current in a loop beside the selected one, relative to that one."""
        if (selected, beside) not in self.phases:
            turn = 2 * pi * self.rng.random()
            self.phases[selected, beside] = self.physics.leak * exp(1j * turn)
        return self.phases[selected, beside]

    def tag(self, kind: str, x: float, y: float) -> PlacedTag:
        """Lay a tag with its own sensitivity at a point in mm from the board's centre."""
        return PlacedTag(
            self,
            kind,
            x,
            y,
            decibels(max(0.3, self.rng.gauss(1.0, TAG_SPREAD))),
            self.rng.uniform(5, 7),
        )


@dataclass
class PlacedTag:
    """A tag that rests on a board."""

    board_model: BoardModel
    kind: str
    x: float
    y: float
    sensitivity: float
    height: float

    def read(self, loops: frozenset[int] | None = None, missed: float = 0.0) -> TagReading:
        """Return one scan by some or all loops; a loop misses the tag with probability `missed`."""
        board_model = self.board_model
        listening = frozenset(range(board_model.geometry.loops)) if loops is None else loops
        strengths = [0] * 26
        for axis in board_model.geometry.axes:
            fluxes = {
                loop: flux(axis.across(self.x, self.y) - line, self.height, HALF_TAG[self.kind])
                for loop, line in axis.lines().items()
            }
            for loop in fluxes:
                if loop in listening and board_model.rng.random() >= missed:
                    strengths[loop] = step(self._level(loop, fluxes, axis.lines()))
        return TagReading(tuple(strengths), listening)

    def _level(self, loop: int, fluxes: Mapping[int, float], lines: Mapping[int, float]) -> float:
        """Return the tag's level on a loop in dB."""
        board_model, physics = self.board_model, self.board_model.physics
        total_flux: complex = fluxes[loop]
        if physics.leak:
            total_flux += sum(
                board_model.leak_current(loop, beside) * fluxes[beside]
                for beside, line in lines.items()
                if beside != loop and abs(line - lines[loop]) < REACH
            )
        level = decibels(abs(total_flux)) + board_model.loops[loop] + self.sensitivity
        if physics.wake and level < decibels(physics.wake):
            return SILENT
        return level * physics.law / 40 + board_model.rng.gauss(0, NOISE_DB)
