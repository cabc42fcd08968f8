"""Define the events of a game: what each changes, and its message."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.core.game import Event, Message, Outcome, PublicEvent, Seat, tagged_types
from companion.core.placement import Cell, Pawn
from companion.games.nosferatu.options import KINDS, Options
from companion.games.nosferatu.state import Public, side


class GameSetUp(PublicEvent, frozen=True, tag="game_set_up"):
    """The pieces are dealt: `pieces` are on the board, `hands` will be entered in this order."""

    players: int
    options: Options
    pieces: dict[str, str]
    hands: dict[str, tuple[str, ...]]
    to_move: str

    def apply(self, public: Public) -> Public:
        pieces = {Pawn(pawn): Cell(cell) for pawn, cell in self.pieces.items()}
        hands = {Seat(seat): tuple(map(Pawn, pawns)) for seat, pawns in self.hands.items()}
        return Public(self.options, pieces, hands, entered=bool(pieces))


class TurnStarted(PublicEvent, frozen=True, tag="turn_started"):
    """A seat is to move."""

    seat: Seat

    def apply(self, public: Public) -> Public:
        key = f"{public.rows}{self.seat}"
        seen = {**public.seen, key: public.seen.get(key, 0) + 1}
        return replace(public, to_move=self.seat, chain=None, turns=public.turns + 1, seen=seen)


class PieceEvent(PublicEvent, frozen=True):
    """Something happened to a piece; the message has its kind as `piece`."""

    pawn: Pawn

    def message_named(self, name: str) -> Message:
        plain = super().message_named(name)
        return Message(plain.code, {**plain.params, "piece": KINDS[self.pawn[0]]})


class PieceEntered(PieceEvent, frozen=True, tag="piece_entered"):
    """A piece came onto the board."""

    cell: Cell

    def apply(self, public: Public) -> Public:
        seat = side(self.pawn)
        hand = tuple(piece for piece in public.hands[seat] if piece != self.pawn)
        return replace(
            public,
            pieces={**public.pieces, self.pawn: self.cell},
            hands={**public.hands, seat: hand},
            entered=True,
            passes=0,
            seen={},
        )


class PieceMoved(PieceEvent, frozen=True, tag="piece_moved"):
    """A piece moved in a straight line."""

    origin: Cell = msgspec.field(name="from")
    cell: Cell

    def apply(self, public: Public) -> Public:
        return replace(public, pieces={**public.pieces, self.pawn: self.cell}, passes=0)


class PieceJumped(PieceEvent, frozen=True, tag="piece_jumped", omit_defaults=True):
    """A piece jumped over another one, which left the board, or became the vampire `becomes`."""

    origin: Cell = msgspec.field(name="from")
    cell: Cell
    taken: Pawn
    taken_cell: Cell
    becomes: Pawn | None = None

    def apply(self, public: Public) -> Public:
        pieces = {pawn: cell for pawn, cell in public.pieces.items() if pawn != self.taken}
        pieces[self.pawn] = self.cell
        taken, turned = public.taken, public.turned
        if self.becomes:
            pieces[self.becomes] = self.taken_cell
            turned = (*turned, self.taken)
        else:
            taken = (*taken, self.taken)
        return replace(
            public, pieces=pieces, chain=self.pawn, passes=0, seen={}, taken=taken, turned=turned
        )

    def message(self) -> Message:
        plain = self.message_named("piece_converted" if self.becomes else "piece_taken")
        return Message(plain.code, {**plain.params, "taken": KINDS[self.taken[0]]})


class Passed(PublicEvent, frozen=True, tag="passed"):
    """A seat had no legal turn."""

    seat: Seat

    def apply(self, public: Public) -> Public:
        return replace(public, passes=public.passes + 1)


class PieceSet(PieceEvent, frozen=True, tag="piece_set"):
    """A piece was set on a cell by hand, by agreement; this is no move."""

    origin: Cell = msgspec.field(name="from")
    cell: Cell

    def apply(self, public: Public) -> Public:
        return replace(public, pieces={**public.pieces, self.pawn: self.cell}, seen={})


class GameOver(PublicEvent, frozen=True, tag="game_over"):
    """The game is over."""

    winner: Literal["vampires", "villagers", "draw"]
    reason: Literal[
        "nosferatu_taken", "villagers_gone", "repetition", "passes", "stalemate", "agreed"
    ]

    def apply(self, public: Public) -> Public:
        outcome = Outcome(self.winner, self.reason)
        return replace(public, to_move=None, chain=None, outcome=outcome)

    def message(self) -> Message:
        return self.message_named(f"game_over.{self.winner}")


EVENTS = tagged_types(Event, globals())
