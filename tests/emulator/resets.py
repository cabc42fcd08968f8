"""The real firmware restarted after each byte that it sends: `python -m tests.emulator.resets
--board identity`.

One exchange is a new host that opens the port, sees the whole table, and sees a pawn set elsewhere.
It is repeated as often as the board sends bytes in it, torn after the first byte, the second, and
so on. Counts exchanges in which anything was believed that did not lie on the table, in which a
restart was not noticed, and which did not come to their end by themselves.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field

from companion.core.placement import Cell, Pawn
from companion.sensors.debounce import Debouncer
from companion.sensors.observation import Observation, Tile
from companion.sim.sensors import BoardKind
from companion.sim.table_model import World
from tests.emulator.wires import FirmwareWire

MOVED = Pawn("H1a")
CORNERS = (Cell("A1"), Cell("F6"))
_PATIENCE = 30.0
"""Seconds of the board's time in which an exchange must come to its end, whatever tears it."""
_EXTERNAL = 2


@dataclass
class Report:
    """What a run found. `bytes` is how many the board sends in an exchange that nothing tears."""

    bytes: int = 0
    resets: int = 0
    wrong: list[int] = field(default_factory=list)
    unnoticed: list[int] = field(default_factory=list)
    stuck: list[int] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether nothing was wrong."""
        return not (self.wrong or self.unnoticed or self.stuck)

    def __str__(self) -> str:
        return (
            f"bytes={self.bytes} resets={self.resets} wrong={self.wrong} "
            f"unnoticed={self.unnoticed} stuck={self.stuck}"
        )


class Exchange:
    """One host with one board: what settles at the host, held against what lies on the table.

    `met_boot` is which of its lives the board was in when it first answered.
    """

    def __init__(self, wire: FirmwareWire) -> None:
        self.wire = wire
        self.wrong = False
        self.met_boot = 0
        self._settler = Debouncer()
        self._heard = 0
        self._settled: Observation | None = None
        wire.meet()

    def run(self) -> bool:
        """Let the host see the table, move a pawn, let it see that; return whether it came to see
        both.
        """
        there = self.wire.world.pawns[MOVED]
        elsewhere = CORNERS[there == CORNERS[0]]
        if not self.wire.converse_until(lambda: self._sees(there), _PATIENCE):
            return False
        self.wire.put(MOVED, elsewhere)
        return self.wire.converse_until(lambda: self._sees(elsewhere, there), _PATIENCE)

    def all_noticed(self) -> bool:
        """Return whether the host knows of every start of the board since they met."""
        return self.wire.board.boot - self.met_boot <= self.wire.host.link.counters.resets

    def _sees(self, cell: Cell | None, before: Cell | None = None) -> bool:
        """Return whether the whole table is seen at rest with the pawn on its cell; note what was
        never so.
        """
        for seen in self.wire.seen[self._heard :]:
            settled = self._settler.update(seen, seen.at)
            if settled is not None:
                self._settled = settled
                self.wrong = self.wrong or not (
                    self._true(settled, cell) or self._true(settled, before)
                )
        self._heard = len(self.wire.seen)
        if not self.met_boot and self.wire.links:
            self.met_boot = self.wire.board.boot
        return (
            self.wire.host.link.state == "up"
            and self._settled is not None
            and self._whole(self._settled, cell)
        )

    def _whole(self, seen: Observation, cell: Cell | None) -> bool:
        known = self.wire.board.kind == "presence" or (seen.tokens is not None and bool(seen.tiles))
        return known and self._true(seen, cell)

    def _true(self, seen: Observation, cell: Cell | None) -> bool:
        """Return whether nothing is claimed that is not so with the pawn on this cell."""
        world = self.wire.world
        standing = {
            where for pawn, where in world.pawns.items() if where is not None and pawn != MOVED
        } | {cell}
        if seen.occupied is not None:
            return seen.occupied == standing
        tokens = {where: {world.token_kind(where): 1} for where in world.tokens}
        return (
            {where for where, pawns in (seen.pawns or {}).items() if pawns} == standing
            and seen.tokens in (None, tokens)
            and seen.tiles in (None, {}, world.tiles)
            and not seen.doubts
        )


def a_table(kind: BoardKind) -> World:
    """Return a table with something of each kind that such a board sees."""
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
    wire = FirmwareWire(kind, world=a_table(kind))
    try:
        whole = Exchange(wire)
        assert whole.run() and not whole.wrong
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
    if not wire.converse_until(exchange.all_noticed, _PATIENCE):
        report.unnoticed.append(after)
    report.resets += wire.board.boot - boot


def main() -> int:
    """Run as told; exit with 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", choices=["presence", "identity"], default="presence")
    parser.add_argument("--every", type=int, default=1)
    told = parser.parse_args()
    report = tear(told.board, told.every)
    print(report)
    return 0 if report.good else 1


if __name__ == "__main__":
    sys.exit(main())
