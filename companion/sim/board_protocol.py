"""Interfaces of a simulated board and its port, virtual or emulated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from companion.core.placement import Cell
from companion.sim.faults import Faults
from companion.sim.table_model import World
from companion.sim.virtual_board import BoardKind

_T = TypeVar("_T")


class BoardProtocol(Protocol):
    """A board over a simulated table."""

    @property
    def kind(self) -> BoardKind: ...
    @property
    def world(self) -> World: ...
    @property
    def faults(self) -> Faults: ...
    @property
    def starts(self) -> int: ...
    def reset(self, now: float) -> None: ...
    def lamps(self) -> Mapping[Cell, str]:
        """Return the colour of each lit cell, "white" for instance."""


class SimulatedPort(Protocol):
    """A board on a serial port: `address` is its device or its pyserial URL."""

    @property
    def address(self) -> str: ...
    @property
    def plugged(self) -> bool: ...
    def do(self, action: Callable[[BoardProtocol, float], _T]) -> _T: ...
    def unplug(self, after: int | None = None) -> None: ...
    def replug(self) -> None: ...
