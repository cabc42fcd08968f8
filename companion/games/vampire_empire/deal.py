"""Draw a deal, or check a given one: vampires, trusted characters, city and decks."""

from __future__ import annotations

from collections import Counter
from random import Random

from companion.core.game import InvalidSetup
from companion.games.vampire_empire.cards import CHARACTERS, SEATS, Decks
from companion.games.vampire_empire.options import TRUSTED, VAMPIRES, Deal


def draw(decks: Decks | None, rng: Random) -> Deal:
    """Return a deal; without decks the real cards and the real city are on the table."""
    tokens = rng.sample(list(CHARACTERS), VAMPIRES + TRUSTED)
    vampires, trusted = _in_printed_order(tokens[:VAMPIRES]), _in_printed_order(tokens[VAMPIRES:])
    if decks is None:
        return Deal(vampires, trusted)
    city = tuple(rng.sample(list(CHARACTERS), len(CHARACTERS)))
    cards = {seat: _cards(decks, seat) for seat in SEATS}
    return Deal(
        vampires,
        trusted,
        city,
        {seat: tuple(rng.sample(each, len(each))) for seat, each in cards.items()},
    )


def check(deal: Deal, decks: Decks | None) -> Deal:
    """Return a given deal; raise `InvalidSetup` unless it could have been drawn."""
    named = (*deal.vampires, *deal.trusted)
    known = set(named) <= set(CHARACTERS) and len(set(named)) == len(named)
    if not known or len(deal.vampires) != VAMPIRES or len(deal.trusted) != TRUSTED:
        raise InvalidSetup("vampire_empire_characters")
    if sorted(deal.city) != ([] if decks is None else sorted(CHARACTERS)):
        raise InvalidSetup("vampire_empire_city")
    expected = {} if decks is None else {str(seat): Counter(_cards(decks, seat)) for seat in SEATS}
    if {seat: Counter(cards) for seat, cards in deal.decks.items()} != expected:
        raise InvalidSetup("vampire_empire_decks")
    return Deal(
        _in_printed_order(deal.vampires), _in_printed_order(deal.trusted), deal.city, deal.decks
    )


def _cards(decks: Decks, seat: str) -> list[str]:
    return [card.id for card in decks.card if card.deck == seat for _ in range(card.copies)]


def _in_printed_order(names: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return tuple(name for name in CHARACTERS if name in names)
