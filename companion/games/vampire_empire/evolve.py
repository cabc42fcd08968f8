"""Apply events to the state: public events alone change the public part."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.core.game import Event, Outcome, PublicEvent, Seat, State
from companion.games.vampire_empire.cards import HUMAN, SEATS, VAMPIRE, without
from companion.games.vampire_empire.events import (
    ActionBegun,
    CardCancelled,
    CardDiscarded,
    CardFound,
    CardGone,
    CardLaid,
    CardPaid,
    CardsDrawn,
    CardsGot,
    CardsListed,
    CardTaken,
    CharacterDied,
    CharacterEntered,
    CharacterHidden,
    CharactersDealt,
    CitySeen,
    DealKept,
    DeckRemade,
    DeckShuffled,
    FightBegun,
    FightEnded,
    GameOver,
    GameSetUp,
    HolyWaterAnswered,
    IdentitiesShown,
    LayingEnded,
    MarkerPut,
    PileSearched,
    PileSeen,
    PlayerOut,
    RoundCounted,
    StepReached,
    SupportAsked,
    SupportDeclined,
    SupportEnded,
    SupportPlayed,
    TurnStarted,
    VampireRevealed,
)
from companion.games.vampire_empire.options import Options
from companion.games.vampire_empire.state import (
    Combat,
    Dead,
    Hidden,
    Laid,
    Marker,
    Own,
    Payment,
    Piles,
    Public,
    Support,
    Window,
)

EMPTY = Public(Options())
"""The public part before the set-up."""


def other(seat: Seat) -> Seat:
    """Return the opponent."""
    return HUMAN if seat == VAMPIRE else VAMPIRE


def evolve(state: State, event: Event) -> State:
    """Return the state after an event; unknown parts stay unknown."""
    hidden = (
        state.hidden if state.hidden is None else hidden_after(state.hidden, state.public, event)
    )
    if isinstance(event, DealKept):
        decks = {seat: event.deal.decks.get(seat, ()) for seat in SEATS}
        none = dict.fromkeys(SEATS, ())
        hidden = Hidden(event.deal, event.content, event.deal.city[3:], decks, none, none)
    private = {seat: own_after(own, seat, event) for seat, own in state.private.items()}
    if state.public.options.notebook:
        private = {seat: with_notes(own, seat, event) for seat, own in private.items()}
    if isinstance(event, CharactersDealt):
        private[event.seat] = Own(event.characters)
    public = fold(state.public, event) if isinstance(event, PublicEvent) else state.public
    return State(public, private, hidden)


def fold(public: Public, event: PublicEvent) -> Public:
    """Return the public part after an event."""
    match event:
        case GameSetUp():
            piles = {
                seat: Piles(event.hands.get(seat, 0), event.decks.get(seat, 0)) for seat in SEATS
            }
            return Public(
                event.options, event.title, event.sample, {}, event.castle, event.city, piles=piles
            )
        case CardsListed(cards=cards):
            return replace(public, cards={card.id: card for card in cards})
        case TurnStarted(seat=seat):
            step = "discard" if not public.is_box else "reveal" if seat == VAMPIRE else "action"
            fresh = replace(
                public, turn=seat, turns=public.turns + 1, counted=None, water=(), answer=None
            )
            return replace(
                fresh, step=step, payment=None, support=None, fight=None, window=None, waived=()
            )
        case StepReached(step=step):
            return replace(public, step=step)
        case PlayerOut(seat=seat):
            return _with_piles(public, seat, out=True)
        case IdentitiesShown():
            return replace(public, identities=event)
        case GameOver(winner=winner, reason=reason, points=points):
            over = replace(public, step="over", payment=None, support=None, fight=None, window=None)
            return replace(over, outcome=Outcome(winner, reason), points=points or {})
    return _fight(_cards(_people(_window(public, event), event), event), event)


def _window(public: Public, event: PublicEvent) -> Public:
    """Fold a question for a support card.

    After a support at the end of a round the defence may lay more cards.
    """
    window, fight = public.window, public.fight
    match event:
        case SupportAsked(seat=seat, moment="after_action"):
            declined = window.declined if window else ()
            return replace(
                public, step="end", answer=None, window=Window("after_action", seat, declined)
            )
        case SupportAsked(seat=seat, moment=moment):
            return replace(public, window=Window(moment, seat))
        case SupportDeclined(seat=seat, rest_of_turn=rest_of_turn) if window is not None:
            waived = (*public.waived, seat) if rest_of_turn else public.waived
            left = (
                replace(window, declined=(*window.declined, seat))
                if window.moment == "after_action"
                else None
            )
            return replace(public, window=left, waived=waived)
        case SupportPlayed() | CardCancelled() if window is not None and fight is not None:
            return replace(public, window=None, fight=replace(fight, laying=other(fight.by)))
        case SupportPlayed() if window is not None:
            return replace(public, window=replace(window, declined=()))
    return public


def _people(public: Public, event: PublicEvent) -> Public:
    """Fold an event into the characters."""
    match event:
        case VampireRevealed(character=character):
            return replace(public, revealed=(*public.revealed, character))
        case CharacterHidden(character=character):
            left = _left_castle(public, character)
            return replace(left, city=left.city + 1)
        case CharacterEntered(character=character):
            return replace(public, castle=(*public.castle, character), city=public.city - 1)
        case HolyWaterAnswered():
            return replace(public, answer=event)
        case CharacterDied(character=character, vampire=vampire):
            left = _left_castle(public, character)
            revealed = tuple(name for name in public.revealed if name != character)
            return replace(left, dead=(*public.dead, Dead(character, vampire)), revealed=revealed)
        case MarkerPut(character=character, side=side, size=size):
            return replace(public, markers=(*public.markers, Marker(character, side, size)))
    return public


def _left_castle(public: Public, character: str) -> Public:
    castle = tuple(name for name in public.castle if name != character)
    return replace(
        public,
        castle=castle,
        markers=tuple(one for one in public.markers if one.character != character),
    )


def _cards(public: Public, event: PublicEvent) -> Public:
    """Fold an event into the numbers of cards in hands and piles."""
    match event:
        case CardDiscarded(seat=seat, pile=pile):
            return _move_cards(public, seat, "hand", pile)
        case CardsDrawn(seat=seat, count=count):
            return _move_cards(public, seat, "deck", "hand", count)
        case DeckRemade(seat=seat, count=count):
            return _with_piles(
                _move_cards(public, seat, "cellar", "deck", count), seat, remade=True
            )
        case ActionBegun(seat=seat, what=what, cards=cards, character=character):
            return replace(public, payment=Payment(seat, what, cards, character))
        case CardPaid(seat=seat, card=card, value=value):
            return _paid(
                public if public.is_box else _move_cards(public, seat, "hand", "moat"),
                Laid(card, value),
            )
        case SupportPlayed(seat=seat, card=card, cost=cost):
            payment = Payment(seat, "support", cost) if cost else None
            support = Support(seat, public.cards[card].effects)
            return replace(
                _move_cards(public, seat, "hand", "moat"), payment=payment, support=support
            )
        case SupportEnded() if public.support is not None:
            rest = public.support.effects[1:]
            return replace(public, support=Support(public.support.seat, rest) if rest else None)
        case PileSearched() if public.support is not None:
            return replace(public, support=replace(public.support, searching=True))
        case CardFound(seat=seat, pile=pile):
            return _move_cards(public, seat, pile, "hand")
    return public


def _paid(public: Public, laid: Laid) -> Public:
    payment = public.payment
    assert payment is not None, "nothing is paid for"
    left = replace(payment, left=payment.left - 1, shown=(*payment.shown, laid))
    water = (*public.water, laid) if payment.what == "holy_water" else public.water
    return replace(public, payment=left if left.left else None, water=water)


def _fight(public: Public, event: PublicEvent) -> Public:
    match event:
        case FightBegun(seat=seat, attacker=attacker, target=target, card=card, value=value):
            counted = (Laid(card, value),) if value else ()
            started = public if card is None else _move_cards(public, seat, "moat", None)
            begun = Combat(seat, attacker, target, 1, seat, counted, laid_now=bool(counted))
            return replace(started, step="fight", fight=begun, answer=None)
        case RoundCounted():
            public = replace(public, counted=event)
    fight = public.fight
    if fight is None:
        return public
    match event:
        case CardLaid(seat=seat, side=side, card=card, value=value):
            more = (*getattr(fight, side), Laid(card, value))
            laid_now = fight.laid_now or seat == fight.by
            public = public if public.is_box else _move_cards(public, seat, "hand", None)
            return replace(public, fight=replace(fight, laid_now=laid_now, **{side: more}))
        case LayingEnded(seat=seat):
            return replace(public, fight=replace(fight, laying=other(seat), opened=True))
        case RoundCounted(round=number):
            return replace(
                public, fight=replace(fight, round=number + 1, laying=fight.by, laid_now=False)
            )
        case CardCancelled(side=side, number=number):
            laid = getattr(fight, side)
            owner = fight.by if side == "attack" else other(fight.by)
            public = public if public.is_box else _move_cards(public, owner, None, "moat")
            rest = (*laid[: number - 1], *laid[number:])
            # An attacker who loses a card may lay another one; the defender lays later in any
            # case.
            laying = fight.by if side == "attack" else fight.laying
            return replace(public, fight=replace(fight, laying=laying, **{side: rest}))
        case FightEnded():
            if not public.is_box:
                public = _move_cards(public, fight.by, None, "moat", len(fight.attack))
                public = _move_cards(public, other(fight.by), None, "moat", len(fight.defence))
            return replace(public, fight=None)
    return public


def _move_cards(
    public: Public, seat: Seat, source: str | None, target: str | None, count: int = 1
) -> Public:
    """Return the counts after cards went from one pile to another; None is the table."""
    piles = public.piles[seat]
    change: dict[str, int] = {}
    if source is not None:
        change[source] = getattr(piles, source) - count
    if target is not None:
        change[target] = getattr(piles, target) + count
    return _with_piles(public, seat, **change)


def _with_piles(public: Public, seat: Seat, **change: int | bool) -> Public:
    return replace(public, piles={**public.piles, seat: replace(public.piles[seat], **change)})


def own_after(own: Own, seat: Seat, event: Event) -> Own:
    """Return the private part of a seat after an event."""
    match event:
        case CardsGot(seat=whose, cards=cards) if whose == seat:
            return replace(own, hand=(*own.hand, *cards))
        case CardTaken(seat=whose, card=card) if whose == seat:
            return replace(own, hand=(*own.hand, card), seen=())
        case CardGone(seat=whose, card=card) if whose == seat:
            return replace(own, hand=without(own.hand, card))
        case (
            CardPaid(seat=whose, card=str(card))
            | CardLaid(seat=whose, card=str(card))
            | SupportPlayed(seat=whose, card=card)
        ) if whose == seat:
            return replace(own, hand=without(own.hand, card))
        case PileSeen(seat=whose, cards=cards) if whose == seat:
            return replace(own, seen=cards)
        case CitySeen(seat=whose, characters=characters) if whose == seat:
            return replace(own, coming=characters)
        case CharacterEntered(character=character) if character in own.coming:
            return replace(own, coming=tuple(name for name in own.coming if name != character))
    return own


def with_notes(own: Own, seat: Seat, event: Event) -> Own:
    """Return the private part of a seat with the facts that it keeps from a public event."""
    match event:
        case HolyWaterAnswered(character=character, vampire=False):
            return replace(own, cleared=tuple(dict.fromkeys((*own.cleared, character))))
        case (
            CardPaid(seat=whose, card=str(card))
            | CardLaid(seat=whose, card=str(card))
            | SupportPlayed(seat=whose, card=card)
        ) if whose != seat:
            return replace(own, met=(*own.met, card))
    return own


def hidden_after(hidden: Hidden, public: Public, event: Event) -> Hidden:
    """Return city, decks and piles after an event.

    public: the public part before it
    """
    match event:
        case CharacterHidden(character=character):
            return replace(hidden, city=(*hidden.city, character))
        case CharacterEntered(character=character):
            return replace(hidden, city=tuple(name for name in hidden.city if name != character))
        case CardsGot(seat=seat, cards=cards):
            return replace(hidden, decks={**hidden.decks, seat: hidden.decks[seat][len(cards) :]})
        case CardGone(seat=seat, card=card, pile="cellar"):
            return replace(hidden, cellars=_with(hidden.cellars, seat, card))
        case (
            CardGone(seat=seat, card=card)
            | CardPaid(seat=seat, card=str(card))
            | SupportPlayed(seat=seat, card=card)
        ):
            return replace(hidden, moats=_with(hidden.moats, seat, card))
        case DeckRemade(seat=seat):
            return replace(hidden, cellars={**hidden.cellars, seat: ()})
        case DeckShuffled(seat=seat, cards=cards):
            return replace(hidden, decks={**hidden.decks, seat: cards})
        case CardTaken(seat=seat, card=card, pile=pile):
            name = f"{pile}s"
            piles: Mapping[Seat, tuple[str, ...]] = getattr(hidden, name)
            return replace(hidden, **{name: {**piles, seat: without(piles[seat], card)}})
        case FightBegun(seat=seat, card=str(card)):
            return replace(hidden, moats={**hidden.moats, seat: without(hidden.moats[seat], card)})
        case CardCancelled(side=side, number=number) if public.fight is not None:
            owner = public.fight.by if side == "attack" else other(public.fight.by)
            return _to_moat(hidden, owner, (getattr(public.fight, side)[number - 1],))
        case FightEnded() if public.fight is not None:
            after = _to_moat(hidden, public.fight.by, public.fight.attack)
            return _to_moat(after, other(public.fight.by), public.fight.defence)
    return hidden


def _with(
    piles: Mapping[Seat, tuple[str, ...]], seat: Seat, card: str
) -> dict[Seat, tuple[str, ...]]:
    return {**piles, seat: (*piles[seat], card)}


def _to_moat(hidden: Hidden, seat: Seat, laid: tuple[Laid, ...]) -> Hidden:
    cards = tuple(one.card for one in laid if one.card is not None)
    return replace(hidden, moats={**hidden.moats, seat: (*hidden.moats[seat], *cards)})
