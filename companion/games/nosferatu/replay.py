"""Annotate and count a finished game in which nothing is hidden."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.capabilities import Annotations, Moment, ReplayFormat
from companion.core.game import Message
from companion.games.nosferatu.events import GameSetUp, PieceJumped, TurnStarted


def annotate(moments: Sequence[Moment]) -> Annotations:
    """Return no annotations. A second set-up belongs to the moment before it."""
    return [
        {} if number == 0 or not isinstance(moment.event, GameSetUp) else None
        for number, moment in enumerate(moments)
    ]


def statistics(moments: Sequence[Moment]) -> list[Message]:
    """Return the length of the game, and the pieces taken and turned."""
    events = [moment.event for moment in moments]
    jumps = [event for event in events if isinstance(event, PieceJumped)]
    turned = sum(jump.becomes is not None for jump in jumps)
    return [
        Message("figure.turns", {"n": sum(isinstance(event, TurnStarted) for event in events)}),
        Message("figure.taken", {"n": len(jumps) - turned}),
        *([Message("figure.turned", {"n": turned})] if turned else []),
    ]


REPLAY = ReplayFormat(annotate, statistics)
