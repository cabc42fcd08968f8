"""A map of one's own, drawn by finger: on a tablet, on a phone, in every language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from companion.games.manhunt.map_file import MapFile
from tests.browser.conftest import HANDHELD, Screens, StartServer
from tests.browser.layout import FINGER, faults
from tests.browser.page_objects import button
from tests.browser.screenshots import (
    COLOURS,
    save_screenshot,
    settled,
    spilled,
    sunlit,
    violations,
)
from tests.games.manhunt.own_maps import FOLDER, own_map, read_map
from tests.games.manhunt.small_map import SMALL

TABLET = (1180, 820)
PLACES = ((200, 150), (500, 120), (800, 160), (220, 420), (520, 450), (820, 400))
"""Where the test's fingers put places, in the map's units."""
WAYS = ((1, 2), (2, 3), (1, 4), (2, 5), (3, 6), (4, 5), (5, 6))


class Editor:
    """The map editor under a finger."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        page.goto(address)
        expect(page.locator("#map")).to_be_visible()
        self._touch = page.context.new_cdp_session(page)

    def spot(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the map is on the page."""
        at = self.page.evaluate(
            """([x, y]) => {
              const svg = document.querySelector("#map");
              const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
              return [at.x, at.y];
            }""",
            [x, y],
        )
        return at[0], at[1]

    def tap(self, x: float, y: float) -> None:
        """Tap a point of the map."""
        self.page.touchscreen.tap(*self.spot(x, y))

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Move a finger from one point of the map to another."""
        (x1, y1), (x2, y2) = self.spot(*start), self.spot(*end)
        self._send("touchStart", x1, y1)
        for step in range(1, 6):
            self._send("touchMove", x1 + (x2 - x1) * step / 5, y1 + (y2 - y1) * step / 5)
        self._touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def _send(self, kind: str, x: float, y: float) -> None:
        self._touch.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]}
        )

    def press(self, action: str, argument: object = None) -> None:
        """Tap a button."""
        self.page.locator(button(action, argument)).tap()

    def fill(self, field: str, words: str) -> None:
        """Type into a field, and leave it."""
        self.page.locator(f"#{field}").fill(words)
        self.page.locator(f"#{field}").blur()

    def says(self, where: str, words: str) -> None:
        """Wait until a sentence stands somewhere."""
        expect(self.page.locator(where)).to_contain_text(words)

    def count(self, places: int) -> None:
        """Wait until the map has so many places."""
        expect(self.page.locator("#map text.number")).to_have_count(places)

    def draw(self) -> None:
        """Draw six places and seven ways."""
        for number, point in enumerate(PLACES, start=1):
            self.tap(*point)
            self.count(number)
        for from_, to in WAYS:
            self.drag(PLACES[from_ - 1], PLACES[to - 1])
        self.tap(700, 620)
        self.press("undo")
        self.count(6)

    def open(self, file: Path) -> None:
        """Choose a file to open."""
        self.page.locator("#file").set_input_files(file)

    def saved(self, folder: Path) -> MapFile:
        """Save, and return what a table reads of the file."""
        with self.page.expect_download() as download:
            self.press("save")
        path = folder / download.value.suggested_filename
        download.value.save_as(path)
        reading = read_map(path.name, path.read_bytes())
        assert () == (*reading.errors, *reading.warnings)
        assert isinstance(reading.content, MapFile)
        return reading.content


@pytest.fixture
def tablet(start_server: StartServer, screens: Screens) -> Editor:
    """The editor on a tablet with a touch screen."""
    server = start_server(None)
    page = screens.page(TABLET, is_phone=True)
    return Editor(page, f"http://127.0.0.1:{server.port}/map-editor")


def test_a_map_is_drawn_saved_and_opened_on_a_tablet(tablet: Editor, tmp_path: Path) -> None:
    """Over a picture places are tapped and ways dragged; what is saved is what a table reads, and
    what the editor opens again.
    """
    image = tmp_path / "my board.png"
    Image.new("RGB", (1000, 700), "#88aa77").save(image)
    tablet.page.locator("#picture").set_input_files(image)
    expect(tablet.page.locator("#map image")).to_be_attached()
    tablet.draw()
    tablet.tap(*PLACES[0])
    tablet.fill("place-name", "Old pier")
    tablet.press("place", "hunter")
    tablet.press("done")
    tablet.tap(*PLACES[5])
    tablet.press("place", "fugitive")
    tablet.press("place", "hideout")
    tablet.says(".ways", "Street")
    settled(tablet.page)
    save_screenshot(tablet.page, "map-editor-place.png")
    tablet.press("done")
    tablet.fill("shows", "2, 5")
    tablet.fill("title", "Harbour town")
    tablet.says("#sound", "can be played")
    settled(tablet.page)
    save_screenshot(tablet.page, "map-editor.png")
    assert [] == violations(tablet.page)
    assert [0, 0] == spilled(tablet.page)
    content = tablet.saved(tmp_path)

    assert ("Harbour town", "my board.png") == (content.title, content.background)
    assert [pytest.approx(point, abs=2) for point in PLACES] == [
        (place.x, place.y) for place in content.places
    ]
    assert list(WAYS) == [way.ends for way in content.ways]
    assert "Old pier" == content.places[0].name
    assert (("hunter",), ("fugitive",)) == (content.places[0].starts, content.places[5].starts)
    assert (2, 5) == content.rules.shows

    tablet.press("new")
    tablet.count(0)
    tablet.open(tmp_path / "harbour-town.toml")
    tablet.count(6)
    assert content == tablet.saved(tmp_path)


def test_what_is_refused_is_said_at_its_place(tablet: Editor, tmp_path: Path) -> None:
    """A way to nowhere, a way twice, a name twice, a number twice and a broken file are each
    refused where the hand was, and change nothing.
    """
    tablet.draw()
    tablet.drag(PLACES[0], (500, 300))
    tablet.says("#refused", "There is no place here")
    tablet.drag(PLACES[1], PLACES[0])
    tablet.says("#refused", "already")
    settled(tablet.page)
    save_screenshot(tablet.page, "map-editor-refused.png")
    tablet.tap(*PLACES[2])
    tablet.fill("place-name", "4")
    tablet.says("#place-name-wrong", "another one is called that")
    tablet.fill("place-number", "4")
    tablet.says("#place-number-wrong", "place 4 was there before")
    tablet.press("remove")
    tablet.count(5)
    tablet.page.keyboard.press("Control+z")
    tablet.count(6)
    bad = tmp_path / "bad.toml"
    bad.write_text('game = "manhunt"\ntitle = oops\n')
    tablet.open(bad)
    tablet.says("#file-wrong", "Line 2")
    bad.write_text(SMALL.replace("x = 150", "x = 1.5", 1))
    tablet.open(bad)
    tablet.says("#file-wrong", "places[2].x")
    tablet.count(6)


def test_the_check_says_what_is_wrong_where(tablet: Editor) -> None:
    """An empty map says what it needs. A place without a way, and a start beside the hunters, are
    ringed on the map and said; a tap on the sentence leads to the place.
    """
    tablet.says("#findings", "Places: 0 of at least 4.")
    tablet.draw()
    tablet.tap(500, 620)
    tablet.press("done")
    tablet.says("#findings", "7: no way leads on from place 7")
    expect(tablet.page.locator('[data-wrong="7"]')).to_be_visible()
    tablet.press("find", "0")
    tablet.says("#own-findings", "no way leads on")
    tablet.page.locator("#way-to").select_option("5")
    expect(tablet.page.locator("[data-wrong]")).to_have_count(0)
    tablet.press("place", "fugitive")
    tablet.press("done")
    tablet.tap(*PLACES[4])
    tablet.press("place", "hunter")
    tablet.press("done")
    tablet.says("#findings", "a hunter may start less than 2 steps from here")


def test_two_fingers_enlarge_and_one_moves_the_map(tablet: Editor) -> None:
    """Zoomed in, a drag of the free map moves what is seen; places stay where they are."""
    tablet.draw()
    whole = tablet.page.locator("#map").get_attribute("viewBox")
    tablet.press("zoom", "in")
    near = tablet.page.locator("#map").get_attribute("viewBox")
    tablet.drag((600, 300), (500, 300))
    dragged = tablet.page.locator("#map").get_attribute("viewBox")

    assert len({whole, near, dragged}) == 3
    tablet.count(6)
    tablet.press("tool", "move")
    tablet.drag(PLACES[4], (560, 380))
    expect(tablet.page.locator("#map .spot").nth(4)).to_have_attribute(
        "transform", re.compile(r"^translate\(5[56]\d ")
    )


@pytest.mark.parametrize(
    ("size", "language"),
    [
        pytest.param(HANDHELD, "nl", id="phone-nl"),
        *(
            pytest.param(size, language, marks=pytest.mark.soak, id=f"{name}-{language}")
            for name, size, language in (
                ("tablet", TABLET, "en"),
                ("tablet", TABLET, "ja"),
                ("tablet", TABLET, "nl"),
                ("phone", HANDHELD, "en"),
                ("phone", HANDHELD, "ja"),
            )
        ),
    ],
)
def test_nothing_overlaps_in_any_language(
    start_server: StartServer, screens: Screens, language: str, size: tuple[int, int]
) -> None:
    """With the town open nothing is cut off, covered or too small for a finger, and no sentence is
    missing; so it is for a chosen place.
    """
    server = start_server(None)
    page = screens.page(size, is_phone=True)
    page.add_init_script(f'localStorage.setItem("lang", "{language}")')
    editor = Editor(page, f"http://127.0.0.1:{server.port}/map-editor")
    editor.open(FOLDER / "town.toml")
    editor.count(60)
    for name in ("map", "place"):
        if name == "place":
            page.locator("#which").select_option("19")
            expect(page.locator("#place-name")).to_be_visible()
        settled(page)
        save_screenshot(page, f"map-editor-{name}-{language}-{size[0]}.png", full_page=True)
        assert [] == faults(page, FINGER)
        assert [] == violations(page)
        with sunlit(page):
            assert [] == violations(page, COLOURS)


def test_the_editor_draws_the_city(tablet: Editor) -> None:
    """Every place of a map is drawn with its number and its name; houses stand along streets."""
    for name in ("town", "quarter", "ship"):
        content = own_map(name)
        tablet.open(FOLDER / f"{name}.toml")
        tablet.count(len(content.places))
        expect(tablet.page.locator("#map .spot")).to_have_count(len(content.places))
        words = " ".join(tablet.page.locator("#map text.name").all_text_contents())
        assert [] == [each.name for each in content.places if each.name.split()[0] not in words]
        houses = tablet.page.locator("#map .house").count()
        assert (houses > 0) == (name != "ship")
