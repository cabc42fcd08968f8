"""Print how long the table takes to use a board on /dev/ttyACM0, from when it is asked for."""

from __future__ import annotations

import json
import time
import urllib.request

begun = time.monotonic()
while time.monotonic() - begun < 300:
    with urllib.request.urlopen("http://127.0.0.1:8080/snapshot", timeout=60) as reply:
        board = json.load(reply)["board"]
    if board["link"] == "up" and board["source"] == "serial":
        break
    time.sleep(0.05)
print(f"{1000 * (time.monotonic() - begun):.0f} ms {board['link']} {board['port']}")
