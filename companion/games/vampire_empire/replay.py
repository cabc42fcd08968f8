"""Annotate a finished game of secret characters: vampires, city, both hands, and the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.core.capabilities import Annotations, Moment, ReplayFormat
from companion.core.game import Message, PublicEvent, Seat, State
from companion.games.vampire_empire import events
from companion.games.vampire_empire.cards import HUMAN
from companion.games.vampire_empire.state import Own, Public


def annotate(moments: Sequence[Moment]) -> Annotations:
    """Return the facts of each moment: "hands" (characters and cards of each seat), "city" (from
    its top; unknown with real cards) and "alive" (humans, then vampires). A private event belongs
    to the moment of its public event.
    """
    settled = zip(moments, _settled_states(moments), strict=True)
    return [_annotation(after) if _is_moment(moment) else None for moment, after in settled]


def _settled_states(moments: Sequence[Moment]) -> list[State]:
    """Return for each moment the state after its public event and the private events that
    follow.
    """
    settled: list[State] = []
    state = moments[-1].state
    for number in reversed(range(len(moments))):
        if number + 1 == len(moments) or isinstance(moments[number + 1].event, PublicEvent):
            state = moments[number].state
        settled.append(state)
    return settled[::-1]


def _is_moment(moment: Moment) -> bool:
    public: Public = moment.state.public
    match moment.event:
        case events.FightEnded(killed=str()):
            return False
        case (
            events.StepReached()
            | events.LayingEnded()
            | events.SupportAsked()
            | events.SupportDeclined()
            | events.SupportEnded()
        ):
            return False
        case events.CardPaid() | events.IdentitiesShown():
            return False
    # Before the first turn cards are dealt: it begins with the hands.
    return isinstance(moment.event, PublicEvent) and public.turns > 0


def _annotation(state: State) -> dict[str, Any]:
    public: Public = state.public
    parts: Mapping[Seat, Own] = state.private
    vampires = state.hidden.deal.vampires
    living = [name in vampires for name in public.living]
    return {
        "hands": {
            seat: {"characters": list(own.characters), "cards": list(own.hand)}
            for seat, own in parts.items()
        },
        "city": list(state.hidden.city),
        "alive": [living.count(False), living.count(True)],
    }


def statistics(moments: Sequence[Moment]) -> list[Message]:
    """Return the statistics of a game: the end of each vampire, the humans that the human player
    knew, fights, holy water and support cards.
    """
    last = moments[-1].state
    known: Own = last.private[HUMAN]
    first, second = known.characters
    history = [moment.event for moment in moments]
    fights = sum(isinstance(event, events.FightBegun) for event in history)
    deaths = sum(isinstance(event, events.CharacterDied) for event in history)
    water = [event.vampire for event in history if isinstance(event, events.HolyWaterAnswered)]
    return [
        *(_end_message(moments, name) for name in last.hidden.deal.vampires),
        Message("figure.vampire_empire.trusted", {"character": first, "target": second}),
        Message("figure.vampire_empire.fights", {"n": fights, "kills": deaths}),
        *(
            [Message("figure.vampire_empire.water", {"n": len(water), "hits": sum(water)})]
            if water
            else []
        ),
        *_supports(moments),
        Message("figure.turns", {"n": last.public.turns}),
    ]


def _end_message(moments: Sequence[Moment], vampire: str) -> Message:
    """Return the end of a vampire: dead, shown, or never known."""
    turns = {
        type(moment.event): moment.state.public.turns
        for moment in moments
        if isinstance(moment.event, events.CharacterDied | events.VampireRevealed)
        and moment.event.character == vampire
    }
    if events.CharacterDied in turns:
        return Message(
            "figure.vampire_empire.died",
            {"character": vampire, "round": turns[events.CharacterDied]},
        )
    if events.VampireRevealed in turns:
        return Message(
            "figure.vampire_empire.shown",
            {"character": vampire, "round": turns[events.VampireRevealed]},
        )
    return Message("figure.vampire_empire.unknown", {"character": vampire})


def _supports(moments: Sequence[Moment]) -> Iterator[Message]:
    played = [
        moment.event.seat == moment.state.public.turn
        for moment in moments
        if isinstance(moment.event, events.SupportPlayed)
    ]
    if played:
        yield Message(
            "figure.vampire_empire.supports", {"n": len(played), "out": played.count(False)}
        )


REPLAY = ReplayFormat(annotate, statistics)
