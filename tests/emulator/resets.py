"""Restart the real firmware after each byte that it sends.

`python -m tests.emulator.resets --board identity`: One exchange is a new host that opens the port,
sees the whole table, and sees a pawn move. It is repeated as often as the board sends bytes, with a
restart after the first byte, the second, and so on. Counts exchanges in which the host reported
anything that did not lie on the table, missed a restart, or did not finish.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field

from companion.sim.sensors import BoardKind

from companion.core.placement import Cell, Pawn
from companion.sensors.debounce import Debouncer
from companion.sensors.observation import Observation, Tile
from companion.sim.table_model import World
from tests.emulator.firmware_wire import FirmwareWire

MOVED = Pawn("H1a")
CORNERS = (Cell("A1"), Cell("F6"))
_TIMEOUT = 30.0
"""Seconds of the board's time in which an exchange must finish."""
_EXTERNAL = 2


@dataclass
class Report:
    """The results of a run. `bytes`: those that the board sends in an undisturbed exchange."""

    bytes: int = 0
    resets: int = 0
    wrong: list[int] = field(default_factory=list)
    unnoticed: list[int] = field(default_factory=list)
    stuck: list[int] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Return whether there was no fault."""
        return not (self.wrong or self.unnoticed or self.stuck)

    def __str__(self) -> str:
        return (
            f"bytes={self.bytes} resets={self.resets} wrong={self.wrong} "
            f"unnoticed={self.unnoticed} stuck={self.stuck}"
        )


class Exchange:
    """One host with one board: compare the host's resting state with the table.

    `met_boot`: the board's start count at its first answer.
    """

    def __init__(self, wire: FirmwareWire) -> None:
        self.wire = wire
        self.wrong = False
        self.met_boot = 0
        self._settler = Debouncer()
        self._read = 0
        self._settled: Observation | None = None
        wire.meet()

    def run(self) -> bool:
        """Let the host see the table, move a pawn, and wait; return whether it saw both."""
        before = self.wire.world.pawns[MOVED]
        elsewhere = CORNERS[before == CORNERS[0]]
        if not self.wire.converse_until(lambda: self._sees(before), _TIMEOUT):
            return False
        self.wire.put(MOVED, elsewhere)
        return self.wire.converse_until(lambda: self._sees(elsewhere, before), _TIMEOUT)

    def all_noticed(self) -> bool:
        """Return whether the host noticed every start of the board since the first answer."""
        return self.wire.board.boot - self.met_boot <= self.wire.host.link.counters.resets

    def _sees(self, cell: Cell | None, before: Cell | None = None) -> bool:
        """Return whether the host sees the whole table at rest with the pawn on its cell; note
        errors.
        """
        for observation in self.wire.observations[self._read :]:
            settled = self._settler.update(observation, observation.at)
            if settled is not None:
                self._settled = settled
                self.wrong = self.wrong or not (
                    self._true(settled, cell) or self._true(settled, before)
                )
        self._read = len(self.wire.observations)
        if not self.met_boot and self.wire.links:
            self.met_boot = self.wire.board.boot
        return (
            self.wire.host.link.state == "up"
            and self._settled is not None
            and self._whole(self._settled, cell)
        )

    def _whole(self, observation: Observation, cell: Cell | None) -> bool:
        complete = self.wire.board.kind == "presence" or (
            observation.tokens is not None and bool(observation.tiles)
        )
        return complete and self._true(observation, cell)

    def _true(self, observation: Observation, cell: Cell | None) -> bool:
        """Return whether every claim of the host is true with the pawn on this cell."""
        world = self.wire.world
        standing = {
            place for pawn, place in world.pawns.items() if place is not None and pawn != MOVED
        } | {cell}
        if observation.occupied is not None:
            return observation.occupied == standing
        tokens = {place: {world.token_kind(place): 1} for place in world.tokens}
        return (
            {place for place, pawns in (observation.pawns or {}).items() if pawns} == standing
            and observation.tokens in (None, tokens)
            and observation.tiles in (None, {}, world.tiles)
            and not observation.doubts
        )


def make_world(kind: BoardKind) -> World:
    """Return a table with something of each kind that such a board detects."""
    world = World()
    world.put(MOVED, CORNERS[0])
    world.put(Pawn("H1b"), Cell("F1"))
    if kind == "identity":
        world.put_token(Cell("D4"), "bat")
        world.put_tile(Cell("B5"), Tile(17, 90))
    return world


def tear(kind: BoardKind, every: int = 1, first: int = 1) -> Report:
    """Restart one kind of board after its `first` byte of an exchange, and after each `every`
    further ones.
    """
    report = Report()
    wire = FirmwareWire(kind, world=make_world(kind))
    try:
        exchange = Exchange(wire)
        assert exchange.run() and not exchange.wrong
        report.bytes = wire.sent
        for after in range(first, report.bytes + 1, every):
            _torn(wire, after, report)
        assert "" == wire.emulator.violations()
    finally:
        wire.close()
    return report


def _torn(wire: FirmwareWire, after: int, report: Report) -> None:
    """Connect a new host to the board, which restarts `after` bytes."""
    boot = wire.board.boot
    exchange = Exchange(wire)
    wire.emulator.ask(f"reset-after {after} {_EXTERNAL}")
    if not exchange.run():
        report.stuck.append(after)
    if exchange.wrong:
        report.wrong.append(after)
    wire.emulator.ask("reset-after -1 0")
    if not wire.converse_until(exchange.all_noticed, _TIMEOUT):
        report.unnoticed.append(after)
    report.resets += wire.board.boot - boot


def main() -> int:
    """Run the command; exit with 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", choices=["presence", "identity"], default="presence")
    parser.add_argument("--every", type=int, default=1)
    args = parser.parse_args()
    report = tear(args.board, args.every)
    print(report)
    return 0 if report.good else 1


if __name__ == "__main__":
    sys.exit(main())
