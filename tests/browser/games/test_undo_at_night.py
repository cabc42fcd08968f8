"""An End turn pressed by mistake: until the dawn begins it is taken back by night."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Screens, StartServer
from tests.browser.screenshots import save_screenshot


@pytest.mark.parametrize(
    "by_night", [["phone"], pytest.param(["display", "phone"], marks=pytest.mark.soak)]
)
def test_the_last_end_is_taken_back_by_night(
    start_server: StartServer, screens: Screens, by_night: list[str]
) -> None:
    """The display and the phone of the human whose turn was the last offer Undo by night, and no
    other phone does. The turn goes on where it was; the vampire's plan is gone, and the next night
    begins with an empty one.
    """
    server = start_server(None)
    display, vampire, ana, ben = screens.begin_three(server)
    display.end_turn("H1", "H2")
    ana.shows('[data-action="undo"]')
    display.end_turn("H2", "V")

    for name in by_night:
        screen = display if name == "display" else ben
        vampire.says("#cover", "Night")
        vampire.look()
        vampire.step("C2")
        for each in (display, ben):
            each.shows('[data-action="undo"]')
        ana.hides('[data-action="undo"]')
        save_screenshot(display.page, "undo-at-night.png")
        save_screenshot(ben.page, "undo-at-night-phone.png")
        screen.press_again("undo")
        display.turn_of("H2")
        vampire.hides("#end-night")
        screen.press_again("end")
        display.until(lambda snapshot: snapshot["to_move"] == "V", "night again")
        if vampire.at(".secret").count():
            vampire.press("reveal")
        vampire.hides(".secret")
    vampire.look()
    expect(vampire.at('[data-action="undo"]')).to_have_attribute("aria-disabled", "true")
    vampire.end_night()
    display.turn_of("H1")
