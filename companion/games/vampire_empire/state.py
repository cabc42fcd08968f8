"""Define the state of a game of Vampire Empire.

Seats `vampire` (who begins; its turns are the night) and `human` (the day). Characters `lady`,
`lord`, `officer` (nobles), `monk`, `nun`, `bishop` (clergy), `maid`, `cook`, `butler` (servants).
Cards are the ids of a deck file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from companion.core.game import Outcome, Seat
from companion.games.vampire_empire.cards import CHARACTERS, HUMAN, SEATS, Card, Decks, Effect
from companion.games.vampire_empire.options import Deal, Moment, Options, Side, Step, What

if TYPE_CHECKING:
    from companion.games.vampire_empire.events import (
        HolyWaterAnswered,
        IdentitiesShown,
        RoundCounted,
    )


class Piles(Struct, frozen=True):
    """Numbers of a player's cards by place; `remade`: the deck was refilled from the cellar."""

    hand: int = 0
    deck: int = 0
    cellar: int = 0
    moat: int = 0
    remade: bool = False
    out: bool = False


class Marker(Struct, frozen=True):
    """A marker of a castle character."""

    character: str
    side: Side
    size: int


class Laid(Struct, frozen=True):
    """A card in a fight; `card` is None with real cards."""

    card: str | None
    value: int


class Combat(Struct, frozen=True):
    """The running fight: whose turn it is in (`by`), who lays now, and the cards of each side."""

    by: Seat
    attacker: str
    target: str
    round: int
    laying: Seat
    attack: tuple[Laid, ...] = ()
    defence: tuple[Laid, ...] = ()
    laid_now: bool = False
    """Whether the active player laid a card in this round."""
    opened: bool = False
    """Whether the active player has laid the first cards, which must exceed the defence marker."""


class Payment(Struct, frozen=True):
    """A payment in progress: the number of cards still owed; `shown`: those that lie open."""

    seat: Seat
    what: What
    left: int
    character: str | None = None
    shown: tuple[Laid, ...] = ()


class Support(Struct, frozen=True):
    """A support card with pending effects."""

    seat: Seat
    effects: tuple[Effect, ...]
    searching: bool = False


class Window(Struct, frozen=True):
    """A moment at which `asked` plays a support card or declines; `declined`: the seats that
    declined since the last card.
    """

    moment: Moment
    asked: Seat
    declined: tuple[Seat, ...] = ()


class Dead(Struct, frozen=True):
    """A character that is out of the game."""

    character: str
    vampire: bool


class Public(Struct, frozen=True):
    """The public state. Mappings are never changed in place."""

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
    window: Window | None = None
    waived: tuple[Seat, ...] = ()
    """The seats that play no support card until this turn ends."""
    fight: Combat | None = None
    counted: RoundCounted | None = None
    """The last sums of the fight of this turn."""
    water: tuple[Laid, ...] = ()
    """The holy water cards of this turn."""
    answer: HolyWaterAnswered | None = None
    """The answer of holy water, until the human player continues."""
    identities: IdentitiesShown | None = None
    outcome: Outcome | None = None
    points: Mapping[str, int] = {}

    @property
    def players(self) -> int:
        return len(SEATS)

    @property
    def has_real_cards(self) -> bool:
        """Whether real cards lie on the table."""
        return not self.cards

    @property
    def is_day(self) -> bool:
        return self.turn == HUMAN

    @property
    def running_fight(self) -> Combat:
        """The fight; only while one is under way."""
        assert self.fight is not None, "no fight is under way"
        return self.fight

    @property
    def living(self) -> tuple[str, ...]:
        """The characters that are in the castle or the city, in the order of the box."""
        gone = {dead.character for dead in self.dead}
        return tuple(name for name in CHARACTERS if name not in gone)


class Own(Struct, frozen=True):
    """The private part of a seat: its characters, its hand, and the cards it just looked at."""

    characters: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    """The cards of a searched pile."""
    coming: tuple[str, ...] = ()
    """The next characters of the city that this seat saw, if the city has not changed since."""
    cleared: tuple[str, ...] = ()
    """The characters that holy water showed to be human; `notebook` alone keeps it and `met`."""
    met: tuple[str, ...] = ()
    """The other player's open cards, in the order of their events."""


class Hidden(Struct, frozen=True):
    """The hidden part, which no seat knows as a whole."""

    deal: Deal
    content: Decks | None
    city: tuple[str, ...]
    decks: Mapping[Seat, tuple[str, ...]]
    cellars: Mapping[Seat, tuple[str, ...]]
    moats: Mapping[Seat, tuple[str, ...]]
