"""Define the nine characters and the cards of Vampire Empire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from companion.core.content import Name, Text, Words
from companion.core.game import Seat

VAMPIRE, HUMAN = Seat("vampire"), Seat("human")
SEATS = (VAMPIRE, HUMAN)
"""The vampire player, who begins, and the human player."""


def other(seat: Seat) -> Seat:
    """Return the opponent."""
    return HUMAN if seat == VAMPIRE else VAMPIRE


Profession = Literal["noble", "clergy", "servant"]
PROFESSIONS: tuple[Profession, ...] = get_args(Profession)
CHARACTERS: Mapping[str, Profession] = {
    "lady": "noble",
    "lord": "noble",
    "officer": "noble",
    "monk": "clergy",
    "nun": "clergy",
    "bishop": "clergy",
    "maid": "servant",
    "cook": "servant",
    "butler": "servant",
}
Border = Literal["noble", "servant", "clergy", "vampire", "holy"]
BORDERS: tuple[Border, ...] = get_args(Border)
Pile = Literal["deck", "cellar", "moat"]

Few = Annotated[int, Meta(ge=1, le=9)]


class Mark(Struct, frozen=True, tag_field="do", tag="marker", forbid_unknown_fields=True):
    """A marker for a castle character of this profession; the player chooses attack or defence."""

    profession: Profession
    size: Few = 1


class CancelCard(
    Struct, frozen=True, tag_field="do", tag="cancel_card", forbid_unknown_fields=True
):
    """Remove a card of the opponent from the fight."""


class DrawCards(Struct, frozen=True, tag_field="do", tag="draw", forbid_unknown_fields=True):
    """Draw cards from one's own deck."""

    count: Few


class Search(Struct, frozen=True, tag_field="do", tag="search", forbid_unknown_fields=True):
    """Look through one's own pile, take a card and shuffle the pile."""

    pile: Pile


class LookCity(Struct, frozen=True, tag_field="do", tag="look_city", forbid_unknown_fields=True):
    """See the next card of the city."""

    count: Few


class SwapCastle(
    Struct, frozen=True, tag_field="do", tag="swap_castle", forbid_unknown_fields=True
):
    """Send a castle character under the city; the top of the city comes in."""


class Ask(Struct, frozen=True, tag_field="do", tag="ask", forbid_unknown_fields=True):
    """Let the players follow the card's text."""

    text: Name


Effect = Mark | CancelCard | DrawCards | Search | LookCity | SwapCastle | Ask


class Card(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A kind of card and its copies in a deck. A support has costs, effects and a time, every other
    card a value and one or two borders.
    """

    id: Text
    name: Name
    deck: Literal["vampire", "human"]
    kind: Literal["combat", "vampire", "holy", "support"]
    text: Words = ""
    copies: Annotated[int, Meta(ge=1, le=40)] = 1
    value: Annotated[int, Meta(ge=0)] = 0
    borders: Annotated[tuple[Border, ...], Meta(max_length=2)] = ()
    cost_day: Annotated[int, Meta(ge=0)] = 0
    cost_night: Annotated[int, Meta(ge=0)] = 0
    when: Literal["open", "fight", "both"] = "open"
    effects: tuple[Effect, ...] = ()


def is_valid(
    borders: Sequence[str], seat: Seat, supported: str, against: str, revealed: Sequence[str]
) -> bool:
    """Return whether a card with these borders may support a character of `seat`'s side against
    another: by profession, in red if it is a revealed vampire, or with holy water against a
    revealed vampire.
    """
    return (
        CHARACTERS[supported] in borders
        or ("vampire" in borders and supported in revealed)
        or ("holy" in borders and seat == HUMAN and against in revealed)
    )


def without(cards: Sequence[str], card: str) -> tuple[str, ...]:
    """Return the cards without one of this kind."""
    left = list(cards)
    left.remove(card)
    return tuple(left)
