"""An older folder put back under running screens: `python -m tools.acceptance.restored_folder`.

The display, a human's phone and the vampire's are real pages in Chromium. The folder is copied,
an answer is learnt, and the copy is put back. Prints after how many seconds from the table's return
every screen showed it; ends with 1 beyond 5 s.
"""

from __future__ import annotations

import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import Screens
from tests.browser.page_objects import restore_before_answer
from tests.browser.server import TableServer
from tests.helpers.chromium import chromium

SAID = 5.0
"""Seconds in which all screens show that the table's history is older than theirs."""


def main() -> int:
    expect.set_options(timeout=60_000)
    with (
        tempfile.TemporaryDirectory() as folder,
        chromium() as browser,
        ExitStack() as stack,
    ):
        server, screens = TableServer(Path(folder)), Screens(browser)
        stack.callback(server.close)
        server.open()
        display, vampire, ana = (
            screens.display(server),
            screens.vampire(server),
            screens.phone(server),
        )
        vampire.sit("V")
        ana.sit("H1", name="Ana")
        display.begin(vampire, "C3")
        restore_before_answer(server, display)
        back = time.monotonic()
        display.says("#banner", "older record")
        for phone in (ana, vampire):
            phone.says("#paused", "older record")
        seconds = time.monotonic() - back
        screens.close()
    print(f"shown_everywhere_s={seconds:.1f}")
    return int(seconds > SAID)


if __name__ == "__main__":
    sys.exit(main())
