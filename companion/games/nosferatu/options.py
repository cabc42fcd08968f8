"""Options and set-up of a game, and what the box fixes.

Seats `vampires` and `villagers`; pieces `n` (Nosferatu), `v1` … (vampires) and `m1` … (the
villagers' men); cells `a1` to `g7`, `d4` in the centre.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.core.game import Seat
from companion.core.hexgrid import Hexgrid
from companion.core.placement import Pawn

VAMPIRES, VILLAGERS = Seat("vampires"), Seat("villagers")
SEATS: tuple[Seat, ...] = (VAMPIRES, VILLAGERS)
FIELD = Hexgrid(4)
NOSFERATU = Pawn("n")
KINDS: Mapping[str, str] = {"n": "nosferatu", "v": "vampire", "m": "villager"}
"""The kind of a piece by the first letter of its name."""
LETTERS: Mapping[str, str] = {"n": "s", "v": "x", "m": "w"}
"""The letter of a piece in positions: s Nosferatu, x vampire, w villager, "." an empty cell."""
DEAL: Mapping[Seat, tuple[Pawn, ...]] = {
    VAMPIRES: (NOSFERATU, *(Pawn(f"v{number}") for number in range(1, 6))),
    VILLAGERS: tuple(Pawn(f"m{number}") for number in range(1, 13)),
}


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Every ruling where the rules are silent, with its default; docs/games/nosferatu.md gives the
    reasons.

    `entry_safe`: a piece may not be entered where the first jump of an enemy capture, or any jump
    of one, could take it. `no_safe_cell`: what a seat does when it has pieces in hand and no safe
    cell for them. `stalemate`: the result of having no legal turn; two passes in a row are a draw.
    `draws`: the same position with the same side to move for the third time is a draw.
    """

    entry_safe: Literal["first_jump", "chain"] = "first_jump"
    no_safe_cell: Literal["move", "pass"] = "move"
    stalemate: Literal["pass", "loss", "draw"] = "pass"
    draws: bool = True


class Hands(Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers of pieces still to be entered."""

    nosferatu: Annotated[int, Meta(ge=0, le=1)] = 0
    vampires: Annotated[int, Meta(ge=0, le=17)] = 0
    villagers: Annotated[int, Meta(ge=0, le=12)] = 0


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A position in the middle of a game.

    rows: from the top, each of `s`, `x`, `w` and "." from the left; none for the empty board
    """

    rows: tuple[str, ...] = ()
    hands: Hands = Hands()
    to_move: Literal["vampires", "villagers"] = "vampires"


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """The set-up of a game: the empty board, or a `position`."""

    options: Options = Options()
    position: Position | None = None
