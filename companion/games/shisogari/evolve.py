"""Apply events to the state: public events alone change the public part, private events the
hands.
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from companion.core.game import Outcome, PublicEvent, Seat
from companion.games.shisogari.cards import in_box_order, without
from companion.games.shisogari.events import (
    Accused,
    CardKept,
    CardPassed,
    CardPicked,
    CardPlaced,
    CardsShown,
    ColourChosen,
    Dealt,
    GameOver,
    GameSetUp,
    ItemNamed,
    LastCardsOffered,
    LastCardTaken,
    PairLaid,
    PairsCounted,
    PartnerChosen,
    Passed,
    TurnStarted,
)
from companion.games.shisogari.options import Options, Step
from companion.games.shisogari.state import Hand, LaidPair, Public, Transfer

EMPTY = Public(Options())
"""The public part before the set-up."""


def fold(public: Public, event: PublicEvent) -> Public:
    """Return the public part after an event."""
    match event:
        case GameSetUp(options=options, backs=backs, last=last):
            seats = [Seat(seat) for seat in backs]
            return Public(
                options,
                {seat: backs[seat] for seat in seats},
                {seat: () for seat in seats},
                last=last,
            )
        case LastCardsOffered(seat=seat):
            return replace(public, turn=seat, step="last_card")
        case ColourChosen(seat=seat, colour=colour):
            return _with_last_card(public, seat, colour[0])
        case TurnStarted(seat=seat):
            return replace(public, turn=seat, step="turn", transfer=None, turns=public.turns + 1)
        case PartnerChosen(seat=seat, way=way, partner=partner):
            return replace(public, step="name", transfer=Transfer(seat, way, partner))
        case ItemNamed(item=item):
            return _with_transfer(
                public, "pick" if public.options.hands == "phones" else "report", item=item
            )
        case CardPicked(giver=giver, colour=colour):
            left = {**public.backs, giver: public.backs[giver].replace(colour[0], "", 1)}
            return replace(_with_transfer(public, "place", colour=colour), backs=left)
        case CardKept() | PairLaid():
            return _placed(public, event)
        case Passed():
            return public
        case Accused():
            step: Step = "over" if public.options.hands == "phones" else "count"
            return replace(public, accused=event, step=step)
        case CardsShown():
            return replace(public, shown=event)
        case PairsCounted():
            return replace(public, counted=event)
        case GameOver(winner=winner, reason=reason):
            return replace(public, step="over", outcome=Outcome(winner, reason))
    raise TypeError(f"not an event of this game: {type(event).__name__}")


def hand_after(
    hands: dict[Seat, Hand], event: Dealt | LastCardTaken | CardPassed | CardPlaced
) -> dict[Seat, Hand]:
    """Return the hands after a private event; unknown hands stay unknown."""
    match event:
        case Dealt(seat=seat, role=role, cards=cards, boxed=boxed):
            return {**hands, seat: Hand(role, cards, boxed=boxed)}
        case LastCardTaken(seat=seat, card=card):
            return {
                **hands,
                seat: replace(hands[seat], cards=in_box_order((*hands[seat].cards, card))),
            }
        case CardPassed(picker=picker, giver=giver, card=card):
            changed = dict(hands)
            if giver in hands:
                changed[giver] = replace(hands[giver], cards=without(hands[giver].cards, card))
            if picker in hands:
                changed[picker] = replace(hands[picker], picked=card)
            return changed
        case CardPlaced(seat=seat, card=card, beside=beside, turned=turned):
            return {**hands, seat: _hand_placed(hands[seat], card, beside, turned=turned)}
        case _ as never:
            assert_never(never)


def _with_last_card(public: Public, seat: Seat, letter: str) -> Public:
    seats = list(public.backs)
    backs = {**public.backs, seat: _sorted_backs(public.backs[seat] + letter)}
    following = seats[(seats.index(seat) + 1) % len(seats)]
    return replace(public, backs=backs, last=public.last.replace(letter, "", 1), turn=following)


def _sorted_backs(letters: str) -> str:
    return "".join(sorted(letters, reverse=True))


def _hand_placed(hand: Hand, card: str, beside: str | None, *, turned: bool) -> Hand:
    hand = replace(hand, picked=None, role="kin" if turned else hand.role)
    if beside is None:
        return replace(hand, cards=in_box_order((*hand.cards, card)))
    return replace(hand, cards=without(hand.cards, beside), laid=(*hand.laid, (card, beside)))


def _with_transfer(public: Public, step: Step, **change: str) -> Public:
    assert public.transfer is not None, "no turn is under way"
    return replace(public, step=step, transfer=replace(public.transfer, **change))


def _placed(public: Public, event: CardKept | PairLaid) -> Public:
    """Return the public part after a placed card. With real cards this also removes the giver's
    back, because the pick and the report belong to one moment.
    """
    transfer = public.transfer
    assert transfer is not None, "no turn is under way"
    backs = dict(public.backs)
    if public.options.hands == "cards":
        backs[transfer.giver] = backs[transfer.giver][1:]
    pairs = dict(public.pairs)
    if isinstance(event, PairLaid):
        own = backs[event.seat]
        backs[event.seat] = (
            own.replace(event.colour[0], "", 1) if public.options.hands == "phones" else own[1:]
        )
        pairs[event.seat] = (*pairs[event.seat], LaidPair(event.colour, event.item))
    else:
        letter = event.colour[0] if event.colour else "?"
        backs[event.seat] = _sorted_backs(backs[event.seat] + letter)
    return replace(public, backs=backs, pairs=pairs)
