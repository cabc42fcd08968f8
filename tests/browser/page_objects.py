"""Hands on pages: what a person presses and reads, by the names of web/README.md.

Every press is counted.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from playwright.sync_api import BrowserContext, CDPSession, Locator, Page, expect

from tests.browser.server import TIMEOUT, Json, TableServer, until

T = TypeVar("T")


def button(action: str, argument: object = None) -> str:
    """Return the selector of what has this action: with this argument, or without one."""
    if argument is None:
        return f'[data-action="{action}"]:not([data-arg])'
    is_text = isinstance(argument, str)
    text = argument if is_text else json.dumps(argument, separators=(",", ":"))
    return f"[data-action='{action}'][data-arg='{text}']"


expect.set_options(timeout=1000 * TIMEOUT)


SLIP = 650
"""Milliseconds in which a second press on End turn, "Sure?" or an arrow counts as a slip of the
finger.
"""
LATER = """{
  const now = performance.now.bind(performance);
  let ahead = 0;
  performance.now = () => now() + ahead;
  globalThis.later = (ms) => { ahead += ms; };
}"""
"""Lets a test put a page's clock forward, by which pages tell a slip of the finger."""
SIT = """async ([key, code, seat, name, pin]) => {
  const { Channel } = await import("/static/core/channel.js");
  const channel = await Channel.open({ server_key_b64url: key, storage: "seat-key" });
  return (await channel.request("claim", { seat, name, code, pin })).ok;
}"""
"""Takes a seat as the page of joining does."""
KEY_LENGTH = 43
READER_DELAY_MS = 300
"""Milliseconds after which the board's reader has compared what the pages already show."""
_VISIBILITY = """(state) => {
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
  Object.defineProperty(document, "hidden", { configurable: true, get: () => state === "hidden" });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


class Screen:
    """One page that somebody looks at.

    `presses` counts the taps on it since it was last set to 0.
    """

    def __init__(self, server: TableServer, page: Page) -> None:
        self.server = server
        self.page = page
        self.presses = 0

    def at(self, selector: str) -> Locator:
        """Return what a selector finds on the page."""
        return self.page.locator(selector)

    def press(self, action: str, argument: object = None) -> None:
        """Press what has this action with this argument."""
        self._press(self.at(button(action, argument)))

    def press_again(self, action: str, argument: object = None) -> None:
        """Answer "Sure?" by the same button, not so soon that it would be a slip."""
        self.later()
        self.press(action, argument)

    def later(self) -> None:
        """Let so much time pass on the page that a press is no slip of the finger."""
        self.page.evaluate("(ms) => later(ms)", SLIP)

    def tile(self, cell: str) -> None:
        """Press a tile of the field."""
        self._press(self.at(f'g[data-cell="{cell}"]'))

    def says(self, selector: str, words: str) -> None:
        """Wait until these words stand in an element."""
        expect(self.at(selector)).to_contain_text(words)

    def shows(self, selector: str) -> None:
        """Wait until something can be seen."""
        expect(self.at(selector).first).to_be_visible()

    def hides(self, selector: str) -> None:
        """Wait until something is not on the page."""
        expect(self.at(selector)).to_have_count(0)

    def until(self, condition: Callable[[Json], T], what: str) -> T:
        """Wait until the public snapshot fulfils the condition; the pages keep running."""
        return until(
            lambda: condition(self.server.snapshot),
            what,
            lambda s: self.page.wait_for_timeout(1000 * s),
        )

    def position(self) -> int:
        """Return the position that the page shows, -1 if it shows none."""
        position: int = self.page.evaluate(
            "() => Number(document.querySelector('main')?.dataset.position ?? -1)"
        )
        return position

    def pawn_on(self, pawn: str, cell: str | None) -> None:
        """Wait until the record has a pawn there, None for nowhere."""
        self.until(
            lambda snapshot: snapshot["view"]["pawns"].get(pawn) == cell, f"{pawn} on {cell}"
        )

    def sleep(self) -> None:
        """Do to the page what a phone does that is put away: it is hidden, and its network goes."""
        self.page.evaluate(_VISIBILITY, "hidden")
        self.page.context.set_offline(True)

    def wake(self) -> None:
        """Take the phone up again."""
        self.page.context.set_offline(False)
        self.page.evaluate(_VISIBILITY, "visible")

    def drop_streams(self) -> None:
        """Let the page receive nothing new, as one that was kept by the browser; what it shows
        stays, presses work.
        """
        self.page.evaluate("() => { dispatchEvent(new PageTransitionEvent('pagehide')); }")

    def restore_streams(self) -> None:
        """Let a page receive again after `drop_streams`."""
        self.page.evaluate(
            "() => { dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })); }"
        )

    def in_sync(self) -> None:
        """Wait until the board sees what the record has, and nothing more is published; and that
        this is so of the record as it is now, since the reader gets a change a moment after the
        pages do.
        """
        self._agrees()
        self.page.wait_for_timeout(READER_DELAY_MS)
        self._agrees()

    def _agrees(self) -> None:
        # A table that has just started publishes no board's state yet.
        self.until(
            lambda snapshot: (
                snapshot["board"].get("state") == "in_sync" and not snapshot["revealing"]
            ),
            "board in sync",
        )

    def turn_of(self, seat: str) -> None:
        """Wait until a human is to move and the night is over."""
        self.until(
            lambda snapshot: snapshot["to_move"] == seat and not snapshot["revealing"],
            f"turn of {seat}",
        )

    def _press(self, target: Locator) -> None:
        self.presses += 1
        target.click()


def _is_chosen(name: str, value: str, snapshot: Json) -> bool:
    """Whether the proposed game has this value of an option."""
    return bool(snapshot["lobby"]["options"].get(name) == value)


class Display(Screen):
    """The table display, which is allowed to press."""

    def choose(self, game: str) -> None:
        """Choose another game before it begins, and wait until the display shows its lobby."""
        self.press("games")
        name = self.at(f"{button('game', game)} b.title").text_content() or ""
        self.press("game", game)
        expect(self.at(".lobby h1.title")).to_have_text(name)

    def give(self, seat: str, level: str) -> None:
        """Let a bot of this level play a seat before the game."""
        self.press("give", seat)
        self.press("bot", level)
        self.shows(f'[data-action="give"][data-arg="{seat}"]')

    def begin(self, vampire: VampirePhone, cell: str, players: int = 2) -> None:
        """Start on the first field, lay the table, and let the vampire hide."""
        self.press("players", players)
        self.set_up()
        self.press("start")
        self.lay_table()
        vampire.says("#cover", "Night")
        vampire.look()
        vampire.step(cell)
        vampire.press("end_night")
        self.turn_of("H1")
        vampire.cover()

    def walk(self, pawn: str, *cells: str) -> None:
        """Move a pawn on the virtual board, one tile after the other; nobody presses anything."""
        for cell in cells:
            self.server.board.put(pawn, cell)
            self.pawn_on(pawn, cell)
            self._agrees()

    def end_turn(self, seat: str, following: str) -> None:
        """Press End turn."""
        self.turn_of(seat)
        self.press_again("end")
        self.until(lambda snapshot: snapshot["to_move"] == following, f"{following} after {seat}")

    def set_up(self, options: Json | None = None) -> None:
        """Lay the first field; options are chosen on the page of settings."""
        if options:
            self._options(options)
        self.press("field")
        self.press("first")
        self.shows("#doubts .fine")

    def lay_table(self) -> None:
        """Set up the virtual board, if there is one, as the game that has begun shows it."""
        view = self.until(lambda snapshot: snapshot["view"], "a game")
        if self.server.pieces:
            self.server.pieces.lay(view)
            self.in_sync()

    def settle(self, reading: int) -> None:
        """Choose which of the numbered ways a pawn went."""
        self._press(self.at('#choices [data-action="reading"]').nth(reading))

    def draw(self, *others: Phone) -> None:
        """Offer a draw, to which these phones agree."""
        self.press("info")
        self.press("draw")
        for phone in others:
            phone.press("agree")
        self.says("#banner", "A draw")

    def shoot(self, cell: str, direction: str) -> None:
        """Choose the pawn on a tile, aim and fire."""
        self.tile(cell)
        self.fire(direction)

    def fire(self, direction: str) -> None:
        """Aim with the chosen pawn and press the same arrow once more."""
        self.aim(direction)
        self.fire_aimed(direction)

    def fire_aimed(self, direction: str) -> None:
        """Press the arrow that is aimed once more, not so soon that it would be a slip."""
        self.press_again("shoot", direction)

    def aim(self, direction: str) -> None:
        """Press an arrow once; the line may be there already, aimed on a phone."""
        self.press("shoot", direction)
        self.shows(f'[data-action="shoot"][data-arg="{direction}"][aria-pressed="true"]')
        self.shows("#field .shot")

    def _options(self, options: Json) -> None:
        other = self.page.context.new_page()
        other.goto(f"http://127.0.0.1:{self.server.port}/host")
        for name, value in options.items():
            other.locator(button("option", {name: json.loads(value)})).click()
            self.until(partial(_is_chosen, name, value), name)
        other.close()


def restore_before_answer(server: TableServer, display: Display) -> None:
    """Copy the table's folder, learn a radar's answer, and start the table in the copy."""
    copy = server.folder / "kept"
    server.kill()
    display.shows("#wait")
    shutil.copytree(server.data, copy)
    server.start()
    display.hides("#wait")
    # What moves before the board is heard again is a difference to ask about, no walk.
    display.in_sync()
    display.walk("H1a", "A2")
    display.walk("H1a", "A3")
    display.press("radar")
    display.says("#answer", "2")

    server.kill()
    shutil.rmtree(server.data)
    copy.rename(server.data)
    server.start()


class Phone(Screen):
    """A phone that takes a seat: fingers instead of a mouse."""

    def sit(self, seat: str, *, name: str = "", pin: str = "4711") -> None:
        """Take a seat before the game by the code, and open its page: what `join` does without a
        press.
        """
        fragment = self.server.invitation["url"].partition("#")[2]
        key, code = fragment[:KEY_LENGTH], fragment[KEY_LENGTH:]
        # The smallest thing that the table sends: a page is needed for its storage alone.
        self.page.goto(self.server.phone("/healthz"))
        assert self.page.evaluate(SIT, [key, code, seat, name, pin])
        self.page.goto(self.server.phone("/seat"))

    def join(self, seat: str, *, name: str = "", pin: str = "4711") -> None:
        """Take a seat by the QR code's address and by presses; a phone whose seat keeps no secret
        is not asked for digits.
        """
        self.page.goto(self.server.invitation["url"])
        if name:
            self.at("#name").fill(name)
        self.press("seat", seat)
        if seat[0] in "VPF" or seat in ("human", "vampire"):
            self.at("#pin").fill(pin)
        self.press("sit")
        self.page.wait_for_url("**/seat")

    def choose_seat(self, seat: str) -> None:
        """Choose a seat on the page of joining, and press Sit down."""
        self.press("seat", seat)
        self.press("sit")

    def adds(self) -> None:
        """Wait until the table has what this phone adds to the shuffle of the game to come."""
        added = (
            "() => Boolean(JSON.parse(localStorage.getItem('kept-history') ?? '{}').given?.isTaken)"
        )
        self.until(lambda _: bool(self.page.evaluate(added)), "a share in the shuffle")

    def _press(self, target: Locator) -> None:
        self.presses += 1
        target.tap()


class VampirePhone(Phone):
    """The vampire's phone."""

    def look(self) -> None:
        """Tap to look; look on without touching the glass."""
        self.press("reveal")
        self.shows(".secret")

    def cover(self) -> None:
        """Tap to hide."""
        self.press("reveal")
        self.hides(".secret")

    def end_night(self) -> None:
        """Press End night twice."""
        self.press("end_night")
        self.says("#end-night", "Sure")
        self.press_again("end_night")
        self.hides("#end-night")

    def step(self, cell: str, kind: str | None = None) -> None:
        """Draft one step: a tap on a tile, and on what is meant where two things are possible."""
        steps = self.at("#plan").inner_text()
        self.tile(cell)
        if kind:
            self.press(kind)
        expect(self.at("#plan")).not_to_have_text(steps)

    def hold(self) -> TouchPoint:
        """Rest a finger on the button; within the block other fingers may tap."""
        finger = TouchPoint(self.page.context, self.page, self.at("#hold"))
        self.presses += 1
        self.shows(".secret")
        return finger


class TouchPoint:
    """A finger that rests on the glass, and a second one that taps: real touch points, as a phone
    sends them.
    """

    def __init__(self, context: BrowserContext, page: Page, where: Locator) -> None:
        self._cdp: CDPSession = context.new_cdp_session(page)
        self._rest = _centre(where, 0)
        self._send("touchStart", self._rest)

    def tap(self, where: Locator) -> None:
        """Tap with the second finger."""
        second = _centre(where, 1)
        self._send("touchStart", self._rest, second)
        self._send("touchEnd", second)

    def lift(self) -> None:
        """Take the resting finger away."""
        self._send("touchEnd", self._rest)
        self._cdp.detach()

    def _send(self, kind: str, *points: dict[str, float]) -> None:
        self._cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})


def _centre(where: Locator, number: int) -> dict[str, float]:
    box = where.bounding_box()
    assert box is not None
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "id": number}
