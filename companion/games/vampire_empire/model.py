"""The words of Vampire Empire: options, actions, events and the state they make.

Seats `vampire` (who begins; its turns are the night) and `human` (the day). Characters `lady`, `lord`, `officer`
(nobles), `monk`, `nun`, `bishop` (clergy), `maid`, `cook`, `butler` (servants). Cards are the ids of a deck file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from companion.core.game import Action, Event, Outcome, PrivateEvent, PublicEvent, Seat
from companion.games.vampire_empire.cards import CHARACTERS, HUMAN, SEATS, Border, Card, Effect, Few, Pile
from companion.games.vampire_empire.decks import Decks

HAND = 8
CASTLE = 3
VAMPIRES, TRUSTED = 3, 2
"""How many vampires there are, and how many humans the human player knows."""
HIDE_COST, WATER_COST, PASS_COST = 3, 2, 2
ROUNDS = 2
MARKERS = 12
"""Markers in the box."""
Step = Literal["enter", "discard", "reveal", "action", "chance", "fight", "over"]
"""What a turn has come to; "enter": beside the box somebody tells who comes from the city; "chance": the vampire that
holy water showed may be attacked."""
What = Literal["hide", "pass", "holy_water", "support"]
Side = Literal["attack", "defence"]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Every ruling where the rulebook is silent, with its default; rules.md of the design gives the reasons.

    `content`: our sample, a household's deck file by its name, or "box": real cards lie on the table. `trim`: over
    eight cards one has to discard. `marker_size`: what a marker counts beside the box.
    """

    content: str = "sample"
    trim: bool = True
    marker_size: Annotated[int, Meta(ge=1, le=3)] = 1


class Deal(Struct, frozen=True, forbid_unknown_fields=True):
    """What was drawn: who is a vampire, whom the human player trusts, the city from its top (the first three stand in
    the castle; empty beside the box), and the decks from their tops, hands included."""

    vampires: tuple[str, ...]
    trusted: tuple[str, ...]
    city: tuple[str, ...] = ()
    decks: dict[str, tuple[str, ...]] = {}


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """How a game is started; `deal` is drawn unless it is given, `content` is the option's unless it is given."""

    options: Options = Options()
    deal: Deal | None = None
    content: Decks | None = None


class Discard(Action, frozen=True, tag="discard"):
    """Lay a card face down onto an own pile, before drawing."""

    hushed: ClassVar[bool] = True

    card: str
    pile: Literal["cellar", "moat"]


class Draw(Action, frozen=True, tag="draw"):
    """Fill the hand and go on."""


class Reveal(Action, frozen=True, tag="reveal"):
    """The vampire player shows one vampire."""

    character: str


class Proceed(Action, frozen=True, tag="proceed"):
    """Show no vampire; or leave the one alone that holy water showed."""


class Hide(Action, frozen=True, tag="hide"):
    """The vampire player sends a castle character under the city for three vampire cards."""

    character: str


class HolyWater(Action, frozen=True, tag="holy_water"):
    """The human player asks whether somebody is a vampire, for two holy water cards."""

    discloses: ClassVar[bool] = True

    character: str


class Pay(Action, frozen=True, tag="pay"):
    """One card of what an action or a support costs."""

    discloses: ClassVar[bool] = True
    hushed: ClassVar[bool] = True

    card: str


class PayValue(Action, frozen=True, tag="pay_value"):
    """Beside the box: the value of a holy water card."""

    discloses: ClassVar[bool] = True

    value: Few


class Fight(Action, frozen=True, tag="fight"):
    """Let one castle character attack another."""

    attacker: str
    target: str


class Lay(Action, frozen=True, tag="lay"):
    """A card for the own side of the fight."""

    card: str


class LayValue(Action, frozen=True, tag="lay_value"):
    """Beside the box: a card for the own side, its value and the border that makes it valid."""

    value: Few
    border: Border


class Done(Action, frozen=True, tag="done"):
    """No more cards in this round of the fight."""

    discloses: ClassVar[bool] = True


class Pass(Action, frozen=True, tag="pass"):
    """Two cards to the moat, nothing else."""


class PlaySupport(Action, frozen=True, tag="support"):
    """Play a support card, in whoever's turn it is."""

    card: str


class PutMarker(Action, frozen=True, tag="put_marker"):
    """Where a marker lies and when it counts."""

    character: str
    side: Side


class Cancel(Action, frozen=True, tag="cancel"):
    """This card, counted from 1, leaves that side of the fight."""

    side: Side
    number: Annotated[int, Meta(ge=1, le=40)]


class Take(Action, frozen=True, tag="take"):
    """A card out of the pile that is searched."""

    hushed: ClassVar[bool] = True

    card: str


class Swap(Action, frozen=True, tag="swap"):
    """This castle character goes under the city."""

    character: str


class Enter(Action, frozen=True, tag="enter"):
    """Beside the box: who came from the city."""

    character: str


class NoCards(Action, frozen=True, tag="no_cards"):
    """Beside the box: "I have no cards left"."""


DRAW, PROCEED, DONE, PASS, NO_CARDS = Draw(), Proceed(), Done(), Pass(), NoCards()


class GameSetUp(PublicEvent, frozen=True, tag="game_set_up"):
    """What is played with, who stands in the castle, how many are in the city and in each hand and deck."""

    players: int
    options: Options
    title: str
    sample: bool
    castle: tuple[str, ...]
    city: int
    hands: dict[str, int]
    decks: dict[str, int]


class CardsListed(PublicEvent, frozen=True, tag="cards_listed"):
    """Which cards there are; everybody may read them beforehand."""

    cards: tuple[Card, ...]


class Secret(PrivateEvent, frozen=True):
    """What one seat alone is told."""

    seat: Seat

    @property
    def seats(self) -> frozenset[Seat]:
        return frozenset({self.seat})


class Unseen(PrivateEvent, frozen=True):
    """What nobody is told."""

    @property
    def seats(self) -> frozenset[Seat]:
        return frozenset()


class CharactersDealt(Secret, frozen=True, tag="characters_dealt"):
    """The vampires, or the humans whom the human player knows."""

    characters: tuple[str, ...]


class DealKept(Unseen, frozen=True, tag="deal_kept"):
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


class CardGone(Secret, frozen=True, tag="card_gone"):
    """Which card it was."""

    card: str
    pile: Literal["cellar", "moat"]


class CardsDrawn(PublicEvent, frozen=True, tag="cards_drawn"):
    """So many cards came into a hand."""

    seat: Seat
    count: int


class CardsGot(Secret, frozen=True, tag="cards_got"):
    """Which cards came from the own deck."""

    cards: tuple[str, ...]


class DeckRemade(PublicEvent, frozen=True, tag="deck_remade"):
    """An empty deck was made anew from the cellar, which happens once."""

    seat: Seat
    count: int


class DeckShuffled(Unseen, frozen=True, tag="deck_shuffled"):
    """The order of a deck after it was shuffled."""

    seat: Seat
    cards: tuple[str, ...]


class VampireRevealed(PublicEvent, frozen=True, tag="vampire_revealed"):
    """Everybody sees that this is a vampire."""

    discloses: ClassVar[bool] = True

    character: str


class ActionBegun(PublicEvent, frozen=True, tag="action_begun", omit_defaults=True):
    """A seat does something that has to be paid for with cards."""

    seat: Seat
    what: What
    cards: int
    character: str | None = None


class CardPaid(PublicEvent, frozen=True, tag="card_paid"):
    """A card went to the moat as a price; `card` is None where it may lie face down."""

    seat: Seat
    card: str | None
    value: int = 0


class CharacterHidden(PublicEvent, frozen=True, tag="character_hidden"):
    """Somebody went under the city. Who comes in is told beside it, beside the box later."""

    character: str


class CharacterEntered(PublicEvent, frozen=True, tag="character_entered"):
    """Somebody came from the city into the castle."""

    discloses: ClassVar[bool] = True

    character: str


class HolyWaterAnswered(PublicEvent, frozen=True, tag="holy_water_answered"):
    """Holy water tells the truth."""

    discloses: ClassVar[bool] = True

    character: str
    vampire: bool


class FightBegun(PublicEvent, frozen=True, tag="fight_begun"):
    """A character attacks another; a holy water card may count already."""

    seat: Seat
    attacker: str
    target: str
    card: str | None = None
    value: int = 0


class CardLaid(PublicEvent, frozen=True, tag="card_laid"):
    """A card for one side of the fight; beside the box nobody tells which."""

    discloses: ClassVar[bool] = True

    seat: Seat
    side: Side
    card: str | None
    value: int


class LayingEnded(PublicEvent, frozen=True, tag="laying_ended"):
    """A seat lays no more in this round."""

    seat: Seat


class RoundJudged(PublicEvent, frozen=True, tag="round_judged"):
    """The sums at the end of a round, markers included."""

    round: int
    attack: int
    defence: int


class FightEnded(PublicEvent, frozen=True, tag="fight_ended"):
    """The cards of a fight went to the moats; `killed` is who died, None if both live."""

    killed: str | None


class CharacterDied(PublicEvent, frozen=True, tag="character_died"):
    """A character is out of the game, and everybody learns what it was."""

    discloses: ClassVar[bool] = True

    character: str
    vampire: bool


class SupportPlayed(PublicEvent, frozen=True, tag="support_played"):
    """A support card, and what it costs by day or by night."""

    discloses: ClassVar[bool] = True

    seat: Seat
    card: str
    cost: int


class SupportEnded(PublicEvent, frozen=True, tag="support_ended"):
    """One effect of a support is over."""

    seat: Seat


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


class CitySeen(Secret, frozen=True, tag="city_seen"):
    """Who comes next, in this order."""

    characters: tuple[str, ...]


class PileSearched(PublicEvent, frozen=True, tag="pile_searched"):
    """A seat looks through an own pile."""

    seat: Seat
    pile: Pile


class PileSeen(Secret, frozen=True, tag="pile_seen"):
    """What lies in it."""

    cards: tuple[str, ...]


class CardFound(PublicEvent, frozen=True, tag="card_found"):
    """A card of a searched pile came into the hand."""

    seat: Seat
    pile: Pile


class CardTaken(Secret, frozen=True, tag="card_taken"):
    """Which card that was."""

    card: str
    pile: Pile


class TextAsked(PublicEvent, frozen=True, tag="text_asked"):
    """What the players do among themselves."""

    text: str


class PlayerOut(PublicEvent, frozen=True, tag="player_out"):
    """A player has no cards left; the other one plays on."""

    seat: Seat


class IdentitiesShown(PublicEvent, frozen=True, tag="identities_shown"):
    """At the end everybody sees who was who."""

    discloses: ClassVar[bool] = True

    vampires: tuple[str, ...]
    trusted: tuple[str, ...]


class GameOver(PublicEvent, frozen=True, tag="game_over", omit_defaults=True):
    """The game is over."""

    discloses: ClassVar[bool] = True

    winner: Literal["vampire", "human", "draw"]
    reason: Literal["humans_dead", "vampires_dead", "castle_taken", "points", "agreed"]
    points: dict[str, int] | None = None


ACTIONS: tuple[type[Action], ...] = (
    Discard, Draw, Reveal, Proceed, Hide, HolyWater, Pay, PayValue, Fight, Lay, LayValue, Done, Pass, PlaySupport,
    PutMarker, Cancel, Take, Swap, Enter, NoCards,
)  # fmt: skip
EVENTS: tuple[type[Event], ...] = (
    GameSetUp, CardsListed, CharactersDealt, DealKept, TurnStarted, StepReached, CardDiscarded, CardGone, CardsDrawn,
    CardsGot, DeckRemade, DeckShuffled, VampireRevealed, ActionBegun, CardPaid, CharacterHidden, CharacterEntered,
    HolyWaterAnswered, FightBegun, CardLaid, LayingEnded, RoundJudged, FightEnded, CharacterDied, SupportPlayed,
    SupportEnded, MarkerPut, CardCancelled, CityLooked, CitySeen, PileSearched, PileSeen, CardFound, CardTaken,
    TextAsked, PlayerOut, IdentitiesShown, GameOver,
)  # fmt: skip


class Piles(Struct, frozen=True):
    """How many cards a player has where; `remade`: the deck was made anew from the cellar."""

    hand: int = 0
    deck: int = 0
    cellar: int = 0
    moat: int = 0
    remade: bool = False
    out: bool = False


class Marker(Struct, frozen=True):
    """A marker by a castle character."""

    character: str
    side: Side
    size: int


class Laid(Struct, frozen=True):
    """A card in a fight; `card` is None beside the box."""

    card: str | None
    value: int


class Combat(Struct, frozen=True):
    """The fight that is under way: whose turn it is in (`by`), who lays now, and what lies on each side."""

    by: Seat
    attacker: str
    target: str
    round: int
    laying: Seat
    attack: tuple[Laid, ...] = ()
    defence: tuple[Laid, ...] = ()
    laid_now: bool = False
    """Whether the active player laid a card in this round."""


class Payment(Struct, frozen=True):
    """What is being paid for: so many cards are still owed; `shown` are those that lie open."""

    seat: Seat
    what: What
    left: int
    character: str | None = None
    shown: tuple[Laid, ...] = ()


class Support(Struct, frozen=True):
    """A support card whose effects are still to come."""

    seat: Seat
    effects: tuple[Effect, ...]
    searching: bool = False


class Dead(Struct, frozen=True):
    """A character that is out of the game."""

    character: str
    vampire: bool


class Public(Struct, frozen=True):
    """What everybody knows. Mappings are never changed in place."""

    options: Options
    title: str = ""
    sample: bool = False
    cards: Mapping[str, Card] = {}
    castle: tuple[str, ...] = ()
    city: int = 0
    dead: tuple[Dead, ...] = ()
    revealed: tuple[str, ...] = ()
    markers: tuple[Marker, ...] = ()
    piles: Mapping[Seat, Piles] = {}
    turn: Seat | None = None
    turns: int = 0
    step: Step = "enter"
    payment: Payment | None = None
    support: Support | None = None
    fight: Combat | None = None
    judged: RoundJudged | None = None
    """The last sums of the fight of this turn."""
    water: tuple[Laid, ...] = ()
    """The holy water cards of this turn."""
    answer: HolyWaterAnswered | None = None
    identities: IdentitiesShown | None = None
    outcome: Outcome | None = None
    points: Mapping[str, int] = {}

    @property
    def players(self) -> int:
        return len(SEATS)

    @property
    def is_box(self) -> bool:
        """Whether real cards lie on the table."""
        return not self.cards

    @property
    def is_day(self) -> bool:
        return self.turn == HUMAN

    @property
    def living(self) -> tuple[str, ...]:
        """The characters that can still be found in castle and city, in the order of the box."""
        gone = {dead.character for dead in self.dead}
        return tuple(name for name in CHARACTERS if name not in gone)


class Own(Struct, frozen=True):
    """What a seat alone knows: its characters, its hand, and what it just looked at."""

    characters: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    """The cards of a searched pile."""
    coming: tuple[str, ...] = ()
    """Who comes next from the city, as far as this seat saw it and nobody came or went since."""


class Hidden(Struct, frozen=True):
    """What nobody at the table knows as a whole."""

    deal: Deal
    content: Decks | None
    city: tuple[str, ...]
    decks: Mapping[Seat, tuple[str, ...]]
    cellars: Mapping[Seat, tuple[str, ...]]
    moats: Mapping[Seat, tuple[str, ...]]
