"""Fingers on a page in any engine: press and read elements by the names of web/README.md."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.browser.layout import FAULTS
from tests.browser.page_objects import button
from tests.browser.pseudo_locale import SPEAK
from tests.browser.screenshots import DRESS
from tests.browser.server import TableServer, until
from tests.engines.webdriver import Engine, picture

PHONE = (360, 740)
"""CSS pixels of a phone's page."""

_READ = """const it = document.querySelector(arguments[0]);
return it && it.checkVisibility() ? (it.innerText ?? it.textContent) : null;"""
_CENTRE = """const it = document.querySelector(arguments[0]);
if (!it || !it.checkVisibility() || it.getAttribute("aria-disabled") === "true") return null;
let box = it.getBoundingClientRect();
if (box.top < 0 || box.bottom > innerHeight) it.scrollIntoView({ block: "center" });
box = it.getBoundingClientRect();
const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
const top = document.elementFromPoint(x, y);
return top && (it.contains(top) || top.contains(it)) ? [Math.round(x), Math.round(y)] : null;"""
"""The middle of an element that a finger can reach now, else null."""

_FUNCTION = FAULTS[: FAULTS.rindex("}") + 1].partition("*/")[2]


class Window:
    """One window with one page: a phone or the display, with a host name and so a storage of its
    own.
    """

    def __init__(
        self, engine: Engine, server: TableServer, host: str, size: tuple[int, int]
    ) -> None:
        self.engine = engine
        self.server = server
        self.host = host
        self.size = size
        self._handle = engine.command("NewWindow", type="window")["handle"]
        self.to_front()
        engine.resize(*size)

    def to_front(self) -> None:
        """Make this window the current and visible one."""
        self.engine.command("SwitchToWindow", handle=self._handle)

    def open(self, path: str) -> None:
        """Open a page of the table at an address that is no secure context."""
        self.to_front()
        self.engine.command("Navigate", url=f"http://{self.host}:{self.server.port}{path}")

    def run(self, script: str, *arguments: object) -> Any:
        """Return the result of a script."""
        self.to_front()
        return self.engine.command("ExecuteScript", script=script, args=arguments)

    def read(self, selector: str) -> str | None:
        """Return the text of the first such element, None if none is visible."""
        words: str | None = self.run(_READ, selector)
        return words

    def says(self, selector: str, words: str) -> None:
        """Wait until an element has this text."""
        until(lambda: words in (self.read(selector) or ""), f"{words!r} in {selector}")

    def shows(self, selector: str) -> None:
        """Wait until an element is visible."""
        until(lambda: self.read(selector) is not None, f"{selector} is seen")

    def hides(self, selector: str) -> None:
        """Wait until an element is not on the page."""
        script = "return !document.querySelector(arguments[0])"
        until(lambda: self.run(script, selector), f"{selector} is gone")

    def press(self, action: str, argument: str | None = None) -> None:
        """Press the element with this action and this argument."""
        self.touch(button(action, argument))

    def tile(self, cell: str) -> None:
        """Press a tile of the field."""
        self.touch(f'g[data-cell="{cell}"]')

    def touch(self, selector: str) -> None:
        """Press an element as soon as it can be pressed."""
        self.rest(selector)
        self.lift()

    def rest(self, selector: str) -> None:
        """Put a finger on an element and leave it there."""
        x, y = until(lambda: self.run(_CENTRE, selector), f"{selector} can be pressed")
        self._move(
            {"type": "pointerMove", "x": x, "y": y, "duration": 0},
            {"type": "pointerDown", "button": 0},
        )

    def drag(self, source: str, target: str) -> None:
        """Rest a finger on one element, and lift it from another."""
        self.rest(source)
        x, y = until(lambda: self.run(_CENTRE, target), f"{target} is there")
        self._move({"type": "pointerMove", "x": x, "y": y, "duration": 50})
        self.lift()

    def lift(self) -> None:
        """Take the finger away."""
        self._move({"type": "pointerUp", "button": 0})

    def type(self, selector: str, text: str) -> None:
        """Type into a field, key by key."""
        self.touch(selector)
        keys = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self.engine.command("PerformActions", actions=[{"type": "key", "id": "k", "actions": keys}])

    def position(self) -> int:
        """Return the position that the page shows, -1 if it shows none."""
        position: int = self.run(
            "return Number(document.querySelector('main')?.dataset.position ?? -1)"
        )
        return position

    def speak(self, language: str) -> None:
        """Let the page speak a language, as if another page of its browser had chosen it."""
        self.run(f"return ({SPEAK})(arguments[0])", language)

    def dress(self, light: str) -> None:
        """Let the page take the light look (`1`) or the dark one (`0`), in the same way."""
        self.run(f"return ({DRESS})(arguments[0])", light)

    def shot(self, path: Path) -> None:
        """Keep a picture of the page."""
        self.to_front()
        path.parent.mkdir(exist_ok=True)
        picture(self.engine, path)

    def faults(self) -> list[str]:
        """Return the page's parts that nobody could read or press (tests/browser/layout.py)."""
        arguments = json.dumps({"finger": 0, "map": None})
        faults: list[str] = self.run(f"return ({_FUNCTION})({arguments})")
        return faults

    def _move(self, *steps: dict[str, object]) -> None:
        kind = self.engine.touch
        finger = {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}}
        self.engine.command("PerformActions", actions=[{**finger, "actions": list(steps)}])
