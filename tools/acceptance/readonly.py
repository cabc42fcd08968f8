"""A minute on a disk that takes nothing: `unshare -Urm python -m tools.acceptance.readonly FOLDER`.

`companion serve` starts for real over a folder that is mounted read-only, in mid-game. It must show
the table, refuse to act with the reason, still be there after 60 s, and go on by itself once the
folder takes something again. Prints what it answered, and ends with 1 if it was something else.
"""

from __future__ import annotations

import sys
import time
import urllib.request
from contextlib import closing
from pathlib import Path

from tests.browser.server import TIMEOUT, TableServer, until
from tests.table.storage.namespace import mount
from tools.bench.played_table import Caller

MINUTE = 60.0


def begin(server: TableServer) -> Caller:
    """Sit down as the vampire, and start a game."""
    fragment = server.invitation["url"].partition("#")[2]
    vampire = Caller(server.port, fragment[:43])
    vampire.request("claim", seat="V", name="Vlad", code=fragment[43:], pin="1111")
    vampire.request("start")
    return vampire


def refused(vampire: Caller) -> str:
    """Try to act; return the reason of the refusal, "" if there was none."""
    try:
        vampire.request("submit", actions=[{"type": "place", "cell": "C3"}])
    except RuntimeError as error:
        return str(error).rpartition(": ")[2]
    return ""


def page_status(server: TableServer) -> int:
    """Return the status of the answer with the display's page."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/table", timeout=TIMEOUT) as reply:
        return int(reply.status)


def main() -> int:
    with closing(TableServer(Path(sys.argv[1]), None)) as server:
        server.start()
        vampire = begin(server)
        server.kill()
        vampire.close()
        mount("--bind", str(server.data), str(server.data))
        mount("-o", "remount,ro,bind", str(server.data))
        server.start()
        started, pages, codes = time.monotonic(), set(), set()
        while (alive := time.monotonic() - started) < MINUTE:
            pages.add(page_status(server))
            codes.add(refused(vampire))
            time.sleep(1)
        mount("-o", "remount,rw,bind", str(server.data))
        until(lambda: not refused(vampire), "the game did not go on")
        vampire.close()
    print(f"display={sorted(pages)} refused={sorted(codes)} alive_s={alive:.0f} goes_on=True")
    return int((pages, codes) != ({200}, {"disk_readonly"}))


if __name__ == "__main__":
    sys.exit(main())
