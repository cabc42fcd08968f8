"""Locate whole tables by the real firmware and the companion.

`python -m tests.emulator.whole_tables --tables 200`: on each table lie 36 tiles, 12 tokens and 12
pawns, four of them on one cell; loops differ by 12 %, tags by 20 %; the board is not calibrated.
One scan of everything must give the cell of each of the 60 things, and each tile's turn.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from math import hypot
from random import Random

from companion.sensors.rfid.locate import Locator
from companion.sensors.rfid.tracker import TagTracker
from companion.sensors.serial.messages import ALL_TAGS, TILE_TAGS, Hello, Scan, TagRecord, Uid

from companion.core.placement import Cell
from companion.sim.table_model import TagAt, World
from tests.emulator.firmware_wire import PAWNS, FirmwareWire, records
from tests.emulator.scans import laid_table

LONGEST_SCAN = 5000
"""Milliseconds until everything was received."""


def truth(world: World, tag: TagAt) -> tuple[Cell, int | None]:
    """Return a tag's true cell, and a tile's turn."""
    centres = world.geometry.centres
    cell = min(centres, key=lambda cell: hypot(centres[cell][0] - tag.x, centres[cell][1] - tag.y))
    return cell, world.tiles[cell].turn if tag.afi == TILE_TAGS else None


def places_of(
    world: World, records: Iterable[TagRecord]
) -> dict[Uid, tuple[Cell | None, int | None]]:
    """Return the places that the companion finds by one scan on all loops, uncalibrated."""
    decoder = TagTracker("serial", world.registry(), Locator(world.geometry))
    decoder.take_scan(records, ALL_TAGS, 0.0)
    decoder.calibrate_by_tiles()
    return {uid: (place.cell, place.turn) for uid, _, _, place in decoder.sightings()}


def main() -> int:
    """Run the command; exit with 1 if anything was located wrongly."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    things = right = wrong = 0
    for n in range(args.tables):
        wire = FirmwareWire("identity", **laid_table(Random(args.seed + n), PAWNS))
        try:
            wire.received(200)
            wire.ask(Hello(), 300)
            read = records(wire.ask(Scan(), LONGEST_SCAN))
        finally:
            wire.close()
        places = places_of(wire.world, read.values())
        for tag in wire.world.tags():
            true, place = truth(wire.world, tag), places.get(tag.uid, (None, None))
            things += 1
            right += true == place
            wrong += any(
                received not in (None, real) for received, real in zip(place, true, strict=True)
            )
    print(
        f"tables={args.tables} things={things} right={right} undecided={things - right - wrong} "
        f"wrong={wrong}"
    )
    return int(right < things)


if __name__ == "__main__":
    sys.exit(main())
