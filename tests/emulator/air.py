"""What a whole scan of the pawns takes on the air, whatever a firmware does: `python -m
tests.emulator.air --pawns 16`.

On the tables of `tests.emulator.scans` every loop that is centred on cells is asked once in 16
slots, as ISO 15693 has it. Counted is what no firmware can leave out: the field must stand,
requests and answers have their length, an empty slot must be waited for, and tags that share a slot
ruin it and are asked again, one by one, by a board that guesses at once which they are.
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
from tests.emulator.scans import LONGEST, SIXTEEN, any_tags, laid_table
from tests.emulator.wires import PAWNS

SLOTS = 16
FIELD_MS = 1.6
BYTE_MS = 0.302
"""Of a request, in which two bits are one pulse in four places."""
REQUEST_MS = 0.114 + 6 * BYTE_MS
"""Start and end; flags, command, class, length of the mask, CRC."""
CALL_MS = REQUEST_MS + BYTE_MS
"""No class, but two bytes of a number."""
EMPTY_MS = 0.038 + 0.529
"""The slot's beginning, and what the chip waits for an answer."""
ANSWER_MS = 0.038 + 4.25
"""0.32 until the tag begins, then 12 bytes at 26 kbit/s with start and end."""


def air(world: World, field: RfModel, sensitivities: Mapping[Uid, float]) -> float:
    """Return the milliseconds that a whole scan of the pawns of a table takes on the air."""
    slots: dict[int, Counter[str]] = {loop: Counter() for loop in world.geometry.centred}
    for tag in world.tags():
        if tag.afi == PAWN_TAGS:
            strengths = field.strengths(tag.x, tag.y, sensitivities[tag.uid])
            for loop, heard in slots.items():
                heard[tag.uid[-1]] += bool(strengths[loop])
    return sum(map(_loop, slots.values()))


def _loop(heard: Counter[str]) -> float:
    """Return the milliseconds of one loop with this number of tags in each slot."""
    full = sum(count > 0 for count in heard.values())
    again = sum(count for count in heard.values() if count > 1)
    once = FIELD_MS + REQUEST_MS + (SLOTS - full) * EMPTY_MS + full * ANSWER_MS
    return once + again * (CALL_MS + ANSWER_MS)


def main() -> int:
    """Run as told."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--pawns", type=int, choices=[12, 16], default=12)
    parser.add_argument("--any", action="store_true")
    told = parser.parse_args()
    sorted_pawns = PAWNS if told.pawns == 12 else SIXTEEN
    pawns = any_tags(told.pawns) if told.any else sorted_pawns
    times = sorted(air(**laid_table(Random(n), pawns)) for n in range(told.tables))
    print(
        f"tables={told.tables} median={times[len(times) // 2]:.0f} longest={times[-1]:.0f} "
        f"over_{LONGEST}={sum(ms > LONGEST for ms in times)}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
