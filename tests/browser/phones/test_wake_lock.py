"""Screens that stay on while a game is played, where the browser has the means."""

from __future__ import annotations

from tests.browser.conftest import WIDE, Screens, StartServer
from tests.browser.page_objects import Display, Phone

COUNT = """
globalThis.held = 0;
if (navigator.wakeLock) {
  const request = navigator.wakeLock.request.bind(navigator.wakeLock);
  navigator.wakeLock.request = async (kind) => {
    const lock = await request(kind);
    held += 1;
    globalThis.last = lock;
    lock.addEventListener("release", () => { held -= 1; });
    return lock;
  };
}
"""
"""Counts the wake locks that a page holds, and keeps the last: a browser takes it from a page that
is put away.
"""


def holds(screen: Display | Phone, locks: int) -> None:
    """Wait until a page holds this many wake locks."""
    screen.until(lambda _: screen.page.evaluate("held") == locks, f"{locks} wake locks")


def test_screens_stay_on_in_a_game(start_server: StartServer, screens: Screens) -> None:
    """In a secure context phone and display hold a wake lock from a game's beginning to its end,
    again after the phone was put away, and none before.
    """
    server = start_server(None)
    display, phone = Display(server, screens.page(WIDE)), screens.phone(server)
    for each in (display, phone):
        each.page.add_init_script(COUNT)
        each.page.context.grant_permissions(["screen-wake-lock"])
    display.page.goto(server.display_address)
    display.choose("nosferatu")
    address = server.invitation["url"].partition("#")[2]
    phone.page.goto(f"http://127.0.0.1:{server.port}/join#{address}")
    phone.choose_seat("villagers")
    phone.says("#banner", "Villagers")
    phone.hides("#dark")
    holds(phone, 0)
    display.press("start")
    holds(phone, 1)
    holds(display, 1)
    phone.page.evaluate("() => last.release()")
    holds(phone, 0)
    phone.page.evaluate("() => { document.dispatchEvent(new Event('visibilitychange')); }")
    holds(phone, 1)
    display.press("info")
    display.press("draw")
    phone.press("agree")
    holds(phone, 0)
    holds(display, 0)


def test_a_screen_without_a_wake_lock_shows_that(
    start_server: StartServer, screens: Screens
) -> None:
    """By plain http from elsewhere, display and phone show before the game that the screen may go
    dark, and no more in the game.
    """
    server = start_server(None)
    display, phone = Display(server, screens.page(WIDE)), screens.phone(server)
    display.page.goto(server.phone(f"/table#{server.display_address.partition('#')[2]}"))
    display.choose("nosferatu")
    phone.sit("villagers")
    for screen in (display, phone):
        screen.says("#dark", "may go dark")
    display.press("start")
    for screen in (display, phone):
        screen.hides("#dark")
