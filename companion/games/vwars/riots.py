"""Play a riot card by card, with its consequences."""

from __future__ import annotations

from random import Random

from companion.core.game import Draft, Seat
from companion.games.vwars import events
from companion.games.vwars.content import RiotTable, Side, city_of, other, side_of, value_of
from companion.games.vwars.legal import called_at_rally, riot_bonus
from companion.games.vwars.state import Hidden, Public, without
from companion.games.vwars.victory import change_sympathy

PRINTED = RiotTable(human_massacre=0, vampire_massacre=0, human_rally=0, vampire_rally=0)
"""The table with real cards, where people type the changes."""


def begin_riot(draft: Draft, rng: Random) -> bool:
    """Begin the riot in the Now card's city. Turn the companion's cards, if it has them, until it
    is decided. Return whether only questions to a seat are left.
    """
    public: Public = draft.state.public
    card = str(public.riot_now)
    city = city_of(card)
    draft.emit(events.RiotBegan(city))
    if public.has_real_cards:
        return False
    region = public.cities[city].region
    pile = [*_hidden(draft).piles.regions[region], card]
    rng.shuffle(pile)
    draft.emit(events.PileShuffled(region, tuple(pile)))
    for each in pile:
        if winner := turn_card(draft, each, side_of(each), value_of(each)):
            end_riot(draft, winner)
            return True
    end_riot(draft, None)
    return True


def turn_card(draft: Draft, card: str, side: Side, value: int) -> Side | None:
    """Turn a card; return its side if that wins."""
    public: Public = draft.state.public
    riot = public.riot
    assert riot is not None, "no riot is under way"
    enemies = public.cities[riot.city].troops(other(side))
    if enemies:
        draft.emit(events.RiotCardTurned(card, side, value, min(value, enemies), 0))
        return None
    strength = strength_of(public, side) + value
    draft.emit(events.RiotCardTurned(card, side, value, 0, strength))
    return side if strength >= _riot_table(draft).win_at else None


def strength_of(public: Public, side: Side) -> int:
    """Return a side's strength in the riot: its troops, its face-up cards, laws and roles."""
    riot = public.riot
    assert riot is not None, "no riot is under way"
    up = sum(value_of(card) for card in riot.cards if side_of(card) == side)
    return public.cities[riot.city].troops(side) + up + riot_bonus(public, side, riot.city)


def end_riot(draft: Draft, winner: Side | None) -> None:
    """Decide the result of a riot: control, a rally, a massacre, or nothing."""
    public: Public = draft.state.public
    riot, table = public.riot, _riot_table(draft)
    assert riot is not None, "no riot is under way"
    if winner is None:
        draft.emit(events.RiotEnded(riot.city, "sputter", None, 0))
        change_sympathy(draft, table.sputter)
        return
    strength = strength_of(public, winner)
    if strength >= table.massacre_at:
        draft.emit(events.RiotEnded(riot.city, "massacre", winner, strength))
        _swing(draft, table.human_massacre if winner == "human" else table.vampire_massacre)
    elif public.cities[riot.city].control != winner:
        draft.emit(
            events.RiotEnded(riot.city, "control", winner, strength),
            events.ControlChanged(riot.city, winner),
        )
        _swing(draft, table.human_control if winner == "human" else table.vampire_control)
    else:
        draft.emit(events.RiotEnded(riot.city, "rally", winner, strength))
        _rally(draft, winner)


def _rally(draft: Draft, winner: Side) -> None:
    public: Public = draft.state.public
    assert public.riot is not None, "no riot is under way"
    city = public.riot.city
    if winner == "vampire":
        if asked := _asked_to_rally(public):
            draft.emit(events.RallyAsked(tuple(asked)))
        else:
            _swing(draft, _riot_table(draft).vampire_rally)
        return
    region = public.cities[city].region
    if public.under_martial_law(region):
        _swing(draft, _riot_table(draft).human_rally)
    else:
        draft.emit(events.MartialLaw(city))


def _asked_to_rally(public: Public) -> list[Seat]:
    """Return the seats asked after a vampire rally: all of them while the Vampire is unknown, so
    that the question reveals nothing; then each public vampire that has somebody to call.
    """
    vampires = public.vampires()
    return [
        seat
        for seat in public.order()
        if not vampires or (seat in vampires and called_at_rally(public, seat))
    ]


def rally_over(draft: Draft, *, used: bool) -> None:
    """End a vampire rally: the sympathy rises unless a vampire acted instead."""
    if not used:
        _swing(draft, _riot_table(draft).vampire_rally)


def _swing(draft: Draft, change: int) -> None:
    public: Public = draft.state.public
    if public.has_real_cards:
        assert public.riot is not None, "no riot is under way"
        draft.emit(events.SwingAsked(public.riot.city))
    else:
        change_sympathy(draft, change)


def clear_cards(draft: Draft) -> bool:
    """Pick up the riot's cards; return whether the active player must discard one first."""
    public: Public = draft.state.public
    riot = public.riot
    assert riot is not None and public.turn is not None, "no riot is under way"
    keeps_cards = riot.result == "sputter" and not public.options.sputter_discards
    if public.has_real_cards:
        return False
    if riot.cards and not keeps_cards:
        draft.emit(events.CardsLie(public.turn, riot.cards))
        return True
    _return_cards(draft, None)
    return False


def discard_card(draft: Draft, seat: Seat, card: str) -> None:
    """Discard a face-up card in secret; put the others face down into their region again."""
    draft.emit(events.RiotCardDiscarded(seat, card))
    _return_cards(draft, card)


def _return_cards(draft: Draft, gone: str | None) -> None:
    public: Public = draft.state.public
    assert public.riot is not None, "no riot is under way"
    region = public.cities[public.riot.city].region
    pile = _hidden(draft).piles.regions[region]
    left = pile if gone is None else without(pile, gone)
    draft.emit(
        events.PileShuffled(region, left),
        events.RiotCleared(region, len(left), gone is not None),
    )


def _riot_table(draft: Draft) -> RiotTable:
    content = _hidden(draft).content
    return content.riot if content else PRINTED


def _hidden(draft: Draft) -> Hidden:
    hidden: Hidden = draft.state.hidden
    return hidden
