"""Define the events of a game: what each changes, and its message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from companion.core.game import (
    DisclosingEvent,
    Event,
    HiddenEvent,
    Message,
    Outcome,
    PrivateEvent,
    PublicEvent,
    Seat,
    SeatEvent,
    tagged_types,
)
from companion.games.shisogari.cards import Colour, Role, in_box_order, is_real, without
from companion.games.shisogari.options import Deal, Options, Step, Way
from companion.games.shisogari.state import Hand, LaidPair, Public, Transfer

Hands = Mapping[Seat, Hand]


class GameSetUp(PublicEvent, frozen=True, tag="game_set_up"):
    """The cards are dealt.

    backs: a letter for each card of a hand: `w`, `b`, or `?` for a real one
    last: the backs of the cards that seats still choose
    """

    players: int
    options: Options
    backs: dict[str, str]
    last: str = ""

    def apply(self, public: Public) -> Public:
        backs = {Seat(seat): letters for seat, letters in self.backs.items()}
        return Public(self.options, backs, dict.fromkeys(backs, ()), last=self.last)

    def message(self) -> Message:
        return Message("event.cards_dealt", {"n": self.players})


class Dealt(SeatEvent, frozen=True, tag="dealt"):
    """A seat's role and hand.

    boxed: the cards that the Vampire put back
    """

    role: Literal["vampire", "hunter"]
    cards: tuple[str, ...]
    boxed: tuple[str, ...] = ()

    def apply_private(self, private: Hands, public: Public) -> Hands:
        return {**private, self.seat: Hand(self.role, self.cards, boxed=self.boxed)}


class DealKept(HiddenEvent, frozen=True, tag="deal_kept"):
    """The whole deal, for the record; sent to nobody."""

    deal: Deal

    def apply_hidden(self, hidden: None, public: Public) -> Deal:
        return self.deal


class LastCardsOffered(PublicEvent, frozen=True, tag="last_cards_offered"):
    """Seats choose the last cards of the deal by colour; this seat begins."""

    seat: Seat

    def apply(self, public: Public) -> Public:
        return replace(public, turn=self.seat, step="last_card")


class ColourChosen(DisclosingEvent, frozen=True, tag="colour_chosen"):
    """A seat took one of the last cards; only that seat receives its kind."""

    seat: Seat
    colour: Colour

    def apply(self, public: Public) -> Public:
        letter, seats = self.colour[0], list(public.backs)
        backs = {**public.backs, self.seat: _sorted_backs(public.backs[self.seat] + letter)}
        following = seats[(seats.index(self.seat) + 1) % len(seats)]
        return replace(public, backs=backs, last=public.last.replace(letter, "", 1), turn=following)


class LastCardTaken(SeatEvent, frozen=True, tag="last_card_taken"):
    """The last card of a seat's hand."""

    card: str

    def apply_private(self, private: Hands, public: Public) -> Hands:
        own = private[self.seat]
        return {**private, self.seat: replace(own, cards=in_box_order((*own.cards, self.card)))}


class TurnStarted(PublicEvent, frozen=True, tag="turn_started"):
    """A seat must take, give or accuse."""

    seat: Seat

    def apply(self, public: Public) -> Public:
        return replace(public, turn=self.seat, step="turn", transfer=None, turns=public.turns + 1)


class PartnerChosen(PublicEvent, frozen=True, tag="partner_chosen"):
    """A seat takes from a partner, or gives to one."""

    seat: Seat
    way: Way
    partner: Seat

    def apply(self, public: Public) -> Public:
        return replace(public, step="name", transfer=Transfer(self.seat, self.way, self.partner))

    def message(self) -> Message:
        return self.message_named("takes_from" if self.way == "take" else "gives_to")


class ItemNamed(PublicEvent, frozen=True, tag="item_named"):
    """A seat named an item."""

    seat: Seat
    item: str

    def apply(self, public: Public) -> Public:
        step: Step = "pick" if public.options.hands == "phones" else "report"
        return _with_transfer(public, step, item=self.item)


class CardPicked(PublicEvent, frozen=True, tag="card_picked"):
    """A back was picked; only the two seats know the card."""

    picker: Seat
    giver: Seat
    back: int
    colour: Colour

    def apply(self, public: Public) -> Public:
        backs = public.backs[self.giver].replace(self.colour[0], "", 1)
        picked = _with_transfer(public, "place", colour=self.colour)
        return replace(picked, backs={**public.backs, self.giver: backs})


class CardPassed(PrivateEvent, frozen=True, tag="card_passed"):
    """The card that went from the giver to the picker."""

    picker: Seat
    giver: Seat
    card: str

    @property
    def seats(self) -> frozenset[Seat]:
        return frozenset({self.picker, self.giver})

    def apply_private(self, private: Hands, public: Public) -> Hands:
        changed = dict(private)
        if self.giver in changed:
            giver = changed[self.giver]
            changed[self.giver] = replace(giver, cards=without(giver.cards, self.card))
        if self.picker in changed:
            changed[self.picker] = replace(changed[self.picker], picked=self.card)
        return changed


class CardPlaced(SeatEvent, frozen=True, tag="card_placed", omit_defaults=True):
    """The picker laid the card with another one, or kept it.

    turned: whether the picker was a Hunter and is Kin now
    """

    card: str
    beside: str | None = None
    turned: bool = False

    def apply_private(self, private: Hands, public: Public) -> Hands:
        own = private[self.seat]
        own = replace(own, picked=None, role="kin" if self.turned else own.role)
        if self.beside is None:
            own = replace(own, cards=in_box_order((*own.cards, self.card)))
        else:
            pair = (self.card, self.beside)
            own = replace(own, cards=without(own.cards, self.beside), laid=(*own.laid, pair))
        return {**private, self.seat: own}

    def message(self) -> Message:
        if self.beside is None:
            return self.message_named("turned")
        is_pair = is_real((self.card, self.beside))
        return self.message_named("bitten" if self.turned else "paired" if is_pair else "laid")


class CardKept(DisclosingEvent, frozen=True, tag="card_kept"):
    """The picker put the card into the hand."""

    seat: Seat
    colour: Colour | None

    def apply(self, public: Public) -> Public:
        letter = self.colour[0] if self.colour else "?"
        backs = _backs_without_real_card(public)
        backs[self.seat] = _sorted_backs(backs[self.seat] + letter)
        return replace(public, backs=backs)


class PairLaid(DisclosingEvent, frozen=True, tag="pair_laid"):
    """A pair was laid, face up if it is the named item; otherwise its kind is secret."""

    seat: Seat
    colour: Colour
    item: str | None

    def apply(self, public: Public) -> Public:
        backs = _backs_without_real_card(public)
        own, is_real_card = backs[self.seat], public.options.hands == "cards"
        backs[self.seat] = own[1:] if is_real_card else own.replace(self.colour[0], "", 1)
        pairs = (*public.pairs[self.seat], LaidPair(self.colour, self.item))
        return replace(public, backs=backs, pairs={**public.pairs, self.seat: pairs})

    def message(self) -> Message:
        return self.message_named("pair_down" if self.item is None else "pair_up")


class Passed(PublicEvent, frozen=True, tag="passed"):
    """A seat had no partner."""

    seat: Seat


class Accused(PublicEvent, frozen=True, tag="accused"):
    """A Hunter showed a Hunter's card and named a player."""

    seat: Seat
    suspect: Seat

    def apply(self, public: Public) -> Public:
        step: Step = "over" if public.options.hands == "phones" else "count"
        return replace(public, accused=self, step=step)


class CardsShown(DisclosingEvent, frozen=True, tag="cards_shown"):
    """All cards lie open: roles, hands and laid pairs."""

    roles: dict[str, Role]
    hands: dict[str, tuple[str, ...]]
    pairs: dict[str, tuple[tuple[str, str], ...]]

    def apply(self, public: Public) -> Public:
        return replace(public, shown=self)


class PairsCounted(DisclosingEvent, frozen=True, tag="pairs_counted"):
    """The result of an accusation: real pairs and remaining Hunters beside the number needed."""

    pairs: int
    hunters: int
    needed: int
    suspect: Seat
    is_vampire: bool

    def apply(self, public: Public) -> Public:
        return replace(public, counted=self)

    def message(self) -> Message:
        numbers = {"pairs": self.pairs, "hunters": self.hunters, "of": self.needed}
        return Message("event.pairs_counted", {**numbers, "sum": self.pairs + self.hunters})


class GameOver(DisclosingEvent, frozen=True, tag="game_over"):
    """The game is over."""

    winner: Literal["hunters", "vampire", "draw"]
    reason: Literal[
        "vampire_found", "wrong_suspect", "too_few", "hand_lost", "all_bitten", "agreed"
    ]

    def apply(self, public: Public) -> Public:
        return replace(public, step="over", outcome=Outcome(self.winner, self.reason))

    def message(self) -> Message:
        return self.message_named(f"game_over.{self.winner}")


def _sorted_backs(letters: str) -> str:
    return "".join(sorted(letters, reverse=True))


def _with_transfer(public: Public, step: Step, **change: str) -> Public:
    assert public.transfer is not None, "no turn is under way"
    return replace(public, step=step, transfer=replace(public.transfer, **change))


def _backs_without_real_card(public: Public) -> dict[Seat, str]:
    """Return the backs without the real card that the giver lost: with real cards the pick and the
    report belong to one moment.
    """
    assert public.transfer is not None, "no turn is under way"
    backs, giver = dict(public.backs), public.transfer.giver
    if public.options.hands == "cards":
        backs[giver] = backs[giver][1:]
    return backs


EVENTS = tagged_types(Event, globals())
