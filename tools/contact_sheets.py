"""Contact sheets of every state of every game: `python -m tools.contact_sheets [WHICH ...]`.

Draws each state that tests of the layout look at, on displays and on phones (covered, and while
their player looks), and the replay of each finished game, at twelve sizes in three languages, and
leaves sheets of reduced pictures in tests/browser/shots/sheets. `1920x1080`, `nl`, `vwars`,
`display`, `phone` or `page` draws those alone; of several of one kind, all of them.
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
    MOVED,
    ORIGIN,
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
SIZES = {"display": DISPLAYS[:7], "phone": PHONES[:5], "page": (*DISPLAYS[:2], *DISPLAYS[5:9])}
SHAPES = {True: (6, 2, 580), False: (8, 4, 268)}
"""Pictures on a sheet, beside each other, and the width of each: of wide windows and of upright
ones. More would be too small to read.
"""
LINE = 14
GAP = 4
UNHINTED = [*ARGUMENTS, "--font-render-hinting=none"]
"""Reduced letters keep their distances."""


class Sheets:
    """The pictures of one size in one language, `SHAPES` on a sheet."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._pictures: list[tuple[str, Image.Image]] = []
        self._number = 0

    def add(self, label: str, picture: Image.Image) -> None:
        """Add one picture; a full sheet is written."""
        self._pictures.append((label, picture))
        count, _, _ = SHAPES[picture.width > picture.height]
        if len(self._pictures) == count:
            self.write()

    def write(self) -> None:
        """Write the pictures since the last sheet, if there are any."""
        if not self._pictures:
            return
        wide, high = self._pictures[0][1].size
        _, columns, _ = SHAPES[wide > high]
        rows = -(-len(self._pictures) // columns)
        sheet = Image.new("RGB", ((wide + GAP) * columns, rows * (high + LINE)), "white")
        pen = ImageDraw.Draw(sheet)
        for place, (label, picture) in enumerate(self._pictures):
            left, top = place % columns * (wide + GAP), place // columns * (high + LINE)
            pen.text((left + 2, top + 1), label, fill="black")
            sheet.paste(picture, (left, top + LINE))
        sheet.save(FOLDER / f"{self._name}-{self._number:02}.png")
        self._pictures, self._number = [], self._number + 1


class Camera:
    """Takes reduced pictures of one page, which the browser draws faster than whole ones."""

    def __init__(self, screen: Screen, sheets: dict[Size, Sheets]) -> None:
        self.screen = screen
        self._sheets = sheets
        self._session: CDPSession = screen.page.context.new_cdp_session(screen.page)

    def take(self, label: str) -> None:
        """Add what the page shows now at each size."""
        page = self.screen.page
        for (width, height), sheet in self._sheets.items():
            page.set_viewport_size(ViewportSize(width=width, height=height))
            page.evaluate("dispatchEvent(new Event('resize'))")
            settled(page)
            _, _, wide = SHAPES[width > height]
            top = page.evaluate("Math.round(scrollY)")
            clip = {"x": 0, "y": top, "width": width, "height": height, "scale": wide / width}
            shot = self._session.send(
                "Page.captureScreenshot", {"format": "jpeg", "quality": 90, "clip": clip}
            )
            picture = Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB")
            sheet.add(label, picture.resize((wide, round(wide * height / width))))


def on_displays(camera: Camera, states: list[State]) -> None:
    """Photograph each state on the table's display."""
    open_paired(camera.screen)
    camera.screen.page.evaluate(FONTS)
    for state in states:
        drawn(camera.screen, state)
        if state.record:
            camera.screen.page.wait_for_selector("#facts")
        camera.take(state.name)


def on_phones(camera: Camera, states: list[State]) -> None:
    """Photograph each state on the phones of its game's seats."""
    for label in phone_looks(camera.screen, states):
        camera.take(label)


def on_pages(camera: Camera, states: list[State]) -> None:
    """Photograph the replay of each finished game at its beginning, middle and end."""
    page = camera.screen.page
    for state in states:
        if not state.record:
            continue
        camera.screen.pages.state = state
        page.goto(f"{ORIGIN}/replay")
        page.wait_for_function("() => 'tell' in globalThis")
        camera.screen.show(state)
        for part in (0, 0.5, 1):
            page.evaluate(MOVED, part)
            page.evaluate(FONTS)
            camera.take(f"{state.name} replay {part}")


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
                if state.record and game == "manhunt":
                    screen.page.wait_for_selector(".way", state="attached")
                yield f"{state.name} {seat}"
                if seat in state.private and screen.page.locator("#hold").count():
                    if not screen.page.locator(".secret").count():
                        screen.page.locator("#reveal, #look").tap()
                    screen.page.wait_for_selector(".secret")
                    yield f"{state.name} {seat} looked"


SHOOT = {"display": on_displays, "phone": on_phones, "page": on_pages}


def draw(browser: Browser, states: list[State], chosen: set[str]) -> None:
    """Write the chosen sheets: all sizes, languages, games or kinds where none is named."""
    named = {size for sizes in SIZES.values() for size in sizes if "{}x{}".format(*size) in chosen}
    games = {str(state.snapshot["game"]) for state in states} & chosen
    mine = [state for state in states if not games or state.snapshot["game"] in games]
    for language in LOCALES.keys() & chosen or LOCALES:
        for kind in SIZES.keys() & chosen or SIZES:
            name = "-".join([kind, *sorted(games)])
            sheets = {
                (wide, high): Sheets(f"{name}-{wide}x{high}-{language}")
                for wide, high in SIZES[kind]
                if (wide, high) in (named or SIZES[kind])
            }
            if not sheets:
                continue
            is_phone = kind == "phone"
            for screen in opened(browser, Pages(), is_phone, locale=LOCALES[language]):
                SHOOT[kind](Camera(screen, sheets), mine)
            for each in sheets.values():
                each.write()


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, chromium(UNHINTED) as browser:
        draw(browser, [*hunts(), *every_state(Path(name))], {*sys.argv[1:]})
