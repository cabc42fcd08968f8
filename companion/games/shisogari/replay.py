"""Annotate a finished game of hidden hands: who held which card when, and the result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from companion.core.capabilities import Annotations, Moment, ReplayFormat
from companion.core.game import Message, Seat
from companion.games.shisogari import events
from companion.games.shisogari.cards import is_real
from companion.games.shisogari.options import NEEDED, Options
from companion.games.shisogari.state import Hand, Public
from companion.games.shisogari.turns import counted_pairs


def annotate(moments: Sequence[Moment]) -> Annotations:
    """Return the facts of each moment: "hands" (role, cards, the card just picked, laid pairs), and
    as "sum" the real pairs and Hunters. None: the next moment shows this event too. With real cards
    all facts are unknown.
    """
    begun = (
        moment.state.private
        for moment in moments
        if isinstance(moment.event, events.TurnStarted | events.LastCardsOffered)
    )
    dealt = next(begun, {})
    facts: list[dict[str, Any] | None] = []
    for number, moment in enumerate(moments):
        hands: dict[Seat, Hand] = dict(moment.state.private if number else dealt)
        if number and not _is_moment(moment):
            facts.append(None)
        elif hands:
            facts.append(
                {
                    "hands": msgspec.to_builtins(hands),
                    "sum": _sum(hands, moment.state.public.options),
                }
            )
        else:
            facts.append({})
    return facts


def _is_moment(moment: Moment) -> bool:
    """Return whether an event is a moment. The deal belongs to the first moment, a chosen partner
    to the named item, and a picked back to its card.
    """
    match moment.event:
        case (
            events.Dealt()
            | events.DealKept()
            | events.ColourChosen()
            | events.TurnStarted()
            | events.PartnerChosen()
            | events.CardPicked()
            | events.CardsShown()
        ):
            return False
        case events.CardPlaced(card=card, beside=beside, turned=turned):
            is_named = card == moment.state.public.transfer.item
            return turned or (beside is not None and not (is_named and is_real((card, beside))))
    return True


def _sum(hands: dict[Seat, Hand], options: Options) -> int:
    pairs = sum(counted_pairs(hand, options) for hand in hands.values())
    return pairs + sum(hand.role == "hunter" for hand in hands.values())


def statistics(moments: Sequence[Moment]) -> list[Message]:
    """Return the statistics of a game: the Vampire, the bitten Hunters, the pairs, and when they
    were enough.
    """
    last: Public = moments[-1].state.public
    hands: dict[Seat, Hand] = dict(moments[-1].state.private)
    if not hands:
        pairs_laid = [pair for pairs in last.pairs.values() for pair in pairs]
        up = sum(pair.item is not None for pair in pairs_laid)
        return [
            Message("figure.turns", {"n": last.turns}),
            Message("figure.pairs_up", {"n": len(pairs_laid), "up": up}),
        ]
    laid = [(hand.role, is_real(pair)) for hand in hands.values() for pair in hand.laid]
    real = sum(is_pair for _, is_pair in laid)
    fakes = laid.count(("vampire", False))
    return [
        *(
            Message("figure.vampire", {"seat": seat})
            for seat, hand in hands.items()
            if hand.role == "vampire"
        ),
        *_bites(moments),
        Message(
            "figure.pairs",
            {"n": len(laid), "real": real, "fakes": fakes, "bites": len(laid) - real - fakes},
        ),
        _enough(moments),
        Message("figure.turns", {"n": last.turns}),
    ]


def _bites(moments: Sequence[Moment]) -> Iterator[Message]:
    """Yield a sentence for each Hunter who picked a Bloodsucking card."""
    giver: Seat | None = None
    for moment in moments:
        match moment.event:
            case events.CardPassed() as passed:
                giver = passed.giver
            case events.CardPlaced(seat=seat, turned=True) if giver is not None:
                yield Message(
                    "figure.bitten", {"seat": seat, "by": giver, "round": moment.state.public.turns}
                )


def _enough(moments: Sequence[Moment]) -> Message:
    """Return the first turn with enough pairs and Hunters, or their greatest number."""
    needed = NEEDED[moments[-1].state.public.players]
    options = moments[-1].state.public.options
    known = [moment.state for moment in moments if moment.state.private]
    sums = [(_sum(dict(state.private), options), state.public.turns) for state in known]
    first = next((turn for many, turn in sums if many >= needed), None)
    if first is None:
        return Message("figure.never_enough", {"n": max(many for many, _ in sums), "of": needed})
    return Message("figure.enough", {"round": first, "of": needed})


REPLAY = ReplayFormat(annotate, statistics)
