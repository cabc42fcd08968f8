"""A table in a folder that becomes read-only: `unshare -Urm python -m tests.table.storage.readonly
FOLDER`.

The real application begins in a folder that takes nothing, shows everything, refuses to act with a
reason, and goes on by itself when the folder can be written to again.
"""

from __future__ import annotations

import sys
from pathlib import Path

from companion.app import Application
from companion.config import Settings
from companion.core.game import Seat
from companion.core.placement import Cell
from companion.table.errors import Refused
from companion.table.storage.log import RequestId
from tests.helpers.simulated_clock import SimulatedClock
from tests.table.storage.namespace import mount


def main() -> None:
    folder = Path(sys.argv[1])
    settings = Settings(data=str(folder), board="none")
    before = Application(settings, clock=SimulatedClock(), release=0)
    before.table.seats.claim(Seat("V"), "Vlad", "11" * 32)
    asked = RequestId("11" * 32, "0")
    before.table.start(request=asked)
    position = before.table.snapshot()["position"]
    mount("--bind", str(folder), str(folder))
    mount("-o", "remount,ro,bind", str(folder))
    # Its write-ahead log cannot be removed any more, and stays.
    before.close()
    after = Application(settings, clock=SimulatedClock(), release=0)
    client = after.app.test_client()
    page, snapshot = client.get("/table").status_code, client.get("/snapshot").get_json()
    assert (200, position, "readonly") == (page, snapshot["position"], snapshot["storage"]), (
        snapshot
    )
    assert after.table.journal.has_answered(asked)
    try:
        after.table.mark(Seat("V"), Cell("A1"), "?")
    except Refused as refused:
        code = refused.message.code
    place = after.table.decode([{"type": "place", "cell": "C3"}])
    after.table.submit(Seat("V"), place, id="1")
    assert isinstance(after.clock, SimulatedClock)
    after.clock.advance(60)
    assert position == after.table.snapshot()["position"]
    mount("-o", "remount,rw,bind", str(folder))
    after.clock.advance(60)
    assert after.table.snapshot()["position"] > position
    storage = after.table.snapshot()["storage"]
    after.close()
    print(f"page={page} refused={code} storage={storage}")


if __name__ == "__main__":
    main()
