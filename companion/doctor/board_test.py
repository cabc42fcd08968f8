"""Test a board on the workbench, one stage after the other. Pure: lines in, sentences out."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum, auto

from companion.core.placement import Cell
from companion.sensors.board_field import parse_field
from companion.sensors.serial.lines import (
    WIRE_VERSION,
    Damaged,
    Fault,
    Foreign,
    Greeting,
    Line,
    StateLine,
)

GREETING_TIME = 3.0
"""Seconds to wait for a greeting; a board without one plays too."""
FAULT_FREE_TIME = 3.0
"""Seconds without a fault after which the stage of faults is done."""


class Stage(IntEnum):
    """The stages in their order."""

    LINES = auto()
    GREETING = auto()
    CELLS = auto()
    FAULTS = auto()
    TAGS = auto()
    DONE = auto()


class BoardTest:
    """The state of a test. `field`: the board's field, if it does not tell it."""

    def __init__(self, now: float, field: str = "") -> None:
        self.stage = Stage.LINES
        self._since = now
        self._fault_at = now
        self._has_state = False
        self._cells = self._cells_of(field)
        self._greeting: Greeting | None = None
        self._occupied: frozenset[Cell] = frozenset()
        self._tags: dict[str, Cell] = {}
        self._pressed: set[Cell] = set()
        self._done: set[Cell] = set()
        self._faults: set[str] = set()

    def take(self, line: Line, now: float) -> Iterator[str]:
        """Yield what a line says, in words."""
        match line:
            case StateLine():
                yield from self._take_state(line)
            case Greeting():
                words = "".join(f", {key} {value}" for key, value in line.words.items())
                yield f"   greeting: version {line.version}, field {line.field or 'untold'}{words}"
                if line.version != WIRE_VERSION:
                    yield f"   this program has version {WIRE_VERSION} of the wire"
                self._greeting = line
                self._cells = self._cells_of(line.field) or self._cells
            case Fault():
                self._fault_at = now
                if line.text not in self._faults:
                    self._faults.add(line.text)
                    yield f"   FAULT {line.text}"
            case Damaged():
                yield f"   damaged line: {line.text}"
            case Foreign():
                yield f"   other line: {line.text}"
        yield from self.advance(now)

    def advance(self, now: float) -> Iterator[str]:
        """Yield the sentences of the stages that are done now, and of the one that begins."""
        if self._faults and now - self._fault_at >= FAULT_FREE_TIME:
            yield f"   over: {', '.join(sorted(self._faults))}"
            self._faults.clear()
        while (sentence := self._outcome(now)) is not None:
            yield f"{self.stage.value} done: {sentence}"
            self.stage = Stage(self.stage + 1)
            self._since = now
            if self.stage != Stage.DONE:
                yield f"{self.stage.value} {self.task()}"

    def task(self) -> str:
        """Return what a person is to do in the present stage."""
        match self.stage:
            case Stage.LINES:
                return "lines: waiting for a line of cells, such as `A1 B3` or `-`"
            case Stage.GREETING:
                return "greeting: asking with `?`"
            case Stage.CELLS if self._cells:
                return f"cells: put a pawn on each and take it off; {self._left()}"
            case Stage.CELLS:
                return "cells: the board does not tell its field; give it with --field 6x6"
            case Stage.FAULTS:
                return f"faults: {FAULT_FREE_TIME:g} s without one"
            case Stage.TAGS:
                return "tags: put one piece with a tag on the board"
        return ""

    def _outcome(self, now: float) -> str | None:
        """Return how the present stage ended, None while it lasts."""
        match self.stage:
            case Stage.LINES if self._has_state:
                return "states arrive"
            case Stage.GREETING if self._greeting is not None:
                return f"the board is {self._greeting.words.get('name', 'without a name')}"
            case Stage.GREETING if now - self._since >= GREETING_TIME:
                return "no greeting; the board plays without one"
            case Stage.CELLS if self._cells and self._done >= self._cells:
                return f"all {len(self._cells)} cells"
            case Stage.FAULTS if now - max(self._since, self._fault_at) >= FAULT_FREE_TIME:
                return "no fault"
            case Stage.TAGS if self._tags or not self._reads_tags:
                return f"{len(self._tags)} tags" if self._tags else "this board reads no tags"
        return None

    @property
    def _reads_tags(self) -> bool:
        return self._greeting is not None and self._greeting.words.get("reads") == "tags"

    def _take_state(self, state: StateLine) -> Iterator[str]:
        self._has_state = True
        for cell, uid in state.pieces:
            if uid and self._tags.get(uid) != cell:
                self._tags[uid] = cell
                yield f"   tag {uid} on {cell}"
        names = {cell.upper(): cell for cell in self._cells}
        there = frozenset(names.get(cell.upper(), cell) for cell, _ in state.pieces)
        before, self._occupied = self._occupied, there
        for cell in sorted(there - before):
            self._pressed.add(cell)
            yield f"   {cell} occupied" + ("" if not names or cell in self._cells else ": NO CELL")
        for cell in sorted(before - there):
            if cell in (self._cells & self._pressed) - self._done:
                self._done.add(cell)
                yield f"   {cell} free, crossed off; {self._left()}"
            else:
                yield f"   {cell} free"

    def _left(self) -> str:
        left = sorted(self._cells - self._done)
        return f"{len(left)} left: {' '.join(left[:12])}{' …' if len(left) > 12 else ''}"

    @staticmethod
    def _cells_of(name: str) -> frozenset[Cell]:
        field = parse_field(name)
        return frozenset() if field is None else frozenset(field.cells)
