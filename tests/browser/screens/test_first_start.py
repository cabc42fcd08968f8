"""The first start of the table's own machine: its language by one press, its Wi-Fi and addresses as
codes.
"""

from __future__ import annotations

import io
import re

import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect

from companion.server.auth.access import DISPLAY_FILE
from tests.browser.conftest import SEVEN_INCH, WIDE, Screens, StartServer
from tests.browser.pseudo_locale import literal, tongues
from tests.browser.screenshots import save_screenshot, settled, spilled, violations

SIZES = (SEVEN_INCH, WIDE)
WIFI = '[wifi]\nname = "Table by the window"\npassword = "amber-fox-17"\n'
QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)


def scanned(page: Page) -> list[str]:
    """Return what a camera in front of the display reads at each size."""
    codes: list[str] = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        image = Image.open(io.BytesIO(page.screenshot()))
        codes += [code.text for code in zxingcpp.read_barcodes(image, formats=QR)]
    return codes


def test_language_wifi_and_page_without_a_keyboard(
    start_server: StartServer, screens: Screens
) -> None:
    """Three presses lead from the language over the Wi-Fi to the table's own code; cameras read
    each code, every screen fits in every language, and a display that was greeted is not greeted
    again.
    """
    server = start_server(None, WIFI)
    page = screens.page(SEVEN_INCH)
    code = (server.data / DISPLAY_FILE).read_text().strip()
    page.goto(f"http://127.0.0.1:{server.port}/table?kiosk#{code}")
    expect(page.locator(".first button")).to_have_text(["English", "日本語", "Nederlands"])
    defects = look(page, "first-language")
    page.locator('[data-action="lang"][data-arg="ja"]').click()
    expect(page.locator("h1")).to_have_text("スマホでの入り方")
    page.evaluate("() => localStorage.setItem('lang', 'en')")
    page.evaluate("() => dispatchEvent(new StorageEvent('storage', { key: 'lang' }))")
    expect(page.locator("h1")).to_have_text("How phones get here")
    wifi = scanned(page)
    defects += look(page, "first-wifi")
    page.locator('[data-action="way"][data-arg="1"]').click()
    expect(page.locator('[data-action="way"][data-arg="1"]')).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.locator("#qr")).to_have_attribute("alt", "Then scan this to join the table.")
    address = scanned(page)
    defects += look(page, "first-page")
    page.locator('[data-action="seats"]').click()
    expect(page.locator("#code")).to_be_visible()
    page.locator('[data-action="way"]:not([data-arg])').click()
    expect(page.locator("h1")).to_have_text("How phones get here")
    page.goto(f"http://127.0.0.1:{server.port}/table?kiosk")
    expect(page.locator("#code")).to_be_visible()

    assert 2 * ["WIFI:T:WPA;S:Table by the window;P:amber-fox-17;;"] == wifi
    assert 2 == len(address) and address[0] == address[1]
    (number, _, fragment), (_, _, inside) = (
        address[0].partition("#"),
        server.invitation["url"].partition("#"),
    )
    assert re.fullmatch(rf"http://[\d.]+:{server.port}/join", number)
    assert inside == fragment
    assert [] == defects


def look(page: Page, name: str) -> list[str]:
    """Return what is wrong with a screen at each size in any language: axe's findings, what spills,
    words of no catalogue.
    """
    defects: list[str] = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        save_screenshot(page, f"{name}-{width}-en.png")
        defects += violations(page)
        for language in tongues(page):
            settled(page)
            save_screenshot(page, f"{name}-{width}-{language}.png")
            spills = f"{name} {width} {language} spills: {spilled(page)}"
            defects += [spills] if any(spilled(page)) else []
            defects += literal(page) if language == "long" else []
    return defects
