"""A player who hears pages and has keys: it reads nothing but Chromium's accessibility tree, and
does nothing but press keys.

It uses no selectors, no clicks and no snapshot. What it cannot read or reach is a fault of a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from playwright.sync_api import Page

from tests.browser.page_objects import SLIP
from tests.browser.server import NeverCame, until

FAR = 60
"""More Tabs than any page has things to press."""
_LEFT_OUT = frozenset({"InlineTextBox", "LineBreak", "none", "generic", "RootWebArea"})
_STATES = ("disabled", "pressed", "selected", "invalid", "focused", "live")
_ARROWS = {(1, 0): "ArrowRight", (-1, 0): "ArrowLeft", (0, 1): "ArrowDown", (0, -1): "ArrowUp"}


@dataclass(frozen=True)
class Node:
    """What a screen reader says of one thing: its role, name, value, description and states.

    `path`: the roles around it, the outermost first.
    """

    role: str
    name: str
    value: str = ""
    description: str = ""
    states: dict[str, str] = field(default_factory=dict)
    path: tuple[str, ...] = ()

    @property
    def is_enabled(self) -> bool:
        """Whether it can be pressed."""
        return self.states.get("disabled") != "true"

    @property
    def is_focused(self) -> bool:
        """Whether the keys go there."""
        return self.states.get("focused") == "true"

    @property
    def spoken(self) -> tuple[Any, ...]:
        """All that is read of it, without whether it has the focus."""
        states = {name: value for name, value in self.states.items() if name != "focused"}
        return (self.role, self.name, self.value, self.description, *sorted(states.items()))


def read_tree(page: Page) -> list[Node]:
    """Return what a screen reader can read on a page, in order."""
    session = page.context.new_cdp_session(page)
    try:
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    finally:
        session.detach()
    by_id = {each["nodeId"]: each for each in nodes}
    roots = [each for each in nodes if "parentId" not in each]
    return [node for root in roots for node in _below(root, by_id, ())]


def _below(
    raw: dict[str, Any], by_id: dict[str, dict[str, Any]], path: tuple[str, ...]
) -> Iterator[Node]:
    role = str(raw.get("role", {}).get("value", "none"))
    inside = path
    if not raw.get("ignored") and role not in _LEFT_OUT:
        yield _node(raw, role, path)
        inside = (*path, role)
    for child in raw.get("childIds", []):
        if child in by_id:
            yield from _below(by_id[child], by_id, inside)


def _node(raw: dict[str, Any], role: str, path: tuple[str, ...]) -> Node:
    properties = {each["name"]: each["value"].get("value") for each in raw.get("properties", [])}
    words = [str(raw.get(part, {}).get("value", "")) for part in ("name", "value", "description")]
    states = {name: str(properties[name]).lower() for name in _STATES if name in properties}
    return Node(role, *words, states, path)


class TreePlayer:
    """A player at one page; `choices` decides where it has a choice."""

    def __init__(self, page: Page, choices: Random) -> None:
        self.page = page
        self.choices = choices
        self.nodes: list[Node] = []
        self.announcements: list[str] = []
        """What the live region has said, in its order."""
        self._region: list[str] = []

    def read(self) -> list[Node]:
        """Read the page, and note what its live region says that it has not said before."""
        self.nodes = read_tree(self.page)
        region = [each.name for each in self.nodes if "log" in each.path and is_text(each)]
        shared = next(
            at
            for at in range(len(self._region) + 1)
            if region[: len(self._region) - at] == self._region[at:]
        )
        self.announcements += region[len(self._region) - shared :]
        self._region = region
        return self.nodes

    def all(self, role: str, words: str = "") -> list[Node]:
        """Return what was read of this role whose name matches a regular expression."""
        return [each for each in self.nodes if each.role == role and re.search(words, each.name)]

    def one(self, role: str, words: str = "") -> Node | None:
        """Return the first of `all`, None without one."""
        return next(iter(self.all(role, words)), None)

    def wait(self, condition: Callable[[], Any], what: str) -> None:
        """Read until a condition holds."""

        def holds() -> bool:
            self.read()
            return bool(condition())

        try:
            until(holds, what, lambda seconds: self.page.wait_for_timeout(1000 * seconds))
        except NeverCame as error:
            raise NeverCame(f"{what}:\n{self.written()}") from error

    def changes(self, what: str) -> None:
        """Wait until the page reads otherwise than when it was read last."""
        before = [each.spoken for each in self.nodes]
        self.wait(lambda: before != [each.spoken for each in self.nodes], what)

    def focused(self) -> Node | None:
        """Read the page, and return what the keys go to."""
        return next((each for each in self.read() if each.is_focused), None)

    def go(self, role: str, words: str) -> None:
        """Go by Tab to what has this role and such a name."""
        for _ in range(FAR):
            at = self.focused()
            if at and at.role == role and re.search(words, at.name):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no Tab leads to {role} {words!r}:\n{self.written()}")

    def press(self, words: str, role: str = "button") -> None:
        """Go to what has such a name and press Enter."""
        self.go(role, words)
        self.page.keyboard.press("Enter")

    def type(self, words: str, text: str) -> None:
        """Go to a field to write in, and write."""
        self.go("textbox", words)
        self.page.keyboard.type(text)

    def cell(self, name: str) -> None:
        """Go to the grid by Tab, to a cell by arrows, and press Space."""
        self.go("gridcell", "^[A-F][1-6]")
        for _ in range(FAR):
            at = self.focused()
            assert at is not None, self.written()
            assert at.role == "gridcell", self.written()
            across, down = ord(name[0]) - ord(at.name[0]), int(name[1]) - int(at.name[1])
            if not across and not down:
                self.page.keyboard.press("Space")
                return
            step = (sign(across), 0) if across else (0, sign(down))
            self.page.keyboard.press(_ARROWS[step])
        raise AssertionError(f"no arrows lead to {name}:\n{self.written()}")

    def written(self) -> str:
        """Return what was read, a line for each thing, for people who look for a fault."""
        return "\n".join(
            f"{'  ' * len(each.path)}{each.role} {each.name!r} {each.value} {each.states}"
            for each in self.nodes
            if not is_text(each) or (each.path and each.path[-1] != "button")
        )


def sign(value: int) -> int:
    """Return -1, 0 or 1."""
    return (value > 0) - (value < 0)


def is_text(node: Node) -> bool:
    """Whether a node is a piece of text."""
    return node.role == "StaticText"


class RadarTreePlayer(TreePlayer):
    """A player of Vampire Radar, on a phone in English."""

    def join(self, address: str, seat: str, name: str) -> None:
        """Take a seat by the page of joining."""
        self.page.goto(address)
        self.wait(lambda: self.one("button", "Sit down"), "the page of joining")
        self.type("Your name", name)
        self.press(f"^{seat}")
        self.press("Sit down")
        self.wait(lambda: self.one("button", "Sit down") is None, "the page of the seat")

    @property
    def is_over(self) -> bool:
        """Whether the page says that the game has ended."""
        return self.one("heading", "Humans win|The vampire wins|A draw") is not None

    def cells(self, words: str = "") -> list[str]:
        """Return the cells of the grid that can be pressed and have such a name."""
        return [
            each.name[:2] for each in self.all("gridcell", words) if each.is_enabled and each.name
        ]


class Hunter(RadarTreePlayer):
    """A human's seat: takes what is offered, shoots at times, and walks where it may."""

    def play(self, turns: int) -> bool:
        """Play for at most so many turns; return whether the game has ended."""
        for _ in range(turns):
            self.wait(lambda: self.is_over or self._is_mine, "my turn, or the end")
            while self._is_mine and not self.is_over:
                self._act()
            if self.is_over:
                return True
        return False

    @property
    def _is_mine(self) -> bool:
        return self.one("button", "^End turn$") is not None

    def _act(self) -> None:
        if offer := self.one("button", "^(Call radar|Take bullet)$"):
            self.press(f"^{offer.name}$")
            self.wait(lambda: not self.one("button", f"^{offer.name}$"), f"{offer.name} is done")
        elif self.one("heading", r"\b0 actions left"):
            self._end()
        elif self.all("button", "^Aim ") and self.choices.random() < 0.4:
            self._shoot(self.choices.choice(self.all("button", "^Aim ")).name)
        else:
            self._walk()

    def _spend(self, act: Callable[[], None], what: str) -> None:
        """Act, and wait until the heading counts one action less, or the turn is over."""
        before = self._counted()
        act()
        self.wait(lambda: not self._is_mine or self._counted() not in (None, before), what)

    def _counted(self) -> Node | None:
        """Return the heading that counts actions; a page without its link to the table has none."""
        return self.one("heading", r"\d actions? left")

    def _end(self) -> None:
        # A second press too soon after another is taken for a slip of the finger.
        self.page.wait_for_timeout(SLIP)
        self.press("^End turn$")
        self.wait(lambda: not self._is_mine, "the turn ends")

    def _shoot(self, aim: str) -> None:
        self.press(f"^{aim}$")
        self.wait(lambda: self.one("button", "^Fire "), "an aim")
        self.page.wait_for_timeout(SLIP)
        self._spend(lambda: self.press("^Fire "), "a shot")

    def _walk(self) -> None:
        pawns = self.all("button", " [A-F][1-6]$")
        taken = {each.name[-2:] for each in pawns}
        free = [cell for cell in self.cells() if cell not in taken]
        others = [each.name for each in pawns if each.states.get("pressed") != "true"]
        if free:
            self._spend(lambda: self.cell(self.choices.choice(free)), "a walk")
        elif others and self.choices.random() < 0.7:
            name = f"^{re.escape(self.choices.choice(others))}$"
            self.press(name)
            self.wait(
                lambda: any(each.states["pressed"] == "true" for each in self.all("button", name)),
                "a pawn is chosen",
            )
        else:
            self._end()


class Vampire(RadarTreePlayer):
    """The vampire's seat: attacks where it can, and else wanders; it covers its phone."""

    def play(self, nights: int) -> bool:
        """Hide, and play for at most so many nights; return whether the game has ended."""
        for _ in range(nights + 1):
            self.wait(lambda: self.is_over or self._is_night, "the night, or the end")
            if self.is_over:
                return True
            self._night()
        return False

    @property
    def _is_night(self) -> bool:
        return bool(self.all("StaticText", "^Choose (your way|where you begin)"))

    def _night(self) -> None:
        """Look, plan and cover; the phone covers itself when nothing is pressed for a while."""
        for _ in range(FAR):
            self.read()
            if self.is_over or not (self._is_night or self.one("button", "^Hide$")):
                return
            if self.one("heading", "^Done"):
                break
            self._act()
        self.press("^Hide$")
        self.wait(lambda: self.is_over or not self._is_night, "dawn")

    def _act(self) -> None:
        hide = self.one("button", "^Hide here$")
        if self.one("button", "^Tap to look$"):
            self._press_and_see("^Tap to look$")
        elif sure := self.one("button", "^Sure"):
            self.page.wait_for_timeout(SLIP)
            self._press_and_see(f"^{re.escape(sure.name)}$")
        elif meant := self.one("button", "^(Attack|Eat the bat)$"):
            self._press_and_see(f"^{meant.name}$")
        elif hide and hide.is_enabled:
            self._press_and_see("^Hide here$")
        elif cells := self.cells("(Attack|Walk|possible)"):
            self.cell(self.choices.choice(self.cells("Attack") or cells))
            self._see()
        else:
            self._press_and_see("^End night$")

    def _press_and_see(self, words: str) -> None:
        self.press(words)
        self._see()

    def _see(self) -> None:
        """Wait until something has changed and changes no more: a plan is answered by the table."""
        self.changes("what follows a press")
        before: list[Node] = []
        while before != self.nodes:
            before = self.nodes
            self.page.wait_for_timeout(SLIP)
            self.read()
