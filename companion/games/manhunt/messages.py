"""Describe events as messages, and the view as JSON.

Sentences are in the language catalogues, by code.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.codec import event_name
from companion.core.game import Message, PublicEvent, View
from companion.games.manhunt.events import (
    ArrestAsked,
    FugitiveMoved,
    GameOver,
    NightOver,
    NothingFound,
    PawnWalked,
    QuestionAnswered,
    QuestionAsked,
    TurnAnnounced,
    TurnStarted,
)
from companion.games.manhunt.options import F
from companion.games.manhunt.state import Hidden, Public


def describe(event: PublicEvent) -> Message:
    """Return the code and parameters of an event's message."""
    match event:
        case FugitiveMoved(ways=None, distance=None):
            return Message("event.fugitive_moved")
        case FugitiveMoved(ways=None, distance=distance) if distance is not None:
            return Message("event.fugitive_far", {"n": distance})
        case FugitiveMoved(ways=()):
            return Message("event.fugitive_stayed")
        case FugitiveMoved(ways=ways):
            return Message("event.fugitive_ways", {"kinds": ", ".join(ways or ())})
        case QuestionAnswered(question=question, cell=cell, yes=yes, found=found):
            code = f"event.{question}.{'yes' if yes else 'no'}"
            return Message(code, {"cell": cell, **({"found": found} if found else {})})
        case QuestionAsked(question=question, pawn=pawn, cell=cell):
            return Message(f"event.{question}.asked", {"pawn": pawn, "cell": cell})
        case ArrestAsked(cells=cells):
            return Message("event.arrest_asked", {"cells": ", ".join(cells)})
        case TurnAnnounced(cell=str(cell)):
            return Message("event.fugitive_shown", {"cell": cell})
        case TurnAnnounced(distance=int(distance)):
            return Message("event.fugitive_far", {"n": distance})
        case TurnAnnounced(ways=ways):
            return Message("event.fugitive_ways", {"kinds": ", ".join(ways)})
        case PawnWalked(pawn=pawn, to=to, kind=kind):
            return Message("event.hunter_walked", {"pawn": pawn, "to": to, "kind": kind})
        case NothingFound(cells=cells):
            return Message("event.nothing_found", {"cells": ", ".join(cells)})
        case NightOver(night=night):
            return Message("event.night_escaped", {"night": night})
        case TurnStarted(seat=seat) if seat == F:
            return Message("event.fugitive_turn")
        case GameOver(winner=winner, reason=reason):
            return Message(f"event.game_over.{winner}", {"reason": reason})
    values: dict[str, Any] = msgspec.to_builtins(event)
    plain = {
        key: value
        for key, value in values.items()
        if key != "event" and isinstance(value, str | int)
    }
    return Message(f"event.{event_name(event)}", plain)


def encode_view(view: View) -> dict[str, Any]:
    """Return the view as JSON-ready values; the fugitive's own part is under "own".

    The map and its rule card, which never change in a game, are in `Game.reference`.
    """
    public: Public = view.public
    rules = public.board.rules
    return {
        "title": public.board.content.title,
        "map": public.board.digest,
        "hunters": list(public.hunters),
        "pawns": dict(public.pawns),
        "tickets": {pawn: dict(left) for pawn, left in public.tickets.items()},
        "fugitive_tickets": dict(public.fugitive_tickets),
        "doubles": public.doubles,
        "unseen": public.unseen,
        "to_move": public.to_move,
        "placed": public.placed,
        "night": public.night,
        "nights": rules.nights,
        "round": public.round,
        "rounds": rules.rounds,
        "shows": list(rules.shows),
        "again": public.again,
        "walked": dict(public.walked),
        "asked": list(public.asked),
        "entered": list(public.entered),
        "visited": list(public.visited),
        "announced": msgspec.to_builtins(public.announced),
        "answers": msgspec.to_builtins(public.answers),
        "options": msgspec.to_builtins(public.options),
        "outcome": None if public.outcome is None else msgspec.to_builtins(public.outcome),
        "own": _own(view.own),
        **(_on_paper(public) if public.options.on_paper else {}),
    }


def _on_paper(public: Public) -> dict[str, Any]:
    """Return the question to the fugitive, and its announcements of the present turn."""
    return {
        "question": None if public.question is None else msgspec.to_builtins(public.question),
        "turn_announced": msgspec.to_builtins(public.turn_announced),
    }


def _own(own: Hidden | None) -> dict[str, Any] | None:
    return None if own is None else msgspec.to_builtins(own)
