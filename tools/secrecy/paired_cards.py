"""Two secret histories of Shisogari with one public history: different roles, hands and cards, the
same backs.

A random game is played; then all seats but one are dealt different cards with the same backs, and
the same public turns are replayed with any cards that give the same public events: a bite where the
first game had a real pair face down, a fake where it had a bite.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from companion.core.codec import encode_event
from companion.core.game import Action, Event, PublicEvent, Seat, State
from companion.core.view import view
from companion.games.shisogari import deal as dealing
from companion.games.shisogari.actions import Accuse, Keep, Lay, Pick
from companion.games.shisogari.cards import BITES, BLANKS, CARDS, COLOURS, backs
from companion.games.shisogari.events import CardPassed, CardPlaced, PairLaid
from companion.games.shisogari.options import Deal, Options, Setup
from companion.games.shisogari.rules import Shisogari

GAME = Shisogari()
FIRST = Seat("P1")


class CardTurn(Struct, frozen=True):
    """One action, and the seed of its draws."""

    seat: Seat
    action: Action
    chance: str = ""

    @property
    def is_secret(self) -> bool:
        return isinstance(self.action, Lay | Keep)


class PairSide(Struct, frozen=True):
    """One side of a pair: the deal, the turns, and the cards placed secretly in them."""

    deal: Deal
    turns: tuple[CardTurn, ...]
    placed: tuple[CardPlaced, ...]


class CardTwins(Struct, frozen=True):
    """Two games with one public history. `alike` has the same view and actions in both."""

    players: int
    setup: Setup
    alike: Seat
    one: PairSide
    two: PairSide

    @property
    def unlike(self) -> bool:
        """Whether a face-down pair is of different kinds in the two games: a bite, a fake, a real
        one.
        """
        return any(
            _kind(first) != _kind(second)
            for first, second in zip(self.one.placed, self.two.placed, strict=True)
        )


def _kind(placed: CardPlaced) -> str:
    if placed.beside is None:
        return "kept"
    return "bite" if placed.card in BITES else "real" if placed.card == placed.beside else "fake"


def twins(rng: Random, players: int, max_actions: int) -> CardTwins:
    """Return a pair of at most `max_actions` actions; a face-down pair is of different kinds, if
    the games tried have one.
    """
    seats = GAME.seat_names(players)
    result: CardTwins | None = None
    for _ in range(60):
        deal = dealing.draw(seats, Options(), rng)
        first, public = _play_random(deal, players, rng, max_actions)
        if not any(
            isinstance(event, PairLaid) and event.item is None
            for events in public
            for event in events
        ):
            continue
        alike = rng.choice(seats)
        for _ in range(40):
            other_deal = _deal_again(deal, alike, rng)
            second = other_deal and _replay(other_deal, players, first, public, alike, rng)
            if second and second.placed != first.placed:
                result = CardTwins(players, Setup(first=FIRST), alike, first, second)
                if result.unlike:
                    return result
    assert result is not None, "no game has a twin"
    return result


def start_state(deal: Deal, players: int) -> State:
    """Return the state at the start of a game with this deal."""
    state = GAME.initial()
    for event in GAME.setup(GAME.seat_names(players), Setup(deal=deal, first=FIRST), Random(0)):
        state = GAME.evolve(state, event)
    return state


def _fold(state: State, events: Sequence[Event]) -> State:
    for event in events:
        state = GAME.evolve(state, event)
    return state


def _decide(state: State, turn: CardTurn) -> list[Event]:
    return list(GAME.decide(state, turn.seat, turn.action, Random(turn.chance)).events)


def _public_events(events: Sequence[Event]) -> list[PublicEvent]:
    return [event for event in events if isinstance(event, PublicEvent)]


def _placements(events: Sequence[Event]) -> list[CardPlaced]:
    return [event for event in events if isinstance(event, CardPlaced)]


def _play_random(
    deal: Deal, players: int, rng: Random, max_actions: int
) -> tuple[PairSide, list[list[PublicEvent]]]:
    """Play at random, without an accusation, until `max_actions` actions after the deal or shortly
    before the end.
    """
    state = start_state(deal, players)
    max_actions += len(deal.last)
    turns: list[CardTurn] = []
    public: list[list[PublicEvent]] = []
    placed: list[CardPlaced] = []
    while len(turns) < max_actions or state.public.step != "turn":
        seat = GAME.to_move(state.public)
        assert seat is not None
        legal = [
            action
            for action in GAME.legal_actions(view(state, seat))
            if not isinstance(action, Accuse)
        ]
        if not legal:
            break
        lays = [action for action in legal if isinstance(action, Lay)]
        turn = CardTurn(seat, rng.choice(lays or legal), str(rng.getrandbits(32)))
        events = _decide(state, turn)
        after = _fold(state, events)
        if GAME.outcome(after.public):
            break
        turns.append(turn)
        public.append(_public_events(events))
        placed += _placements(events)
        state = after
    while turns and not turns[-1].is_secret:
        turns.pop()
        public.pop()
    return PairSide(deal, tuple(turns), tuple(placed)), public


def _deal_again(deal: Deal, alike: Seat, rng: Random) -> Deal | None:
    """Return a deal with the same role and hand of one seat and the same backs; None if there is
    none. In half of the deals the last cards have another order, and may have other items.
    """
    keeps_last = rng.random() < 0.5
    others = [Seat(seat) for seat in deal.hands if seat != alike]
    vampire = rng.choice(others) if deal.roles[alike] == "hunter" else alike
    hands: dict[str, tuple[str, ...]] = {alike: deal.hands[alike]}
    unused_cards = list(dealing.cards_in_box(deal))
    pool = [card for seat in others for card in deal.hands[seat] if card not in BITES]
    pool += unused_cards if vampire != alike else []
    pool += [card for card in deal.last if card not in BLANKS and not keeps_last]
    stocks = {
        colour: rng.sample(same, len(same))
        for colour in COLOURS
        if (same := _of(pool, colour)) is not None
    }
    for seat in others:
        hand = list(BITES) if seat == vampire else []
        for colour, stock in stocks.items():
            count = len(_of(deal.hands[seat], colour)) - len(_of(hand, colour))
            hand += [stock.pop() for _ in range(count) if stock]
        hands[seat] = tuple(hand)
    items = [stock.pop() for stock in stocks.values() if stock]
    last = (
        rng.sample([*items, *BLANKS], len(items) + len(BLANKS))
        if deal.last and not keeps_last
        else deal.last
    )
    changed = Deal(
        {seat: "vampire" if seat == vampire else "hunter" for seat in deal.roles},
        hands,
        tuple(last),
    )
    try:
        return dealing.check(changed, list(map(Seat, deal.roles)))
    except ValueError:
        return None


def _of(cards: Sequence[str], colour: str) -> list[str]:
    return [card for card in cards if CARDS[card] == colour]


def _replay(
    deal: Deal,
    players: int,
    first: PairSide,
    public: Sequence[Sequence[PublicEvent]],
    alike: Seat,
    rng: Random,
) -> PairSide | None:
    """Return a game with this deal that gives the public and `alike` the same events."""
    state, before = start_state(deal, players), start_state(first.deal, players)
    assert [backs(hand.cards) for hand in state.private.values()] == [
        backs(hand.cards) for hand in before.private.values()
    ]
    turns: list[CardTurn] = []
    placed: list[CardPlaced] = []
    for turn, expected in zip(first.turns, public, strict=True):
        first_events = _decide(before, turn)
        before = _fold(before, first_events)
        matches = [
            (turn_taken, events)
            for turn_taken in _others(state, turn, rng)
            if (events := _decide(state, turn_taken))
            and _same([*expected], _public_events(events))
            and _seat_events(first_events, alike) == _seat_events(events, alike)
        ]
        if not matches:
            return None
        turn_taken, events = rng.choice(matches)
        turns.append(turn_taken)
        placed += _placements(events)
        state = _fold(state, events)
    return PairSide(deal, tuple(turns), tuple(placed))


def _others(state: State, turn: CardTurn, rng: Random) -> list[CardTurn]:
    """Return the turns that the seat may take instead: another card with the same back, placed
    elsewhere, or the same.
    """
    legal = GAME.legal_actions(view(state, turn.seat))
    if turn.is_secret:
        return [CardTurn(turn.seat, action, turn.chance) for action in legal]
    if turn.action not in legal:
        return []
    if not isinstance(turn.action, Pick):
        return [turn]
    drawn: dict[str, CardTurn] = {}
    for _ in range(12):
        other = CardTurn(turn.seat, turn.action, str(rng.getrandbits(32)))
        [passed] = [event for event in _decide(state, other) if isinstance(event, CardPassed)]
        drawn.setdefault(passed.card, other)
    return list(drawn.values())


def _same(first: Sequence[Event], second: Sequence[Event]) -> bool:
    return [encode_event(event) for event in first] == [encode_event(event) for event in second]


def _seat_events(events: Sequence[Event], seat: Seat) -> list[dict[str, object]]:
    return [encode_event(event) for event in events if seat in getattr(event, "seats", ())]
