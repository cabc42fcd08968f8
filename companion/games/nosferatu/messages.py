"""Describe events as messages, and the view as JSON.

The language catalogues have the sentences by code.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.game import Message, PublicEvent, View
from companion.games.nosferatu.events import (
    GameOver,
    PieceEntered,
    PieceJumped,
    PieceMoved,
    PieceSet,
    TurnStarted,
)
from companion.games.nosferatu.movement import jumps
from companion.games.nosferatu.options import FIELD, KINDS
from companion.games.nosferatu.state import Public


def describe(event: PublicEvent) -> Message:
    """Return the code and parameters of an event's message."""
    match event:
        case PieceEntered(pawn=pawn, cell=cell):
            return Message("event.piece_entered", {"piece": KINDS[pawn[0]], "cell": cell})
        case PieceMoved(pawn=pawn, origin=origin, cell=cell):
            return Message(
                "event.piece_moved", {"piece": KINDS[pawn[0]], "from": origin, "cell": cell}
            )
        case PieceSet(pawn=pawn, cell=cell):
            return Message("event.piece_set", {"piece": KINDS[pawn[0]], "cell": cell})
        case PieceJumped(pawn=pawn, cell=cell, taken=taken, taken_cell=at, becomes=becomes):
            code = "event.piece_converted" if becomes else "event.piece_taken"
            return Message(
                code, {"piece": KINDS[pawn[0]], "cell": cell, "taken": KINDS[taken[0]], "at": at}
            )
        case TurnStarted(seat=seat):
            return Message("event.side_to_move", {"seat": seat})
        case GameOver(winner=winner, reason=reason):
            return Message(f"event.game_over.{winner}", {"reason": reason})
    values: dict[str, Any] = msgspec.to_builtins(event)
    tag = values.pop("event")
    return Message(
        f"event.{tag}",
        {key: value for key, value in values.items() if isinstance(value, str | int)},
    )


def encode_view(view: View) -> dict[str, Any]:
    """Return the view as JSON-ready values; no seat has secrets."""
    public: Public = view.public
    return {
        "rows": [list(row) for row in FIELD.rows],
        "pawns": dict(public.pieces),
        "hands": {seat: list(pawns) for seat, pawns in public.hands.items()},
        "taken": list(public.taken),
        "turned": list(public.turned),
        "to_move": public.to_move,
        "chain": public.chain,
        "must_capture": public.to_move is not None and bool(jumps(public, public.to_move)),
        "turns": public.turns,
        "options": msgspec.to_builtins(public.options),
        "outcome": None if public.outcome is None else msgspec.to_builtins(public.outcome),
        "own": None,
    }
