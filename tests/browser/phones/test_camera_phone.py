"""A spare phone as the camera: Chromium's fake capture device plays the pictures of a drawn table.

No real phone has taken one of them.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import HANDHELD, Screens, StartServer
from tests.browser.page_objects import Screen, VampirePhone
from tests.browser.phones.test_wake_lock import COUNT
from tests.browser.screens.test_first_start import QR
from tests.browser.screenshots import violations
from tests.browser.server import TIMEOUT, until
from tests.conftest import ARGUMENTS, CHROMIUM
from tests.server.routes.test_photo import HOUSE
from tools.photos.frame_sequence import Capture

pytestmark = pytest.mark.slow


@pytest.fixture
def capture(tmp_path: Path) -> Capture:
    return Capture(tmp_path / "table.y4m", HOUSE)


@pytest.fixture
def open_phone(
    browser: Browser, capture: Capture, screens: Screens
) -> Iterator[Callable[[], Page]]:
    """A browser with the fake device; what its pages complain of fails the test."""
    arguments = [
        *ARGUMENTS,
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={capture.path}",
    ]
    phone = browser.browser_type.launch(executable_path=CHROMIUM, args=arguments)

    def opened() -> Page:
        context = phone.new_context(
            viewport={"width": HANDHELD[0], "height": HANDHELD[1]},
            ignore_https_errors=True,
            permissions=["camera"],
            locale="en-GB",
        )
        context.set_default_timeout(1000 * TIMEOUT)
        context.on("page", screens.watch)
        return context.new_page()

    yield opened
    phone.close()


def scanned(host: Screen) -> str:
    """Return the address in the code that the host page shows, as this machine reaches it."""
    host.press("camera")
    host.shows("#camera-code")
    picture = Image.open(io.BytesIO(host.at("#camera-code").screenshot()))
    (code,) = zxingcpp.read_barcodes(picture, formats=QR)
    address = urlsplit(code.text)
    assert ("https", "/camera") == (address.scheme, address.path)
    return address._replace(netloc=f"127.0.0.1:{host.server.port}").geturl()


def reads(page: Page, words: str) -> None:
    expect(page.locator("#ticks")).to_contain_text(words)


def test_a_phone_watches_the_table(
    start_server: StartServer, screens: Screens, capture: Capture, open_phone: Callable[[], Page]
) -> None:
    """The host page's code makes a phone the camera, once; it shows what the table reads, and keeps
    its screen on. After a reload, and after the table was killed, it goes on by itself, also where
    the browser cannot keep the screen on, and sees the pawns that are set down.
    """
    server = start_server(None, "tls = true")
    display = screens.display(server)
    seat = VampirePhone(server, screens.page(HANDHELD, is_phone=True, is_careless=True))
    address = server.invitation["url"].replace("http://", "https://")
    seat.page.goto(address)
    seat.choose_seat("V")
    seat.page.wait_for_url("**/seat")
    host = Screen(server, seat.page.context.new_page())
    host.page.goto(server.phone("/host").replace("http://", "https://"))
    address = scanned(host)
    phone = open_phone()
    phone.context.grant_permissions(["camera", "screen-wake-lock"])
    phone.add_init_script(COUNT)
    phone.goto(address)
    reads(phone, "36 of 36")
    assert 1 == phone.evaluate("held")
    display.until(lambda picture: picture["board"].get("source") == "camera", "the camera")
    seen = display.until(lambda picture: picture["lobby"]["sheet"]["seen"] == 36, "the tiles")
    assert seen
    assert [] == violations(phone)

    stranger = open_phone()
    stranger.goto(address)
    expect(stranger.locator("#notice")).to_be_visible()
    assert [] == violations(stranger)

    screens.may_lose_link = True
    phone.add_init_script("delete Navigator.prototype.wakeLock")
    phone.reload()
    reads(phone, "36 of 36")
    server.kill()
    expect(phone.locator("#notice")).to_be_visible()
    server.start()
    display.until(lambda snapshot: snapshot["board"].get("link") == "up", "the camera again")
    capture.show({"H1a": "B2", "H2c": "E5"})
    until(
        lambda: phone.locator("#ticks .pawn").count() == 2,
        "two pawns",
        lambda s: phone.wait_for_timeout(1000 * s),
    )
