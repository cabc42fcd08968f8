"""Annotate and count a finished game: the fugitive's true place beside the possible ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.core.capabilities import Annotations, Moment, ReplayFormat
from companion.core.game import Event, Message, PublicEvent
from companion.games.manhunt import events
from companion.games.manhunt.belief import Belief
from companion.games.manhunt.board import FAR
from companion.games.manhunt.options import F
from companion.games.manhunt.state import Hidden, Public
from companion.games.manhunt.suggestions import odds


def annotate(moments: Sequence[Moment]) -> Annotations:
    """Return the fugitive's place ("truth"), its path of this night and the possible places, each
    with its share in thousandths ("odds").
    """
    belief = Belief()
    facts: Annotations = []
    for number, moment in enumerate(moments):
        if isinstance(moment.event, PublicEvent):
            belief.observe(moment.event)
        own: Hidden = moment.state.private.get(F, Hidden())
        fact: dict[str, Any] = {
            "truth": own.cell,
            "trail": list(own.trail),
            "odds": odds(belief.cells),
        }
        facts.append(fact if number == 0 or _is_moment(moment.event) else None)
    return facts


def _is_moment(event: Event) -> bool:
    """Return whether the replay shows an event alone; otherwise the next moment includes it."""
    return not isinstance(event, events.TurnStarted | events.GameSetUp | events.DoubleMoved)


def statistics(moments: Sequence[Moment]) -> list[Message]:
    """Return the statistics of the game, the most important first."""
    return [*_closest(moments), *_fewest(moments), *_counts(moments)]


def _closest(moments: Sequence[Moment]) -> Iterator[Message]:
    """Yield a message: the pawn that came nearest to the fugitive without catching it."""
    near: list[tuple[int, str, int]] = []
    for moment in moments:
        own: Hidden = moment.state.private.get(F, Hidden())
        public: Public = moment.state.public
        if isinstance(moment.event, events.PawnWalked) and own.cell is not None:
            steps = public.board.distance(moment.event.to, own.cell)
            near += [(steps, moment.event.pawn, public.round)] if 0 < steps < FAR else []
    if near:
        steps, pawn, number = min(near, key=lambda each: each[0])
        yield Message("figure.manhunt.closest", {"n": steps, "pawn": pawn, "round": number})


def _fewest(moments: Sequence[Moment]) -> Iterator[Message]:
    """Yield a message: the fewest places that were possible after a turn of the fugitive."""
    belief, counts = Belief(), list[tuple[int, int]]()
    for moment in moments:
        if isinstance(moment.event, PublicEvent):
            belief.observe(moment.event)
            if isinstance(moment.event, events.FugitiveMoved):
                counts.append((belief.places.bit_count(), belief.public.round))
    if counts:
        count, number = min(counts)
        yield Message("figure.manhunt.fewest", {"n": count, "round": number})


def _counts(moments: Sequence[Moment]) -> Iterator[Message]:
    history = [moment.event for moment in moments]
    steps = sum(isinstance(event, events.FugitiveStepped) for event in history)
    if steps:
        yield Message("figure.manhunt.steps", {"n": steps})
    asked = [event for event in history if isinstance(event, events.QuestionAnswered)]
    if asked:
        yes = sum(event.yes for event in asked)
        yield Message("figure.manhunt.questions", {"n": len(asked), "yes": yes})


REPLAY = ReplayFormat(annotate, statistics)
