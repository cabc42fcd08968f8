"""A table that hangs in mid-game: `python -m tools.acceptance.hang` stops its process, as a hang
would.

What systemd does with the unit's values (`WatchdogSec`, `RestartSec`) is done here: a process
that is silent for that long is killed and started again. The display and the vampire's phone are
real pages in Chromium. Prints after how many seconds the table was back, how many more the pages
took to show it, and whether it is the same turn; ends with 1 beyond 20 s and 10 s.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import Screens
from tests.browser.phones.test_resume import lasting
from tests.browser.server import TableServer
from tests.helpers.chromium import chromium
from tests.helpers.served import start_companion

UNIT = Path(__file__).parents[2] / "hardware/pi/companion.service"
BACK, SEEN = 20.0, 10.0
"""Seconds in which the table is back, and in which its pages are, after it."""


def granted(name: str) -> float:
    """Return the seconds in the unit."""
    match = re.search(rf"^{name}=(\d+)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)
    assert match is not None
    return float(match[1])


class Watched(TableServer):
    """A server that is watched as systemd watches the unit."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, None)
        self._ears = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._ears.bind(str(folder / "notify"))

    def start(self) -> None:
        """Serve; return when the server has reported that it is ready."""
        seconds = granted("WatchdogSec")
        environment = {
            "NOTIFY_SOCKET": str(self.folder / "notify"),
            "WATCHDOG_USEC": f"{seconds * 1e6:.0f}",
        }
        words = ["serve", "--data", self.data, "--config", self.config, "--board", "none"]
        self._server = start_companion([str(word) for word in words], self.log_path, environment)
        self._ears.settimeout(60)
        while self._ears.recv(64) != b"READY=1":
            pass

    def freeze(self) -> None:
        """Stop the process just after its heartbeat: the longest time until systemd notices."""
        assert self._server is not None and self._server.pid is not None
        self._ears.settimeout(60)
        while self._ears.recv(64) != b"WATCHDOG=1":
            pass
        os.kill(self._server.pid, signal.SIGSTOP)

    def watch(self) -> None:
        """Wait until the process is silent for too long, kill it, and start it again."""
        self._ears.settimeout(granted("WatchdogSec"))
        try:
            while True:
                self._ears.recv(64)
        except TimeoutError:
            self.kill()
        time.sleep(granted("RestartSec"))
        self.start()


def main() -> int:
    expect.set_options(timeout=60_000)
    with (
        tempfile.TemporaryDirectory() as folder,
        chromium() as browser,
        ExitStack() as stack,
    ):
        server, screens = Watched(Path(folder)), Screens(browser)
        stack.callback(server.close)
        server.open()
        display, vampire = screens.display(server), screens.vampire(server)
        vampire.sit("V")
        display.begin(vampire, "C3")
        before = lasting(server.snapshot)

        server.freeze()
        frozen = time.monotonic()
        server.watch()
        back = time.monotonic()
        display.hides("#wait")
        display.says("#banner", "3 actions left")
        vampire.says("#cover", "quiet")
        shown_at = time.monotonic()
        same = before == lasting(server.snapshot)
        screens.close()
    print(f"back_s={back - frozen:.1f} pages_s={shown_at - back:.1f} same_turn={same}")
    return int(not (back - frozen <= BACK and shown_at - back <= SEEN and same))


if __name__ == "__main__":
    sys.exit(main())
