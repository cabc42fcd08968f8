"""A board unplugged and plugged in again under a served table: `python -m tools.acceptance.replug
--times N`.

`companion serve` has the protocol's own patience; the board is the virtual one at a port of the
kernel's, and its plug is pulled at a random byte. Timed is what screens receive: from the plug
until the status has no board, so that taps count, and from the plug's return until the board is
back in the status. Prints the longest of each and whether the game's head, the table's descriptors
and its threads are as they were; ends with 1 beyond 2 s or 3 s, or if not.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

from tests.browser.server import TableServer, until
from tools.acceptance.readonly import begin

TAPS, BACK = 2.0, 3.0
LOOK = 0.02
"""Seconds between two looks at what screens receive."""


def seconds_until_linked(server: TableServer, is_heard: bool, do: Callable[[], object]) -> float:
    """Return how many seconds after an action the table's status has a board, or none."""
    started = time.monotonic()
    do()
    until(
        lambda: (server.snapshot["board"]["link"] == "up") == is_heard,
        f"heard is not {is_heard}",
        lambda _: time.sleep(LOOK),
    )
    return time.monotonic() - started


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=100)
    times, rng = parser.parse_args().times, Random(3)
    taps, back = [], []
    with tempfile.TemporaryDirectory() as folder, closing(TableServer(Path(folder))) as server:
        server.open()
        begin(server).close()
        plug = server.board.terminal
        until(lambda: server.snapshot["board"]["link"] == "up", "the board was never heard")
        before, held_before = server.snapshot["head"], server.held()
        for _ in range(times):
            taps.append(
                seconds_until_linked(
                    server, False, lambda: plug.unplug(rng.choice((None, *range(20))))
                )
            )
            back.append(seconds_until_linked(server, True, plug.replug))
        late = max(now - then for now, then in zip(server.held(), held_before, strict=True))
        same = before == server.snapshot["head"]
    print(
        f"replugs={times} taps_s={max(taps):.1f} back_s={max(back):.1f} same_head={same} "
        f"left_behind={max(late, 0)}"
    )
    return int(max(taps) > TAPS or max(back) > BACK or not same or late > 0)


if __name__ == "__main__":
    sys.exit(main())
