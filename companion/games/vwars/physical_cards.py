"""Add events to a draft for what people type with real cards."""

from __future__ import annotations

from random import Random

from companion.core.game import Draft
from companion.games.vwars import actions, events, riots, turns
from companion.games.vwars.content import Side, card_name
from companion.games.vwars.turns import public_of
from companion.games.vwars.victory import change_sympathy, check, finish


def take_setup_city(draft: Draft, city: str) -> None:
    """Take the city that the set-up asked for; the first turn begins with the last one."""
    public = public_of(draft)
    draft.emit(events.CityTyped(public.to_type[0], city))
    if not public_of(draft).to_type:
        assert public.turn is not None, "nobody types"
        check(draft)
        draft.emit(events.TurnStarted(public.turn))


def take_event_change(draft: Draft, action: actions.EventChange) -> None:
    """Take one change by an event of the companion or by a printed one."""
    city = public_of(draft).picked
    match action:
        case actions.PickCity(city=picked):
            draft.emit(events.Picked(picked))
        case actions.PickRegion(region=region):
            draft.emit(events.Picked(None, region))
        case actions.Sympathy(change=change):
            change_sympathy(draft, change)
        case actions.Control(side=side) if city:
            draft.emit(events.ControlChanged(city, side))
        case actions.Martial(holds=holds) if city:
            turns.set_martial_law(draft, city, holds=holds)
        case actions.Troops(side=side, change=change) if city:
            if change > 0:
                turns.add_troops(draft, side, city, change, by_event=True)
            else:
                turns.change_troops(draft, side, city, change)
    check(draft)


def take_riot_card(
    draft: Draft, action: actions.Turn | actions.Strength | actions.NoMore, rng: Random
) -> None:
    """Take a card of the riot, a change by a law or a role, or the end of the region's deck."""
    riot = public_of(draft).riot
    assert riot is not None, "no riot is under way"
    winner: Side | None = None
    match action:
        case actions.Strength(side=side, change=change):
            draft.emit(events.StrengthTyped(side, change))
            return
        case actions.Turn(side=side, value=value):
            winner = riots.turn_card(draft, card_name(riot.city, side, value), side, value)
            if winner is None:
                return
    riots.end_riot(draft, winner)
    turns.after_riot(draft, rng)


def take_sympathy_change(draft: Draft, action: actions.Swing, rng: Random) -> None:
    """Take the number of the printed riot table."""
    change_sympathy(draft, action.change)
    check(draft, after_riot=True)
    turns.new_cards(draft, rng)


def take_next_riot(draft: Draft, city: str | None) -> None:
    """Take the city of the new riot card, None if the pool is empty."""
    soon = f"{city}-" if city else None
    draft.emit(events.RiotsSlid(public_of(draft).riot_soon, soon, "box"), events.BoxAsked("refill"))


def take_refill(draft: Draft, action: actions.Refilled) -> None:
    """Take whether the hand could be refilled."""
    public = public_of(draft)
    if not action.enough:
        finish(draft, ("vampires", "no_cards"))
    assert public.turn is not None, "nobody's turn"
    draft.emit(events.HandRefilled(public.turn, None))
    turns.next_turn(draft)
