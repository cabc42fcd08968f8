"""The display's voice in Chromium: its setting, a turn read aloud, and a question from a phone."""

from __future__ import annotations

import pytest

from companion.table.table import QUESTION_SECONDS
from tests.browser.conftest import Screens, StartServer
from tests.browser.games.test_by_commands import typed
from tests.browser.screens.test_screens import HEARD, LISTEN

pytestmark = pytest.mark.slow


@pytest.mark.sound
def test_a_phone_asks_and_the_display_reads(start_server: StartServer, screens: Screens) -> None:
    """At its level for everything the display reads a walk; a question from a human's phone is
    answered by the display, another phone's after it; without a voice, and for a cell that is not
    there, the phone says so.
    """
    server = start_server(None)
    display, vampire, ana = screens.display(server), screens.vampire(server), screens.phone(server)
    vampire.sit("V")
    ana.sit("H1", name="Ana")
    display.begin(vampire, "C4")
    display.page.evaluate(LISTEN)
    display.press("info")
    display.says('[data-action="voice"]', "Voice: turns")
    display.press("voice")
    display.says('[data-action="voice"]', "Voice: all")
    display.press("info")

    display.tile("A1")
    display.tile("A2")
    for code in ("player.1", "letter.A", "number.2"):
        display.page.evaluate(HEARD, ["en", f"spoken.{code}"])
    typed(ana, "aloud d1", "A display reads")
    display.page.evaluate(HEARD, ["en", "spoken.letter.D"])
    # The display still speaks: another phone's answer waits, and is read.
    typed(vampire, "aloud f6", "A display reads")
    display.page.evaluate(HEARD, ["en", "spoken.letter.F"])
    typed(ana, "aloud z9", "no such place")

    display.press("info")
    display.press("voice")
    display.says('[data-action="voice"]', "Voice: off")
    ana.page.wait_for_timeout(1000 * QUESTION_SECONDS)
    typed(ana, "aloud who", "No display reads")
