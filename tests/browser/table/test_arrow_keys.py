"""Arrow keys go where they point, on the board of every game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from playwright.sync_api import Browser

from tests.browser.screens.test_layout import Pages, Screen, drawn, open_paired, opened
from tests.browser.states import State, hunts, played

PRESS_ALL = """() => {
  const places = [...document.querySelectorAll("#field g[data-cell]")];
  const middle = (place) => {
    const { x, y, width, height } = place.querySelector(".ground").getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const steps = [];
  for (const place of places) for (const key of ["Left", "Right", "Up", "Down"]) {
    place.focus();
    const event = { key: `Arrow${key}`, bubbles: true, cancelable: true };
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", event));
    steps.push({ at: place.dataset.cell, key, to: document.activeElement.dataset.cell });
  }
  const isLive = (place) => place.getAttribute("aria-disabled") !== "true";
  const unreached = places.filter((each) => isLive(each) && each.tabIndex !== 0);
  return {
    steps,
    unreached: unreached.map((it) => it.dataset.cell),
    middles: Object.fromEntries(places.map((it) => [it.dataset.cell, middle(it)])),
  };
}"""
"""Presses each arrow on each place; returns where the focus was and is, and the places that can be
pressed and are no tab stops.
"""
AXES = {"Left": (-1, 0), "Right": (1, 0), "Up": (0, -1), "Down": (0, 1)}
ROUNDING = 0.5
"""Pixels by which places of one row may differ on the screen."""
BOARDS: list[Any] = [
    ("nosferatu", 2, {}), ("manhunt", 3, {"content": "town"}), ("manhunt", 3, {"content": "ship"}),
    ("manhunt", 3, {"content": "quarter"}),
]  # fmt: skip


class Step(Struct):
    """An arrow pressed on a place: the place that has the focus then."""

    at: str
    key: str
    to: str


Middles = dict[str, tuple[float, float]]


def offset(middles: Middles, step: Step, place: str) -> tuple[float, float]:
    """Return how far a place lies along a step's arrow, and how far beside it."""
    (x, y), (to_x, to_y) = middles[step.at], middles[place]
    across, down = AXES[step.key]
    along = (to_x - x) * across + (to_y - y) * down
    return along, abs((to_x - x) * down) + abs((to_y - y) * across)


def wrong_steps(steps: list[Step], middles: Middles) -> Iterator[str]:
    """Yield each step that does not go where its arrow points, or passes a place that is nearer in
    both directions.
    """
    for step in steps:
        ahead = {
            place: (along, aside)
            for place in middles
            for along, aside in [offset(middles, step, place)]
            if along > ROUNDING and aside <= along - ROUNDING
        }
        along, aside = offset(middles, step, step.to)
        passed = [
            place
            for place, (nearer, beside) in ahead.items()
            if nearer < along - ROUNDING and beside < aside + ROUNDING
        ]
        if step.to == step.at and ahead:
            yield f"{step.key} on {step.at} stays, although {[*ahead]} lie there"
        if step.to != step.at and (aside > along + ROUNDING or passed):
            yield f"{step.key} on {step.at} goes to {step.to}, past {passed}"


def reached(start: str, steps: list[Step], *, backwards: bool = False) -> set[str]:
    """Return the places that arrows reach from one, or from which they reach it."""
    places, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        for step in steps:
            source, target = (step.to, step.at) if backwards else (step.at, step.to)
            if source == here and target not in places:
                places.add(target)
                waiting.append(target)
    return places


@pytest.fixture
def display(browser: Browser) -> Iterator[Screen]:
    for screen in opened(browser, Pages(), is_phone=False):
        open_paired(screen)
        yield screen


def boards(folder: Path) -> Iterator[State]:
    """Yield a turn of each game with a board whose places are pressed, and of each map."""
    yield next(each for each in hunts() if each.name == "vampireradar-turn")
    for number, (game, players, options) in enumerate(BOARDS):
        states = played(folder / str(number), game, players, options, 12)
        yield next(each for each in states if each.snapshot["legal"])


def test_arrows_go_where_they_point(display: Screen, tmp_path: Path) -> None:
    """Each arrow on each place goes to the nearest place in its direction, or stays where there is
    none; arrows reach every place from every other one, and Tab those that can be pressed.
    """
    for state in boards(tmp_path):
        drawn(display, state)
        display.page.wait_for_selector("#field g[data-cell]")
        pressed = display.page.evaluate(PRESS_ALL)
        steps, middles = [Step(**each) for each in pressed["steps"]], pressed["middles"]

        assert [] == [*wrong_steps(steps, middles)], state.name
        assert [] == pressed["unreached"], state.name
        first = next(iter(middles))
        assert {*middles} == reached(first, steps), state.name
        assert {*middles} == reached(first, steps, backwards=True), state.name
