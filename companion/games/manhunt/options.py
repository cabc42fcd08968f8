"""Options and set-up of a game. The contents of a map and its rule card are in `map_file.py`."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from companion.core.game import Seat
from companion.games.manhunt.map_file import MOST_HUNTERS, MapFile

F = Seat("F")
HUNTERS: tuple[Seat, ...] = tuple(Seat(f"H{number}") for number in range(1, MOST_HUNTERS + 1))
MAPS = ("town", "quarter", "ship")
"""The shipped maps, the default first."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The table's choices; all other rules are on the map's rule card.

    `content`: the name of a shipped map or of a file, or "box" for the map drawn in the map editor.
    `path`: with "paper" the fugitive writes its path on paper, and the table never receives its
    place.
    """

    content: str = MAPS[0]
    path: Literal["phone", "paper"] | UnsetType = UNSET

    @property
    def on_paper(self) -> bool:
        """Whether the fugitive plays on paper."""
        return self.path == "paper"


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """The set-up of a game.

    Without `content` the options name the map. Without `start` the hunters' starts are drawn.
    """

    options: Options = Options()
    content: MapFile | None = None
    start: dict[str, str] | None = None
