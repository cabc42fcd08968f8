"""Everything by keys, or by a switch that sends them: Tab and arrow keys go on, Enter and Space
press.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.browser.conftest import Screens, StartServer
from tests.browser.page_objects import Screen, button

FAR = 60
"""More Tabs than any page has things to press."""
_FOCUSED = """() => {
  const { action, arg, cell } = document.activeElement?.dataset ?? {};
  return [[action, arg].filter(Boolean).join(" ") || null, cell ?? null];
}"""


class Keys:
    """A hand that has keys and nothing else, on one screen."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._page = screen.page

    def press(self, action: str, argument: str | None = None) -> None:
        """Go to what has this action by Tab and press it."""
        self._screen.shows(button(action, argument) + ":not([aria-disabled='true'])")
        name = " ".join(filter(None, (action, argument)))
        self._tab_to(lambda focused: focused[0] == name, name)
        self._page.keyboard.press("Enter")

    def tile(self, cell: str) -> None:
        """Go to the field by Tab, to a tile by arrows, and press it."""
        self._screen.shows(f'g[data-cell="{cell}"]')
        self._tab_to(lambda focused: focused[1] is not None, "the field")
        at = self._focused()[1]
        assert at is not None
        across, down = ord(cell[0]) - ord(at[0]), int(cell[1]) - int(at[1])
        for key, count in (("Right", across), ("Left", -across), ("Down", down), ("Up", -down)):
            for _ in range(count):
                self._page.keyboard.press(f"Arrow{key}")
        assert cell == self._focused()[1]
        self._page.keyboard.press("Space")

    def _tab_to(self, is_there: Callable[[list[str | None]], bool], what: str) -> None:
        for _ in range(FAR):
            if is_there(self._focused()):
                return
            self._page.keyboard.press("Tab")
        raise AssertionError(f"no Tab leads to {what}")

    def _focused(self) -> list[str | None]:
        focused: list[str | None] = self._page.evaluate(_FOCUSED)
        return focused


def test_a_round_is_played_by_keys_alone(start_server: StartServer, screens: Screens) -> None:
    """Field, seats, hiding, a walk, a radar, a shot, the end of a turn and a night need no finger
    and no mouse.
    """
    server = start_server(None)
    display, vampire = screens.display(server), screens.vampire(server)
    vampire.page.goto(server.invitation["url"])
    table, phone = Keys(display), Keys(vampire)
    phone.press("seat", "V")
    phone.press("sit")
    vampire.page.wait_for_url("**/seat")
    table.press("players", "2")
    table.press("field")
    table.press("first")
    table.press("seats")
    table.press("start")
    vampire.says("#cover", "Night")
    phone.press("reveal")
    phone.tile("C4")
    vampire.says("#plan", "C4")
    phone.press("end_night")
    display.turn_of("H1")
    walk(table, display)
    table.press("radar")
    display.says("#answer", "3")
    table.press("shoot", "S")
    display.shows("#field .shot")
    display.later()
    table.press("shoot", "S")
    display.says("#answer", "Silence")
    table.press("end")
    vampire.says("#cover", "Night")
    phone.press("reveal")
    phone.press("end_night")
    vampire.later()
    phone.press("end_night")
    display.turn_of("H1")


def walk(table: Keys, display: Screen) -> None:
    """Two steps with one pawn, onto a radar."""
    table.tile("A1")
    display.shows("#field .ring.chosen")
    for cell in ("A2", "A3"):
        table.tile(cell)
        display.pawn_on("H1a", cell)
