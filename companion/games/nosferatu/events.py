"""Events of a game."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.core.game import Event, PublicEvent, Seat
from companion.core.placement import Cell, Pawn
from companion.games.nosferatu.options import Options


class GameSetUp(PublicEvent, frozen=True, tag="game_set_up"):
    """The pieces are dealt: `pieces` are on the board, `hands` will be entered in this order."""

    players: int
    options: Options
    pieces: dict[str, str]
    hands: dict[str, tuple[str, ...]]
    to_move: str


class TurnStarted(PublicEvent, frozen=True, tag="turn_started"):
    """A seat is to move."""

    seat: Seat


class PieceEntered(PublicEvent, frozen=True, tag="piece_entered"):
    """A piece came onto the board."""

    pawn: Pawn
    cell: Cell


class PieceMoved(PublicEvent, frozen=True, tag="piece_moved"):
    """A piece moved in a straight line."""

    pawn: Pawn
    origin: Cell = msgspec.field(name="from")
    cell: Cell


class PieceJumped(PublicEvent, frozen=True, tag="piece_jumped", omit_defaults=True):
    """A piece jumped over another one, which left the board, or became the vampire `becomes`."""

    pawn: Pawn
    origin: Cell = msgspec.field(name="from")
    cell: Cell
    taken: Pawn
    taken_cell: Cell
    becomes: Pawn | None = None


class Passed(PublicEvent, frozen=True, tag="passed"):
    """A seat had no legal turn."""

    seat: Seat


class PieceSet(PublicEvent, frozen=True, tag="piece_set"):
    """A piece was set on a cell by hand, by agreement; this is no move."""

    pawn: Pawn
    origin: Cell = msgspec.field(name="from")
    cell: Cell


class GameOver(PublicEvent, frozen=True, tag="game_over"):
    """The game is over."""

    winner: Literal["vampires", "villagers", "draw"]
    reason: Literal[
        "nosferatu_taken", "villagers_gone", "repetition", "passes", "stalemate", "agreed"
    ]


EVENTS: tuple[type[Event], ...] = (
    GameSetUp,
    TurnStarted,
    PieceEntered,
    PieceMoved,
    PieceJumped,
    Passed,
    PieceSet,
    GameOver,
)
