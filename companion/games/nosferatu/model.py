"""The words of Nosferatu: options, pieces, actions, events and the state they make.

Seats `vampires` and `villagers`; pieces `n` (Nosferatu), `v1` … (vampires) and `m1` … (the
villagers' men); cells `a1` to `g7`, `d4` in the centre.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from companion.core.game import Action, Event, Outcome, PublicEvent, Seat
from companion.core.hexgrid import Hexgrid
from companion.core.placement import Cell, Pawn

VAMPIRES, VILLAGERS = Seat("vampires"), Seat("villagers")
SEATS: tuple[Seat, ...] = (VAMPIRES, VILLAGERS)
FIELD = Hexgrid(4)
NOSFERATU = Pawn("n")
KINDS: Mapping[str, str] = {"n": "nosferatu", "v": "vampire", "m": "villager"}
"""The kind of a piece by the first letter of its name."""
LETTERS: Mapping[str, str] = {"n": "s", "v": "x", "m": "w"}
"""A piece as it is written in a position: s Nosferatu, x vampire, w villager, "." an empty cell."""
DEAL: Mapping[Seat, tuple[Pawn, ...]] = {
    VAMPIRES: (NOSFERATU, *(Pawn(f"v{number}") for number in range(1, 6))),
    VILLAGERS: tuple(Pawn(f"m{number}") for number in range(1, 13)),
}


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Every ruling where the rules are silent, with its default; docs/games/nosferatu.md gives the
    reasons.

    `entry_safe`: a piece may not be entered where the first jump of an enemy capture, or any jump
    of one, could take it. `no_safe_cell`: what a seat does that has pieces in hand and no safe cell
    for them. `stalemate`: what no legal turn means; two passes in a row draw. `draws`: the same
    position with the same side to move for the third time is a draw.
    """

    entry_safe: Literal["first_jump", "chain"] = "first_jump"
    no_safe_cell: Literal["move", "pass"] = "move"
    stalemate: Literal["pass", "loss", "draw"] = "pass"
    draws: bool = True


class Hands(Struct, frozen=True, forbid_unknown_fields=True):
    """How many pieces are still to be entered."""

    nosferatu: Annotated[int, Meta(ge=0, le=1)] = 0
    vampires: Annotated[int, Meta(ge=0, le=17)] = 0
    villagers: Annotated[int, Meta(ge=0, le=12)] = 0


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A position in the middle of a game: `rows` from the top, `s`, `x`, `w` and "." from the
    left.
    """

    rows: tuple[str, ...]
    hands: Hands = Hands()
    to_move: Literal["vampires", "villagers"] = "vampires"


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """How a game is started: on the empty board, or from a `position`."""

    options: Options = Options()
    position: Position | None = None


class Enter(Action, frozen=True, tag="enter"):
    """A piece in hand comes onto an empty cell where it is not open to immediate attack."""

    pawn: Pawn
    to: Cell


class Move(Action, frozen=True, tag="move"):
    """One step; Nosferatu any distance through empty cells."""

    pawn: Pawn
    to: Cell


class Jump(Action, frozen=True, tag="jump", omit_defaults=True):
    """One jump of a capture.

    `convert`: Nosferatu turns the villager into a vampire, or else removes it.
    """

    pawn: Pawn
    to: Cell
    convert: bool = False


class Pass(Action, frozen=True, tag="pass"):
    """Nothing else is legal."""


PASS = Pass()


class GameSetUp(PublicEvent, frozen=True, tag="game_set_up"):
    """The pieces are dealt; `pieces` stand on the board, `hands` are to be entered in this
    order.
    """

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
    """A piece went in a straight line."""

    pawn: Pawn
    origin: Cell = msgspec.field(name="from")
    cell: Cell


class PieceJumped(PublicEvent, frozen=True, tag="piece_jumped", omit_defaults=True):
    """A piece jumped over another, which left the board or, with `becomes`, is the vampire of that
    name now.
    """

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
    """A piece was set on a cell by hand, as everybody agreed; no move."""

    pawn: Pawn
    origin: Cell = msgspec.field(name="from")
    cell: Cell


class GameOver(PublicEvent, frozen=True, tag="game_over"):
    """The game is over."""

    winner: Literal["vampires", "villagers", "draw"]
    reason: Literal[
        "nosferatu_taken", "villagers_gone", "repetition", "passes", "stalemate", "agreed"
    ]


ACTIONS: tuple[type[Action], ...] = (Enter, Move, Jump, Pass)
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


class Public(Struct, frozen=True, dict=True):
    """What everybody knows, which is all. Mappings are never changed in place.

    `pieces` on their cells, `hands` the pieces still to be entered, `chain` the piece that must go
    on capturing, `entered` whether any piece was ever entered, `passes` in a row, `seen` how often
    each position stood at the beginning of a turn since the last capture or entering.
    """

    options: Options
    pieces: Mapping[Pawn, Cell]
    hands: Mapping[Seat, tuple[Pawn, ...]]
    to_move: Seat | None = None
    chain: Pawn | None = None
    entered: bool = False
    passes: int = 0
    seen: Mapping[str, int] = {}
    turns: int = 0
    outcome: Outcome | None = None

    @cached_property
    def standing(self) -> dict[Cell, Pawn]:
        """The piece on each cell that is not empty."""
        return {cell: pawn for pawn, cell in self.pieces.items()}

    @cached_property
    def rows(self) -> str:
        """The position as it is written, row after row."""
        return "".join(
            LETTERS[self.standing[cell][0]] if cell in self.standing else "."
            for cell in FIELD.cells
        )


def side(pawn: Pawn) -> Seat:
    """Return the seat whose piece it is."""
    return VILLAGERS if pawn[0] == "m" else VAMPIRES


def other(seat: Seat) -> Seat:
    """Return the seat on the other side."""
    return VAMPIRES if seat == VILLAGERS else VILLAGERS
