"""A suggestion on the table display, at every size."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from tests.browser.layout import FINGER
from tests.browser.screens.test_layout import (
    DISPLAYS,
    Screen,
    drawn,
    in_every_language,
)
from tests.browser.screenshots import settled, spilled
from tests.browser.states import Json, State, hunts, played
from tests.helpers.repetitions import soak

TURN = next(state for state in hunts() if state.name == "vampireradar-turn")
PAWN, CELL = next(iter(TURN.snapshot["view"]["pawns"].items()))
PARAMS = {
    "cell": "C4", "other": "C5", "direction": "S", "percent": 45, "before": 52, "left": 5,
    "tiles": 14, "n": 3,
}  # fmt: skip
WALK = {"type": "walk", "pawn": PAWN, "to": "C4"}
SHOT = {"type": "shoot", "pawn": PAWN, "direction": "S"}
SUGGESTIONS: dict[str, Json] = {
    "radar_now": WALK, "radar_next": WALK, "bullet_next": WALK, "hit_next": WALK, "safer": WALK,
    "near": WALK, "near_radar": WALK, "hit_now": SHOT, "bullet_free": {"type": "take_bullet"},
    "stay": {"type": "end"},
}  # fmt: skip


def ask(display: Screen) -> None:
    """Press for a suggestion: above the turn's buttons, or where the display has no room there
    among what its button for more opens.
    """
    beside = display.page.locator('.lower [data-action="suggest"]')
    if not beside.is_visible():
        display.page.locator('#bar [data-action="info"]').click()
        beside = display.page.locator('.panel [data-action="suggest"]')
    beside.click()


def suggest(
    display: Screen, state: State, action: Json, reason: Json, odds: Json, task: str
) -> None:
    """Show a state with hints, press for the suggestion, and await its sentence in `task`."""
    position = state.snapshot["position"]
    display.pages.hints = {
        "odds.json": {"position": position, "odds": odds},
        "suggestion.json": {
            "position": position,
            "suggestion": {"action": action, "reason": reason},
        },
    }
    drawn(display, state)
    plain = display.page.locator(task).inner_text()
    ask(display)
    expect(display.page.locator(task)).not_to_have_text(plain)


def stands_on_a_tablet(display: Screen, name: str) -> None:
    """Check that an upright tablet needs no scrolling."""
    display.page.set_viewport_size({"width": 768, "height": 1024})
    settled(display.page)
    assert [0, 0] == spilled(display.page), name


@in_every_language
def test_hints_stand_on_a_tablet(display: Screen) -> None:
    """A table with hints needs no scrolling on an upright tablet, whatever is to be chosen."""
    for state in hunts():
        if state.snapshot["phase"] == "play":
            settings = state.snapshot["settings"] | {"hints": True, "clues": True}
            drawn(display, replace(state, snapshot=state.snapshot | {"settings": settings}))
            stands_on_a_tablet(display, state.name)


@in_every_language
def test_every_suggestion_fits(display: Screen) -> None:
    """Each sentence stands whole beside the map and the odds at every size of a display."""
    snapshot = TURN.snapshot | {
        "settings": TURN.snapshot["settings"] | {"hints": True, "clues": True}
    }
    odds = {cell: 1000 // 14 for cell in ("C3", "C4", "D3", "D4", "E3")}
    for name, action in SUGGESTIONS.items():
        snapshot = snapshot | {"position": snapshot["position"] + 1}
        reason = {"code": f"suggest.{name}", "params": PARAMS}
        suggest(display, replace(TURN, snapshot=snapshot), action, reason, odds, "#task")
        display.look(f"suggest-{name}", DISPLAYS, FINGER, field="#field")
        stands_on_a_tablet(display, name)
    assert [] == display.wrong, "\n".join(display.wrong)


MANHUNT: dict[str, Json] = {
    "ask": {"type": "ask", "pawn": "H1a", "question": "which_of"},
    "reach": {"type": "walk", "pawn": "H1a", "to": "26", "kind": "street"},
    "nearest": {"type": "walk", "pawn": "H1a", "to": "26", "kind": "street"},
    "possible": {"type": "arrest", "pawn": "H1a", "cell": "26"},
    "stay": {"type": "look"},
}  # fmt: skip


@in_every_language
@pytest.mark.parametrize("options", [{}, *soak({"content": "quarter"})], ids=["town", "quarter"])
def test_every_suggestion_to_a_hunter_fits(display: Screen, tmp_path: Path, options: Json) -> None:
    """In Manhunt each sentence stands whole beside the map, with the possible places on it."""
    state = next(
        each for each in played(tmp_path, "manhunt", 3, options, 40) if each.name.endswith("-play")
    )
    snapshot = state.snapshot | {"settings": state.snapshot["settings"] | {"hints": True}}
    odds = dict.fromkeys([str(number) for number in range(20, 36)], 62)
    params = {"cell": "26", "left": 12, "places": 25, "n": 2}
    for name, action in MANHUNT.items():
        snapshot = snapshot | {"position": snapshot["position"] + 1}
        reason = {"code": f"suggest.{name}", "params": params}
        suggest(display, replace(state, snapshot=snapshot), action, reason, odds, "#banner")
        display.look(f"manhunt-suggest-{name}", DISPLAYS, FINGER)
        stands_on_a_tablet(display, name)
    assert [] == display.wrong, "\n".join(display.wrong)
