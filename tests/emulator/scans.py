"""How long the real firmware takes to find the pawns: `python -m tests.emulator.scans --tables 1000`.

On each table lie 36 tiles, 12 tokens and the pawns of a game, four of them on one cell; loops differ by 12 %, tags by
20 %. `--pawns 16` are two humans' eight each, `--any` are pawns' tags whose last digits nobody looked at.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from random import Random

from companion.board.answers import ScanEnd
from companion.board.message import PAWN_TAGS
from companion.board.requests import Hello, Scan
from companion.sim.field import Field
from tests.emulator.wires import PAWNS, FirmwareWire, full_table, spread_tags

LONGEST = 400
"""Milliseconds of the firmware's time."""
SIXTEEN = tuple(f"H{human}{letter}" for human in "12" for letter in "abcdefgh")


def pawn_scans(tables: int, pawns: Sequence[str], seed: int) -> Iterator[ScanEnd]:
    """Yield the end of one pawn scan on each of so many tables."""
    for n in range(tables):
        rng = Random(seed + n)
        world = full_table(rng, pawns)
        wire = FirmwareWire(
            "identity", world=world, field=Field.built(rng, 0.12), sensitivities=spread_tags(world, rng, 0.2)
        )
        try:
            wire.said(200)
            wire.ask(Hello(), 300)
            end = wire.ask(Scan(PAWN_TAGS, 1), 1500)[-1]
        finally:
            wire.close()
        assert isinstance(end, ScanEnd) and end.count == len(pawns)
        yield end


def main() -> int:
    """Run as told; exit with 1 if a scan took longer than it may."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--pawns", type=int, choices=[12, 16], default=12)
    parser.add_argument("--any", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    told = parser.parse_args()
    pawns = PAWNS if told.pawns == 12 else SIXTEEN
    if told.any:
        pawns = tuple(f"spare-{n}" for n in range(told.pawns))
    times = sorted(end.ms for end in pawn_scans(told.tables, pawns, told.seed))
    late = sum(ms > LONGEST for ms in times)
    print(
        f"tables={told.tables} shortest={times[0]} median={times[len(times) // 2]} "
        f"99%={times[int(0.99 * (len(times) - 1))]} longest={times[-1]} ms over_{LONGEST}={late}"
    )
    return int(late > 0)


if __name__ == "__main__":
    sys.exit(main())
