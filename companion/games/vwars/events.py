"""Define the events of a game, public ones and those of one seat or of nobody: what each changes,
and its message, which has the ids of cities and regions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec.structs import replace

from companion.core.game import (
    DisclosingEvent,
    Event,
    HiddenEvent,
    Message,
    Outcome,
    PublicEvent,
    Seat,
    SeatEvent,
    tagged_types,
)
from companion.games.vwars.content import (
    EventCard,
    EventEffect,
    Law,
    Side,
    city_of,
    other,
    side_of,
    value_of,
)
from companion.games.vwars.options import ACTIONS_EACH, POOL, SEATS, Faction, Options, Setup, Step
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
    Region,
    RiotSeen,
    RoleShown,
    without,
)

Hands = Mapping[Seat, Hand]

Result = Literal["control", "rally", "massacre", "sputter"]


class GameSetUp(PublicEvent, frozen=True, tag="game_set_up"):
    """The board is set up: the map, the sympathy, the drawn cities; `hands`: the number of cards of
    each player, None for real ones.
    """

    players: int
    options: Options
    title: str
    sample: bool
    regions: dict[str, Region]
    cities: dict[str, tuple[str, str]]
    sympathy: int
    vampire_cities: tuple[str, ...]
    troop_cities: tuple[str, ...]
    hands: int | None
    piles: dict[str, int]
    riots: tuple[str, ...]
    events: tuple[EventCard, ...]

    def apply(self, public: Public) -> Public:
        cities = {id: City(name, region) for id, (name, region) in self.cities.items()}
        for id in self.vampire_cities:
            cities[id] = replace(cities[id], vampire=2, control="vampire")
        for id in self.troop_cities:
            cities[id] = replace(cities[id], vampire=1)
        now, soon = (*self.events, None, None)[:2]
        riot_now, riot_soon = (*self.riots, None, None)[:2]
        return Public(
            self.options,
            self.title,
            self.sample,
            self.regions,
            cities,
            {seat: Player(hand=self.hands) for seat in SEATS[: self.players]},
            self.sympathy,
            event=now,
            next_event=soon,
            riot_now=riot_now,
            riot_soon=riot_soon,
            piles=self.piles,
        )

    def message(self) -> Message:
        return self.message_named("set_up")


class RoleTaken(PublicEvent, frozen=True, tag="role_taken"):
    """A player has this role and stands in its start city."""

    seat: Seat
    city: str
    role: RoleShown

    def apply(self, public: Public) -> Public:
        return _with_player(public, self.seat, city=self.city, role=self.role)

    def message(self) -> Message:
        return _with(super().message(), name=self.role.name)


class LawShown(PublicEvent, frozen=True, tag="law_shown"):
    """A law is on top of its side's deck; None: the deck is empty."""

    side: Side
    law: Law | None

    def apply(self, public: Public) -> Public:
        return replace(public, laws={**public.laws, self.side: self.law})

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        laws = hidden.piles.laws
        return _with_hidden(hidden, laws={**laws, self.side: laws[self.side][1:]})

    def message(self) -> Message:
        return _with_law(self.message_named("law_shown" if self.law else "no_law_left"), self.law)


class Dealt(SeatEvent, frozen=True, tag="dealt"):
    """A seat's faction and hand."""

    faction: Faction
    cards: tuple[str, ...]

    def apply_private(self, private: Hands, public: Public) -> Hands:
        return {**private, self.seat: Hand(self.faction, tuple(sorted(self.cards)))}


class DealKept(HiddenEvent, frozen=True, tag="deal_kept"):
    """The whole set-up with its content and its deal; sent to nobody."""

    setup: Setup

    def apply_hidden(self, hidden: None, public: Public) -> Hidden:
        content, deal = self.setup.content, self.setup.deal
        if content is None or deal is None:
            return Hidden(self.setup, content, Piles())
        events = {event.id: event for event in content.event}
        laws = {law.id: law for law in content.law}
        piles = Piles(
            deal.deck,
            (),
            deal.pool,
            dict(deal.regions),
            tuple(events[id] for id in deal.events[2:]),
            {side: tuple(laws[id] for id in ids[1:]) for side, ids in deal.laws.items()},
        )
        return Hidden(self.setup, content, piles)


class ToType(PublicEvent, frozen=True, tag="to_type"):
    """With real cards: the questions of the set-up in their order, and who types the answers."""

    seat: Seat
    asks: tuple[CityAsk, ...]

    def apply(self, public: Public) -> Public:
        return replace(public, step="setup", turn=self.seat, to_type=self.asks)


class CityTyped(PublicEvent, frozen=True, tag="city_typed"):
    """With real cards: a city that the set-up asked for."""

    ask: CityAsk
    city: str

    def apply(self, public: Public) -> Public:
        public, city = replace(public, to_type=public.to_type[1:]), self.city
        match self.ask:
            case CityAsk("start", str(seat)):
                return _with_player(public, Seat(seat), city=city)
            case CityAsk("vampires"):
                return _with_city(public, city, vampire=2, control="vampire")
            case CityAsk("troops"):
                return _with_city(public, city, vampire=1)
            case CityAsk("now"):
                return replace(public, riot_now=f"{city}-")
        return replace(public, riot_soon=f"{city}-")

    def message(self) -> Message:
        return _with(self.message_named(f"city_typed.{self.ask.what}"), seat=self.ask.seat or "")


class TurnStarted(PublicEvent, frozen=True, tag="turn_started"):
    """A player's actions begin."""

    seat: Seat

    def apply(self, public: Public) -> Public:
        return replace(
            public,
            turn=self.seat,
            step="turn",
            actions_left=ACTIONS_EACH,
            moved_free=0,
            typed=0,
            turns=public.turns + 1,
            picked=None,
            picked_region=None,
            asked=(),
        )


class TurnedPublic(DisclosingEvent, frozen=True, tag="turned_public"):
    """A player becomes a public vampire."""

    seat: Seat

    def apply(self, public: Public) -> Public:
        return replace(_with_player(public, self.seat, vampire=True), asked=())


class SympathyChanged(PublicEvent, frozen=True, tag="sympathy_changed"):
    """The sympathy is this number now."""

    sympathy: int
    change: int

    def apply(self, public: Public) -> Public:
        return replace(public, sympathy=self.sympathy, typed=public.typed + 1)

    def message(self) -> Message:
        return _with(
            self.message_named(f"sympathy_changed.{'up' if self.change > 0 else 'down'}"),
            n=abs(self.change),
        )


class Moved(PublicEvent, frozen=True, tag="moved"):
    """A player went to a city.

    free: by a law or a role, without using an action
    """

    seat: Seat
    city: str
    free: bool = False

    def apply(self, public: Public) -> Public:
        moved = _with_player(public, self.seat, city=self.city)
        if self.free:
            return replace(moved, moved_free=public.moved_free + 1)
        return replace(moved, actions_left=_actions_left(public))


class CardAsked(PublicEvent, frozen=True, tag="card_asked"):
    """Players must give a card: for a region's deck, the pool, or (None) the discards and a troop
    in `city`.
    """

    seat: Seat
    seats: tuple[Seat, ...]
    to: str | None
    city: str | None = None

    def apply(self, public: Public) -> Public:
        due = None if public.has_real_cards else CardsDue(self.seats, self.to, self.city)
        step: Step = "card" if due else "turn"
        return replace(public, actions_left=_actions_left(public), due=due, step=step)

    def message(self) -> Message:
        if self.city is not None:
            return self.message_named("card_asked.deploy")
        name = "card_asked.pool" if self.to == POOL else "card_asked.region"
        asked = {"seat": self.seat, "region": self.to or ""}
        if len(self.seats) == 1:
            return Message(f"event.{name}.alone", {**asked})
        return Message(f"event.{name}", {**asked, "by": self.seats[1]})


class CardGiven(PublicEvent, frozen=True, tag="card_given"):
    """A player gave a card face down."""

    seat: Seat
    to: str | None

    def apply(self, public: Public) -> Public:
        due = public.due
        assert due is not None, "no card is due"
        held = public.players[self.seat].hand or 0
        pile, seats = self.to or "discards", due.seats[1:]
        after = _with_piles(
            _with_player(public, self.seat, hand=held - 1), **{pile: public.piles[pile] + 1}
        )
        return replace(
            after,
            due=replace(due, seats=seats) if seats else None,
            step="card" if seats else "turn",
        )


class CardPut(SeatEvent, frozen=True, tag="card_put"):
    """The card that a player gave, for that player."""

    card: str
    to: str | None

    def apply_private(self, private: Hands, public: Public) -> Hands:
        if self.seat not in private:
            return private
        own = private[self.seat]
        return {**private, self.seat: replace(own, cards=without(own.cards, self.card))}

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        piles = hidden.piles
        if self.to is None:
            return _with_hidden(hidden, discards=(*piles.discards, self.card))
        pile = piles.pool if self.to == POOL else piles.regions[self.to]
        return _with_pile(hidden, self.to, (*pile, self.card))

    def message(self) -> Message:
        pile = "discards" if self.to is None else "pool" if self.to == POOL else "region"
        return _with_card(self.message_named(f"card_put.{pile}"), self.card, region=self.to or "")


class TroopsChanged(PublicEvent, frozen=True, tag="troops_changed"):
    """A side's troops in a city changed to this number."""

    city: str
    side: Side
    troops: int
    change: int

    def apply(self, public: Public) -> Public:
        changed = _with_city(public, self.city, **{self.side: self.troops})
        return replace(changed, typed=public.typed + 1)

    def message(self) -> Message:
        return _with(
            self.message_named(f"troops_changed.{'up' if self.change > 0 else 'down'}"),
            n=abs(self.change),
        )


class Assassinated(PublicEvent, frozen=True, tag="assassinated"):
    """A player removed a troop in the same city."""

    seat: Seat
    city: str
    side: Side

    def apply(self, public: Public) -> Public:
        troops = public.cities[self.city].troops(self.side) - 1
        fewer = _with_city(public, self.city, **{self.side: troops})
        return replace(fewer, actions_left=_actions_left(public))


class TargetEvent(PublicEvent, frozen=True):
    """A player did something to another one, who is `by` in the message."""

    seat: Seat
    target: Seat

    def message_named(self, name: str) -> Message:
        return _with(super().message_named(name), by=self.target)


class PlayerAsked(TargetEvent, frozen=True, tag="player_asked"):
    """With real faction cards: a player is asked whether its card is the one named."""

    what: Literal["investigate", "awaken"]
    rallying: bool = False

    def apply(self, public: Public) -> Public:
        question = Question(self.seat, self.target, self.what, self.rallying)
        left = _actions_left(public)
        return replace(public, actions_left=left, step="answer", question=question)

    def message(self) -> Message:
        return self.message_named(f"player_asked.{self.what}")


class Investigated(TargetEvent, DisclosingEvent, frozen=True, tag="investigated"):
    """A player named the Vampire."""

    right: bool

    def apply(self, public: Public) -> Public:
        spent = _with_player(public, self.seat, token=False)
        return replace(spent, actions_left=_actions_left(public), step="turn", question=None)

    def message(self) -> Message:
        return self.message_named(f"investigated.{'right' if self.right else 'wrong'}")


class Awakened(TargetEvent, DisclosingEvent, frozen=True, tag="awakened"):
    """A public vampire asked a player to join: an Infected does."""

    joins: bool

    def apply(self, public: Public) -> Public:
        if public.step == "rally" or (public.question and public.question.rallying):
            return replace(public, step="rally", asked=(), question=None)
        return replace(public, actions_left=_actions_left(public), step="turn", question=None)

    def message(self) -> Message:
        return self.message_named(f"awakened.{'joins' if self.joins else 'nothing'}")


class EventResolved(PublicEvent, frozen=True, tag="event_resolved"):
    """The Now event takes effect; None with real cards, where the table types its effects."""

    card: EventCard | None

    def apply(self, public: Public) -> Public:
        return replace(
            public,
            step="event",
            riot=None,
            effects=(),
            picked=None,
            picked_region=None,
            typed=0,
            overflowed=(),
        )

    def message(self) -> Message:
        if self.card is None:
            return self.message_named("event_resolved.real")
        return _with(super().message(), name=self.card.name, words=self.card.text)


class ChoiceAsked(PublicEvent, frozen=True, tag="choice_asked"):
    """The event needs a choice of the active player: a city, a region, a winner or typed
    changes.
    """

    seat: Seat
    left: tuple[EventEffect, ...]
    text: str = ""

    def apply(self, public: Public) -> Public:
        return replace(
            public, step="event", effects=self.left, picked=None, picked_region=None, typed=0
        )


class Picked(PublicEvent, frozen=True, tag="picked"):
    """The next typed change is for this city, or for this region."""

    city: str | None
    region: str | None = None

    def apply(self, public: Public) -> Public:
        return replace(public, picked=self.city, picked_region=self.region)

    def message(self) -> Message:
        return self.message_named("picked" if self.city else "picked.region")


class CityOverflowed(PublicEvent, frozen=True, tag="city_overflowed"):
    """An event first brought more vampire troops to a city than it holds."""

    city: str

    def apply(self, public: Public) -> Public:
        return replace(public, overflowed=(*public.overflowed, self.city))


class CardDrawn(DisclosingEvent, frozen=True, tag="card_drawn"):
    """The top player card was drawn for its city, and discarded."""

    card: str

    def apply(self, public: Public) -> Public:
        piles = public.piles
        return _with_piles(public, deck=piles["deck"] - 1, discards=piles["discards"] + 1)

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        piles = hidden.piles
        return _with_hidden(hidden, deck=piles.deck[1:], discards=(*piles.discards, self.card))

    def message(self) -> Message:
        return _with(super().message(), city=city_of(self.card))


class ControlChanged(PublicEvent, frozen=True, tag="control_changed"):
    """A side controls a city now; if the vampires take it, its martial law ends."""

    city: str
    side: Side

    def apply(self, public: Public) -> Public:
        martial = public.cities[self.city].martial and self.side == "human"
        changed = _with_city(public, self.city, control=self.side, martial=martial)
        return replace(changed, typed=public.typed + 1)

    def message(self) -> Message:
        return self.message_named(f"control_changed.{self.side}")


class ElectionHeld(PublicEvent, frozen=True, tag="election_held"):
    """A side won an election, and its law is in force in the region; None: the law is only on the
    table.
    """

    region: str
    side: Side
    law: Law | None

    def apply(self, public: Public) -> Public:
        typed = replace(public, picked=None, picked_region=None, typed=public.typed + 1)
        old = public.regions[self.region]
        held = replace(old, elected=self.side, law=self.law or old.law)
        return replace(typed, regions={**public.regions, self.region: held})

    def message(self) -> Message:
        name = f"election_held.{self.side}"
        return _with_law(self.message_named(name if self.law else f"{name}.real"), self.law)


class EventSettled(PublicEvent, frozen=True, tag="event_settled"):
    """The event is over; a riot is next, in the Now card's city if there is one."""

    city: str | None

    def apply(self, public: Public) -> Public:
        return replace(public, step="riot", effects=(), picked=None, picked_region=None, typed=0)

    def message(self) -> Message:
        return self.message_named("event_settled" if self.city else "event_settled.no_riot")


class RiotBegan(PublicEvent, frozen=True, tag="riot_began"):
    """The Now card was shuffled into its region's deck; the cards are turned next."""

    city: str

    def apply(self, public: Public) -> Public:
        begun = replace(public, riot=RiotSeen(self.city), typed=0)
        if public.has_real_cards:
            return replace(begun, step="turning")
        region = public.cities[self.city].region
        return _with_piles(
            replace(begun, step="riot", riot_now=None), **{region: public.piles[region] + 1}
        )


class PileShuffled(HiddenEvent, frozen=True, tag="pile_shuffled"):
    """The order of a pile, from the top; sent to nobody."""

    pile: str
    cards: tuple[str, ...]

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        if self.pile == "deck":
            return _with_hidden(hidden, deck=self.cards, discards=())
        return _with_pile(hidden, self.pile, self.cards)


class RiotCardTurned(DisclosingEvent, frozen=True, tag="riot_card_turned"):
    """A card was turned: it removed troops and is face down again, or it stays face up.

    strength: of its side after it
    """

    card: str
    side: Side
    value: int
    removed: int
    strength: int

    def apply(self, public: Public) -> Public:
        riot = _riot(public)
        public = replace(
            public, riot=replace(riot, turned=(*riot.turned, (self.card, self.removed)))
        )
        if not self.removed:
            return public
        enemy = other(self.side)
        troops = public.cities[riot.city].troops(enemy) - self.removed
        return _with_city(public, riot.city, **{enemy: troops})

    def message(self) -> Message:
        name = "troops_removed" if self.removed else "riot_card_turned"
        return self.message_named(f"{name}.{self.side}")


class StrengthTyped(PublicEvent, frozen=True, tag="strength_typed"):
    """With real cards: a law or a role changes a side's strength in this riot."""

    side: Side
    change: int

    def apply(self, public: Public) -> Public:
        riot = _riot(public)
        changed = replace(riot, **{self.side: getattr(riot, self.side) + self.change})
        return replace(public, riot=changed, typed=public.typed + 1)

    def message(self) -> Message:
        return _with(self.message_named(f"strength_typed.{self.side}"), value=f"{self.change:+d}")


class RiotEnded(PublicEvent, frozen=True, tag="riot_ended"):
    """A riot ended: one side won, or neither was strong enough."""

    city: str
    result: Result
    winner: Side | None
    strength: int

    def apply(self, public: Public) -> Public:
        ended = replace(
            _riot(public), winner=self.winner, strength=self.strength, result=self.result
        )
        return replace(public, riot=ended)

    def message(self) -> Message:
        if self.result == "sputter":
            return self.message_named("riot_ended.sputter")
        return self.message_named(f"riot_ended.{self.result}.{self.winner}")


class MartialLaw(PublicEvent, frozen=True, tag="martial_law"):
    """A city comes under martial law."""

    city: str

    def apply(self, public: Public) -> Public:
        return replace(_with_city(public, self.city, martial=True), typed=public.typed + 1)


class MartialLawEnded(PublicEvent, frozen=True, tag="martial_law_ended"):
    """A city is no longer under martial law."""

    city: str

    def apply(self, public: Public) -> Public:
        return replace(_with_city(public, self.city, martial=False), typed=public.typed + 1)


class RallyAsked(PublicEvent, frozen=True, tag="rally_asked"):
    """After a vampire rally each of these seats must do nothing or act as a vampire."""

    seats: tuple[Seat, ...]

    def apply(self, public: Public) -> Public:
        return replace(public, step="rally", asked=self.seats)


class Stayed(PublicEvent, frozen=True, tag="stayed"):
    """A seat that was asked after a rally does nothing."""

    seat: Seat

    def apply(self, public: Public) -> Public:
        return replace(public, asked=public.asked[1:])


class SwingAsked(PublicEvent, frozen=True, tag="swing_asked"):
    """With real cards: the companion asks for the number of the printed riot table."""

    city: str

    def apply(self, public: Public) -> Public:
        return replace(public, step="swing")


class CardsLie(PublicEvent, frozen=True, tag="cards_lie"):
    """The active player has the riot's face-up cards and discards one in secret."""

    seat: Seat
    cards: tuple[str, ...]

    def apply(self, public: Public) -> Public:
        return replace(public, step="discard")


class RiotCleared(PublicEvent, frozen=True, tag="riot_cleared"):
    """The cards of the riot are face down in their region again, without a discarded one."""

    region: str
    cards: int
    discarded: bool

    def apply(self, public: Public) -> Public:
        extra = {"discards": public.piles["discards"] + 1} if self.discarded else {}
        return _with_piles(public, **{self.region: self.cards}, **extra)


class RiotCardDiscarded(SeatEvent, frozen=True, tag="riot_card_discarded"):
    """The face-up card that went to the discards."""

    card: str

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        return _with_hidden(hidden, discards=(*hidden.piles.discards, self.card))

    def message(self) -> Message:
        return _with_card(self.message_named("card_put.discards"), self.card)


class EventsSlid(PublicEvent, frozen=True, tag="events_slid"):
    """The Now event is discarded, Soon is Now, and the next one is Soon."""

    now: EventCard | None
    soon: EventCard | None

    def apply(self, public: Public) -> Public:
        left = max(public.piles.get("events", 0) - 1, 0)
        return replace(_with_piles(public, events=left), event=self.now, next_event=self.soon)

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        return _with_hidden(hidden, events=hidden.piles.events[1:])

    def message(self) -> Message:
        if self.now is None:
            return self.message_named("events_slid.last")
        return _with(super().message(), name=self.now.name)


class RiotsSlid(PublicEvent, frozen=True, tag="riots_slid"):
    """The riot card Soon is Now, and the top card of the pool is Soon."""

    now: str | None
    soon: str | None
    source: Literal["pool", "deck", "box"]

    def apply(self, public: Public) -> Public:
        slid = replace(public, riot_now=self.now, riot_soon=self.soon)
        if self.source == "box" or self.soon is None:
            return slid
        return _with_piles(slid, **{self.source: public.piles[self.source] - 1})

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        if self.source == "box" or self.soon is None:
            return hidden
        return _with_hidden(hidden, **{self.source: getattr(hidden.piles, self.source)[1:]})

    def message(self) -> Message:
        if self.now is None:
            return self.message_named("riots_slid.none")
        return _with(super().message(), city=city_of(self.now))


class DeckRemade(PublicEvent, frozen=True, tag="deck_remade"):
    """The player deck was remade from the discards."""

    cards: int

    def apply(self, public: Public) -> Public:
        return _with_piles(public, deck=public.piles["deck"] + self.cards, discards=0)


class HandRefilled(PublicEvent, frozen=True, tag="hand_refilled"):
    """A player drew cards; None with real cards."""

    seat: Seat
    cards: int | None

    def apply(self, public: Public) -> Public:
        if self.cards is None:
            return public
        held = (public.players[self.seat].hand or 0) + self.cards
        refilled = _with_player(public, self.seat, hand=held)
        return _with_piles(refilled, deck=public.piles["deck"] - self.cards)


class CardsDrawn(SeatEvent, frozen=True, tag="cards_drawn"):
    """The cards that a player drew, for that player."""

    cards: tuple[str, ...]

    def apply_private(self, private: Hands, public: Public) -> Hands:
        if self.seat not in private:
            return private
        own = private[self.seat]
        return {**private, self.seat: replace(own, cards=tuple(sorted((*own.cards, *self.cards))))}

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        return _with_hidden(hidden, deck=hidden.piles.deck[len(self.cards) :])


class BoxAsked(PublicEvent, frozen=True, tag="box_asked"):
    """With real cards: the companion asks for the new riot card's city, or whether the hand could
    be refilled.
    """

    what: Literal["soon", "refill"]

    def apply(self, public: Public) -> Public:
        return replace(public, step=self.what)

    def message(self) -> Message:
        return self.message_named(f"box_asked.{self.what}")


class GameOver(DisclosingEvent, frozen=True, tag="game_over"):
    """The game is over; every faction that the companion dealt is public."""

    winner: Literal["humans", "vampires", "draw"]
    reason: Literal["track_full", "no_events", "no_cards", "martial_law", "no_sympathy", "agreed"]
    factions: Mapping[str, Faction] = {}

    def apply(self, public: Public) -> Public:
        outcome = Outcome(self.winner, self.reason)
        return replace(public, step="over", asked=(), factions=self.factions, outcome=outcome)

    def message(self) -> Message:
        return self.message_named(f"game_over.{self.winner}")


def _with(message: Message, **params: str | int) -> Message:
    return Message(message.code, {**message.params, **params})


def _with_law(message: Message, law: Law | None) -> Message:
    return message if law is None else _with(message, name=law.name)


def _with_card(message: Message, card: str, **params: str) -> Message:
    return _with(message, city=city_of(card), side=side_of(card), value=value_of(card), **params)


def _with_player(public: Public, seat: Seat, **change: Any) -> Public:
    return replace(
        public, players={**public.players, seat: replace(public.players[seat], **change)}
    )


def _with_city(public: Public, city: str, **change: Any) -> Public:
    return replace(public, cities={**public.cities, city: replace(public.cities[city], **change)})


def _with_piles(public: Public, **change: int) -> Public:
    return replace(public, piles={**public.piles, **change})


def _actions_left(public: Public) -> int:
    """Return the number of actions left after this one; in a rally none is counted."""
    return public.actions_left - (public.step == "turn")


def _riot(public: Public) -> RiotSeen:
    assert public.riot is not None, "no riot is under way"
    return public.riot


def _with_hidden(hidden: Hidden, **change: Any) -> Hidden:
    return replace(hidden, piles=replace(hidden.piles, **change))


def _with_pile(hidden: Hidden, name: str, cards: tuple[str, ...]) -> Hidden:
    if name == POOL:
        return _with_hidden(hidden, pool=cards)
    return _with_hidden(hidden, regions={**hidden.piles.regions, name: cards})


EVENTS = tagged_types(Event, globals())
