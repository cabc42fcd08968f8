"""Place pieces at random on whole boards and locate them, in a field of another model than the
decoder's: `python -m tests.sensors.rfid.locate_accuracy`.

`--boards N`, `--pawns 16`; `--calibrated not` is a board without any calibration, `by_tiles` one
that calibrates itself from a whole field of tiles, `by_hand` a calibrated one; `--physics` is one
of the field model's variations, or `all`. Counts wrong cells, wrong turns of tiles, undecided ones,
and the boards on which everything was right.
"""

from __future__ import annotations

import argparse
import sys

from tests.sensors.rfid.field_model import PHYSICS
from tests.sensors.rfid.test_locate import Tally, whole_boards


def main() -> int:
    """Run the command; exit with 1 if anything was located wrongly."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=3000)
    parser.add_argument("--calibrated", choices=["not", "by_tiles", "by_hand"], default="by_tiles")
    parser.add_argument("--pawns", type=int, default=12)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--physics", choices=[*PHYSICS, "all"], default="as designed")
    args = parser.parse_args()
    names = list(PHYSICS) if args.physics == "all" else [args.physics]
    worst = 0
    for name in names:
        tally = Tally(seed=args.seed, calibrated=args.calibrated, physics=PHYSICS[name])
        right = whole_boards(tally, args.boards, args.pawns)
        wrong = tally.cells["wrong"] + tally.turns["wrong"]
        worst = max(worst, wrong)
        print(
            f"physics={name!r} boards={args.boards} things={tally.cells.total()} wrong={wrong} "
            f"cells_open={tally.cells['undecided']} turns_open={tally.turns['undecided']} "
            f"all_right={right / args.boards:.1%}",
            flush=True,
        )
    return 0 if not worst else 1


if __name__ == "__main__":
    sys.exit(main())
