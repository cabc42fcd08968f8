"""Define the events of a game: public ones, and those of one seat or of nobody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from companion.core.game import Event, PublicEvent, Seat, SeatEvent, UnseenEvent
from companion.games.vwars.content import EventCard, EventEffect, Law, Side
from companion.games.vwars.options import Faction, Options, Setup
from companion.games.vwars.state import CityAsk, Region, RoleShown

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


class RoleTaken(PublicEvent, frozen=True, tag="role_taken"):
    """A player has this role and stands in its start city."""

    seat: Seat
    city: str
    role: RoleShown


class LawShown(PublicEvent, frozen=True, tag="law_shown"):
    """A law is on top of its side's deck; None: the deck is empty."""

    side: Side
    law: Law | None


class Dealt(SeatEvent, frozen=True, tag="dealt"):
    """A seat's faction and hand."""

    faction: Faction
    cards: tuple[str, ...]


class DealKept(UnseenEvent, frozen=True, tag="deal_kept"):
    """The whole set-up with its content and its deal; sent to nobody."""

    setup: Setup


class ToType(PublicEvent, frozen=True, tag="to_type"):
    """Beside the box: the questions of the set-up in their order, and who types the answers."""

    seat: Seat
    asks: tuple[CityAsk, ...]


class CityTyped(PublicEvent, frozen=True, tag="city_typed"):
    """Beside the box: a city that the set-up asked for."""

    ask: CityAsk
    city: str


class TurnStarted(PublicEvent, frozen=True, tag="turn_started"):
    """A player's actions begin."""

    seat: Seat


class TurnedPublic(PublicEvent, frozen=True, tag="turned_public"):
    """A player becomes a public vampire."""

    discloses: ClassVar[bool] = True

    seat: Seat


class SympathyChanged(PublicEvent, frozen=True, tag="sympathy_changed"):
    """The sympathy is this number now."""

    sympathy: int
    change: int


class Moved(PublicEvent, frozen=True, tag="moved"):
    """A player went to a city.

    free: by a law or a role, without using an action
    """

    seat: Seat
    city: str
    free: bool = False


class CardAsked(PublicEvent, frozen=True, tag="card_asked"):
    """Players must give a card: for a region's deck, the pool, or (None) the discards and a troop
    in `city`.
    """

    seat: Seat
    seats: tuple[Seat, ...]
    to: str | None
    city: str | None = None


class CardGiven(PublicEvent, frozen=True, tag="card_given"):
    """A player gave a card face down."""

    seat: Seat
    to: str | None


class CardPut(SeatEvent, frozen=True, tag="card_put"):
    """The card that a player gave, for that player."""

    card: str
    to: str | None


class TroopsChanged(PublicEvent, frozen=True, tag="troops_changed"):
    """A side's troops in a city changed to this number."""

    city: str
    side: Side
    troops: int
    change: int


class Assassinated(PublicEvent, frozen=True, tag="assassinated"):
    """A player removed a troop in the same city."""

    seat: Seat
    city: str
    side: Side


class PlayerAsked(PublicEvent, frozen=True, tag="player_asked"):
    """With real faction cards: a player is asked whether its card is the one named."""

    seat: Seat
    target: Seat
    what: Literal["investigate", "awaken"]
    rallying: bool = False


class Investigated(PublicEvent, frozen=True, tag="investigated"):
    """A player named the Vampire."""

    discloses: ClassVar[bool] = True

    seat: Seat
    target: Seat
    right: bool


class Awakened(PublicEvent, frozen=True, tag="awakened"):
    """A public vampire asked a player to join: an Infected does."""

    discloses: ClassVar[bool] = True

    seat: Seat
    target: Seat
    joins: bool


class EventResolved(PublicEvent, frozen=True, tag="event_resolved"):
    """The Now event takes effect; None beside the box, where the table types its effects."""

    card: EventCard | None


class ChoiceAsked(PublicEvent, frozen=True, tag="choice_asked"):
    """The event needs a choice of the active player: a city, a region, a winner or typed
    changes.
    """

    seat: Seat
    left: tuple[EventEffect, ...]
    text: str = ""


class Picked(PublicEvent, frozen=True, tag="picked"):
    """The next typed change is for this city, or for this region."""

    city: str | None
    region: str | None = None


class CityOverflowed(PublicEvent, frozen=True, tag="city_overflowed"):
    """An event first brought more vampire troops to a city than it holds."""

    city: str


class CardDrawn(PublicEvent, frozen=True, tag="card_drawn"):
    """The top player card was drawn for its city, and discarded."""

    discloses: ClassVar[bool] = True

    card: str


class ControlChanged(PublicEvent, frozen=True, tag="control_changed"):
    """A side controls a city now; if the vampires take it, its martial law ends."""

    city: str
    side: Side


class ElectionHeld(PublicEvent, frozen=True, tag="election_held"):
    """A side won an election, and its law is in force in the region; None: the law is only on the
    table.
    """

    region: str
    side: Side
    law: Law | None


class EventSettled(PublicEvent, frozen=True, tag="event_settled"):
    """The event is over; a riot is next, in the Now card's city if there is one."""

    city: str | None


class RiotBegan(PublicEvent, frozen=True, tag="riot_began"):
    """The Now card was shuffled into its region's deck; the cards are turned next."""

    city: str


class PileShuffled(UnseenEvent, frozen=True, tag="pile_shuffled"):
    """The order of a pile, from the top; sent to nobody."""

    pile: str
    cards: tuple[str, ...]


class RiotCardTurned(PublicEvent, frozen=True, tag="riot_card_turned"):
    """A card was turned: it removed troops and is face down again, or it stays face up.

    strength: of its side after it
    """

    discloses: ClassVar[bool] = True

    card: str
    side: Side
    value: int
    removed: int
    strength: int


class StrengthTyped(PublicEvent, frozen=True, tag="strength_typed"):
    """Beside the box: a law or a role changes a side's strength in this riot."""

    side: Side
    change: int


class RiotEnded(PublicEvent, frozen=True, tag="riot_ended"):
    """A riot ended: one side won, or neither was strong enough."""

    city: str
    result: Result
    winner: Side | None
    strength: int


class MartialLaw(PublicEvent, frozen=True, tag="martial_law"):
    """A city comes under martial law."""

    city: str


class MartialLawEnded(PublicEvent, frozen=True, tag="martial_law_ended"):
    """A city is no longer under martial law."""

    city: str


class RallyAsked(PublicEvent, frozen=True, tag="rally_asked"):
    """After a vampire rally each of these seats must do nothing or act as a vampire."""

    seats: tuple[Seat, ...]


class Stayed(PublicEvent, frozen=True, tag="stayed"):
    """A seat that was asked after a rally does nothing."""

    seat: Seat


class SwingAsked(PublicEvent, frozen=True, tag="swing_asked"):
    """Beside the box: the companion asks for the number of the printed riot table."""

    city: str


class CardsLie(PublicEvent, frozen=True, tag="cards_lie"):
    """The active player has the riot's face-up cards and discards one in secret."""

    seat: Seat
    cards: tuple[str, ...]


class RiotCleared(PublicEvent, frozen=True, tag="riot_cleared"):
    """The cards of the riot are face down in their region again, without a discarded one."""

    region: str
    cards: int
    discarded: bool


class RiotCardDiscarded(SeatEvent, frozen=True, tag="riot_card_discarded"):
    """The face-up card that went to the discards."""

    card: str


class EventsSlid(PublicEvent, frozen=True, tag="events_slid"):
    """The Now event is discarded, Soon is Now, and the next one is Soon."""

    now: EventCard | None
    soon: EventCard | None


class RiotsSlid(PublicEvent, frozen=True, tag="riots_slid"):
    """The riot card Soon is Now, and the top card of the pool is Soon."""

    now: str | None
    soon: str | None
    source: Literal["pool", "deck", "box"]


class DeckRemade(PublicEvent, frozen=True, tag="deck_remade"):
    """The player deck was remade from the discards."""

    cards: int


class HandRefilled(PublicEvent, frozen=True, tag="hand_refilled"):
    """A player drew cards; None beside the box."""

    seat: Seat
    cards: int | None


class CardsDrawn(SeatEvent, frozen=True, tag="cards_drawn"):
    """The cards that a player drew, for that player."""

    cards: tuple[str, ...]


class BoxAsked(PublicEvent, frozen=True, tag="box_asked"):
    """Beside the box: the companion asks for the new riot card's city, or whether the hand could be
    refilled.
    """

    what: Literal["soon", "refill"]


class GameOver(PublicEvent, frozen=True, tag="game_over"):
    """The game is over; every faction that the companion dealt is public."""

    discloses: ClassVar[bool] = True

    winner: Literal["humans", "vampires", "draw"]
    reason: Literal["track_full", "no_events", "no_cards", "martial_law", "no_sympathy", "agreed"]
    factions: Mapping[str, Faction] = {}


EVENTS: tuple[type[Event], ...] = (
    GameSetUp, RoleTaken, LawShown, Dealt, DealKept, ToType, CityTyped, TurnStarted, TurnedPublic,
    SympathyChanged, Moved, CardAsked, CardGiven, CardPut, TroopsChanged, Assassinated, PlayerAsked,
    Investigated, Awakened, EventResolved, ChoiceAsked, Picked, CityOverflowed, CardDrawn,
    ControlChanged, ElectionHeld, EventSettled, RiotBegan, PileShuffled, RiotCardTurned,
    StrengthTyped, RiotEnded, MartialLaw, MartialLawEnded, RallyAsked, Stayed, SwingAsked, CardsLie,
    RiotCleared, RiotCardDiscarded, EventsSlid, RiotsSlid, DeckRemade, HandRefilled, CardsDrawn,
    BoxAsked, GameOver,
)  # fmt: skip
