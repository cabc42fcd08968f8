"""`make trust`: every promise on a line of its own; `make soak`: the same for hours.

`python -m tools.acceptance [--soak] [NUMBER …]` runs all checks, or those with these numbers, and
exits with 1 if one does not hold.
"""

from __future__ import annotations

import argparse
import sys

from tools.acceptance.check import Check
from tools.acceptance.checks import durability, firmware, games, inputs, load, pi, secrecy, sensors

PARTS = (secrecy, durability, load, sensors, inputs, pi, firmware, games)
CHECKS: tuple[Check, ...] = tuple(check for part in PARTS for check in part.CHECKS)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--soak", action="store_true")
    parser.add_argument("numbers", nargs="*")
    args = parser.parse_args()
    all_kept = True
    for check in CHECKS:
        if check.only_long and not args.soak:
            continue
        if not args.numbers or check.number in args.numbers:
            reported = check.run(long=args.soak)
            print(reported.line(), flush=True)
            all_kept = all_kept and reported.kept
    return int(not all_kept)


if __name__ == "__main__":
    sys.exit(main())
