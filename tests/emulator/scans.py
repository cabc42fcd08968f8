"""Measure scans by the real firmware: `python -m tests.emulator.scans --tables 1000`.

On each table lie 36 tiles, 12 tokens and the pawns of a game, four of them on one cell; loops
differ by 12 %, tags by 20 %. After two scans of all loops pawns are walked, one between two scans
or `--moved` of them, and the board follows. Its report after they rest must equal a scan of all
loops. A look longer than one scan's limit takes several scans. `--pawns 16`: two humans with eight
each; `--any`: pawns' tags with unchecked last digits.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from companion.sensors.serial.messages import (
    CELL_LOOPS,
    FOLLOWED_LOOPS,
    PAWN_TAGS,
    UNFINISHED_LOOPS,
    Hello,
    Scan,
    TagRecord,
    Uid,
)
from companion.sim.rf_model import RfModel

from tests.emulator.firmware_wire import (
    PAWNS,
    FirmwareWire,
    end_of,
    full_table,
    records,
    spread_tags,
)

LONGEST = 400
"""Milliseconds of the firmware's time."""
SIXTEEN = tuple(f"H{human}{letter}" for human in "12" for letter in "abcdefgh")
MOST_SCANS = 20
"""Limit of one look, whatever the table holds."""
WALKS = 4
SETTLING = 6
"""Scans after which a walk is reported: its loops had their turn, and read it twice."""


def any_tags(number: int) -> tuple[str, ...]:
    """Return pawns whose tags have any last digits."""
    return tuple(f"spare-{n}" for n in range(number))


@dataclass
class Times:
    """Milliseconds of each look's scans: those on all loops, and those in play."""

    all_loops: list[list[int]] = field(default_factory=list)
    followed: list[list[int]] = field(default_factory=list)

    @property
    def longest(self) -> int:
        """Return the milliseconds of the longest scan."""
        return max(ms for look in self.all_loops + self.followed for ms in look)

    def line(self) -> str:
        """Return both as text."""
        return " ".join(f"{name}: {_figures(looks)}" for name, looks in vars(self).items())


def _figures(looks: Sequence[Sequence[int]]) -> str:
    scans = sorted(ms for look in looks for ms in look)
    totals = sorted(map(sum, looks))
    parts = sorted(Counter(map(len, looks)).items())
    return (
        f"scans={len(scans)} median={scans[len(scans) // 2]} longest={scans[-1]} "
        f"over_{LONGEST}={sum(ms > LONGEST for ms in scans)} "
        f"looks_by_scans={','.join(f'{number}:{count}' for number, count in parts)} "
        f"look_median={totals[len(totals) // 2]} look_longest={totals[-1]}"
    )


def look(
    wire: FirmwareWire, loops: int, afi: int = PAWN_TAGS
) -> tuple[list[int], dict[Uid, TagRecord]]:
    """Scan pawns, or another class, until finished; return each scan's time and the result."""
    durations: list[int] = []
    while len(durations) < MOST_SCANS:
        answer = wire.ask_scan(Scan(afi, loops), 2000)
        end = end_of(answer)
        durations.append(end.ms)
        if end.loops != UNFINISHED_LOOPS:
            return durations, records(answer)
    raise AssertionError(f"not all is heard after {MOST_SCANS} scans")


def laid_table(rng: Random, pawns: Sequence[str]) -> dict[str, Any]:
    """Lay a table; return it in a wire's form."""
    world = full_table(rng, pawns)
    return {
        "world": world,
        "field": RfModel.with_spread(rng, 0.12),
        "sensitivities": spread_tags(world, rng, 0.2),
    }


def play(wire: FirmwareWire, rng: Random, pawns: Sequence[str], moved: int, times: Times) -> None:
    """Find the pawns of one table, then follow them while they walk."""
    for _ in range(2):
        durations, read = look(wire, FOLLOWED_LOOPS)
        assert len(read) == len(pawns)
        times.all_loops.append(durations)
    for _ in range(WALKS):
        for pawn in rng.sample(pawns, moved):
            wire.put(pawn, rng.choice(wire.world.geometry.cells))
        for _ in range(SETTLING):
            durations, read = look(wire, FOLLOWED_LOOPS)
            times.followed.append(durations)
        assert read == look(wire, CELL_LOOPS)[1]


def main() -> int:
    """Run the command; exit with 1 if a scan exceeds its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--pawns", type=int, choices=[12, 16], default=12)
    parser.add_argument("--moved", type=int, default=1)
    parser.add_argument("--any", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    pawns = PAWNS if args.pawns == 12 else SIXTEEN
    if args.any:
        pawns = any_tags(args.pawns)
    times = Times()
    for n in range(args.tables):
        rng = Random(args.seed + n)
        wire = FirmwareWire("identity", **laid_table(rng, pawns))
        try:
            wire.received(200)
            wire.ask(Hello(), 300)
            play(wire, rng, pawns, args.moved, times)
        finally:
            wire.close()
    print(f"tables={args.tables} {times.line()}")
    return int(times.longest > LONGEST)


if __name__ == "__main__":
    sys.exit(main())
