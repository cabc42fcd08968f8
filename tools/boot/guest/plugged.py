"""Plug a board into the simulated USB port, by its gadget's file that names the port.

Prints how long the table takes to use it, and what it shows: the tiles that differ, and the
record's position before and after.
"""

from __future__ import annotations

import json
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

PATIENCE = 300


def snapshot() -> Any:
    """Return the public snapshot."""
    with urllib.request.urlopen("http://127.0.0.1:8080/snapshot", timeout=60) as reply:
        return json.load(reply)


before = snapshot()
started = time.monotonic()
Path(sys.argv[1]).write_text("dummy_udc.0", encoding="ascii")
while (board := snapshot()["board"])["source"] != "serial" or board["link"] != "up":
    if time.monotonic() - started > PATIENCE:
        break
    time.sleep(0.05)
used = time.monotonic() - started
while not snapshot()["board"].get("differences") and time.monotonic() - started < PATIENCE:
    time.sleep(0.2)
after = snapshot()
print(
    f"{1000 * used:.0f} ms {board['link']} {board['port']} instead of {before['board']['port']}, "
    f"{len(after['board'].get('differences') or ())} tiles differ, "
    f"position {before['position']} and {after['position']}"
)
