"""Apply events to the state: public events alone change the public part, private ones hands and
piles.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.core.game import Event, Outcome, PublicEvent, Seat
from companion.games.vwars.content import SIDES, Side
from companion.games.vwars.events import (
    Assassinated,
    Awakened,
    BoxAsked,
    CardAsked,
    CardDrawn,
    CardGiven,
    CardPut,
    CardsDrawn,
    CardsLie,
    ChoiceAsked,
    CityOverflowed,
    CityTyped,
    ControlChanged,
    Dealt,
    DeckRemade,
    ElectionHeld,
    EventResolved,
    EventSettled,
    EventsSlid,
    GameOver,
    GameSetUp,
    HandRefilled,
    Investigated,
    LawShown,
    MartialLaw,
    MartialLawEnded,
    Moved,
    Picked,
    PileShuffled,
    PlayerAsked,
    RallyAsked,
    RiotBegan,
    RiotCardDiscarded,
    RiotCardTurned,
    RiotCleared,
    RiotEnded,
    RiotsSlid,
    RoleTaken,
    Stayed,
    StrengthTyped,
    SwingAsked,
    SympathyChanged,
    ToType,
    TroopsChanged,
    TurnedPublic,
    TurnStarted,
)  # fmt: skip
from companion.games.vwars.options import ACTIONS_EACH, POOL, SEATS, Options, Setup
from companion.games.vwars.state import (
    CardsDue,
    City,
    CityAsk,
    Hand,
    Hidden,
    Piles,
    Player,
    Public,
    Question,
    RiotSeen,
)

EMPTY = Public(Options())
"""The public part before the set-up."""


def fold(public: Public, event: PublicEvent) -> Public:
    """Return the public part after an event."""
    match event:
        case GameSetUp():
            return _set_up(event)
        case RoleTaken(seat=seat, city=city, role=role):
            return _with_player(public, seat, city=city, role=role)
        case LawShown(side=side, law=law):
            return replace(public, laws={**public.laws, side: law})
        case ToType(seat=seat, asks=asks):
            return replace(public, step="setup", turn=seat, to_type=asks)
        case CityTyped(ask=ask, city=city):
            return _typed(public, ask, city)
        case TurnStarted(seat=seat):
            fresh = replace(
                public, turn=seat, step="turn", actions_left=ACTIONS_EACH, moved_free=0, typed=0
            )
            return replace(fresh, turns=public.turns + 1, picked=None, picked_region=None, asked=())
        case TurnedPublic(seat=seat):
            return replace(_with_player(public, seat, vampire=True), asked=())
        case (
            SympathyChanged()
            | TroopsChanged()
            | ControlChanged()
            | MartialLaw()
            | MartialLawEnded()
        ):
            return _in_cities(public, event)
        case GameOver(winner=winner, reason=reason, factions=factions):
            return replace(
                public, step="over", asked=(), factions=factions, outcome=Outcome(winner, reason)
            )
        case (
            Moved()
            | CardAsked()
            | CardGiven()
            | Assassinated()
            | PlayerAsked()
            | Investigated()
            | Awakened()
        ):
            return _after_action(public, event)
        case (
            EventResolved()
            | ChoiceAsked()
            | Picked()
            | CityOverflowed()
            | CardDrawn()
            | ElectionHeld()
            | EventSettled()
        ):
            return _in_event(public, event)
        case EventsSlid() | RiotsSlid() | DeckRemade() | HandRefilled():
            return _in_piles(public, event)
        case BoxAsked(what=what):
            return replace(public, step=what)
    return _in_riot(public, event)


def _set_up(event: GameSetUp) -> Public:
    cities = {id: City(name, region) for id, (name, region) in event.cities.items()}
    for id in event.vampire_cities:
        cities[id] = replace(cities[id], vampire=2, control="vampire")
    for id in event.troop_cities:
        cities[id] = replace(cities[id], vampire=1)
    now, soon = (*event.events, None, None)[:2]
    riot_now, riot_soon = (*event.riots, None, None)[:2]
    return Public(
        event.options,
        event.title,
        event.sample,
        event.regions,
        cities,
        {seat: Player(hand=event.hands) for seat in SEATS[: event.players]},
        event.sympathy,
        event=now,
        next_event=soon,
        riot_now=riot_now,
        riot_soon=riot_soon,
        piles=event.piles,
    )


def _in_cities(public: Public, event: PublicEvent) -> Public:
    """Return the public part after a change of the map or the sympathy."""
    match event:
        case SympathyChanged(sympathy=sympathy):
            return replace(public, sympathy=sympathy, typed=public.typed + 1)
        case TroopsChanged(city=city, side=side, troops=troops):
            return replace(_with_city(public, city, **{side: troops}), typed=public.typed + 1)
        case ControlChanged(city=city, side=side):
            martial = public.cities[city].martial and side == "human"
            return replace(
                _with_city(public, city, control=side, martial=martial), typed=public.typed + 1
            )
        case MartialLaw(city=city):
            return replace(_with_city(public, city, martial=True), typed=public.typed + 1)
        case MartialLawEnded(city=city):
            return replace(_with_city(public, city, martial=False), typed=public.typed + 1)
    raise TypeError(f"not a change on the map: {type(event).__name__}")


def _in_piles(public: Public, event: PublicEvent) -> Public:
    """Return the public part after cards left a pile or came into one."""
    match event:
        case EventsSlid(now=now, soon=soon):
            left = public.piles.get("events", 0)
            return replace(_with_piles(public, events=max(left - 1, 0)), event=now, next_event=soon)
        case RiotsSlid(now=now, soon=soon, source=source):
            changed = replace(public, riot_now=now, riot_soon=soon)
            if source == "box" or soon is None:
                return changed
            return _with_piles(changed, **{source: public.piles[source] - 1})
        case DeckRemade(cards=cards):
            return _with_piles(public, deck=public.piles["deck"] + cards, discards=0)
        case HandRefilled(seat=seat, cards=int(drawn)):
            held = _with_player(public, seat, hand=(public.players[seat].hand or 0) + drawn)
            return _with_piles(held, deck=public.piles["deck"] - drawn)
    return public


def _typed(public: Public, ask: CityAsk, city: str) -> Public:
    public = replace(public, to_type=public.to_type[1:])
    match ask:
        case CityAsk("start", str(seat)):
            return _with_player(public, Seat(seat), city=city)
        case CityAsk("vampires"):
            return _with_city(public, city, vampire=2, control="vampire")
        case CityAsk("troops"):
            return _with_city(public, city, vampire=1)
        case CityAsk("now"):
            return replace(public, riot_now=f"{city}-")
    return replace(public, riot_soon=f"{city}-")


def _after_action(public: Public, event: PublicEvent) -> Public:
    """Return the public part after one of a player's actions, or an event in one."""
    left = public.actions_left - (public.step == "turn")
    match event:
        case Moved(seat=seat, city=city, free=free):
            moved = _with_player(public, seat, city=city)
            return (
                replace(moved, moved_free=public.moved_free + 1)
                if free
                else replace(moved, actions_left=left)
            )
        case CardAsked(seats=seats, to=to, city=city):
            is_due = not public.in_box
            due = CardsDue(seats, to, city) if is_due else None
            return replace(public, actions_left=left, due=due, step="card" if is_due else "turn")
        case CardGiven(seat=seat, to=to):
            return _given(public, seat, to)
        case Assassinated(city=city, side=side):
            fewer = public.cities[city].troops(side) - 1
            return replace(_with_city(public, city, **{side: fewer}), actions_left=left)
        case PlayerAsked(seat=seat, target=target, what=what, rallying=rallying):
            return replace(
                public,
                actions_left=left,
                step="answer",
                question=Question(seat, target, what, rallying),
            )
        case Investigated(seat=seat):
            spent = _with_player(public, seat, token=False)
            return replace(spent, actions_left=left, step="turn", question=None)
        case Awakened():
            is_rally = public.step == "rally" or bool(public.question and public.question.rallying)
            if is_rally:
                return replace(public, step="rally", asked=(), question=None)
            return replace(public, actions_left=left, step="turn", question=None)
    raise TypeError(f"not an action's event: {type(event).__name__}")


def _given(public: Public, seat: Seat, to: str | None) -> Public:
    due = public.due
    assert due is not None, "no card is due"
    held = public.players[seat].hand or 0
    pile = to or "discards"
    given = _with_piles(_with_player(public, seat, hand=held - 1), **{pile: public.piles[pile] + 1})
    seats = due.seats[1:]
    return replace(
        given, due=replace(due, seats=seats) if seats else None, step="card" if seats else "turn"
    )


def _in_event(public: Public, event: PublicEvent) -> Public:
    match event:
        case EventResolved():
            fresh = replace(
                public, step="event", riot=None, effects=(), picked=None, picked_region=None
            )
            return replace(fresh, typed=0, overflowed=())
        case ChoiceAsked(left=left):
            return replace(
                public, step="event", effects=left, picked=None, picked_region=None, typed=0
            )
        case Picked(city=city, region=region):
            return replace(public, picked=city, picked_region=region)
        case CityOverflowed(city=city):
            return replace(public, overflowed=(*public.overflowed, city))
        case CardDrawn():
            return _with_piles(
                public, deck=public.piles["deck"] - 1, discards=public.piles["discards"] + 1
            )
        case ElectionHeld(region=region, side=side, law=law):
            typed = replace(public, picked=None, picked_region=None, typed=public.typed + 1)
            old = public.regions[region]
            held = replace(old, elected=side, law=law or old.law)
            return replace(typed, regions={**public.regions, region: held})
        case EventSettled():
            return replace(
                public, step="riot", effects=(), picked=None, picked_region=None, typed=0
            )
    raise TypeError(f"not an event's event: {type(event).__name__}")


def _in_riot(public: Public, event: PublicEvent) -> Public:
    match event:
        case RiotBegan(city=city):
            step = "turning" if public.in_box else "riot"
            begun = replace(public, riot=RiotSeen(city), step=step, typed=0)
            if public.in_box:
                return begun
            region = public.cities[city].region
            return _with_piles(replace(begun, riot_now=None), **{region: public.piles[region] + 1})
        case RallyAsked(seats=seats):
            return replace(public, step="rally", asked=seats)
        case Stayed():
            return replace(public, asked=public.asked[1:])
        case SwingAsked():
            return replace(public, step="swing")
        case CardsLie():
            return replace(public, step="discard")
        case RiotCleared(region=region, cards=cards, discarded=discarded):
            extra = {"discards": public.piles["discards"] + 1} if discarded else {}
            return _with_piles(public, **{region: cards}, **extra)
    riot = public.riot
    assert riot is not None, f"no riot is under way: {type(event).__name__}"
    match event:
        case RiotCardTurned(card=card, side=side, removed=removed):
            lying = replace(riot, turned=(*riot.turned, (card, removed)))
            if not removed:
                return replace(public, riot=lying)
            enemy = other(side)
            fewer = public.cities[riot.city].troops(enemy) - removed
            return replace(_with_city(public, riot.city, **{enemy: fewer}), riot=lying)
        case StrengthTyped(side=side, change=change):
            changed = replace(riot, **{side: getattr(riot, side) + change})
            return replace(public, riot=changed, typed=public.typed + 1)
        case RiotEnded(result=result, winner=winner, strength=strength):
            return replace(
                public, riot=replace(riot, winner=winner, strength=strength, result=result)
            )
    raise TypeError(f"not an event of this game: {type(event).__name__}")


def other(side: Side) -> Side:
    """Return the enemy side."""
    return SIDES[1 - SIDES.index(side)]


def _with_player(public: Public, seat: Seat, **change: Any) -> Public:
    return replace(
        public, players={**public.players, seat: replace(public.players[seat], **change)}
    )


def _with_city(public: Public, city: str, **change: Any) -> Public:
    return replace(public, cities={**public.cities, city: replace(public.cities[city], **change)})


def _with_piles(public: Public, **change: int) -> Public:
    return replace(public, piles={**public.piles, **change})


def hands_after(hands: Mapping[Seat, Hand], event: Event) -> Mapping[Seat, Hand]:
    """Return the hands after an event; unknown hands stay unknown."""
    match event:
        case Dealt(seat=seat, faction=faction, cards=cards):
            return {**hands, seat: Hand(faction, tuple(sorted(cards)))}
        case CardPut(seat=seat, card=card) if seat in hands:
            return {**hands, seat: replace(hands[seat], cards=without(hands[seat].cards, card))}
        case CardsDrawn(seat=seat, cards=cards) if seat in hands:
            return {
                **hands,
                seat: replace(hands[seat], cards=tuple(sorted((*hands[seat].cards, *cards)))),
            }
    return hands


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Return the cards without one such card."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def initial_hidden(setup: Setup) -> Hidden:
    """Return the hidden part at the beginning of a game."""
    content, deal = setup.content, setup.deal
    if content is None or deal is None:
        return Hidden(setup, content, Piles())
    events = {event.id: event for event in content.event}
    laws = {law.id: law for law in content.law}
    return Hidden(
        setup,
        content,
        Piles(
            deal.deck,
            (),
            deal.pool,
            dict(deal.regions),
            tuple(events[id] for id in deal.events[2:]),
            {side: tuple(laws[id] for id in ids[1:]) for side, ids in deal.laws.items()},
        ),
    )


def piles_after(piles: Piles, event: Event) -> Piles:
    """Return the face-down piles after an event."""
    match event:
        case PileShuffled(pile="deck", cards=cards):
            return replace(piles, deck=cards, discards=())
        case PileShuffled(pile=pile, cards=cards):
            return _with_pile(piles, pile, cards)
        case CardPut(card=card, to=None) | RiotCardDiscarded(card=card):
            return replace(piles, discards=(*piles.discards, card))
        case CardPut(card=card, to=str(to)):
            return _with_pile(piles, to, (*(piles.pool if to == POOL else piles.regions[to]), card))
        case CardDrawn(card=card):
            return replace(piles, deck=piles.deck[1:], discards=(*piles.discards, card))
        case CardsDrawn(cards=cards):
            return replace(piles, deck=piles.deck[len(cards) :])
        case RiotsSlid(soon=str(), source="pool"):
            return replace(piles, pool=piles.pool[1:])
        case RiotsSlid(soon=str(), source="deck"):
            return replace(piles, deck=piles.deck[1:])
        case EventsSlid():
            return replace(piles, events=piles.events[1:])
        case LawShown(side=side):
            return replace(piles, laws={**piles.laws, side: piles.laws[side][1:]})
    return piles


def _with_pile(piles: Piles, name: str, cards: tuple[str, ...]) -> Piles:
    if name == POOL:
        return replace(piles, pool=cards)
    return replace(piles, regions={**piles.regions, name: cards})
