"""Define the cards of Shisogari and the pairs that they make.

A card is its kind; equal cards cannot be distinguished.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, get_args

Colour = Literal["white", "black"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
LETTERS: Mapping[str, Colour] = {"w": "white", "b": "black"}
"""The colour of each letter in a row of backs."""
UNKNOWN = "?"
"""A back of unknown colour: real cards on a real table."""
ITEMS: Mapping[str, Colour] = {
    "crucifix": "white",
    "holy_water": "white",
    "dagger": "white",
    "stake": "black",
    "bible": "black",
    "garlic": "black",
}
BITES: Mapping[str, Colour] = {"white_bloodsucking": "white", "black_bloodsucking": "black"}
BLANKS: Mapping[str, Colour] = {"white_blank": "white", "black_blank": "black"}
CARDS: Mapping[str, Colour] = {**ITEMS, **BITES, **BLANKS}
ITEM_COPIES = 3
"""Copies of each item; each Blank is single."""

Role = Literal["vampire", "hunter", "kin"]


def colours(backs: str) -> frozenset[Colour]:
    """Return the colours in a row of backs; an unknown back may have either."""
    return (
        frozenset(COLOURS) if UNKNOWN in backs else frozenset(LETTERS[letter] for letter in backs)
    )


def backs(cards: Sequence[str]) -> str:
    """Return the backs of cards, white ones first, so that the order reveals nothing else."""
    return "".join(sorted((CARDS[card][0] for card in cards), reverse=True))


def sharing(one: str, other: str) -> frozenset[Colour]:
    """Return the colours that two rows of backs have in common."""
    return colours(one) & colours(other)


def without(cards: Sequence[str], card: str) -> tuple[str, ...]:
    """Return the cards without one such card."""
    left = list(cards)
    left.remove(card)
    return tuple(left)


def in_box_order(cards: Sequence[str]) -> tuple[str, ...]:
    """Return cards in the order of the box: white items, black items, Bloodsucking, Blanks."""
    return tuple(sorted(cards, key=list(CARDS).index))


def partners(role: Role, hand: Sequence[str], picked: str) -> tuple[str | None, ...]:
    """Return the cards of `hand` with which the picked one may be laid; None if it may be kept.

    The first rule that fits: a Bloodsucking card pairs with any card of its colour; an item pairs
    with an equal item; the Vampire may lay a fake pair, a Bloodsucking or a Blank with an item of
    the same colour, one of them just picked.
    """
    alike = [card for card in dict.fromkeys(in_box_order(hand)) if CARDS[card] == CARDS[picked]]
    if picked in BITES:
        return tuple(alike) or (None,)
    if picked in ITEMS and picked in hand:
        return (picked,)
    if role != "vampire":
        return (None,)
    fakes = [card for card in alike if (card in ITEMS) != (picked in ITEMS)]
    return (None, *fakes)


def is_real(pair: tuple[str, str]) -> bool:
    """Return whether a laid pair is two identical items."""
    return pair[0] == pair[1] and pair[0] in ITEMS


def in_play() -> Counter[str]:
    """Return all cards in the hands after each player put two cards back into the box, and the two
    that the Vampire put back.
    """
    return Counter(
        {**dict.fromkeys(ITEMS, ITEM_COPIES), **dict.fromkeys(BITES, 1), **dict.fromkeys(BLANKS, 1)}
    )
