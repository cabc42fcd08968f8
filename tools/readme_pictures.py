"""The documents' pictures: `python -m tools.readme_pictures`, part of `make screenshots`.

Copies what the tests of the pages left in tests/browser/shots to web/screenshots, displays at half
their size, and makes two more. replay.webp is a moment of a finished game. night.webp is a moving
picture of 800 × 450 pixels, of a game of two on a real table: a human walks and calls the radar,
night falls, the dawn comes. Most of the night's wait is left out.
"""

from __future__ import annotations

import io
import tempfile
import time
from pathlib import Path

from PIL import Image

from companion.i18n import web_root
from companion.replay.build import replay_json
from companion.server.standalone import replay_page
from tests.browser.conftest import Screens
from tests.browser.page_objects import Display
from tests.browser.screens.test_replay import FIXTURE
from tests.browser.screenshots import SHOTS, settled
from tests.browser.server import TableServer
from tests.helpers.chromium import chromium

FOLDER = Path(__file__).parents[1] / "web/screenshots"
PICTURES = {
    "table.webp": "table-radar-answer-1920x1080.jpg",
    "vampire.webp": "vampire-map-360x740.jpg",
    "human.webp": "human-turn-360x740.jpg",
    "demo.webp": "demo-1366x768.png",
    "wall.webp": "wall-six-en-1280x720.png",
    "nosferatu.webp": "nosferatu-capture.png",
    "shisogari.webp": "shisogari-table-1920.png",
    "vampire-empire.webp": "empire-table-fight.png",
    "v-wars.webp": "vwars-table-1920.png",
}
"""Each picture, and the test's that it is made from."""
SIZE = (800, 450)
STEP = 0.2
"""Seconds from frame to frame, where the machine draws them so soon."""
ANSWERS = 7
"""How many answers the replay's picture is after the beginning."""
LEGIBLE = 60
"""WebP's quality: words stay sharp, and the file below half a megabyte."""


class FrameSequence:
    """The frames of a display, and how many milliseconds each stays."""

    def __init__(self, display: Display) -> None:
        self._page = display.page
        self._frames: list[bytes] = []
        self._stays: list[int] = []

    def roll(self, seconds: float) -> None:
        """Take frames for so long."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            begun = time.monotonic()
            self._frames.append(self._page.screenshot(type="png"))
            time.sleep(max(0.0, STEP - (time.monotonic() - begun)))
            self._stays.append(round(1000 * (time.monotonic() - begun)))

    def save(self) -> None:
        """Write the moving picture, which begins again at its end."""
        first, *rest = [
            Image.open(io.BytesIO(shot)).convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)
            for shot in self._frames
        ]
        first.save(
            FOLDER / "night.webp",
            save_all=True,
            append_images=rest,
            duration=self._stays,
            loop=0,
            quality=LEGIBLE,
            method=6,
        )


def copy() -> None:
    """Copy the tests' pictures; those of displays are made smaller."""
    for name, source in PICTURES.items():
        shot = Image.open(SHOTS / source).convert("RGB")
        if shot.width > 2 * SIZE[0]:
            shot = shot.resize((shot.width // 2, shot.height // 2), Image.Resampling.LANCZOS)
        shot.save(FOLDER / name, quality=85, method=6)


def show_replay() -> None:
    """Make the picture of a replay: an answer in a hunt, and what it left possible."""
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        path, record = Path(name) / "replay.html", FIXTURE.read_text(encoding="utf-8")
        path.write_text(replay_page(replay_json(record), record, web_root()), encoding="utf-8")
        page = browser.new_page(viewport={"width": 1920, "height": 1080}, color_scheme="dark")
        page.goto(path.as_uri())
        for _ in range(ANSWERS):
            page.locator('[data-action="after"]').click()
        settled(page)
        shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        shot = shot.resize((shot.width // 2, shot.height // 2), Image.Resampling.LANCZOS)
        shot.save(FOLDER / "replay.webp", quality=85, method=6)


def film_night() -> None:
    """Play a game and make the moving picture."""
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        server = TableServer(Path(name), None, has_quick_dawns=False)
        server.open()
        screens = Screens(browser, "no-preference")
        display, vampire = screens.display(server, (1280, 720)), screens.vampire(server)
        vampire.sit("V")
        screens.phone(server).sit("H1", name="Ana")
        display.begin(vampire, "C3")
        film = FrameSequence(display)
        film.roll(1)
        for cell, following in (("A1", "A2"), ("A2", "A3")):
            display.tile(cell)
            display.tile(following)
            film.roll(0.75)
        display.press("radar")
        film.roll(4)
        display.end_turn("H1", "V")
        film.roll(3)
        vampire.look()
        vampire.end_night()
        display.turn_of("H1")
        film.roll(4)
        film.save()
        screens.close()
        server.close()


if __name__ == "__main__":
    copy()
    show_replay()
    film_night()
