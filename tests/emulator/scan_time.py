"""Calculate the least time of a whole scan of pawns.

`python -m tests.emulator.scan_time --pawns 16`: on the tables of `tests.emulator.scans` every loop
centred on cells is asked once in 16 slots, as in ISO 15693. The sum has only what no firmware can
avoid: the field's start, the lengths of requests and answers, the wait in an empty slot, and
repeated requests for tags that share a slot, one by one, by a board that guesses them at once.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from random import Random

from companion.sensors.serial.messages import PAWN_TAGS, Uid
from companion.sim.rf_model import RfModel

from companion.sim.table_model import World
from tests.emulator.firmware_wire import PAWNS
from tests.emulator.scans import LONGEST, SIXTEEN, any_tags, laid_table

SLOTS = 16
FIELD_MS = 1.6
BYTE_MS = 0.302
"""Milliseconds a byte of a request: two bits are one pulse in four positions."""
REQUEST_MS = 0.114 + 6 * BYTE_MS
"""Bytes of a request: start and end; flags, command, class, length of the mask, CRC."""
CALL_MS = REQUEST_MS + BYTE_MS
"""Bytes of a request for one tag: no class, but two bytes of a number."""
EMPTY_MS = 0.038 + 0.529
"""Milliseconds of an empty slot: its start, and the chip's wait for an answer."""
ANSWER_MS = 0.038 + 4.25
"""0.32 until the tag begins, then 12 bytes at 26 kbit/s with start and end."""


def air(world: World, field: RfModel, sensitivities: Mapping[Uid, float]) -> float:
    """Return the least milliseconds of a whole scan of a table's pawns."""
    slots: dict[int, Counter[str]] = {loop: Counter() for loop in world.geometry.centred}
    for tag in world.tags():
        if tag.afi == PAWN_TAGS:
            strengths = field.strengths(tag.x, tag.y, sensitivities[tag.uid])
            for loop, tags in slots.items():
                tags[tag.uid[-1]] += bool(strengths[loop])
    return sum(map(_loop, slots.values()))


def _loop(tags: Counter[str]) -> float:
    """Return the milliseconds of one loop with this number of tags in each slot."""
    full = sum(count > 0 for count in tags.values())
    collisions = sum(count for count in tags.values() if count > 1)
    single_round = FIELD_MS + REQUEST_MS + (SLOTS - full) * EMPTY_MS + full * ANSWER_MS
    return single_round + collisions * (CALL_MS + ANSWER_MS)


def main() -> int:
    """Run as the arguments require."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--pawns", type=int, choices=[12, 16], default=12)
    parser.add_argument("--any", action="store_true")
    args = parser.parse_args()
    sorted_pawns = PAWNS if args.pawns == 12 else SIXTEEN
    pawns = any_tags(args.pawns) if args.any else sorted_pawns
    times = sorted(air(**laid_table(Random(n), pawns)) for n in range(args.tables))
    print(
        f"tables={args.tables} median={times[len(times) // 2]:.0f} longest={times[-1]:.0f} "
        f"over_{LONGEST}={sum(ms > LONGEST for ms in times)}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
