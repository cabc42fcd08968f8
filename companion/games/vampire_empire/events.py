"""Define the events of a game: public ones, and those of one seat or of nobody."""

from __future__ import annotations

from typing import ClassVar, Literal

from companion.core.game import Event, PublicEvent, Seat, SeatEvent, UnseenEvent
from companion.games.vampire_empire.cards import Card, Pile
from companion.games.vampire_empire.decks import Decks
from companion.games.vampire_empire.options import Deal, Moment, Options, Side, Step, What


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


class CardsListed(PublicEvent, frozen=True, tag="cards_listed"):
    """The kinds of cards; everybody may read them before the game."""

    cards: tuple[Card, ...]


class CharactersDealt(SeatEvent, frozen=True, tag="characters_dealt"):
    """The vampires, or the humans whom the human player knows."""

    characters: tuple[str, ...]


class DealKept(UnseenEvent, frozen=True, tag="deal_kept"):
    """The whole deal, for the record."""

    deal: Deal
    content: Decks | None


class TurnStarted(PublicEvent, frozen=True, tag="turn_started"):
    """A night or a day begins."""

    seat: Seat


class StepReached(PublicEvent, frozen=True, tag="step_reached"):
    """The turn is at another step."""

    step: Step


class CardDiscarded(PublicEvent, frozen=True, tag="card_discarded"):
    """A card went face down onto a pile."""

    seat: Seat
    pile: Literal["cellar", "moat"]


class CardGone(SeatEvent, frozen=True, tag="card_gone"):
    """The card, for its owner."""

    card: str
    pile: Literal["cellar", "moat"]


class CardsDrawn(PublicEvent, frozen=True, tag="cards_drawn"):
    """Cards came into a hand."""

    seat: Seat
    count: int


class CardsGot(SeatEvent, frozen=True, tag="cards_got"):
    """The cards, for their owner."""

    cards: tuple[str, ...]


class DeckRemade(PublicEvent, frozen=True, tag="deck_remade"):
    """An empty deck was remade from the cellar, which happens once; beside the box the number of
    cards is unknown.
    """

    seat: Seat
    count: int


class DeckShuffled(UnseenEvent, frozen=True, tag="deck_shuffled"):
    """The order of a shuffled deck."""

    seat: Seat
    cards: tuple[str, ...]


class VampireRevealed(PublicEvent, frozen=True, tag="vampire_revealed"):
    """A vampire was revealed to everybody."""

    discloses: ClassVar[bool] = True

    character: str


class ActionBegun(PublicEvent, frozen=True, tag="action_begun", omit_defaults=True):
    """A seat begins an action that costs cards."""

    seat: Seat
    what: What
    cards: int
    character: str | None = None


class CardPaid(PublicEvent, frozen=True, tag="card_paid"):
    """A card went to the moat as a price.

    card: None where it may lie face down
    """

    seat: Seat
    card: str | None
    value: int = 0


class CharacterHidden(PublicEvent, frozen=True, tag="character_hidden"):
    """A character went under the city. Another event brings the next one in, beside the box
    later.
    """

    character: str


class CharacterEntered(PublicEvent, frozen=True, tag="character_entered"):
    """A character came from the city into the castle."""

    discloses: ClassVar[bool] = True

    character: str


class HolyWaterAnswered(PublicEvent, frozen=True, tag="holy_water_answered"):
    """Holy water showed whether a character is a vampire."""

    discloses: ClassVar[bool] = True

    character: str
    vampire: bool


class FightBegun(PublicEvent, frozen=True, tag="fight_begun"):
    """A character attacks another; a holy water card may already count."""

    seat: Seat
    attacker: str
    target: str
    card: str | None = None
    value: int = 0


class CardLaid(PublicEvent, frozen=True, tag="card_laid"):
    """A card for one side of the fight; beside the box which one is unknown."""

    discloses: ClassVar[bool] = True

    seat: Seat
    side: Side
    card: str | None
    value: int


class LayingEnded(PublicEvent, frozen=True, tag="laying_ended"):
    """A seat lays no more cards in this round."""

    seat: Seat


class RoundCounted(PublicEvent, frozen=True, tag="round_counted"):
    """The sums at the end of a round, markers included."""

    round: int
    attack: int
    defence: int


class FightEnded(PublicEvent, frozen=True, tag="fight_ended"):
    """The cards of a fight went to the moats.

    killed: None if both live
    """

    killed: str | None


class CharacterDied(PublicEvent, frozen=True, tag="character_died"):
    """A character is out of the game; everybody learns its identity."""

    discloses: ClassVar[bool] = True

    character: str
    vampire: bool


class SupportPlayed(PublicEvent, frozen=True, tag="support_played"):
    """A support card, and its cost by day or by night."""

    discloses: ClassVar[bool] = True

    seat: Seat
    card: str
    cost: int


class SupportEnded(PublicEvent, frozen=True, tag="support_ended"):
    """One effect of a support ended."""

    seat: Seat


class SupportAsked(PublicEvent, frozen=True, tag="support_asked"):
    """A seat is asked to play a support card or decline.

    Whether it is asked does not depend on its hand.
    """

    seat: Seat
    moment: Moment


class SupportDeclined(PublicEvent, frozen=True, tag="support_declined"):
    """A seat plays no support card now, or none until the turn ends."""

    seat: Seat
    rest_of_turn: bool


class MarkerPut(PublicEvent, frozen=True, tag="marker_put"):
    """A marker lies by a castle character."""

    character: str
    side: Side
    size: int


class CardCancelled(PublicEvent, frozen=True, tag="card_cancelled"):
    """A card left the fight."""

    side: Side
    number: int


class CityLooked(PublicEvent, frozen=True, tag="city_looked"):
    """A seat looked at the top of the city."""

    seat: Seat
    count: int


class CitySeen(SeatEvent, frozen=True, tag="city_seen"):
    """The next cards of the city, in order."""

    characters: tuple[str, ...]


class PileSearched(PublicEvent, frozen=True, tag="pile_searched"):
    """A seat looks through an own pile."""

    seat: Seat
    pile: Pile


class PileSeen(SeatEvent, frozen=True, tag="pile_seen"):
    """The cards of the searched pile."""

    cards: tuple[str, ...]


class CardFound(PublicEvent, frozen=True, tag="card_found"):
    """A card of a searched pile came into the hand."""

    seat: Seat
    pile: Pile


class CardTaken(SeatEvent, frozen=True, tag="card_taken"):
    """The card, for its owner."""

    card: str
    pile: Pile


class TextAsked(PublicEvent, frozen=True, tag="text_asked"):
    """The players follow a card's text."""

    text: str


class PlayerOut(PublicEvent, frozen=True, tag="player_out"):
    """A player has no cards left; the other one plays on."""

    seat: Seat


class IdentitiesShown(PublicEvent, frozen=True, tag="identities_shown"):
    """At the end every identity is shown."""

    discloses: ClassVar[bool] = True

    vampires: tuple[str, ...]
    trusted: tuple[str, ...]


class GameOver(PublicEvent, frozen=True, tag="game_over", omit_defaults=True):
    """The game is over."""

    discloses: ClassVar[bool] = True

    winner: Literal["vampire", "human", "draw"]
    reason: Literal["humans_dead", "vampires_dead", "castle_taken", "points", "agreed"]
    points: dict[str, int] | None = None


EVENTS: tuple[type[Event], ...] = (
    GameSetUp, CardsListed, CharactersDealt, DealKept, TurnStarted, StepReached, CardDiscarded,
    CardGone, CardsDrawn, CardsGot, DeckRemade, DeckShuffled, VampireRevealed, ActionBegun,
    CardPaid, CharacterHidden, CharacterEntered, HolyWaterAnswered, FightBegun, CardLaid,
    LayingEnded, RoundCounted, FightEnded, CharacterDied, SupportPlayed, SupportEnded, SupportAsked,
    SupportDeclined, MarkerPut, CardCancelled, CityLooked, CitySeen, PileSearched, PileSeen,
    CardFound, CardTaken, TextAsked, PlayerOut, IdentitiesShown, GameOver,
)  # fmt: skip
