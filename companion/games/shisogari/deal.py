"""Draw a deal by the rules, or check a given one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Literal

from companion.core.game import InvalidSetup, Seat
from companion.games.shisogari.cards import (
    BITES,
    BLANKS,
    CARDS,
    ITEM_COPIES,
    ITEMS,
    Colour,
    in_box_order,
    in_play,
)
from companion.games.shisogari.options import HAND, Deal, Options


def draw(seats: Sequence[Seat], options: Options, rng: Random) -> Deal:
    """Return a deal; with `dealt_pairs = "redealt"` the first one without two equal items in a
    hand.
    """
    while True:
        dealt = _draw(seats, options, rng)
        if options.dealt_pairs == "kept" or not any(
            len(set(cards)) < len(cards) for cards in dealt.hands.values()
        ):
            return dealt


def _draw(seats: Sequence[Seat], options: Options, rng: Random) -> Deal:
    """Deal by the rules: each player gets two Bloodsucking cards and two items. The Vampire puts
    the items back into the box, the others the Bloodsucking cards. The rest is dealt.
    """
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
        if options.last_card == "dealt":
            for seat, card in zip(seats, rest, strict=True):
                hands[seat].append(card)
            rest = []
    else:
        rest = []
        for colour, stock in stocks.items():
            third = [*stock, *(blank for blank in BLANKS if BLANKS[blank] == colour)]
            rng.shuffle(third)
            for seat, card in zip(seats, third, strict=True):
                hands[seat].append(card)
    roles: dict[str, Literal["vampire", "hunter"]] = {
        seat: "vampire" if seat == vampire else "hunter" for seat in seats
    }
    return Deal(roles, {seat: in_box_order(cards) for seat, cards in hands.items()}, tuple(rest))


def check(deal: Deal, seats: Sequence[Seat]) -> Deal:
    """Return a given deal in the order of the box; raise `InvalidSetup` unless it is possible."""
    if set(deal.roles) != set(seats) or set(deal.hands) != set(seats):
        raise InvalidSetup("deal_seats", n=len(seats))
    if list(deal.roles.values()).count("vampire") != 1:
        raise InvalidSetup("deal_one_vampire")
    for seat, cards in deal.hands.items():
        if unknown := [card for card in cards if card not in CARDS]:
            raise InvalidSetup("deal_card", card=unknown[0])
        size = HAND[len(seats)] - bool(deal.last)
        if len(cards) != size:
            raise InvalidSetup("deal_hand", seat=seat, n=size)
        bites = [card for card in cards if card in BITES]
        if sorted(bites) != (sorted(BITES) if deal.roles[seat] == "vampire" else []):
            raise InvalidSetup("deal_bloodsucking")
        if not _is_dealt(cards, len(seats)):
            raise InvalidSetup("deal_colours", seat=seat)
    if deal.last and (len(seats) != 4 or sorted(map(_letter, deal.last)) != ["b", "b", "w", "w"]):
        raise InvalidSetup("deal_last")
    colours = [ITEMS.get(card, "") for card in cards_in_box(deal)]
    if sorted(colours) != ["black", "white"] or _dealt_cards(deal) - in_play():
        raise InvalidSetup("deal_box")
    return Deal(
        deal.roles, {seat: in_box_order(cards) for seat, cards in deal.hands.items()}, deal.last
    )


def cards_in_box(deal: Deal) -> tuple[str, ...]:
    """Return the two items that the Vampire put back: those in no hand."""
    return in_box_order(list((in_play() - _dealt_cards(deal)).elements()))


def _is_dealt(cards: Sequence[str], players: int) -> bool:
    """Return whether a hand can be dealt: two cards of each colour; with four players none of them
    is a Blank, and there may be a fifth card of any kind.
    """
    fours = (
        [cards]
        if len(cards) == 4
        else [(*cards[:index], *cards[index + 1 :]) for index in range(len(cards))]
    )
    return any(
        sum(CARDS[card] == "white" for card in four) == 2
        and (players == 5 or not any(card in BLANKS for card in four))
        for four in fours
    )


def _letter(card: str) -> str:
    """Return the letter of a card's back; "?" for one that cannot be among the last four."""
    return CARDS[card][0] if card in ITEMS or card in BLANKS else "?"


def _dealt_cards(deal: Deal) -> Counter[str]:
    return Counter([*(card for cards in deal.hands.values() for card in cards), *deal.last])


def _stock(colour: Colour | str, rng: Random) -> list[str]:
    stock = [item for item in ITEMS if ITEMS[item] == colour for _ in range(ITEM_COPIES)]
    rng.shuffle(stock)
    return stock
