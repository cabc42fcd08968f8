"""The deal: roles and hands drawn as the rules say, or looked at when somebody gives them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Literal

from companion.core.game import InvalidSetup, Seat
from companion.games.shisogari.cards import BITES, BLANKS, CARDS, ITEM_COPIES, ITEMS, Colour, in_play, ordered
from companion.games.shisogari.model import HAND, Deal


def draw(seats: Sequence[Seat], rng: Random) -> Deal:
    """Return a deal: everybody has two Bloodsucking cards and two items; the Vampire boxes his items, the others
    their Bloodsucking cards; the rest is dealt."""
    vampire = rng.choice(seats)
    stocks = {colour: _stock(colour, rng) for colour in ("white", "black")}
    hands: dict[str, list[str]] = {seat: [] for seat in seats}
    for seat in seats:
        first = [stock.pop() for stock in stocks.values()]
        hands[seat] += BITES if seat == vampire else first
    if len(seats) == 4:
        for seat in seats:
            hands[seat] += [stock.pop() for stock in stocks.values()]
        rest = [card for stock in stocks.values() for card in stock] + list(BLANKS)
        rng.shuffle(rest)
        for seat, card in zip(seats, rest, strict=True):
            hands[seat].append(card)
    else:
        for colour, stock in stocks.items():
            rest = [*stock, *(blank for blank in BLANKS if BLANKS[blank] == colour)]
            rng.shuffle(rest)
            for seat, card in zip(seats, rest, strict=True):
                hands[seat].append(card)
    roles: dict[str, Literal["vampire", "hunter"]] = {
        seat: "vampire" if seat == vampire else "hunter" for seat in seats
    }
    return Deal(roles, {seat: ordered(cards) for seat, cards in hands.items()})


def check(deal: Deal, seats: Sequence[Seat]) -> Deal:
    """Return a given deal in the order of the box; raise `InvalidSetup` unless it could have been dealt."""
    if set(deal.roles) != set(seats) or set(deal.hands) != set(seats):
        raise InvalidSetup("deal_seats", n=len(seats))
    if list(deal.roles.values()).count("vampire") != 1:
        raise InvalidSetup("deal_one_vampire")
    for seat, cards in deal.hands.items():
        if unknown := [card for card in cards if card not in CARDS]:
            raise InvalidSetup("deal_card", card=unknown[0])
        if len(cards) != HAND[len(seats)]:
            raise InvalidSetup("deal_hand", seat=seat, n=HAND[len(seats)])
        if not _is_dealt(cards):
            raise InvalidSetup("deal_colours", seat=seat)
        bites = [card for card in cards if card in BITES]
        if sorted(bites) != (sorted(BITES) if deal.roles[seat] == "vampire" else []):
            raise InvalidSetup("deal_bloodsucking")
    colours = [CARDS[card] for card in boxed(deal)]
    if sorted(colours) != ["black", "white"] or _too_many(deal):
        raise InvalidSetup("deal_box")
    return Deal(deal.roles, {seat: ordered(cards) for seat, cards in deal.hands.items()})


def boxed(deal: Deal) -> tuple[str, ...]:
    """Return the Vampire's two items that are in the box, which is all that is in no hand."""
    dealt = Counter(card for cards in deal.hands.values() for card in cards)
    return ordered(list((in_play() - dealt).elements()))


def _is_dealt(cards: Sequence[str]) -> bool:
    """Return whether a hand has two cards of each colour, a fifth of either, and no two Blanks among five."""
    whites = sum(CARDS[card] == "white" for card in cards)
    blanks = sum(card in BLANKS for card in cards)
    return 2 <= whites <= len(cards) - 2 and (blanks < 2 or len(cards) == 4)


def _too_many(deal: Deal) -> bool:
    return bool(Counter(card for cards in deal.hands.values() for card in cards) - in_play())


def _stock(colour: Colour | str, rng: Random) -> list[str]:
    stock = [item for item in ITEMS if ITEMS[item] == colour for _ in range(ITEM_COPIES)]
    rng.shuffle(stock)
    return stock
