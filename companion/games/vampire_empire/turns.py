"""List the actions of each step, and add up the sums of a fight.

The functions use only what the seat knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from companion.core.game import Action, Seat
from companion.games.vampire_empire import actions
from companion.games.vampire_empire.cards import (
    BORDERS,
    CHARACTERS,
    HUMAN,
    VAMPIRE,
    CancelCard,
    Card,
    DrawCards,
    Effect,
    LookCity,
    Mark,
    Search,
    SwapCastle,
    is_valid,
    other,
)
from companion.games.vampire_empire.options import (
    CASTLE,
    HAND,
    HIDE_COST,
    MARKERS,
    WATER_COST,
    Side,
)
from companion.games.vampire_empire.state import Combat, Own, Public

SIDES: tuple[Side, ...] = ("attack", "defence")


def acting(public: Public) -> Seat | None:
    """Return the seat that acts next. With real cards the other one may report what a card
    changes.
    """
    if public.outcome is not None:
        return None
    if public.payment is not None:
        return public.payment.seat
    if public.support is not None:
        return public.support.seat
    if owes_entry(public):
        return public.turn
    if public.window is not None:
        return public.window.asked
    return public.turn if public.fight is None else public.fight.laying


def owes_entry(public: Public) -> bool:
    """Return whether people with real cards must report the character that came from the city."""
    return public.has_real_cards and len(public.castle) < CASTLE and public.city > 0


def legal(public: Public, seat: Seat, own: Own) -> Sequence[Action]:
    """Return a seat's legal actions."""
    if public.outcome is not None:
        return ()
    mine = acting(public) == seat
    if public.payment is not None:
        return _payments(public, own) if mine else ()
    if public.support is not None:
        return _choices(public, own) if mine else ()
    if owes_entry(public):
        return (
            [actions.Enter(name) for name in public.living if name not in public.castle]
            if mine
            else ()
        )
    offered: list[Action] = []
    if mine:
        offered += (
            [actions.DECLINE, actions.DECLINE_TURN]
            if public.window is not None
            else _turn(public, seat, own)
        )
    if public.step in ("action", "fight", "end"):
        offered += (
            _beside(public, seat)
            if public.has_real_cards
            else _supports(public, seat, own)
            if mine
            else []
        )
    return offered


def _payments(public: Public, own: Own) -> list[Action]:
    payment = public.payment
    assert payment is not None
    if public.has_real_cards:
        return [actions.PayValue(value) for value in range(1, 10)]
    border = {"hide": "vampire", "holy_water": "holy"}.get(payment.what)
    cards = [
        card for card in kinds(own.hand) if border is None or border in public.cards[card].borders
    ]
    return [actions.Pay(card) for card in cards]


def kinds(hand: Sequence[str]) -> list[str]:
    """Return each kind of card of a hand once."""
    return list(dict.fromkeys(hand))


def _turn(public: Public, seat: Seat, own: Own) -> list[Action]:
    match public.step:
        case "discard":
            return _discards(public, seat, own)
        case "reveal":
            living = [
                name
                for name in own.characters
                if name in public.living and name not in public.revealed
            ]
            return [*(actions.Reveal(name) for name in living), actions.PROCEED]
        case "action":
            return _actions(public, seat, own)
        case "answer":
            return [actions.PROCEED]
        case "chance":
            assert public.answer is not None
            target = public.answer.character
            return [
                *(fight for fight in fights(public, seat, own) if fight.target == target),
                actions.PROCEED,
            ]
        case "fight":
            return _layings(public, seat, own)
    return []


def _discards(public: Public, seat: Seat, own: Own) -> list[Action]:
    discards: list[Action] = [actions.Discard(card, "moat") for card in kinds(own.hand)]
    if not public.piles[seat].remade:
        discards += [actions.Discard(card, "cellar") for card in kinds(own.hand)]
    if len(own.hand) <= HAND or not public.options.trim:
        discards.append(actions.DRAW)
    if (
        own.hand
        and actions.DRAW in discards
        and len(own.hand) < HAND
        and is_possible(public, seat, DrawCards(1))
    ):
        discards.append(actions.DRAW_NONE)
    return discards


def _actions(public: Public, seat: Seat, own: Own) -> list[Action]:
    offered: list[Action] = list(fights(public, seat, own))
    if seat == VAMPIRE and (
        public.has_real_cards or count_bordered(public, own, "vampire") >= HIDE_COST
    ):
        offered += [actions.Hide(name) for name in public.castle]
    if seat == HUMAN and (
        public.has_real_cards or count_bordered(public, own, "holy") >= WATER_COST
    ):
        offered += [
            actions.HolyWater(name) for name in public.living if name not in public.revealed
        ]
    return [*offered, actions.PASS, *([actions.NO_CARDS] if public.has_real_cards else [])]


def count_bordered(public: Public, own: Own, border: str) -> int:
    """Return how many cards of a hand have this border."""
    return sum(border in public.cards[card].borders for card in own.hand)


def attackers(public: Public, seat: Seat) -> list[str]:
    """Return the characters with which a seat may attack. The human player may use no revealed
    vampire; the vampire player must use one if one is in the castle.
    """
    revealed = [name for name in public.castle if name in public.revealed]
    if seat == VAMPIRE and revealed:
        return revealed
    return [name for name in public.castle if seat == VAMPIRE or name not in revealed]


def fights(public: Public, seat: Seat, own: Own) -> Iterator[actions.Fight]:
    """Yield the fights that a seat can open with its hand."""
    for attacker in attackers(public, seat):
        for target in public.castle:
            if target != attacker and can_open(public, seat, own, attacker, target):
                yield actions.Fight(attacker, target)


def can_open(public: Public, seat: Seat, own: Own, attacker: str, target: str) -> bool:
    """Return whether the seat can lay cards that exceed the marker of the defence."""
    if public.has_real_cards:
        return True
    cards = valid_cards(public, own, seat, attacker, target)
    counted = lower_water(public) if public.step == "chance" else 0
    return bool(cards or counted) and exceeds(
        public, attacker, target, counted + _sum(public, own, cards)
    )


def _sum(public: Public, own: Own, cards: Sequence[str]) -> int:
    held = Counter(own.hand)
    return sum(public.cards[card].value * held[card] for card in cards)


def exceeds(public: Public, attacker: str, target: str, values: int) -> bool:
    """Return whether the first cards of an attack are worth more than the marker of the defence."""
    return values + marker_value(public, attacker, "attack") > marker_value(
        public, target, "defence"
    )


def lower_water(public: Public) -> int:
    """Return the value of the lower one of the two holy water cards."""
    return min((laid.value for laid in public.water), default=0)


def marker_value(public: Public, character: str, side: Side) -> int:
    """Return the value of a character's markers on a side."""
    return sum(
        one.size for one in public.markers if one.character == character and one.side == side
    )


def valid_cards(public: Public, own: Own, seat: Seat, supported: str, against: str) -> list[str]:
    """Return the cards of a hand that may support a character of the seat's side."""
    held = [public.cards[card] for card in kinds(own.hand)]
    fit = [
        card for card in held if is_valid(card.borders, seat, supported, against, public.revealed)
    ]
    return [card.id for card in fit if card.kind != "support"]


def side_of(fight: Combat, seat: Seat) -> Side:
    """Return the side of a fight that a seat lays cards for."""
    return "attack" if seat == fight.by else "defence"


def supported_and_enemy(fight: Combat, seat: Seat) -> tuple[str, str]:
    """Return the character that a seat supports in a fight, and its enemy."""
    pair = (fight.attacker, fight.target)
    return pair if seat == fight.by else (pair[1], pair[0])


def sums(public: Public, fight: Combat) -> tuple[int, int]:
    """Return the current sums of attack and defence: all cards, and in the first round the
    markers.
    """
    attack, defence = (sum(laid.value for laid in side) for side in (fight.attack, fight.defence))
    if fight.round > 1:
        return attack, defence
    return attack + marker_value(public, fight.attacker, "attack"), defence + marker_value(
        public, fight.target, "defence"
    )


def _layings(public: Public, seat: Seat, own: Own) -> list[Action]:
    fight = public.running_fight
    one, against = supported_and_enemy(fight, seat)
    layings: list[Action]
    if public.has_real_cards:
        borders = [
            border for border in BORDERS if is_valid((border,), seat, one, against, public.revealed)
        ]
        allowed = [
            border for border in borders if border != ("holy" if seat == VAMPIRE else "vampire")
        ]
        layings = [actions.LayValue(value, border) for border in allowed for value in range(1, 10)]
    else:
        layings = [actions.Lay(card) for card in valid_cards(public, own, seat, one, against)]
    if (
        public.has_real_cards
        or not layings
        or seat != fight.by
        or fight.opened
        or is_opened(public, fight)
    ):
        layings.append(actions.DONE)
    return layings


def is_opened(public: Public, fight: Combat) -> bool:
    """Return whether the cards of the attack may open the fight."""
    values = sum(laid.value for laid in fight.attack)
    return bool(fight.attack) and exceeds(public, fight.attacker, fight.target, values)


def is_asked(public: Public, seat: Seat) -> bool:
    """Return whether a seat is asked for a support card: by public knowledge it could play one, and
    it has not declined for the whole turn.
    """
    if seat in public.waived or public.piles[seat].out:
        return False
    own_deck = (card for card in public.cards.values() if card.deck == seat)
    return public.has_real_cards or any(_is_playable(public, seat, card) for card in own_deck)


def _supports(public: Public, seat: Seat, own: Own) -> list[Action]:
    if seat in public.waived:
        return []
    return [
        actions.PlaySupport(card)
        for card in kinds(own.hand)
        if _is_playable(public, seat, public.cards[card])
    ]


def _is_playable(public: Public, seat: Seat, card: Card) -> bool:
    """Return whether a card may be played as a support now by a seat that holds it."""
    now = "fight" if public.fight is not None else "open"
    is_open = (
        card.kind == "support"
        and card.when in (now, "both")
        and cost(public, card.id) < public.piles[seat].hand
    )
    return is_open and is_possible(public, seat, card.effects[0])


def cost(public: Public, card: str) -> int:
    """Return the cost of a support by day or by night."""
    return public.cards[card].cost_day if public.is_day else public.cards[card].cost_night


def is_possible(public: Public, seat: Seat, effect: Effect) -> bool:
    """Return whether an effect has the cards or characters that it needs."""
    match effect:
        case Mark(profession=profession):
            return len(public.markers) < MARKERS and any(
                CHARACTERS[name] == profession for name in public.castle
            )
        case CancelCard():
            return public.fight is not None and bool(
                getattr(public.fight, side_of(public.fight, other(seat)))
            )
        case DrawCards():
            piles = public.piles[seat]
            return bool(piles.deck or (piles.cellar and not piles.remade))
        case Search(pile=pile):
            return bool(getattr(public.piles[seat], pile))
        case LookCity():
            return public.city > 0
        case SwapCastle():
            return bool(swappable(public))
    return True


def swappable(public: Public) -> list[str]:
    """Return the characters that may go under the city: none in the middle of a fight."""
    busy = () if public.fight is None else (public.fight.attacker, public.fight.target)
    return [name for name in public.castle if name not in busy]


def _choices(public: Public, own: Own) -> list[Action]:
    """Return the choices for the effect that needs one."""
    assert public.support is not None
    match public.support.effects[0]:
        case Mark(profession=profession):
            return [
                actions.PutMarker(name, side)
                for name in public.castle
                if CHARACTERS[name] == profession
                for side in SIDES
            ]
        case CancelCard() if public.fight is not None:
            side = side_of(public.fight, other(public.support.seat))
            return [
                actions.Cancel(side, number + 1)
                for number in range(len(getattr(public.fight, side)))
            ]
        case Search():
            return [actions.Take(card) for card in kinds(own.seen)]
        case SwapCastle():
            return [actions.Swap(name) for name in swappable(public)]
    return []


def _beside(public: Public, seat: Seat) -> list[Action]:
    """Return the changes by cards on the table that people may report."""
    swaps = [actions.Swap(name) for name in swappable(public)]
    if public.fight is not None:
        laid = [(side, len(getattr(public.fight, side))) for side in SIDES]
        return [
            *(
                actions.Cancel(side, number)
                for side, count in laid
                for number in range(1, count + 1)
            ),
            *swaps,
        ]
    markers = SIDES if len(public.markers) < MARKERS else ()
    markings: list[Action] = [
        actions.PutMarker(name, side) for name in public.castle for side in markers
    ]
    return [*markings, *swaps, *([] if public.piles[seat].remade else [actions.REMAKE])]
