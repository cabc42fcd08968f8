"""Define the content file of the two decks, and check it for errors and unusual values."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated

from msgspec import Meta

from companion.core.content import (
    Content,
    ContentError,
    ContentFormat,
    Ids,
    duplicate_ids,
    load_packaged,
)
from companion.games.vampire_empire.cards import PROFESSIONS, SEATS, Card

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
