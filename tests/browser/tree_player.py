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

from playwright.sync_api import CDPSession, Page

from tests.browser.page_objects import SLIP
from tests.browser.players import Manner
from tests.browser.server import NeverCame, until

FAR = 120
"""More Tabs than any page has things to press."""
_LEFT_OUT = frozenset({"InlineTextBox", "LineBreak", "none", "generic", "RootWebArea"})
_STATES = ("disabled", "pressed", "selected", "invalid", "focused", "live")
SETTLED = 300
"""Milliseconds between two readings of a page that may change."""


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
        return _nodes(session)
    finally:
        session.detach()


def _nodes(session: CDPSession) -> list[Node]:
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
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
    name, value, description = (
        str(raw.get(part, {}).get("value", "")) for part in ("name", "value", "description")
    )
    states = {each: str(properties[each]).lower() for each in _STATES if each in properties}
    return Node(role, name, value, description, states, path)


class Unreached(AssertionError):
    """No Tab leads to what a page reads."""


class TreePlayer:
    """A player at one page; `choices` decides where it has a choice."""

    def __init__(self, page: Page, choices: Random) -> None:
        self.page = page
        self.choices = choices
        self.nodes: list[Node] = []
        self.pressed: list[str] = []
        """The names of what was pressed, for people who look for a fault."""
        self._session = page.context.new_cdp_session(page)

    def read(self) -> list[Node]:
        """Read the page."""
        self.nodes = _nodes(self._session)
        return self.nodes

    def all(self, words: str = "", role: str = "button") -> list[Node]:
        """Return what was read of this role whose name matches a regular expression."""
        return [each for each in self.nodes if each.role == role and re.search(words, each.name)]

    def has(self, words: str, role: str = "button") -> bool:
        """Whether there is one of `all`."""
        return bool(self.all(words, role))

    @property
    def announcements(self) -> list[str]:
        """What the live region has said and still holds, in its order."""
        texts = [each for each in self.nodes if "log" in each.path and is_text(each)]
        return [each.name for each in texts]

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

    def focused(self) -> Node:
        """Return what a screen reader says of what the keys go to."""
        active = self._session.send("Runtime.evaluate", {"expression": "document.activeElement"})
        nodes = self._session.send(
            "Accessibility.getPartialAXTree",
            {"objectId": active["result"]["objectId"], "fetchRelatives": False},
        )["nodes"]
        return _node(nodes[0], str(nodes[0].get("role", {}).get("value", "none")), ())

    def go(self, words: str, role: str = "button") -> None:
        """Go by Tab to what has this role and such a name."""
        passed: list[str] = []
        for _ in range(FAR):
            at = self.focused()
            if at.role == role and re.search(words, at.name):
                return
            passed.append(f"{at.role} {at.name}")
            self.page.keyboard.press("Tab")
        self.read()
        raise Unreached(f"no Tab leads to {role} {words!r} but to {passed}:\n{self.written()}")

    def press(self, words: str, role: str = "button") -> None:
        """Go to what has such a name and press Enter."""
        self.go(words, role)
        self.pressed.append(self.focused().name)
        self.page.keyboard.press("Enter")

    def type(self, words: str, text: str) -> None:
        """Go to a field to write in, and write."""
        self.go(words, "textbox")
        self.page.keyboard.type(text)

    def is_pressed(self, words: str) -> bool:
        """Whether a toggle of such a name is pressed."""
        return any(each.states.get("pressed") == "true" for each in self.all(words))

    def open(self, address: str, words: str) -> None:
        """Open a page and read until it has a button of such a name."""
        self.page.goto(address)
        self.wait(lambda: self.has(words), f"the page with {words}")

    def join(self, address: str, seat: str, name: str, code: str = "4711") -> None:
        """Take a seat by the page of joining; one with a secret asks for digits."""
        self.open(address, "^Sit down$")
        self.type("Your name", name)
        self.press(f"^{seat}")
        self.wait(lambda: self.is_pressed(f"^{seat}"), "the seat is chosen")
        if self.has("", "textbox") and (digits := self.all("digits", "textbox")):
            self.type(re.escape(digits[0].name), code)
        self.press("^Sit down$")
        self.wait(lambda: self.nodes and not self.has("^Sit down$"), "the page of the seat")

    def act(self, manner: Manner) -> bool:
        """Press what this manner has for the page as it was read last; return whether it has
        something. What is pressed is heard: the page reads otherwise after it.
        """
        target = self._next(manner)
        if target is None:
            return False
        # A second press too soon after another is taken for a slip of the finger.
        self.page.evaluate("(ms) => later(ms)", SLIP)
        try:
            self.press(f"^{re.escape(target.name)}$", target.role)
        except Unreached:
            # A game goes on by itself, and a page covers itself: what is gone was not unreachable.
            if target.name in {each.name for each in self.nodes}:
                raise
            return True
        self.changes(f"what follows {target.name}")
        self._settle()
        assert self.focused().role != "RootWebArea", f"{target.name} loses the focus"
        return True

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, so that another one can begin."""
        return self.has("^Play again$")

    def _next(self, manner: Manner) -> Node | None:
        """Return what is pressed next, None where there is nothing to press."""
        enabled = [
            each
            for each in self.nodes
            if each.role in ("button", "gridcell")
            and each.is_enabled
            and (each.states.get("pressed") != "true" or each.name.startswith("Sure"))
        ]
        for press in manner:
            if not any(re.search(press.while_, each.name) for each in self.nodes):
                continue
            if matches := [each for each in enabled if re.search(press.name, each.name)]:
                return self.choices.choice(matches)
        return None

    def _settle(self) -> None:
        """Read until the page reads the same twice: a press is answered by the table."""
        before: list[tuple[Any, ...]] = []
        while before != (spoken := [each.spoken for each in self.nodes]):
            before = spoken
            self.page.wait_for_timeout(SETTLED)
            self.read()

    def written(self) -> str:
        """Return what was read, a line for each thing, for people who look for a fault."""
        return "\n".join(
            f"{'  ' * len(each.path)}{each.role} {each.name!r} {each.value} {each.states}"
            for each in self.nodes
            if not is_text(each) or (each.path and each.path[-1] != "button")
        )


def is_text(node: Node) -> bool:
    """Whether a node is a piece of text."""
    return node.role == "StaticText"
