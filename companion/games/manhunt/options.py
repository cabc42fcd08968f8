"""Options and set-up of a game. The contents of a map and its rule card are in `map_file.py`."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from companion.core.game import Seat
from companion.games.manhunt.map_file import MOST_HUNTERS, MapFile

F = Seat("F")
HUNTERS: tuple[Seat, ...] = tuple(Seat(f"H{number}") for number in range(1, MOST_HUNTERS + 1))
MAPS = ("town", "quarter", "ship")
"""The maps that are shipped; the first one is usual."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The table's choices; all other rules are on the map's rule card.

    `content`: the map, ours, a file's name, or "box" for the one drawn in the map editor. `path`:
    with "paper" the fugitive writes its path on paper, and the table never knows its place.
    """

    content: str = MAPS[0]
    path: Literal["phone", "paper"] | UnsetType = UNSET

    @property
    def on_paper(self) -> bool:
        """Whether the fugitive plays on paper."""
        return self.path == "paper"


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """The set-up of a game.

    Without `content` the map is that of the options, without `start` the hunters' pawns are drawn
    to starts.
    """

    options: Options = Options()
    content: MapFile | None = None
    start: dict[str, str] | None = None
