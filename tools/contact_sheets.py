"""Contact sheets of every state of every game: `python -m tools.contact_sheets [WORD...]`.

Draws each state that tests of the layout look at, on displays and on phones (covered, and while
their player looks), at twelve sizes in three languages, and leaves sheets of twelve reduced
pictures in tests/browser/shots/sheets. `1920x1080`, `nl` or `shisogari` draws those alone.
"""

from __future__ import annotations

import base64
import io
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, CDPSession, ViewportSize

from tests.browser.screens.test_layout import (
    DISPLAYS,
    FONTS,
    PHONES,
    SEATS,
    Pages,
    Screen,
    Size,
    drawn,
    every_state,
    open_paired,
    opened,
    seated,
)
from tests.browser.screenshots import SHOTS, settled
from tests.browser.states import State, hunts
from tests.conftest import ARGUMENTS
from tests.helpers.chromium import chromium

FOLDER = SHOTS / "sheets"
LOCALES = {"en": "en-GB", "nl": "nl-NL", "ja": "ja-JP"}
SIZES = {"display": DISPLAYS[:7], "phone": PHONES[:5]}
COUNT = 12
COLUMNS = {True: 3, False: 6}
"""Pictures beside each other, of wide windows and of upright ones."""
WIDTH = 1560
MARGIN = 4
UNHINTED = [*ARGUMENTS, "--font-render-hinting=none"]
"""Reduced letters keep their distances."""
LINE = 14


class Sheets:
    """The pictures of one size in one language, twelve on a sheet; `scale` is theirs."""

    def __init__(self, name: str, size: Size) -> None:
        width, height = size
        self._columns = COLUMNS[width > height]
        self.scale = (WIDTH // self._columns - MARGIN) / width
        self._name = name
        self._pictures: list[tuple[str, Image.Image]] = []
        self._number = 0

    def add(self, label: str, picture: Image.Image) -> None:
        """Add one picture; a full sheet is written."""
        self._pictures.append((label, picture))
        if len(self._pictures) == COUNT:
            self.write()

    def write(self) -> None:
        """Write the pictures since the last sheet, if there are any."""
        if not self._pictures:
            return
        columns, each = self._columns, WIDTH // self._columns
        tall = LINE + self._pictures[0][1].height
        rows = -(-len(self._pictures) // columns)
        sheet = Image.new("RGB", (WIDTH, rows * tall), "white")
        pen = ImageDraw.Draw(sheet)
        for place, (label, picture) in enumerate(self._pictures):
            left, top = place % columns * each, place // columns * tall
            pen.text((left + 2, top + 1), label, fill="black")
            sheet.paste(picture, (left, top + LINE))
        sheet.save(FOLDER / f"{self._name}-{self._number:02}.png")
        self._pictures, self._number = [], self._number + 1


def photograph(screen: Screen, label: str, sheets: dict[Size, Sheets]) -> None:
    """Add what a page shows now at each size; the browser draws it reduced, which is the faster the
    smaller it is.
    """
    chrome = screen.page.context.new_cdp_session(screen.page)
    for (width, height), sheet in sheets.items():
        screen.page.set_viewport_size(ViewportSize(width=width, height=height))
        screen.page.evaluate("() => { scrollTo(0, 0); dispatchEvent(new Event('resize')); }")
        settled(screen.page)
        sheet.add(label, captured(chrome, (width, height), sheet.scale))
    chrome.detach()


def captured(chrome: CDPSession, size: Size, scale: float) -> Image.Image:
    """Return a picture of a page's window, reduced."""
    clip = {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": scale}
    parameters = {"format": "jpeg", "quality": 90, "clip": clip, "optimizeForSpeed": True}
    shot = chrome.send("Page.captureScreenshot", parameters)
    return Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB")


def on_displays(screen: Screen, states: list[State], sheets: dict[Size, Sheets]) -> None:
    """Photograph each state on the table's display."""
    open_paired(screen)
    screen.page.evaluate(FONTS)
    for state in states:
        drawn(screen, state)
        photograph(screen, state.name, sheets)


def on_phones(screen: Screen, states: list[State], sheets: dict[Size, Sheets]) -> None:
    """Photograph each state on the phones of its game's seats."""
    for label in phone_looks(screen, states):
        photograph(screen, label, sheets)


def phone_looks(screen: Screen, states: list[State]) -> Iterator[str]:
    """Yield each state's name and seat while a seat's phone shows it: covered, then looked at."""
    for game, seats in SEATS.items():
        if not any(each.snapshot["game"] == game for each in states):
            continue
        mine = [each for each in states if each.snapshot["game"] == game]
        for seat in seats:
            seated(screen, mine[0], seat)
            screen.page.evaluate(FONTS)
            for state in mine:
                screen.page.evaluate("dispatchEvent(new Event('blur'))")
                screen.show(state, seat)
                screen.page.wait_for_selector("main:not(.opening)")
                if state.snapshot["phase"] == "over":
                    screen.page.wait_for_selector(".finale")
                yield f"{state.name} {seat}"
                if seat in state.private and screen.page.locator("#hold").count():
                    if not screen.page.locator(".secret").count():
                        screen.page.locator("#reveal, #look").tap()
                    screen.page.wait_for_selector(".secret")
                    yield f"{state.name} {seat} looked"


def draw(browser: Browser, states: list[State], chosen: set[str]) -> None:
    """Write the sheets of the chosen sizes, languages and games, of all where none is named."""
    games = {each.snapshot["game"] for each in states} & chosen
    states = [each for each in states if not games or each.snapshot["game"] in games]
    named = {size for sizes in SIZES.values() for size in sizes if "{}x{}".format(*size) in chosen}
    for language in LOCALES.keys() & chosen or LOCALES:
        for kind, sizes in SIZES.items():
            sheets = {
                size: Sheets("-".join([kind, "{}x{}".format(*size), language, *games]), size)
                for size in sizes
                if size in (named or sizes)
            }
            if not sheets:
                continue
            is_phone = kind == "phone"
            shoot = on_phones if is_phone else on_displays
            for screen in opened(browser, Pages(), is_phone, locale=LOCALES[language]):
                shoot(screen, states, sheets)
            for each in sheets.values():
                each.write()


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, chromium(UNHINTED) as browser:
        draw(browser, [*hunts(), *every_state(Path(name))], {*sys.argv[1:]})
