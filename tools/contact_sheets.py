"""Contact sheets of every state of every game: `python -m tools.contact_sheets [SIZE] [LANGUAGE]`.

Draws each state that tests of the layout look at, on displays and on phones (covered, and while
their player looks), at twelve sizes in three languages, and leaves sheets of twelve reduced
pictures in tests/browser/shots/sheets. `1920x1080` or `nl` draws those alone.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, ViewportSize

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
from tests.helpers.chromium import chromium

FOLDER = SHOTS / "sheets"
LOCALES = {"en": "en-GB", "nl": "nl-NL", "ja": "ja-JP"}
SIZES = {"display": DISPLAYS[:7], "phone": PHONES[:5]}
COUNT = 12
COLUMNS = {True: 3, False: 6}
"""Pictures beside each other, of wide windows and of upright ones."""
WIDTH = 1560
LINE = 14


class Sheets:
    """The pictures of one size in one language, twelve on a sheet."""

    def __init__(self, name: str) -> None:
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
        wide, high = self._pictures[0][1].size
        columns = COLUMNS[wide > high]
        each = WIDTH // columns
        tall = round(each * high / wide)
        rows = -(-len(self._pictures) // columns)
        sheet = Image.new("RGB", (each * columns, rows * (tall + LINE)), "white")
        pen = ImageDraw.Draw(sheet)
        for place, (label, picture) in enumerate(self._pictures):
            left, top = place % columns * each, place // columns * (tall + LINE)
            pen.text((left + 2, top + 1), label, fill="black")
            small = picture.resize((each - 4, tall), Image.Resampling.LANCZOS)
            sheet.paste(small, (left, top + LINE))
        sheet.save(FOLDER / f"{self._name}-{self._number:02}.png")
        self._pictures, self._number = [], self._number + 1


def photograph(screen: Screen, label: str, sheets: dict[Size, Sheets]) -> None:
    """Add what a page shows now at each size."""
    for (width, height), sheet in sheets.items():
        screen.page.set_viewport_size(ViewportSize(width=width, height=height))
        screen.page.evaluate("dispatchEvent(new Event('resize'))")
        settled(screen.page)
        shot = screen.page.screenshot(type="jpeg", quality=90)
        sheet.add(label, Image.open(io.BytesIO(shot)).convert("RGB"))


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
                yield f"{state.name} {seat}"
                if seat in state.private and screen.page.locator("#hold").count():
                    if not screen.page.locator(".secret").count():
                        screen.page.locator("#reveal, #look").tap()
                    screen.page.wait_for_selector(".secret")
                    yield f"{state.name} {seat} looked"


def draw(browser: Browser, states: list[State], chosen: set[str]) -> None:
    """Write the sheets of the chosen sizes and languages, of all where none is named."""
    named = {size for sizes in SIZES.values() for size in sizes if "{}x{}".format(*size) in chosen}
    for language in LOCALES.keys() & chosen or LOCALES:
        for kind, sizes in SIZES.items():
            sheets = {
                size: Sheets(f"{kind}-{size[0]}x{size[1]}-{language}")
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
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        draw(browser, [*hunts(), *every_state(Path(name))], {*sys.argv[1:]})
