"""List the actions of each step of a turn, and the public events that follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from companion.core.game import Action, IllegalAction, Seat
from companion.games.shisogari import actions
from companion.games.shisogari.cards import (
    BITES,
    COLOURS,
    ITEMS,
    LETTERS,
    UNKNOWN,
    Colour,
    colours,
    is_real,
    partners,
    sharing,
)
from companion.games.shisogari.options import Options, Step
from companion.games.shisogari.state import Hand, LaidPair, Public

STEP_OF: Mapping[type[Action], Step] = {
    actions.ChooseColour: "last_card",
    actions.Name: "name",
    actions.Pick: "pick",
    actions.Lay: "place",
    actions.Keep: "place",
    actions.Report: "report",
    actions.Count: "count",
}
"""The step of each action that does not belong to "turn"."""


def to_move(public: Public) -> Seat | None:
    """Return the seat that acts next, which may be the picker."""
    if public.outcome is not None:
        return None
    if public.step in ("pick", "place") and public.transfer is not None:
        return public.transfer.picker
    return public.turn


def next_seat(public: Public) -> Seat:
    """Return the next seat, clockwise."""
    seats = list(public.backs)
    assert public.turn is not None, "no turn was ever begun"
    return seats[(seats.index(public.turn) + 1) % len(seats)]


def possible_partners(public: Public, seat: Seat) -> list[Seat]:
    """Return the possible partners of `seat`: those who hold a card of a colour that it holds."""
    own = public.backs[seat]
    return [other for other, backs in public.backs.items() if other != seat and sharing(own, backs)]


def pickable(public: Public) -> frozenset[Colour]:
    """Return the colours that can be picked in this turn."""
    transfer, options = public.transfer, public.options
    assert transfer is not None, "no turn is under way"
    backs = public.backs[transfer.giver]
    allowed = (
        colours(backs)
        if options.pick_colour == "free"
        else sharing(backs, public.backs[transfer.picker])
    )
    if options.declare_equals_pick and transfer.item:
        return allowed & {ITEMS[transfer.item]}
    return allowed


def legal(public: Public, seat: Seat, own: Hand | None) -> Sequence[Action]:
    """Return the legal actions of the seat to move; `own` is None if it is unknown."""
    match public.step:
        case "last_card":
            return [actions.ChooseColour(colour) for colour in COLOURS if colour[0] in public.last]
        case "turn":
            return _declarations(public, seat, own)
        case "name":
            return [actions.Name(item) for item in ITEMS if _may_name(public, seat, item)]
        case "pick":
            assert public.transfer is not None
            may = pickable(public)
            return [
                actions.Pick(n)
                for n, back in enumerate(public.backs[public.transfer.giver], 1)
                if LETTERS[back] in may
            ]
        case "place":
            if own is None or own.picked is None:
                return ()
            fitting = partners(own.role, own.cards, own.picked)
            return [actions.KEEP if card is None else actions.Lay(card) for card in fitting]
        case "report":
            return _reports(public)
        case "count":
            return _counts(public)
        case "over":
            return ()


def _declarations(public: Public, seat: Seat, own: Hand | None) -> list[Action]:
    others = possible_partners(public, seat)
    declarations: list[Action] = [actions.Take(other) for other in others]
    if len(public.backs[seat]) > 1:
        declarations += [actions.Give(other) for other in others]
    if may_accuse(public, own):
        declarations += [actions.Accuse(other) for other in public.backs if other != seat]
    if _may_pass(public, seat, own):
        declarations.append(actions.PASS)
    return declarations


def _may_pass(public: Public, seat: Seat, own: Hand | None) -> bool:
    """Return whether a seat may pass. With real cards only people see whether it has a partner and
    a Hunter's card.
    """
    if public.options.hands == "cards":
        return True
    return not possible_partners(public, seat) and not may_accuse(public, own)


def may_accuse(public: Public, own: Hand | None) -> bool:
    """Return whether a seat has a Hunter's card to show; with real cards only people know."""
    return public.options.hands == "cards" or (own is not None and own.role == "hunter")


def _may_name(public: Public, seat: Seat, item: str) -> bool:
    colour = ITEMS[item]
    may_pick = not public.options.declare_equals_pick or colour in pickable(public)
    return colour in colours(public.backs[seat]) and may_pick


def _reports(public: Public) -> list[Action]:
    """Return the possible reports of a picked card: two of an item's three copies can be a pair."""
    transfer, laid = public.transfer, _laid_pairs(public)
    assert transfer is not None, "no turn is under way"
    up = [] if any(pair.item == transfer.item for pair in laid) else [actions.Report("up")]
    return [
        *up,
        actions.Report("down", "white"),
        actions.Report("down", "black"),
        actions.Report("none"),
    ]


def _laid_pairs(public: Public) -> list[LaidPair]:
    return [pair for pairs in public.pairs.values() for pair in pairs]


def _counts(public: Public) -> list[Action]:
    """Return every count that the laid pairs allow. An item makes one real pair. A different card
    bit each Kin; it lies face down with another card, unless the picker held none of its colour.
    """
    laid = _laid_pairs(public)
    up = {
        colour: sum(pair.item is not None and pair.colour == colour for pair in laid)
        for colour in COLOURS
    }
    down = {
        colour: sum(pair.item is None and pair.colour == colour for pair in laid)
        for colour in COLOURS
    }
    of_colour = len(ITEMS) // len(COLOURS)
    return [
        actions.Count(pairs, public.players - 1 - kin, is_vampire)
        for kin in range(min(len(BITES), public.players - 2) + 1)
        if (most := _most_pairs(public.options, up, down, of_colour, kin)) is not None
        for pairs in range(sum(up.values()), most + 1)
        for is_vampire in (True, False)
    ]


def _most_pairs(
    options: Options, up: Mapping[Colour, int], down: Mapping[Colour, int], of_colour: int, kin: int
) -> int | None:
    """Return the real pairs that are possible with this number of Kin, None if impossible."""
    bitten = () if options.pick_colour == "free" else combinations(COLOURS, kin)
    ways = [
        sum(
            up[colour] + min(down[colour] - (colour in taken), of_colour - up[colour])
            for colour in COLOURS
        )
        for taken in (bitten or [()])
        if all(down[colour] for colour in taken)
    ]
    return (2 * of_colour if options.count_pairs == "all" else max(ways)) if ways else None


def check_legal(public: Public, seat: Seat, action: Action, own: Hand | None) -> None:
    """Raise `IllegalAction`, naming the rule that forbids the action here and now."""
    if STEP_OF.get(type(action), "turn") != public.step:
        raise IllegalAction("not_at_this_step")
    match action:
        case actions.ChooseColour(colour=colour) if colour[0] not in public.last:
            raise IllegalAction("no_such_back")
        case actions.Take(partner=partner) | actions.Give(partner=partner):
            _check_partner(public, seat, partner)
            if isinstance(action, actions.Give) and len(public.backs[seat]) < 2:
                raise IllegalAction("last_card")
        case actions.Name(item=item):
            if item not in ITEMS:
                raise IllegalAction("no_such_item")
            if not _may_name(public, seat, item):
                raise IllegalAction("item_colour")
        case actions.Pick(back=back):
            _check_back(public, back)
        case actions.Lay() | actions.Keep():
            _check_placing(action, own)
        case actions.Accuse(suspect=suspect):
            if not may_accuse(public, own):
                raise IllegalAction("only_hunters_accuse")
            if suspect == seat or suspect not in public.backs:
                raise IllegalAction("no_such_partner")
        case actions.Pass() if not _may_pass(public, seat, own):
            raise IllegalAction("may_not_pass")
        case actions.Report() | actions.Count() if action not in legal(public, seat, own):
            raise IllegalAction("not_what_lies_there")


def _check_partner(public: Public, seat: Seat, partner: Seat) -> None:
    if partner == seat or partner not in public.backs:
        raise IllegalAction("no_such_partner")
    if partner not in possible_partners(public, seat):
        raise IllegalAction("no_common_colour")


def _check_back(public: Public, back: int) -> None:
    assert public.transfer is not None
    backs = public.backs[public.transfer.giver]
    if not 1 <= back <= len(backs) or backs[back - 1] == UNKNOWN:
        raise IllegalAction("no_such_back")
    if LETTERS[backs[back - 1]] not in pickable(public):
        raise IllegalAction("back_colour")


def _check_placing(action: actions.Lay | actions.Keep, own: Hand | None) -> None:
    if own is None or own.picked is None:
        raise IllegalAction("not_at_this_step")
    fitting = partners(own.role, own.cards, own.picked)
    if isinstance(action, actions.Keep) and None not in fitting:
        raise IllegalAction("must_lay")
    if isinstance(action, actions.Lay) and action.card not in fitting:
        raise IllegalAction("cannot_lay")


def counted_pairs(hand: Hand, options: Options) -> int:
    """Return the pairs of a hand that an accusation counts."""
    laid = sum(is_real(pair) for pair in hand.laid)
    held = Counter(card for card in hand.cards if card in ITEMS)
    return laid + (
        sum(count // 2 for count in held.values()) if options.count_pairs == "all" else 0
    )
