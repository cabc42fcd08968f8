"""The words of Shisogari: options, cards, actions, events and the state they make.

Seats `P1` to `P5`, clockwise; items `crucifix`, `holy_water`, `dagger` (white), `stake`, `bible`,
`garlic` (black); further cards `white_bloodsucking`, `black_bloodsucking`, `white_blank`,
`black_blank`; roles `vampire`, `hunter`, `kin`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from companion.core.game import (
    Action,
    Event,
    Outcome,
    PrivateEvent,
    PublicEvent,
    Seat,
    SeatEvent,
    UnseenEvent,
)
from companion.games.shisogari.cards import Colour, Role

SEATS: tuple[Seat, ...] = tuple(Seat(f"P{number}") for number in range(1, 6))
HAND = {4: 5, 5: 4}
"""Cards in each hand at the start, by the number of players: 20 in all."""
NEEDED = {4: 5, 5: 6}
"""Real pairs and remaining Hunters with which the Hunters win, by the number of players."""
Way = Literal["take", "give"]
Step = Literal["last_card", "turn", "name", "pick", "place", "report", "count", "over"]
"""What is to be done next: choose the colour of the last dealt card; choose what to do, name an
item, pick a back, place the picked card; with real cards, tell what was laid, and at the end what
was counted.
"""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Every ruling where the rules are silent, with its default; docs/games/shisogari.md gives the
    reasons.

    `hands`: the cards are on the phones, or real ones are dealt and the companion keeps turns and
    pairs. `start`: who begins. `last_card`: with four players each chooses the colour of the fifth
    card, or it is dealt. `dealt_pairs`: two equal items in a dealt hand stay there, or the cards
    are dealt again. `pick_colour`: the picker must hold the colour that he picks, or may pick any.
    `declare_equals_pick`: the named item must have the colour that is picked. `count_pairs`: an
    accusation counts laid pairs only, or two equal items in a hand as well. `place_seconds`: how
    long placing a picked card takes, always.
    """

    hands: Literal["phones", "cards"] = "phones"
    start: Literal["random", "first"] = "random"
    last_card: Literal["chosen", "dealt"] = "chosen"
    dealt_pairs: Literal["kept", "redealt"] = "kept"
    pick_colour: Literal["own", "free"] = "own"
    declare_equals_pick: bool = False
    count_pairs: Literal["laid", "all"] = "laid"
    place_seconds: Annotated[int, Meta(ge=5, le=60)] = 5


class Deal(Struct, frozen=True, forbid_unknown_fields=True):
    """What everybody was dealt: the role and the hand. Secret to the end.

    `last`: four cards of which each seat still takes one; the first of the colour that it chooses.
    """

    roles: dict[str, Literal["vampire", "hunter"]]
    hands: dict[str, tuple[str, ...]]
    last: tuple[str, ...] = ()


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """How a game is started; `deal` and `first` are drawn unless they are given."""

    options: Options = Options()
    deal: Deal | None = None
    first: Seat | None = None


class ChooseColour(Action, frozen=True, tag="choose_colour"):
    """Take the last card of the deal from the backs of this colour."""

    discloses: ClassVar[bool] = True

    colour: Colour


class Take(Action, frozen=True, tag="take"):
    """A: take from a partner; an item is named next, then a back of his is picked."""

    partner: Seat


class Give(Action, frozen=True, tag="give"):
    """B: give to a partner; an item is named next, then he picks one of the giver's backs."""

    partner: Seat


class Name(Action, frozen=True, tag="name"):
    """Name an item of a colour that one holds."""

    item: str


class Pick(Action, frozen=True, tag="pick"):
    """Pick a back, counted from 1, white ones first; what lies behind those of a colour is shuffled
    for each pick.
    """

    discloses: ClassVar[bool] = True

    back: int


class Lay(Action, frozen=True, tag="lay"):
    """Lay the picked card with this card of the own hand."""

    card: str


class Keep(Action, frozen=True, tag="keep"):
    """Put the picked card into the hand."""


class Accuse(Action, frozen=True, tag="accuse"):
    """C: a Hunter determines who the Vampire is; all cards are shown."""

    discloses: ClassVar[bool] = True

    suspect: Seat


class Pass(Action, frozen=True, tag="pass"):
    """Nobody is there to take from or to give to, and no Hunter's card to show."""


class Report(Action, frozen=True, tag="report", omit_defaults=True):
    """With real cards: what became of the picked card; of a face-down pair its colour."""

    laid: Literal["up", "down", "none"]
    colour: Colour | None = None


class Count(Action, frozen=True, tag="count"):
    """With real cards: what all cards show after an accusation."""

    pairs: Annotated[int, Meta(ge=0, le=6)]
    hunters: Annotated[int, Meta(ge=0, le=4)]
    is_vampire: bool


KEEP, PASS = Keep(), Pass()


class GameSetUp(PublicEvent, frozen=True, tag="game_set_up"):
    """The cards are dealt; `backs` is a letter for each card of a hand: `w`, `b`, or `?` for a real
    one. `last` are the backs of which each seat still takes one.
    """

    players: int
    options: Options
    backs: dict[str, str]
    last: str = ""


class Dealt(SeatEvent, frozen=True, tag="dealt"):
    """A seat's role and hand; `boxed` is what the Vampire put back."""

    role: Literal["vampire", "hunter"]
    cards: tuple[str, ...]
    boxed: tuple[str, ...] = ()


class DealKept(UnseenEvent, frozen=True, tag="deal_kept"):
    """The whole deal, for the record; told to nobody."""

    deal: Deal


class LastCardsOffered(PublicEvent, frozen=True, tag="last_cards_offered"):
    """The last cards of the deal are to be taken by colour; this seat begins."""

    seat: Seat


class ColourChosen(PublicEvent, frozen=True, tag="colour_chosen"):
    """A seat took one of the last cards; only it knows which."""

    discloses: ClassVar[bool] = True

    seat: Seat
    colour: Colour


class LastCardTaken(SeatEvent, frozen=True, tag="last_card_taken"):
    """The last card of a seat's hand."""

    card: str


class TurnStarted(PublicEvent, frozen=True, tag="turn_started"):
    """A seat is to take, to give or to accuse."""

    seat: Seat


class PartnerChosen(PublicEvent, frozen=True, tag="partner_chosen"):
    """A seat takes from a partner, or gives to him."""

    seat: Seat
    way: Way
    partner: Seat


class ItemNamed(PublicEvent, frozen=True, tag="item_named"):
    """A seat named an item."""

    seat: Seat
    item: str


class CardPicked(PublicEvent, frozen=True, tag="card_picked"):
    """A back was picked; which card it was, only the two know."""

    picker: Seat
    giver: Seat
    back: int
    colour: Colour


class CardPassed(PrivateEvent, frozen=True, tag="card_passed"):
    """Which card went from the giver to the picker."""

    picker: Seat
    giver: Seat
    card: str

    @property
    def seats(self) -> frozenset[Seat]:
        return frozenset({self.picker, self.giver})


class CardPlaced(SeatEvent, frozen=True, tag="card_placed", omit_defaults=True):
    """What the picker did with the card: laid with another one of his, or put into the hand.
    `turned`: he was a Hunter and is Kin from now on.
    """

    card: str
    beside: str | None = None
    turned: bool = False


class CardKept(PublicEvent, frozen=True, tag="card_kept"):
    """The picked card came into the hand."""

    discloses: ClassVar[bool] = True

    seat: Seat
    colour: Colour | None


class PairLaid(PublicEvent, frozen=True, tag="pair_laid"):
    """A pair was laid: face up if it is of the named item, else nobody is told what it is."""

    discloses: ClassVar[bool] = True

    seat: Seat
    colour: Colour
    item: str | None


class Passed(PublicEvent, frozen=True, tag="passed"):
    """A seat had nobody to take from or to give to."""

    seat: Seat


class Accused(PublicEvent, frozen=True, tag="accused"):
    """A Hunter showed his card and named a player."""

    seat: Seat
    suspect: Seat


class CardsShown(PublicEvent, frozen=True, tag="cards_shown"):
    """All cards lie open: roles, hands and laid pairs."""

    discloses: ClassVar[bool] = True

    roles: dict[str, Role]
    hands: dict[str, tuple[str, ...]]
    pairs: dict[str, tuple[tuple[str, str], ...]]


class PairsCounted(PublicEvent, frozen=True, tag="pairs_counted"):
    """The determination: real pairs and remaining Hunters against what is needed."""

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


ACTIONS: tuple[type[Action], ...] = (
    ChooseColour,
    Take,
    Give,
    Name,
    Pick,
    Lay,
    Keep,
    Accuse,
    Pass,
    Report,
    Count,
)
EVENTS: tuple[type[Event], ...] = (
    GameSetUp, Dealt, DealKept, LastCardsOffered, ColourChosen, LastCardTaken, TurnStarted,
    PartnerChosen, ItemNamed, CardPicked, CardPassed, CardPlaced, CardKept, PairLaid, Passed,
    Accused, CardsShown, PairsCounted, GameOver,
)  # fmt: skip


class LaidPair(Struct, frozen=True):
    """A pair on the table as everybody sees it: its colour, and its item if it lies face up."""

    colour: Colour
    item: str | None


class Deed(Struct, frozen=True):
    """The turn that is under way: who does what with whom, the named item, the colour of the picked
    back.
    """

    seat: Seat
    way: Way
    partner: Seat
    item: str | None = None
    colour: Colour | None = None

    @property
    def picker(self) -> Seat:
        """Who picks a card and places it."""
        return self.seat if self.way == "take" else self.partner

    @property
    def giver(self) -> Seat:
        """Whose card is picked."""
        return self.partner if self.way == "take" else self.seat


class Public(Struct, frozen=True):
    """What everybody knows. Mappings are never changed in place; a picked card is in no hand until
    it is placed. `last` are the backs of the last cards that nobody has taken yet.
    """

    options: Options
    backs: Mapping[Seat, str] = {}
    pairs: Mapping[Seat, tuple[LaidPair, ...]] = {}
    turn: Seat | None = None
    step: Step = "turn"
    deed: Deed | None = None
    turns: int = 0
    last: str = ""
    accused: Accused | None = None
    shown: CardsShown | None = None
    counted: PairsCounted | None = None
    outcome: Outcome | None = None

    @property
    def players(self) -> int:
        return len(self.backs)


class Hand(Struct, frozen=True):
    """What a seat alone knows: its role, its cards, the one just picked, the pairs it laid, and, of
    the Vampire, what he put back into the box.
    """

    role: Role
    cards: tuple[str, ...]
    picked: str | None = None
    laid: tuple[tuple[str, str], ...] = ()
    boxed: tuple[str, ...] = ()
