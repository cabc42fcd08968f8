"""docs/own-map.md, step by step: the picture of one of our own maps is the box."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import Screens, StartServer
from tests.browser.games.test_map_editor import TABLET, Editor
from tests.browser.screenshots import save_screenshot, settled
from tests.games.manhunt.own_maps import own_map

CHECKOUT = Path(__file__).parents[3]
GESTURES = {"tap": 74, "drag": 114, "press": 32}
"""What docs/own-map.md counts."""


def test_the_document_counts_the_gestures() -> None:
    """A place is a tap and a start one more, a way is a drag, each kind of way is chosen once, each
    start is pressed and left, and the file is saved: that is what the document counts.
    """
    town = own_map("town")
    starts = sum(len(place.starts) for place in town.places)
    counted = {
        "tap": len(town.places) + starts,
        "drag": len(town.ways),
        "press": len(town.kinds) + 2 * starts + 1,
    }
    words = " ".join((CHECKOUT / "docs" / "own-map.md").read_text(encoding="utf-8").split())

    assert GESTURES == counted
    assert "74 taps on the map, 114 drags and 32 presses" in words


class CountedEditor(Editor):
    """The editor, its gestures counted."""

    gestures: dict[str, int]

    def tap(self, x: float, y: float) -> None:
        """Tap the map."""
        self.gestures["tap"] += 1
        super().tap(x, y)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Move a finger over the map."""
        self.gestures["drag"] += 1
        super().drag(start, end)

    def press(self, action: str, argument: object = None) -> None:
        """Tap a button."""
        self.gestures["press"] += 1
        super().press(action, argument)


@pytest.mark.soak
def test_a_board_becomes_a_map_by_the_page_alone(
    start_server: StartServer, screens: Screens, tmp_path: Path
) -> None:
    """Over the picture of a town every place is tapped and every way dragged; the saved file has
    the town's places, ways and starts, with as many gestures as the document says.
    """
    town = own_map("town")
    server = start_server(None)
    page = screens.page(TABLET, is_phone=True)
    editor = CountedEditor(page, f"http://127.0.0.1:{server.port}/map-editor")
    editor.gestures = dict.fromkeys(GESTURES, 0)
    page.locator("#picture").set_input_files(CHECKOUT / "docs" / "maps" / "town.svg")
    page.locator("#map image").wait_for()
    at = {place.number: (float(place.x), float(place.y)) for place in town.places}
    for point in at.values():
        editor.tap(*point)
    editor.count(len(at))
    for kind in town.kinds:
        editor.press("kind", kind)
        for way in town.ways:
            if way.kind == kind:
                editor.drag(at[way.ends[0]], at[way.ends[1]])
    for place in town.places:
        for side in place.starts:
            editor.tap(*at[place.number])
            editor.press("place", side)
            editor.press("done")
    editor.says("#sound", "can be played")
    settled(page)
    save_screenshot(page, "own-map.png")
    content = editor.saved(tmp_path)

    assert [(each.number, each.starts) for each in town.places] == [
        (each.number, each.starts) for each in content.places
    ]
    for mine, its in zip(content.places, town.places, strict=True):
        assert pytest.approx((its.x, its.y), abs=2) == (mine.x, mine.y)
    assert {(way.ends, way.kind) for way in town.ways} == {
        (way.ends, way.kind) for way in content.ways
    }
    assert GESTURES == editor.gestures
