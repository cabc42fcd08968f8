"""Define the nine characters, the cards and the file of the two decks, and check that file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from companion.core.content import (
    Content,
    ContentError,
    ContentFormat,
    Ids,
    Name,
    Text,
    Words,
    duplicate_ids,
    load_packaged,
)
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


class _Effect(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """An effect of a support card; its name is under `do`."""


class Mark(_Effect, frozen=True, tag="marker"):
    """A marker for a castle character of this profession; the player chooses attack or defence."""

    profession: Profession
    size: Few = 1


class CancelCard(_Effect, frozen=True, tag="cancel_card"):
    """Remove a card of the opponent from the fight."""


class DrawCards(_Effect, frozen=True, tag="draw"):
    """Draw cards from one's own deck."""

    count: Few


class Search(_Effect, frozen=True, tag="search"):
    """Look through one's own pile, take a card and shuffle the pile."""

    pile: Pile


class LookCity(_Effect, frozen=True, tag="look_city"):
    """See the next card of the city."""

    count: Few


class SwapCastle(_Effect, frozen=True, tag="swap_castle"):
    """Send a castle character under the city; the top of the city comes in."""


class Ask(_Effect, frozen=True, tag="ask"):
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


FULL = 40
"""Cards in each deck of the box."""


class Decks(Content, frozen=True, kw_only=True):
    """A deck file."""

    card: Annotated[tuple[Card, ...], Meta(min_length=1)]


def faults(decks: Decks, ids: Ids) -> Iterator[ContentError]:
    """Yield the errors of a deck file."""
    yield from duplicate_ids(decks, ["card"])
    for index, card in enumerate(decks.card):
        for field, code in _faults_of(card):
            yield ContentError(("card", index, field), code, {"id": card.id})
    for seat in SEATS:
        if not any(card.deck == seat for card in decks.card):
            yield ContentError(("card",), f"deck.none.{seat}")


def _faults_of(card: Card) -> Iterator[tuple[str, str]]:
    """Yield the field and the code of each error of a single card."""
    if card.kind == "support":
        for field in ("value", "borders"):
            if getattr(card, field):
                yield field, "deck.support_plain"
        if not card.effects:
            yield "effects", "deck.no_effects"
        return
    for field in ("cost_day", "cost_night", "effects"):
        if getattr(card, field):
            yield field, "deck.only_support"
    if card.value < 1:
        yield "value", "deck.no_value"
    if not card.borders or len(set(card.borders)) < len(card.borders):
        yield "borders", "deck.borders"
    if card.deck == "human" and ("vampire" in card.borders or card.kind == "vampire"):
        yield ("borders" if "vampire" in card.borders else "kind"), "deck.red_human"
    if card.deck == "vampire" and ("holy" in card.borders or card.kind == "holy"):
        yield ("borders" if "holy" in card.borders else "kind"), "deck.holy_vampire"
    if card.kind in ("vampire", "holy") and card.kind not in card.borders:
        yield "borders", "deck.kind_border"
    if card.kind == "combat" and not set(card.borders) <= set(PROFESSIONS):
        yield "borders", "deck.combat_border"


def warnings(decks: Decks) -> Iterator[ContentError]:
    """Yield a warning for each deck whose number of cards differs from the box's."""
    for seat in SEATS:
        count = sum(card.copies for card in decks.card if card.deck == seat)
        if count != FULL:
            yield ContentError(("card",), f"deck.count.{seat}", {"n": count})


FORMAT = ContentFormat(Decks, faults, warnings)


@cache
def sample_decks() -> Decks:
    """Return our invented decks."""
    return load_packaged("companion.games.vampire_empire", "sample.toml", Decks)
