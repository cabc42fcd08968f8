"""A browser that refuses storage: its pages work, and it takes no seat that it would lose."""

from __future__ import annotations

from tests.browser.conftest import HANDHELD, WIDE, Screens
from tests.browser.page_objects import Display, Phone, Screen
from tests.browser.server import TableServer

DENIED = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("Access is denied for this document.", "SecurityError"); },
});"""


def test_display_and_rules_without_storage(server: TableServer, screens: Screens) -> None:
    """The display is paired and takes presses; the rules can be read in another language and in
    the other theme.
    """
    display = Display(server, screens.page(WIDE))
    display.page.add_init_script(DENIED)
    display.page.goto(server.display_address)
    display.press("players", "3")
    display.shows('[data-seat="H2"]')

    rules = Screen(server, screens.page(HANDHELD, is_phone=True))
    rules.page.add_init_script(DENIED)
    rules.page.goto(server.phone("/help"))
    rules.press("language", "nl")
    rules.says("h1", "Spelregels")
    rules.press("light")
    rules.shows('html.light [data-action="light"][aria-pressed="true"]')
    rules.press("light")
    rules.shows('html:not(.light) [data-action="light"][aria-pressed="false"]')


def test_a_phone_without_storage_takes_no_seat(server: TableServer, screens: Screens) -> None:
    """It says why, in a seat with a secret and in one without, and the seats stay free."""
    screens.display(server)
    phone = Phone(server, screens.page(HANDHELD, is_phone=True))
    phone.page.add_init_script(DENIED)
    phone.page.goto(server.invitation["url"])

    for seat in ("H1", "V"):
        phone.choose_seat(seat)
        phone.says("#notice", "This browser keeps nothing")

    assert "/join" in phone.page.url
    assert not [seat for seat in server.snapshot["seats"] if seat["taken"]]
