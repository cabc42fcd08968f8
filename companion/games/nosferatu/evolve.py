"""Apply events to the state."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.core.game import Outcome, PublicEvent, Seat
from companion.core.placement import Cell, Pawn
from companion.games.nosferatu.events import (
    GameOver,
    GameSetUp,
    Passed,
    PieceEntered,
    PieceJumped,
    PieceMoved,
    PieceSet,
    TurnStarted,
)
from companion.games.nosferatu.options import Options
from companion.games.nosferatu.state import Public, side

EMPTY = Public(Options(), {}, {})
"""The public part before the set-up."""


def fold(public: Public, event: PublicEvent) -> Public:
    """Return the public part after an event."""
    match event:
        case GameSetUp():
            return _set_up(event)
        case TurnStarted(seat=seat):
            return _turn_started(public, seat)
        case PieceEntered(pawn=pawn, cell=cell):
            seat = side(pawn)
            hands = {
                **public.hands,
                seat: tuple(piece for piece in public.hands[seat] if piece != pawn),
            }
            return replace(
                public,
                pieces={**public.pieces, pawn: cell},
                hands=hands,
                entered=True,
                passes=0,
                seen={},
            )
        case PieceSet(pawn=pawn, cell=cell):
            return replace(public, pieces={**public.pieces, pawn: cell}, seen={})
        case PieceMoved(pawn=pawn, cell=cell):
            return replace(public, pieces={**public.pieces, pawn: cell}, passes=0)
        case PieceJumped():
            return _jumped(public, event)
        case Passed():
            return replace(public, passes=public.passes + 1)
        case GameOver(winner=winner, reason=reason):
            return replace(public, to_move=None, chain=None, outcome=Outcome(winner, reason))
    raise TypeError(f"not an event of this game: {type(event).__name__}")


def _set_up(event: GameSetUp) -> Public:
    pieces = {Pawn(pawn): Cell(cell) for pawn, cell in event.pieces.items()}
    hands = {Seat(seat): tuple(Pawn(pawn) for pawn in pawns) for seat, pawns in event.hands.items()}
    return Public(event.options, pieces, hands, entered=bool(pieces))


def _turn_started(public: Public, seat: Seat) -> Public:
    public = replace(public, to_move=seat, chain=None, turns=public.turns + 1)
    key = f"{public.rows}{seat}"
    return replace(public, seen={**public.seen, key: public.seen.get(key, 0) + 1})


def _jumped(public: Public, event: PieceJumped) -> Public:
    pieces: dict[Pawn, Any] = {
        pawn: cell for pawn, cell in public.pieces.items() if pawn != event.taken
    }
    pieces[event.pawn] = event.cell
    if event.becomes:
        pieces[event.becomes] = event.taken_cell
        lost = {"turned": (*public.turned, event.taken)}
    else:
        lost = {"taken": (*public.taken, event.taken)}
    return replace(public, pieces=pieces, chain=event.pawn, passes=0, seen={}, **lost)
