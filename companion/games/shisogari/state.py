"""Define the state of a game: the public part, and each hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from companion.core.game import Outcome, Seat
from companion.games.shisogari.cards import Colour, Role
from companion.games.shisogari.options import Options, Step, Way

if TYPE_CHECKING:
    from companion.games.shisogari.events import Accused, CardsShown, PairsCounted


class LaidPair(Struct, frozen=True):
    """A pair on the table: its colour, and its item if it lies face up."""

    colour: Colour
    item: str | None


class Transfer(Struct, frozen=True):
    """The running turn: its seats and step, the named item, the colour of the picked back."""

    seat: Seat
    way: Way
    partner: Seat
    item: str | None = None
    colour: Colour | None = None

    @property
    def picker(self) -> Seat:
        """The seat that picks a card and places it."""
        return self.seat if self.way == "take" else self.partner

    @property
    def giver(self) -> Seat:
        """The seat whose card is picked."""
        return self.partner if self.way == "take" else self.seat


class Public(Struct, frozen=True):
    """The public state. Mappings are never changed in place; a picked card is in no hand until it
    is placed.

    last: the backs of the last cards that are not taken yet
    """

    options: Options
    backs: Mapping[Seat, str] = {}
    pairs: Mapping[Seat, tuple[LaidPair, ...]] = {}
    turn: Seat | None = None
    step: Step = "turn"
    transfer: Transfer | None = None
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
    """The private part of a seat: its role, its cards, the card just picked, the pairs it laid, and
    the cards that the Vampire put back into the box.
    """

    role: Role
    cards: tuple[str, ...]
    picked: str | None = None
    laid: tuple[tuple[str, str], ...] = ()
    boxed: tuple[str, ...] = ()
