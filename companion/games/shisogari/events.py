"""Define the events of a game."""

from __future__ import annotations

from typing import ClassVar, Literal

from companion.core.game import Event, PrivateEvent, PublicEvent, Seat, SeatEvent, UnseenEvent
from companion.games.shisogari.cards import Colour, Role
from companion.games.shisogari.options import Deal, Options, Way


class GameSetUp(PublicEvent, frozen=True, tag="game_set_up"):
    """The cards are dealt.

    backs: a letter for each card of a hand: `w`, `b`, or `?` for a real one
    last: the backs of the cards that seats still choose
    """

    players: int
    options: Options
    backs: dict[str, str]
    last: str = ""


class Dealt(SeatEvent, frozen=True, tag="dealt"):
    """A seat's role and hand.

    boxed: the cards that the Vampire put back
    """

    role: Literal["vampire", "hunter"]
    cards: tuple[str, ...]
    boxed: tuple[str, ...] = ()


class DealKept(UnseenEvent, frozen=True, tag="deal_kept"):
    """The whole deal, for the record; sent to nobody."""

    deal: Deal


class LastCardsOffered(PublicEvent, frozen=True, tag="last_cards_offered"):
    """Seats choose the last cards of the deal by colour; this seat begins."""

    seat: Seat


class ColourChosen(PublicEvent, frozen=True, tag="colour_chosen"):
    """A seat took one of the last cards; only that seat receives its kind."""

    discloses: ClassVar[bool] = True

    seat: Seat
    colour: Colour


class LastCardTaken(SeatEvent, frozen=True, tag="last_card_taken"):
    """The last card of a seat's hand."""

    card: str


class TurnStarted(PublicEvent, frozen=True, tag="turn_started"):
    """A seat must take, give or accuse."""

    seat: Seat


class PartnerChosen(PublicEvent, frozen=True, tag="partner_chosen"):
    """A seat takes from a partner, or gives to one."""

    seat: Seat
    way: Way
    partner: Seat


class ItemNamed(PublicEvent, frozen=True, tag="item_named"):
    """A seat named an item."""

    seat: Seat
    item: str


class CardPicked(PublicEvent, frozen=True, tag="card_picked"):
    """A back was picked; only the two seats know the card."""

    picker: Seat
    giver: Seat
    back: int
    colour: Colour


class CardPassed(PrivateEvent, frozen=True, tag="card_passed"):
    """The card that went from the giver to the picker."""

    picker: Seat
    giver: Seat
    card: str

    @property
    def seats(self) -> frozenset[Seat]:
        return frozenset({self.picker, self.giver})


class CardPlaced(SeatEvent, frozen=True, tag="card_placed", omit_defaults=True):
    """The picker laid the card with another one, or kept it.

    turned: whether the picker was a Hunter and is Kin now
    """

    card: str
    beside: str | None = None
    turned: bool = False


class CardKept(PublicEvent, frozen=True, tag="card_kept"):
    """The picker put the card into the hand."""

    discloses: ClassVar[bool] = True

    seat: Seat
    colour: Colour | None


class PairLaid(PublicEvent, frozen=True, tag="pair_laid"):
    """A pair was laid, face up if it is the named item; otherwise its kind is secret."""

    discloses: ClassVar[bool] = True

    seat: Seat
    colour: Colour
    item: str | None


class Passed(PublicEvent, frozen=True, tag="passed"):
    """A seat had no partner."""

    seat: Seat


class Accused(PublicEvent, frozen=True, tag="accused"):
    """A Hunter showed a Hunter's card and named a player."""

    seat: Seat
    suspect: Seat


class CardsShown(PublicEvent, frozen=True, tag="cards_shown"):
    """All cards lie open: roles, hands and laid pairs."""

    discloses: ClassVar[bool] = True

    roles: dict[str, Role]
    hands: dict[str, tuple[str, ...]]
    pairs: dict[str, tuple[tuple[str, str], ...]]


class PairsCounted(PublicEvent, frozen=True, tag="pairs_counted"):
    """The result of an accusation: real pairs and remaining Hunters beside the number needed."""

    discloses: ClassVar[bool] = True

    pairs: int
    hunters: int
    needed: int
    suspect: Seat
    is_vampire: bool


class GameOver(PublicEvent, frozen=True, tag="game_over"):
    """The game is over."""

    discloses: ClassVar[bool] = True

    winner: Literal["hunters", "vampire", "draw"]
    reason: Literal[
        "vampire_found", "wrong_suspect", "too_few", "hand_lost", "all_bitten", "agreed"
    ]


EVENTS: tuple[type[Event], ...] = (
    GameSetUp, Dealt, DealKept, LastCardsOffered, ColourChosen, LastCardTaken, TurnStarted,
    PartnerChosen, ItemNamed, CardPicked, CardPassed, CardPlaced, CardKept, PairLaid, Passed,
    Accused, CardsShown, PairsCounted, GameOver,
)  # fmt: skip
