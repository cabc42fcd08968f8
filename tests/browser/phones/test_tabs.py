"""Many pages of one browser, which has six connections to the table."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Screens, StartServer

PATHS = ("/table", "/host", "/host", "/host", "/host", "/host", "/seat")


def all_say(pages: list[Page], name: str) -> None:
    """Wait until every page has this name on it."""
    for page in pages:
        expect(page.locator("main")).to_contain_text(name, timeout=60_000)


def test_eight_pages_of_one_browser_all_get_updates(
    start_server: StartServer, screens: Screens
) -> None:
    """They share a stream, so that connections are left to questions; when the page that has it is
    closed, another one has it.
    """
    server = start_server(None)
    display = screens.display(server)
    display.press("players", "4")
    ana, mina, bram = (screens.phone(server) for _ in range(3))
    ana.sit("H1", name="Ana")
    pages = [ana.page]
    for path in PATHS:
        pages.append(ana.page.context.new_page())
        pages[-1].goto(server.phone(path))
    all_say(pages, "Ana")

    mina.sit("H2", name="Mina")

    all_say(pages, "Mina")

    pages.pop(0).close()
    bram.sit("H3", name="Bram")

    all_say(pages, "Bram")
