"""Add the events of actions, event cards and a turn's end to a draft."""

from __future__ import annotations

from random import Random
from typing import assert_never

from msgspec.structs import replace

from companion.core.game import Draft, Seat
from companion.games.vwars import events, riots
from companion.games.vwars.content import (
    HAND,
    AddTroops,
    Ask,
    ChangeSympathy,
    CityEffect,
    Election,
    EventEffect,
    RemoveTroops,
    SetMartialLaw,
    Side,
    TakeControl,
    city_of,
)  # fmt: skip
from companion.games.vwars.legal import can_set_martial_law, troops_per_deployment
from companion.games.vwars.options import POOL, TROOPS
from companion.games.vwars.state import Hidden, Public
from companion.games.vwars.victory import change_sympathy, check, finish


def public_of(draft: Draft) -> Public:
    """Return the draft's public part."""
    public: Public = draft.state.public
    return public


def _hidden(draft: Draft) -> Hidden:
    hidden: Hidden = draft.state.hidden
    return hidden


def reveal(draft: Draft, seat: Seat, *, costs: bool) -> None:
    """Reveal the Vampire; a voluntary reveal costs half of the sympathy."""
    draft.emit(events.TurnedPublic(seat))
    if costs:
        change_sympathy(draft, -(public_of(draft).sympathy // 2))


def ask_cards(
    draft: Draft, seat: Seat, seats: tuple[Seat, ...], to: str | None, city: str | None
) -> None:
    """Ask players for a card each; with real cards they give it without the companion."""
    draft.emit(events.CardAsked(seat, seats, to, city))
    if public_of(draft).has_real_cards and city:
        _deploy(draft, seat, city)


def put(draft: Draft, seat: Seat, card: str) -> None:
    """Take a card that the game asked for."""
    due = public_of(draft).due
    assert due is not None, "no card is due"
    draft.emit(events.CardPut(seat, card, due.to), events.CardGiven(seat, due.to))
    if due.city and len(due.seats) == 1:
        _deploy(draft, seat, due.city)


def _deploy(draft: Draft, seat: Seat, city: str) -> None:
    public = public_of(draft)
    side = public.players[seat].side
    count = 1 if public.has_real_cards else troops_per_deployment(public, seat)
    add_troops(draft, side, city, count)


def add_troops(draft: Draft, side: Side, city: str, count: int, *, by_event: bool = False) -> None:
    """Add troops up to the limit of a city. If an event brings more vampire troops, they take the
    city, or win sympathy in a vampire city. This happens once for each city and event, in whatever
    order people type it.
    """
    public = public_of(draft)
    now = public.cities[city].troops(side)
    overflows = by_event and side == "vampire" and now + count > TROOPS
    is_capped = by_event or public.options.troop_cap == TROOPS
    change_troops(
        draft,
        side,
        city,
        max(now, TROOPS if is_capped and now + count > TROOPS else now + count) - now,
    )
    if not overflows or city in public.overflowed:
        return
    draft.emit(events.CityOverflowed(city))
    if public.cities[city].control == "human":
        draft.emit(events.ControlChanged(city, "vampire"))
    else:
        change_sympathy(draft, 1)


def change_troops(draft: Draft, side: Side, city: str, change: int) -> None:
    """Change a city's troops, to at least 0."""
    now = public_of(draft).cities[city].troops(side)
    after = max(now + change, 0)
    if after != now:
        draft.emit(events.TroopsChanged(city, side, after, after - now))


def set_martial_law(draft: Draft, city: str, *, holds: bool) -> None:
    """Begin or end martial law in a city, if possible."""
    if can_set_martial_law(public_of(draft), city, holds):
        draft.emit(events.MartialLaw(city) if holds else events.MartialLawEnded(city))


def investigate(draft: Draft, seat: Seat, target: Seat, *, right: bool) -> None:
    """Reveal whether the target is the Vampire; a target that is not reveals nothing else."""
    draft.emit(events.Investigated(seat, target, right))
    half = public_of(draft).sympathy // 2
    if right:
        draft.emit(events.TurnedPublic(target))
    change_sympathy(draft, -half if right else half)


def awaken(draft: Draft, seat: Seat, target: Seat, *, joins: bool) -> None:
    """Reveal whether the target joins the vampires."""
    draft.emit(events.Awakened(seat, target, joins))
    if joins:
        draft.emit(events.TurnedPublic(target))


# ---- the event


def resolve_event(draft: Draft, rng: Random) -> None:
    """Resolve the Now event until it needs a choice."""
    public = public_of(draft)
    if not public.has_real_cards and public.event is None:
        finish(draft, ("vampires", "no_events"))
    draft.emit(events.EventResolved(public.event))
    apply_effects(draft, public.event.effects if public.event else (Ask(""),), rng)


def apply_effects(draft: Draft, effects: tuple[EventEffect, ...], rng: Random) -> None:
    """Apply effects in order until one needs a choice of the active player."""
    for index, effect in enumerate(effects, start=1):
        if isinstance(effect, Election) and effect.by == "ask" and effect.region != "choose":
            # Who names the winner must know the region first.
            region = _effect_region(draft, effect.region, rng)
            if region is None:
                continue
            effect = replace(effect, region=region)
        if _asks(effect):
            left = (effect, *effects[index:])
            turn = public_of(draft).turn
            assert turn is not None, "nobody's turn"
            draft.emit(
                events.ChoiceAsked(turn, left, effect.text if isinstance(effect, Ask) else "")
            )
            return
        _apply_effect(draft, effect, rng)
        check(draft)
    riot = public_of(draft).riot_now
    draft.emit(events.EventSettled(city_of(riot) if riot else None))
    if riot is None:
        new_cards(draft, rng)


def _asks(effect: EventEffect) -> bool:
    if isinstance(effect, CityEffect):
        return effect.city == "choose"
    if isinstance(effect, Election):
        return effect.region == "choose" or effect.by == "ask"
    return isinstance(effect, Ask)


def _apply_effect(draft: Draft, effect: EventEffect, rng: Random) -> None:
    match effect:
        case ChangeSympathy(change=change):
            change_sympathy(draft, change)
        case Election(region=named):
            region = _effect_region(draft, named, rng)
            if region:
                elect(draft, region, _election_winner(public_of(draft), region, effect.by))
        case AddTroops() | RemoveTroops() | TakeControl() | SetMartialLaw():
            city = _effect_city(draft, effect.city, rng)
            if city:
                _apply_in_city(draft, effect, city)
        case Ask():
            raise AssertionError("what asks does not happen by itself")
        case _ as never:
            assert_never(never)


def _apply_in_city(draft: Draft, effect: CityEffect, city: str) -> None:
    match effect:
        case AddTroops(side=side, count=count):
            add_troops(draft, side, city, count, by_event=True)
        case RemoveTroops(side=side, count=count):
            change_troops(draft, side, city, -count)
        case TakeControl(side=side):
            if public_of(draft).cities[city].control != side:
                draft.emit(events.ControlChanged(city, side))
        case SetMartialLaw(holds=holds):
            set_martial_law(draft, city, holds=holds)


def _effect_city(draft: Draft, named: str, rng: Random) -> str | None:
    """Return the city of an effect, None if there is none."""
    if named == "riot":
        riot = public_of(draft).riot_now
        return city_of(riot) if riot else None
    if named != "draw":
        return named
    if not _hidden(draft).piles.deck and not _remake_deck(draft, rng):
        return None
    card = _hidden(draft).piles.deck[0]
    draft.emit(events.CardDrawn(card))
    return city_of(card)


def _effect_region(draft: Draft, named: str, rng: Random) -> str | None:
    """Return the region of an effect, None if there is none."""
    if named not in ("riot", "draw"):
        return named
    city = _effect_city(draft, named, rng)
    return public_of(draft).cities[city].region if city else None


def _election_winner(public: Public, region: str, by: str) -> Side:
    """Return the winner of an election: the side with more, the humans in a tie."""
    here = [city for city in public.cities.values() if city.region == region]
    if by == "cities":
        vampires = sum(city.control == "vampire" for city in here)
        return "vampire" if 2 * vampires > len(here) else "human"
    return (
        "vampire"
        if sum(city.vampire for city in here) > sum(city.human for city in here)
        else "human"
    )


def elect(draft: Draft, region: str, side: Side) -> None:
    """Put a side's top law into force in a region, and show its next one."""
    law = public_of(draft).laws.get(side)
    draft.emit(events.ElectionHeld(region, side, law))
    if law is not None:
        beneath = _hidden(draft).piles.laws[side]
        draft.emit(events.LawShown(side, beneath[0] if beneath else None))


def effect_with_choice(
    effect: EventEffect, *, city: str | None = None, region: str | None = None
) -> EventEffect:
    """Return an effect with the choice inserted."""
    if isinstance(effect, Election) and region:
        return replace(effect, region=region)
    assert isinstance(effect, CityEffect) and city
    return replace(effect, city=city)


# ---- the riot's end, and new cards


def after_riot(draft: Draft, rng: Random) -> None:
    """Continue after a riot, unless a seat must answer first."""
    if public_of(draft).step in ("rally", "swing") and (
        public_of(draft).asked or public_of(draft).step == "swing"
    ):
        check(draft)
        return
    check(draft, after_riot=True)
    if not riots.clear_cards(draft):
        new_cards(draft, rng)


def new_cards(draft: Draft, rng: Random) -> None:
    """Slide events and riots, refill the active player's hand, and let the next one begin."""
    public = public_of(draft)
    if public.has_real_cards:
        draft.emit(events.BoxAsked("soon"))
        return
    coming = _hidden(draft).piles.events
    draft.emit(events.EventsSlid(public.next_event, coming[0] if coming else None))
    _next_riot(draft, rng)
    _refill(draft, rng)
    next_turn(draft)


def _next_riot(draft: Draft, rng: Random) -> None:
    public = public_of(draft)
    pool = list(_hidden(draft).piles.pool)
    if pool:
        rng.shuffle(pool)
        draft.emit(
            events.PileShuffled(POOL, tuple(pool)),
            events.RiotsSlid(public.riot_soon, pool[0], "pool"),
        )
        return
    may_draw = public.options.empty_riot_pool == "player_deck"
    if may_draw and (_hidden(draft).piles.deck or _remake_deck(draft, rng)):
        draft.emit(events.RiotsSlid(public.riot_soon, _hidden(draft).piles.deck[0], "deck"))
    else:
        draft.emit(events.RiotsSlid(public.riot_soon, None, "pool"))


def _remake_deck(draft: Draft, rng: Random) -> bool:
    """Remake the player deck from the discards; return whether there are any."""
    discards = list(_hidden(draft).piles.discards)
    if not discards:
        return False
    rng.shuffle(discards)
    draft.emit(events.DeckRemade(len(discards)), events.PileShuffled("deck", tuple(discards)))
    return True


def _refill(draft: Draft, rng: Random) -> None:
    public = public_of(draft)
    seat = public.turn
    assert seat is not None, "nobody's turn"
    missing = HAND - (public.players[seat].hand or 0)
    piles = _hidden(draft).piles
    if missing > len(piles.deck) + len(piles.discards):
        finish(draft, ("vampires", "no_cards"))
    while missing > 0:
        if not _hidden(draft).piles.deck:
            _remake_deck(draft, rng)
        drawn = _hidden(draft).piles.deck[:missing]
        draft.emit(events.CardsDrawn(seat, drawn), events.HandRefilled(seat, len(drawn)))
        missing -= len(drawn)


def next_turn(draft: Draft) -> None:
    """Begin the turn of the player to the left."""
    draft.emit(events.TurnStarted(public_of(draft).order()[1]))
