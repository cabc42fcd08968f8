"""Describe events as messages, and the view as JSON.

Sentences are in the language catalogues, by code.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.codec import event_name
from companion.core.game import Message, PublicEvent, View
from companion.games.vampireradar.events import (
    GameOver,
    PawnsKilled,
    ShotFired,
    TokenSet,
    TurnEnded,
    TurnStarted,
)
from companion.games.vampireradar.options import V
from companion.games.vampireradar.state import Public


def describe(event: PublicEvent) -> Message:
    """Return the code and parameters of an event's message."""
    match event:
        case ShotFired(hit=hit):
            return Message("event.shot_hit" if hit else "event.shot_missed", _plain(event))
        case PawnsKilled(cell=cell, pawns=pawns):
            return Message("event.pawns_killed", {"cell": cell, "pawns": " ".join(pawns)})
        case TokenSet(lies=lies):
            return Message("event.token_laid" if lies else "event.token_removed", _plain(event))
        case TurnStarted(seat=seat) if seat == V:
            return Message("event.night_fell")
        case TurnEnded(seat=seat) if seat == V:
            return Message("event.night_over")
        case GameOver(winner=winner, reason=reason):
            return Message(f"event.game_over.{winner}", {"reason": reason})
    return Message(f"event.{event_name(event)}", _plain(event))


def _plain(event: PublicEvent) -> dict[str, str | int]:
    values: dict[str, Any] = msgspec.to_builtins(event)
    return {
        key: value
        for key, value in values.items()
        if key != "event" and isinstance(value, str | int)
    }


def encode_view(view: View) -> dict[str, Any]:
    """Return the view as JSON-ready values; the vampire's own part is under "own"."""
    public: Public = view.public
    return {
        "tiles": list(public.field.layout.tiles),
        "walls": list(public.field.layout.walls),
        "humans": list(public.humans),
        "pawns": dict(public.pawns),
        "gone": [pawn for pawn in public.start if pawn not in public.pawns],
        "tokens": {"bullets": list(public.bullet_tokens), "bats": list(public.bat_tokens)},
        "bullets": dict(public.bullets),
        "out": list(public.out),
        "hp": public.hp,
        "max_hp": public.max_hp,
        "placed": public.placed,
        "to_move": public.to_move,
        "actions_left": None if public.to_move in (None, V) else public.actions_left,
        "right": _right(public),
        "rights": list(public.rights),
        "round": public.round,
        "night": public.round if public.placed else 0,
        "spent": public.spent,
        "lost": public.lost,
        "options": msgspec.to_builtins(public.options),
        "outcome": None if public.outcome is None else msgspec.to_builtins(public.outcome),
        "own": _own(view),
        **({"asked": msgspec.to_builtins(public.asked)} if public.options.on_paper else {}),
        **({"paper_from": public.paper_from} if public.paper_from else {}),
    }


def _right(public: Public) -> dict[str, str] | None:
    if not public.rights:
        return None
    pawn = public.rights[-1]
    return {
        "pawn": pawn,
        "offers": "radar" if public.field.tile[public.pawns[pawn]] == "r" else "bullet",
    }


def _own(view: View) -> dict[str, Any] | None:
    if view.own is None:
        return None
    return {
        "cell": view.own.cell,
        "actions_left": view.own.actions_left,
        "trail": list(view.own.trail),
    }
