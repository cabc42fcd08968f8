"""What players press who read a page in their own way, and their games to the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from playwright.sync_api import Page

from tests.browser.server import NeverCame, until


@dataclass(frozen=True)
class Press:
    """What a player presses while a page has such words: a button or a cell of such a name, both
    regular expressions. A toggle that is pressed already is let be.
    """

    name: str
    while_: str = ""


Manner = Sequence[Press]
"""What a player presses, the most urgent first."""


class Player(Protocol):
    """A player at one page; `pressed` has what was pressed, for people who look for a fault."""

    page: Page
    pressed: list[str]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, so that another one can begin."""

    def read(self) -> object:
        """Read the page."""

    def act(self, manner: Manner) -> bool:
        """Press what this manner has for what was read last; return whether it has something."""

    def written(self) -> str:
        """Return what was read, for people who look for a fault."""


AnyPlayer = TypeVar("AnyPlayer", bound=Player)


def play_to_end(players: Mapping[AnyPlayer, Manner], presses: int) -> None:
    """Let each press what it has until all read that the game is over; raise `AssertionError` if
    that takes more presses.
    """
    for _ in range(presses):
        turns = _turns(players)
        if all(player.is_over for player in players):
            return
        assert any(turns), [player.written() for player in players]
    raise AssertionError([player.pressed for player in players])


def _turns(players: Mapping[AnyPlayer, Manner]) -> list[bool]:
    """Let each player act once, some player as soon as it can."""
    turns: list[bool] = []

    def anybody() -> bool:
        turns.clear()
        for player, manner in players.items():
            player.read()
            turns.append(player.is_over or player.act(manner))
        return any(turns)

    first = next(iter(players))
    try:
        until(anybody, "a turn", lambda seconds: first.page.wait_for_timeout(1000 * seconds))
    except NeverCame as error:
        read = "\n\n".join(player.written() for player in players)
        raise NeverCame(f"a turn:\n{read}") from error
    return turns
