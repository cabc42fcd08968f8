"""`companion demo`: one command, one page, a table with its phones and its board on it."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Frame, Locator, Page

from tests.browser.conftest import Screens
from tests.browser.page_objects import SLIP
from tests.browser.screenshots import save_screenshot, spilled, violations
from tests.browser.server import TIMEOUT, until
from tests.helpers.ports import free_port
from tests.helpers.served import start_companion

LAPTOP = (1366, 768)
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/demo#\S+")
PHONE, LAPTOP = (360, 740), (1366, 768)
LONG = 90_000
"""Milliseconds for what takes its own time: the vampire's choice lasts 12 s for all who look on."""


LOOKS = 200
"""How often a newcomer looks, ten times a second, before pressing the same again: a busy machine
takes its time.
"""
STEPS = (
    "hide.look", "hide.tile", "hide.send", "human.walk", "human.call_radar", "human.end",
    "night.look", "night.tile", "night.send",
)  # fmt: skip
"""What is pressed until the dawn, each for the first time: a phone covers itself after some
seconds, and on a slow machine it has to be held again.
"""
ENDS = ("dawn.end", "end.reveal", "end.replay")
"""What is pressed last: the game is ended, its answers are checked, its replay is watched."""


class Demo:
    """The running command and its output."""

    def __init__(self, folder: Path) -> None:
        self.output = folder / "demo.log"
        words = ["demo", "--no-browser", "--port", str(free_port())]
        self.process = start_companion(words, self.output)
        self.address: str = until(self._found, "the demo's address")[0]

    def _found(self) -> Any:
        assert self.process.is_alive(), self.output
        return self.output.exists() and ADDRESS.search(self.output.read_text(encoding="utf-8"))

    def end(self) -> int | None:
        """End it as Ctrl+C does; return its status."""
        assert self.process.pid is not None
        os.kill(self.process.pid, signal.SIGINT)
        self.process.join(TIMEOUT)
        return self.process.exitcode


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    demo = Demo(tmp_path)
    yield demo
    if demo.process.is_alive():
        demo.end()
    assert "Traceback" not in demo.output.read_text(encoding="utf-8")


def pane(page: Page, name: str) -> Frame:
    frame: Any = until(lambda: page.frame(name=name), f"the pane {name}", page.wait_for_timeout)
    assert isinstance(frame, Frame)
    return frame


def walls(board: Frame) -> set[frozenset[str]]:
    """Return the walls that the drawn board shows, each by the two cells beside it; fails for one
    without the other.
    """
    steps = {"north": (0, -1), "south": (0, 1), "west": (-1, 0), "east": (1, 0)}
    sides = []
    for cell in board.locator("[data-walls]").all():
        name = str(cell.get_attribute("data-cell"))
        for side in str(cell.get_attribute("data-walls")).split():
            right, down = steps[side]
            sides.append(frozenset({name, f"{chr(ord(name[0]) + right)}{int(name[1]) + down}"}))
    assert 2 * len(set(sides)) == len(sides)
    return set(sides)


def cut_off(button: Locator) -> list[str]:
    """Return what is wrong if a button is not wholly within its frame."""
    where: dict[str, float] = button.evaluate(
        "(b) => { const {top, bottom, left, right} = b.getBoundingClientRect();"
        " return {top, left, below: bottom - innerHeight, beside: right - innerWidth}; }"
    )
    fits = min(where["top"], where["left"]) >= 0 >= max(where["below"], where["beside"])
    return [] if fits else [f"End turn is cut off: {where}"]


@pytest.mark.soak
def test_the_split_page(demo: Demo, screens: Screens) -> None:
    """One page has the display, two phones with a seat each and the drawn board, whose pawn is
    dragged to walk; the turn is ended on the display.
    """
    page = screens.page(LAPTOP)
    page.goto(demo.address)
    page.locator("[data-chapter=hide]").wait_for(timeout=LONG)
    assert "#" not in page.url

    vampire, human, board = (pane(page, name) for name in ("vampire", "human", "pane-board"))
    display, guide = pane(page, "pane-table"), page.locator("#chapter")
    guide.get_by_text("Tap to look").wait_for(timeout=LONG)
    assert (4, 7) == (board.locator("[data-kind=radar]").count(), len(walls(board)))
    vampire.locator("#reveal").click()
    guide.get_by_text("your hiding place").wait_for(timeout=LONG)
    vampire.locator("[data-cell=C3]").click()
    vampire.locator("#end-night").click()
    guide.get_by_text("Hidden").wait_for(timeout=LONG)
    page.locator("[data-chapter=human]").wait_for(timeout=LONG)
    human.locator("[data-action=pawn][data-arg=H1a]").wait_for(timeout=LONG)
    board.locator("[data-pawn=H1a]").drag_to(board.locator("[data-cell=A2]"))
    human.locator("[data-action=pawn][data-arg=H1a]", has_text="A2").wait_for(timeout=LONG)
    display.locator("#banner", has_text="1 action left").wait_for(timeout=LONG)
    guide.get_by_text("then A3").wait_for(timeout=LONG)
    save_screenshot(page, "demo-1366x768.png")
    wrong = [*violations(page), *(str(pixels) for pixels in spilled(page) if pixels)]
    board.locator("[data-pawn=H1a]").drag_to(board.locator("[data-cell=A3]"))
    guide.get_by_text("stands on a radar").wait_for(timeout=LONG)
    human.locator("[data-action=radar]").click()
    guide.get_by_text("one of the lit tiles").wait_for(timeout=LONG)
    human.locator("#answer").wait_for(timeout=LONG)
    wrong += [
        *cut_off(display.locator("[data-action=end]")),
        *cut_off(human.locator("[data-action=end]")),
    ]
    display.locator("[data-action=end]").click()
    page.locator("[data-chapter=bot]").wait_for(timeout=LONG)
    assert [] == wrong


def test_the_page_is_loaded_again_but_not_twice(demo: Demo, screens: Screens) -> None:
    """A reload finds the seats again; a second tab, whose streams would starve the first, shows
    that it must be closed.
    """
    page = screens.page(LAPTOP)
    page.goto(demo.address)
    page.locator("[data-chapter=hide]").wait_for(timeout=LONG)
    second = page.context.new_page()
    second.goto(demo.address)
    second.locator("#notice", has_text="another tab").wait_for(timeout=LONG)
    second.close()
    page.reload()
    page.locator("[data-chapter=hide]").wait_for(timeout=LONG)
    pane(page, "vampire").locator("#hold").wait_for(timeout=LONG)
    page.close()

    assert 0 == demo.end()


class GuideFollower:
    """Follows the guide by the controls that it lights alone."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pressed: list[str | None] = []
        self.faults: set[str] = set()

    def step(self) -> str | None:
        """Return the name of the guide's step; None while there is none."""
        # What is counted first and read then may be gone meanwhile.
        name: str | None = self.page.locator("#chapter").evaluate_all(
            "([card]) => card?.dataset.step ?? null"
        )
        return name

    def lit(self) -> tuple[float, float] | None:
        """Return the middle of what is lit; None while nothing is."""
        board = self.page.frame(name="pane-board")
        lights = [self.page.locator("#light")]
        lights += [board.locator(".pawn.lit, .cell.lit")] if board else []
        for each in lights:
            if each.count() and each.first.is_visible() and (box := each.first.bounding_box()):
                return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        return None

    def press(self) -> None:
        """Press what is lit and stays where it is, not so soon that it would be a slip, and wait
        until the guide means something else; what was not taken is pressed again.
        """
        meant, place = self.meant(), self.lit()
        for frame in self.page.frames:
            frame.evaluate("(ms) => globalThis.later?.(ms)", SLIP)
        if place is None or (meant, place) != (self.meant(), self.lit()):
            self.page.wait_for_timeout(100)
            return
        self.pressed.append(self.step())
        self.page.mouse.click(*place)
        for _ in range(LOOKS):
            if self.meant() != meant:
                break
            self.page.wait_for_timeout(100)

    def meant(self) -> tuple[str, str | None, int]:
        """Return the guide's words, the pane that they mean, and whether a cell of the board is."""
        words, pane = self.page.evaluate(
            """() => ["#chapter", ".pane.lit"].map((it) => document.querySelector(it))
              .map((it, number) => it && (number ? it.className : it.innerText))"""
        )
        board = self.page.frame(name="pane-board")
        return words or "", pane, board.locator(".cell.lit").count() if board else 0

    def look(self) -> None:
        """Note every fault message that a display or a phone shows."""
        for name in ("pane-table", "vampire", "human"):
            frame = self.page.frame(name=name)
            refused = frame.locator(".warn, #notice, #refusal") if frame else None
            self.faults |= set(refused.all_inner_texts() if refused else [])


@pytest.mark.soak
@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_a_first_hunt_by_what_is_lit(demo: Demo, screens: Screens, size: tuple[int, int]) -> None:
    """Who presses the lit controls alone plays a whole first night, comes to the proof and the
    replay, sees no fault message and does nothing else than that needs.
    """
    page = screens.page(size)
    page.goto(demo.address)
    newcomer = GuideFollower(page)
    started = time.monotonic()
    while newcomer.step() != "over":
        assert time.monotonic() - started < 3 * TIMEOUT, newcomer.meant()
        newcomer.look()
        newcomer.press()

    assert set() == newcomer.faults
    pressed = tuple(dict.fromkeys(newcomer.pressed))
    assert STEPS == pressed[: len(STEPS)]
    assert ENDS == pressed[-len(ENDS) :]
    page.frame_locator("#pane-table").locator("#time").wait_for(timeout=LONG)
