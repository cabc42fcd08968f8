"""Options, field and set-up of a game, and what the box fixes.

Names are those of the JSON-lines protocol (docs/protocol.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from companion.core.game import Seat
from companion.core.placement import Cell

V = Seat("V")
HUMANS: tuple[Seat, ...] = (Seat("H1"), Seat("H2"), Seat("H3"))
CORNERS: tuple[Cell, ...] = (Cell("A1"), Cell("F1"), Cell("A6"), Cell("F6"))
STARTS: frozenset[Cell] = frozenset(
    Cell(f"{column}{row}") for column in "BCDE" for row in range(2, 6)
)
"""The 16 centre tiles on which the vampire may begin ("any tile of the centre 4x4")."""

MAX_BULLETS = 6
NIGHT_POINTS = 2
TILE_COUNTS: Mapping[str, int] = {"b": 4, "r": 4, "o": 8, "w": 7, ".": 13}
TILE_NAMES: Mapping[str, str] = {".": "blank", "b": "bat", "r": "radar", "o": "bullet", "w": "wall"}

Count = Annotated[int, Meta(ge=0, le=14)]


class Options(Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """Every ruling where the rulebook is silent, with its default; docs/games/vampireradar.md has
    the reasons.

    `pawns_each`, `bullets_each`: None deals 4, 4, 3 pawns and 6, 3, 2 bullets with 2, 3, 4 players;
    8 pawns only with 2 players. `pawns_per_turn`: how many pawns may act in one turn.
    `lazy_landing`: the right to a bullet or a radar stays until the pawn walks on or the turn ends.
    `announce`: a night's kills and meals are announced in their order, or in board order after it.
    `stalled_after`: rounds without a shot, attack, heal or pick-up after which the game is drawn, 0
    for never. `adjacency`, `max_joined_walls`: the rules for a field. `path`: with "paper" the
    vampire writes its path down and gives the answers itself. The default "phone" is not written to
    the record, so that older records begin alike.
    """

    pawns_each: Annotated[int, Meta(ge=1, le=8)] | None = None
    bullets_each: Annotated[int, Meta(ge=0, le=6)] | None = None
    pawns_per_turn: Annotated[int, Meta(ge=1, le=3)] = 3
    lazy_landing: bool = False
    pawns_block_shots: bool = False
    vampire_may_share: bool = True
    announce: Literal["immediate", "turn_end"] = "immediate"
    exhaustion: Literal["strict", "hopeless"] = "strict"
    turn_order: Literal["fixed", "rotating"] = "fixed"
    stalled_after: Annotated[int, Meta(ge=0, le=1000)] = 60
    adjacency: Literal["orthogonal", "with_diagonals"] = "orthogonal"
    max_joined_walls: Annotated[int, Meta(ge=1, le=7)] = 2
    path: Literal["phone", "paper"] | UnsetType = UNSET

    @cached_property
    def on_paper(self) -> bool:
        """Whether the vampire plays on paper."""
        return self.path == "paper"


class Layout(Struct, frozen=True, forbid_unknown_fields=True):
    """A field as text: six strings of six tiles, row 1 first, and the walls' names."""

    tiles: tuple[str, ...]
    walls: tuple[str, ...]


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """The set-up of a game.

    Without `field` a random legal one is laid, without `start` the default one is used.
    """

    options: Options = Options()
    field: Layout | None = None
    start: dict[str, str] | None = None
