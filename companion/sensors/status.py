"""The board's status: a small public value of its own beside the game's view, never a game
event.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from companion.core.game import Message
from companion.core.placement import Cell, Pawn
from companion.sensors.diff import Difference
from companion.sensors.explain import Explanation
from companion.sensors.link import LinkState

BoardState = Literal[
    "off", "settling", "setting_up", "in_sync", "lifted", "ambiguous", "unexplained"
]


class PawnToRemove(Struct, frozen=True):
    """A pawn that is out of the game and still stands on the table."""

    pawn: Pawn
    cell: Cell


class BoardStatus(Struct, frozen=True):
    """What everybody may see of the board.

    `state` is "off" without a source or a game, "setting_up" until the pieces have lain as the game
    begins; `differences` are the way back to the record, `readings` what may be accepted instead,
    by number; `unknown` are the cells that the source says nothing about, and `asks` what hands are
    to make sure there.
    """

    source: str = "none"
    link: LinkState = "none"
    said: Message | None = None
    state: BoardState = "off"
    lifted: tuple[Cell, ...] = ()
    readings: tuple[Explanation, ...] = ()
    differences: tuple[Difference, ...] = ()
    owed: tuple[PawnToRemove, ...] = ()
    unknown: tuple[Cell, ...] = ()
    asks: tuple[Message, ...] = ()
    caps: tuple[str, ...] = ()
    port: str | None = None
    firmware: str | None = None

    def json(self) -> dict[str, Any]:
        """Return the status as JSON-ready values."""
        value: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return value
