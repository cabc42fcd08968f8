"""Annotate a finished game of V-Wars: factions, hands and piles at each moment, and the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from companion.core.capabilities import Annotations, Moment, ReplayFormat
from companion.core.game import Message, Seat, State
from companion.games.vwars import events
from companion.games.vwars.content import side_of
from companion.games.vwars.options import POOL
from companion.games.vwars.state import Hand, Hidden

SILENT = (
    events.Dealt,
    events.DealKept,
    events.PileShuffled,
    events.CardGiven,
    events.CardsDrawn,
    events.ChoiceAsked,
)
"""Events that belong to the moment of another event."""


def annotate(moments: Sequence[Moment]) -> Annotations:
    """Return the facts of each moment: "hands" (faction and cards) and "piles" (each region's,
    "pool", "deck" and "discards", from the top). The first moment is the first one with an action
    of people. With real cards all cards are unknown, with real faction cards the factions too.
    """
    facts: list[dict[str, Any] | None] = []
    has_begun = False
    for number, moment in enumerate(moments):
        has_begun = has_begun or isinstance(moment.event, events.ToType | events.TurnStarted)
        # The next event, which is sent to nobody, has the order of the region's deck and so the
        # card's place.
        last = (
            moments[number + 1]
            if isinstance(moment.event, events.RiotBegan | events.RiotCardDiscarded)
            else moment
        )
        facts.append(
            _known(last.state) if has_begun and not isinstance(moment.event, SILENT) else None
        )
    return facts


def _known(state: State) -> dict[str, Any]:
    hands: dict[Seat, Hand] = dict(state.private)
    hidden: Hidden = state.hidden
    known: dict[str, Any] = {"hands": msgspec.to_builtins(hands)} if hands else {}
    if hidden.content is not None:
        piles = hidden.piles
        lying = {**piles.regions, POOL: piles.pool, "deck": piles.deck, "discards": piles.discards}
        known["piles"] = msgspec.to_builtins(lying)
    return known


def statistics(moments: Sequence[Moment]) -> list[Message]:
    """Return the statistics of a game: factions and when they became public, the cards that hidden
    vampires gave, the riots.
    """
    last = moments[-1].state
    hands: Mapping[Seat, Hand] = last.private
    public = {
        moment.event.seat: moment.state.public.turns
        for moment in moments
        if isinstance(moment.event, events.TurnedPublic)
    }
    riots = Counter(
        moment.event.winner for moment in moments if isinstance(moment.event, events.RiotEnded)
    )
    counts: dict[str, str | int] = {
        "humans": riots["human"],
        "vampires": riots["vampire"],
        "nobody": riots[None],
    }
    return [
        *(
            _faction_message(seat, hand.faction, public.get(seat))
            for seat, hand in hands.items()
            if hand.faction != "human"
        ),
        *_vampire_card_messages(moments),
        *_investigations(moments),
        Message("figure.vwars.riots", {"n": riots.total(), **counts}),
        Message("figure.turns", {"n": last.public.turns}),
    ]


def _faction_message(seat: Seat, faction: str, turn: int | None) -> Message:
    if turn is None:
        return Message(f"figure.vwars.{faction}.hidden", {"seat": seat})
    return Message(f"figure.vwars.{faction}.public", {"seat": seat, "round": turn})


def _vampire_card_messages(moments: Sequence[Moment]) -> Iterator[Message]:
    """Yield for each vampire the number of vampire cards among the cards that it gave secretly."""
    counts: dict[Seat, Counter[str]] = {}
    for moment in moments:
        match moment.event:
            case events.CardPut(seat=seat, card=card, to=str()) if not moment.state.public.players[
                seat
            ].vampire:
                if moment.state.private[seat].faction == "vampire":
                    counts.setdefault(seat, Counter())[side_of(card)] += 1
    for seat, sides in counts.items():
        yield Message(
            "figure.vwars.given", {"seat": seat, "n": sides["vampire"], "of": sides.total()}
        )


def _investigations(moments: Sequence[Moment]) -> Iterator[Message]:
    for moment in moments:
        match moment.event:
            case events.Investigated(seat=seat, target=target, right=right):
                code = "figure.vwars.right" if right else "figure.vwars.wrong"
                yield Message(
                    code, {"seat": seat, "by": target, "round": moment.state.public.turns}
                )


REPLAY = ReplayFormat(annotate, statistics)
