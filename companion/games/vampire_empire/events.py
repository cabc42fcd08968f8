"""Define the events of a game, public ones and those of one seat or of nobody: what each changes,
and its message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

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
from companion.games.vampire_empire.cards import SEATS, VAMPIRE, Card, Decks, Pile, other, without
from companion.games.vampire_empire.options import (
    CASTLE,
    Deal,
    Moment,
    Options,
    Side,
    Step,
    What,
)
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

Private = Mapping[Seat, Own]


class GameSetUp(PublicEvent, frozen=True, tag="game_set_up"):
    """The game begins: its content, the castle, the numbers of cards everywhere."""

    players: int
    options: Options
    title: str
    sample: bool
    castle: tuple[str, ...]
    city: int
    hands: dict[str, int]
    decks: dict[str, int]

    def apply(self, public: Public) -> Public:
        piles = {seat: Piles(self.hands.get(seat, 0), self.decks.get(seat, 0)) for seat in SEATS}
        return Public(
            self.options, self.title, self.sample, {}, self.castle, self.city, piles=piles
        )

    def message(self) -> Message:
        return self.message_named("set_up" if self.title else "set_up_box")


class CardsListed(PublicEvent, frozen=True, tag="cards_listed"):
    """The kinds of cards; everybody may read them before the game."""

    cards: tuple[Card, ...]

    def apply(self, public: Public) -> Public:
        return replace(public, cards={card.id: card for card in self.cards})


class CharactersDealt(SeatEvent, frozen=True, tag="characters_dealt"):
    """The vampires, or the humans whom the human player knows."""

    characters: tuple[str, ...]

    def apply_private(self, private: Private, public: Public) -> Private:
        return {**private, self.seat: Own(self.characters)}


class DealKept(HiddenEvent, frozen=True, tag="deal_kept"):
    """The whole deal, for the record."""

    deal: Deal
    content: Decks | None

    def apply_hidden(self, hidden: None, public: Public) -> Hidden:
        decks = {seat: self.deal.decks.get(seat, ()) for seat in SEATS}
        none = dict.fromkeys(SEATS, ())
        return Hidden(self.deal, self.content, self.deal.city[CASTLE:], decks, none, none)


class TurnStarted(PublicEvent, frozen=True, tag="turn_started"):
    """A night or a day begins."""

    seat: Seat

    def apply(self, public: Public) -> Public:
        step: Step = "reveal" if self.seat == VAMPIRE else "action"
        return replace(
            public,
            turn=self.seat,
            turns=public.turns + 1,
            step=step if public.has_real_cards else "discard",
            payment=None,
            support=None,
            fight=None,
            window=None,
            waived=(),
            counted=None,
            water=(),
            answer=None,
        )

    def message(self) -> Message:
        return self.message_named(f"turn_started.{self.seat}")


class StepReached(PublicEvent, frozen=True, tag="step_reached"):
    """The turn is at another step."""

    step: Step

    def apply(self, public: Public) -> Public:
        return replace(public, step=self.step)


class CardDiscarded(PublicEvent, frozen=True, tag="card_discarded"):
    """A card went face down onto a pile."""

    seat: Seat
    pile: Literal["cellar", "moat"]

    def apply(self, public: Public) -> Public:
        return _move_cards(public, self.seat, "hand", self.pile)

    def message(self) -> Message:
        return self.message_named(f"card_discarded.{self.pile}")


class CardGone(SeatEvent, frozen=True, tag="card_gone"):
    """The card, for its owner."""

    card: str
    pile: Literal["cellar", "moat"]

    def apply_private(self, private: Private, public: Public) -> Private:
        return _without_card(private, self.seat, self.card)

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        if self.pile == "cellar":
            return replace(hidden, cellars=_with(hidden.cellars, self.seat, self.card))
        return replace(hidden, moats=_with(hidden.moats, self.seat, self.card))


class CardsDrawn(PublicEvent, frozen=True, tag="cards_drawn"):
    """Cards came into a hand."""

    seat: Seat
    count: int

    def apply(self, public: Public) -> Public:
        return _move_cards(public, self.seat, "deck", "hand", self.count)


class CardsGot(SeatEvent, frozen=True, tag="cards_got"):
    """The cards, for their owner."""

    cards: tuple[str, ...]

    def apply_private(self, private: Private, public: Public) -> Private:
        return _changed(private, self.seat, lambda own: replace(own, hand=(*own.hand, *self.cards)))

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        left = hidden.decks[self.seat][len(self.cards) :]
        return replace(hidden, decks={**hidden.decks, self.seat: left})


class DeckRemade(PublicEvent, frozen=True, tag="deck_remade"):
    """An empty deck was remade from the cellar, which happens once; with real cards the number of
    cards is unknown.
    """

    seat: Seat
    count: int

    def apply(self, public: Public) -> Public:
        remade = _move_cards(public, self.seat, "cellar", "deck", self.count)
        return _with_piles(remade, self.seat, remade=True)

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        return replace(hidden, cellars={**hidden.cellars, self.seat: ()})


class DeckShuffled(HiddenEvent, frozen=True, tag="deck_shuffled"):
    """The order of a shuffled deck."""

    seat: Seat
    cards: tuple[str, ...]

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        return replace(hidden, decks={**hidden.decks, self.seat: self.cards})


class VampireRevealed(DisclosingEvent, frozen=True, tag="vampire_revealed"):
    """A vampire was revealed to everybody."""

    character: str

    def apply(self, public: Public) -> Public:
        return replace(public, revealed=(*public.revealed, self.character))


class ActionBegun(PublicEvent, frozen=True, tag="action_begun", omit_defaults=True):
    """A seat begins an action that costs cards."""

    seat: Seat
    what: What
    cards: int
    character: str | None = None

    def apply(self, public: Public) -> Public:
        payment = Payment(self.seat, self.what, self.cards, self.character)
        return replace(public, payment=payment)

    def message(self) -> Message:
        return self.message_named(f"action_begun.{self.what}")


class CardPaid(PublicEvent, frozen=True, tag="card_paid"):
    """A card went to the moat as a price.

    card: None where it may lie face down
    """

    seat: Seat
    card: str | None
    value: int = 0

    def apply(self, public: Public) -> Public:
        if not public.has_real_cards:
            public = _move_cards(public, self.seat, "hand", "moat")
        payment, laid = public.payment, Laid(self.card, self.value)
        assert payment is not None, "nothing is paid for"
        left = replace(payment, left=payment.left - 1, shown=(*payment.shown, laid))
        water = (*public.water, laid) if payment.what == "holy_water" else public.water
        return replace(public, payment=left if left.left else None, water=water)

    def apply_private(self, private: Private, public: Public) -> Private:
        return _without_open_card(private, public, self.seat, self.card)

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        if self.card is None:
            return hidden
        return replace(hidden, moats=_with(hidden.moats, self.seat, self.card))


class CharacterHidden(PublicEvent, frozen=True, tag="character_hidden"):
    """A character went under the city. Another event brings the next one in, with real cards
    later.
    """

    character: str

    def apply(self, public: Public) -> Public:
        return replace(_without_character(public, self.character), city=public.city + 1)

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        return replace(hidden, city=(*hidden.city, self.character))


class CharacterEntered(DisclosingEvent, frozen=True, tag="character_entered"):
    """A character came from the city into the castle."""

    character: str

    def apply(self, public: Public) -> Public:
        return replace(public, castle=(*public.castle, self.character), city=public.city - 1)

    def apply_private(self, private: Private, public: Public) -> Private:
        return {
            seat: replace(own, coming=_others(own.coming, self.character))
            for seat, own in private.items()
        }

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        return replace(hidden, city=_others(hidden.city, self.character))


class HolyWaterAnswered(DisclosingEvent, frozen=True, tag="holy_water_answered"):
    """Holy water showed whether a character is a vampire."""

    character: str
    vampire: bool

    def apply(self, public: Public) -> Public:
        return replace(public, answer=self)

    def apply_private(self, private: Private, public: Public) -> Private:
        if self.vampire or not public.options.notebook:
            return private
        return {
            seat: replace(own, cleared=tuple(dict.fromkeys((*own.cleared, self.character))))
            for seat, own in private.items()
        }

    def message(self) -> Message:
        return self.message_named(f"holy_water_answered.{'yes' if self.vampire else 'no'}")


class FightBegun(PublicEvent, frozen=True, tag="fight_begun"):
    """A character attacks another; a holy water card may already count."""

    seat: Seat
    attacker: str
    target: str
    card: str | None = None
    value: int = 0

    def apply(self, public: Public) -> Public:
        counted = (Laid(self.card, self.value),) if self.value else ()
        if self.card is not None:
            public = _move_cards(public, self.seat, "moat", None)
        fight = Combat(
            self.seat, self.attacker, self.target, 1, self.seat, counted, laid_now=bool(counted)
        )
        return replace(public, step="fight", fight=fight, answer=None)

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        if self.card is None:
            return hidden
        left = without(hidden.moats[self.seat], self.card)
        return replace(hidden, moats={**hidden.moats, self.seat: left})


class CardLaid(DisclosingEvent, frozen=True, tag="card_laid"):
    """A card for one side of the fight; with real cards which one is unknown."""

    seat: Seat
    side: Side
    card: str | None
    value: int

    def apply(self, public: Public) -> Public:
        fight = public.running_fight
        cards = (*getattr(fight, self.side), Laid(self.card, self.value))
        laid_now = fight.laid_now or self.seat == fight.by
        if not public.has_real_cards:
            public = _move_cards(public, self.seat, "hand", None)
        return replace(public, fight=replace(fight, laid_now=laid_now, **{self.side: cards}))

    def apply_private(self, private: Private, public: Public) -> Private:
        return _without_open_card(private, public, self.seat, self.card)

    def message(self) -> Message:
        return self.message_named(f"card_laid.{self.side}")


class LayingEnded(PublicEvent, frozen=True, tag="laying_ended"):
    """A seat lays no more cards in this round."""

    seat: Seat

    def apply(self, public: Public) -> Public:
        fight = public.running_fight
        return replace(public, fight=replace(fight, laying=other(self.seat), opened=True))


class RoundCounted(PublicEvent, frozen=True, tag="round_counted"):
    """The sums at the end of a round, markers included."""

    round: int
    attack: int
    defence: int

    def apply(self, public: Public) -> Public:
        fight = public.running_fight
        following = replace(fight, round=self.round + 1, laying=fight.by, laid_now=False)
        return replace(public, counted=self, fight=following)


class FightEnded(PublicEvent, frozen=True, tag="fight_ended"):
    """The cards of a fight went to the moats.

    killed: None if both live
    """

    killed: str | None

    def apply(self, public: Public) -> Public:
        fight = public.running_fight
        if not public.has_real_cards:
            public = _move_cards(public, fight.by, None, "moat", len(fight.attack))
            public = _move_cards(public, other(fight.by), None, "moat", len(fight.defence))
        return replace(public, fight=None)

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        fight = public.running_fight
        return _to_moat(_to_moat(hidden, fight.by, fight.attack), other(fight.by), fight.defence)

    def message(self) -> Message:
        return self.message_named("fight_over" if self.killed else "both_live")


class CharacterDied(DisclosingEvent, frozen=True, tag="character_died"):
    """A character is out of the game; everybody learns its identity."""

    character: str
    vampire: bool

    def apply(self, public: Public) -> Public:
        return replace(
            _without_character(public, self.character),
            dead=(*public.dead, Dead(self.character, self.vampire)),
            revealed=_others(public.revealed, self.character),
        )

    def message(self) -> Message:
        return self.message_named(f"character_died.{'vampire' if self.vampire else 'human'}")


class SupportPlayed(DisclosingEvent, frozen=True, tag="support_played"):
    """A support card, and its cost by day or by night."""

    seat: Seat
    card: str
    cost: int

    def apply(self, public: Public) -> Public:
        return replace(
            _move_cards(_window_answered(public), self.seat, "hand", "moat"),
            payment=Payment(self.seat, "support", self.cost) if self.cost else None,
            support=Support(self.seat, public.cards[self.card].effects),
        )

    def apply_private(self, private: Private, public: Public) -> Private:
        return _without_open_card(private, public, self.seat, self.card)

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        return replace(hidden, moats=_with(hidden.moats, self.seat, self.card))


class SupportEnded(PublicEvent, frozen=True, tag="support_ended"):
    """One effect of a support ended."""

    seat: Seat

    def apply(self, public: Public) -> Public:
        if public.support is None:
            return public
        effects = public.support.effects[1:]
        return replace(public, support=Support(public.support.seat, effects) if effects else None)


class SupportAsked(PublicEvent, frozen=True, tag="support_asked"):
    """A seat is asked to play a support card or decline.

    Whether it is asked does not depend on its hand.
    """

    seat: Seat
    moment: Moment

    def apply(self, public: Public) -> Public:
        window = public.window
        if self.moment != "after_action":
            return replace(public, window=Window(self.moment, self.seat))
        declined = window.declined if window else ()
        return replace(
            public, step="end", answer=None, window=Window(self.moment, self.seat, declined)
        )


class SupportDeclined(PublicEvent, frozen=True, tag="support_declined"):
    """A seat plays no support card now, or none until the turn ends."""

    seat: Seat
    rest_of_turn: bool

    def apply(self, public: Public) -> Public:
        window = public.window
        if window is None:
            return public
        is_last = window.moment != "after_action"
        left = None if is_last else replace(window, declined=(*window.declined, self.seat))
        waived = (*public.waived, self.seat) if self.rest_of_turn else public.waived
        return replace(public, window=left, waived=waived)


class MarkerPut(PublicEvent, frozen=True, tag="marker_put"):
    """A marker lies by a castle character."""

    character: str
    side: Side
    size: int

    def apply(self, public: Public) -> Public:
        marker = Marker(self.character, self.side, self.size)
        return replace(public, markers=(*public.markers, marker))

    def message(self) -> Message:
        return self.message_named(f"marker_put.{self.side}")


class CardCancelled(PublicEvent, frozen=True, tag="card_cancelled"):
    """A card left the fight."""

    side: Side
    number: int

    def apply(self, public: Public) -> Public:
        public = _window_answered(public)
        fight = public.running_fight
        laid: tuple[Laid, ...] = getattr(fight, self.side)
        if not public.has_real_cards:
            public = _move_cards(public, self._owner(fight), None, "moat")
        rest = (*laid[: self.number - 1], *laid[self.number :])
        # An attacker who loses a card may lay another one; the defender lays later in any case.
        laying = fight.by if self.side == "attack" else fight.laying
        return replace(public, fight=replace(fight, laying=laying, **{self.side: rest}))

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        fight = public.running_fight
        laid: tuple[Laid, ...] = getattr(fight, self.side)
        return _to_moat(hidden, self._owner(fight), (laid[self.number - 1],))

    def _owner(self, fight: Combat) -> Seat:
        return fight.by if self.side == "attack" else other(fight.by)


class CityLooked(PublicEvent, frozen=True, tag="city_looked"):
    """A seat looked at the top of the city."""

    seat: Seat
    count: int


class CitySeen(SeatEvent, frozen=True, tag="city_seen"):
    """The next cards of the city, in order."""

    characters: tuple[str, ...]

    def apply_private(self, private: Private, public: Public) -> Private:
        return _changed(private, self.seat, lambda own: replace(own, coming=self.characters))


class PileSearched(PublicEvent, frozen=True, tag="pile_searched"):
    """A seat looks through an own pile."""

    seat: Seat
    pile: Pile

    def apply(self, public: Public) -> Public:
        if public.support is None:
            return public
        return replace(public, support=replace(public.support, searching=True))

    def message(self) -> Message:
        return self.message_named(f"pile_searched.{self.pile}")


class PileSeen(SeatEvent, frozen=True, tag="pile_seen"):
    """The cards of the searched pile."""

    cards: tuple[str, ...]

    def apply_private(self, private: Private, public: Public) -> Private:
        return _changed(private, self.seat, lambda own: replace(own, seen=self.cards))


class CardFound(PublicEvent, frozen=True, tag="card_found"):
    """A card of a searched pile came into the hand."""

    seat: Seat
    pile: Pile

    def apply(self, public: Public) -> Public:
        return _move_cards(public, self.seat, self.pile, "hand")


class CardTaken(SeatEvent, frozen=True, tag="card_taken"):
    """The card, for its owner."""

    card: str
    pile: Pile

    def apply_private(self, private: Private, public: Public) -> Private:
        return _changed(
            private, self.seat, lambda own: replace(own, hand=(*own.hand, self.card), seen=())
        )

    def apply_hidden(self, hidden: Hidden, public: Public) -> Hidden:
        name = f"{self.pile}s"
        piles: Mapping[Seat, tuple[str, ...]] = getattr(hidden, name)
        return replace(hidden, **{name: {**piles, self.seat: without(piles[self.seat], self.card)}})


class TextAsked(PublicEvent, frozen=True, tag="text_asked"):
    """The players follow a card's text."""

    text: str


class PlayerOut(PublicEvent, frozen=True, tag="player_out"):
    """A player has no cards left; the other one plays on."""

    seat: Seat

    def apply(self, public: Public) -> Public:
        return _with_piles(public, self.seat, out=True)


class IdentitiesShown(DisclosingEvent, frozen=True, tag="identities_shown"):
    """At the end every identity is shown."""

    vampires: tuple[str, ...]
    trusted: tuple[str, ...]

    def apply(self, public: Public) -> Public:
        return replace(public, identities=self)


class GameOver(DisclosingEvent, frozen=True, tag="game_over", omit_defaults=True):
    """The game is over."""

    winner: Literal["vampire", "human", "draw"]
    reason: Literal["humans_dead", "vampires_dead", "castle_taken", "points", "agreed"]
    points: dict[str, int] | None = None

    def apply(self, public: Public) -> Public:
        return replace(
            public,
            step="over",
            payment=None,
            support=None,
            fight=None,
            window=None,
            outcome=Outcome(self.winner, self.reason),
            points=self.points or {},
        )

    def message(self) -> Message:
        return self.message_named(f"game_over.{self.winner}")


def _window_answered(public: Public) -> Public:
    """Return the public part after an answer to a question for a support card.

    After a support at the end of a round the defence may lay more cards.
    """
    window, fight = public.window, public.fight
    if window is None:
        return public
    if fight is not None:
        return replace(public, window=None, fight=replace(fight, laying=other(fight.by)))
    return replace(public, window=replace(window, declined=()))


def _without_character(public: Public, character: str) -> Public:
    return replace(
        public,
        castle=_others(public.castle, character),
        markers=tuple(one for one in public.markers if one.character != character),
    )


def _others(characters: tuple[str, ...], character: str) -> tuple[str, ...]:
    return tuple(name for name in characters if name != character)


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


def _changed(private: Private, seat: Seat, change: Callable[[Own], Own]) -> Private:
    return {name: change(own) if name == seat else own for name, own in private.items()}


def _without_card(private: Private, seat: Seat, card: str) -> Private:
    return _changed(private, seat, lambda own: replace(own, hand=without(own.hand, card)))


def _without_open_card(private: Private, public: Public, seat: Seat, card: str | None) -> Private:
    """Return the private parts after an open card left a hand; the other seat may note it."""
    if card is None:
        return private
    left = _without_card(private, seat, card)
    if not public.options.notebook:
        return left
    return _changed(left, other(seat), lambda own: replace(own, met=(*own.met, card)))


def _with(
    piles: Mapping[Seat, tuple[str, ...]], seat: Seat, card: str
) -> dict[Seat, tuple[str, ...]]:
    return {**piles, seat: (*piles[seat], card)}


def _to_moat(hidden: Hidden, seat: Seat, laid: tuple[Laid, ...]) -> Hidden:
    cards = tuple(one.card for one in laid if one.card is not None)
    return replace(hidden, moats={**hidden.moats, seat: (*hidden.moats[seat], *cards)})


EVENTS = tagged_types(Event, globals())
