"""What commands and the page can play: the virtual board or the real firmware in its emulator, each
on its terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Protocol, TypeVar

from companion.sensors.serial.messages import Beep
from companion.sim.faults import Faults
from companion.sim.sensors import BoardKind
from companion.sim.table_model import World

_T = TypeVar("_T")


class SimulatedBoard(Protocol):
    """A board over a virtual table."""

    @property
    def kind(self) -> BoardKind: ...
    @property
    def world(self) -> World: ...
    @property
    def faults(self) -> Faults: ...
    @property
    def boot(self) -> int: ...
    @property
    def lamps(self) -> Mapping[int, tuple[int, int, int]]: ...
    @property
    def beeps(self) -> Iterable[Beep]: ...
    def press(self, n: int, down: bool) -> None: ...
    def reset(self, now: float, cause: int) -> None: ...
    def fail(self, code: int, detail: int = 0) -> None: ...


class SimulatedPort(Protocol):
    """A board that can be opened as the serial port `path`."""

    @property
    def path(self) -> Path: ...
    @property
    def plugged(self) -> bool: ...
    def do(self, action: Callable[[SimulatedBoard, float], _T]) -> _T: ...
    def unplug(self, after: int | None = None) -> None: ...
    def replug(self) -> None: ...
