"""Two secret histories of Shisogari with one public history: other roles, other hands, other cards,
the same backs.

A random game is played; then everybody but one seat is dealt other cards, so that all backs
look the same, and the same public turns are gone through with whatever card can be picked and
placed so that the public events are the same: a bite where the first game had a real pair face
down, a fake where it had a bite.
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
    """One action, and what a draw in it starts from."""

    seat: Seat
    action: Action
    chance: str = ""

    @property
    def is_secret(self) -> bool:
        return isinstance(self.action, Lay | Keep)


class PairSide(Struct, frozen=True):
    """One side of a pair: the deal, the turns, and what was secretly placed in them."""

    deal: Deal
    turns: tuple[CardTurn, ...]
    placed: tuple[CardPlaced, ...]


class CardTwins(Struct, frozen=True):
    """Two games with one public history. `alike` sees and does the same in both."""

    players: int
    setup: Setup
    alike: Seat
    one: PairSide
    two: PairSide

    @property
    def unlike(self) -> bool:
        """Whether a face-down pair of the one game is of another kind in the other: a bite, a
        fake, a real one.
        """
        return any(
            _kind(a) != _kind(b) for a, b in zip(self.one.placed, self.two.placed, strict=True)
        )


def _kind(placed: CardPlaced) -> str:
    if placed.beside is None:
        return "kept"
    return "bite" if placed.card in BITES else "real" if placed.card == placed.beside else "fake"


def twins(rng: Random, players: int, most: int) -> CardTwins:
    """Return a pair of at most `most` actions in which a face-down pair is laid and is of another
    kind, if that can be found among the games tried.
    """
    seats = GAME.seat_names(players)
    found: CardTwins | None = None
    for _ in range(60):
        first = dealing.draw(seats, Options(), rng)
        one, public = _played(first, players, rng, most)
        if not any(
            isinstance(event, PairLaid) and event.item is None
            for heard in public
            for event in heard
        ):
            continue
        alike = rng.choice(seats)
        for _ in range(40):
            other = _dealt_anew(first, alike, rng)
            two = other and _followed(other, players, one, public, alike, rng)
            if two and two.placed != one.placed:
                found = CardTwins(players, Setup(first=FIRST), alike, one, two)
                if found.unlike:
                    return found
    assert found is not None, "no game has a twin"
    return found


def started(deal: Deal, players: int) -> State:
    """Return the state in which an game with this deal begins."""
    state = GAME.initial()
    for event in GAME.setup(GAME.seat_names(players), Setup(deal=deal, first=FIRST), Random(0)):
        state = GAME.evolve(state, event)
    return state


def _after(state: State, events: Sequence[Event]) -> State:
    for event in events:
        state = GAME.evolve(state, event)
    return state


def _decided(state: State, turn: CardTurn) -> list[Event]:
    return list(GAME.decide(state, turn.seat, turn.action, Random(turn.chance)))


def _told(events: Sequence[Event]) -> list[PublicEvent]:
    return [event for event in events if isinstance(event, PublicEvent)]


def _placements(events: Sequence[Event]) -> list[CardPlaced]:
    return [event for event in events if isinstance(event, CardPlaced)]


def _played(
    deal: Deal, players: int, rng: Random, most: int
) -> tuple[PairSide, list[list[PublicEvent]]]:
    """Play at random, without an accusation, until `most` actions after the deal or shortly before
    the end.
    """
    state = started(deal, players)
    most += len(deal.last)
    turns: list[CardTurn] = []
    public: list[list[PublicEvent]] = []
    placed: list[CardPlaced] = []
    while len(turns) < most or state.public.step != "turn":
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
        events = _decided(state, turn)
        after = _after(state, events)
        if GAME.outcome(after.public):
            break
        turns.append(turn)
        public.append(_told(events))
        placed += _placements(events)
        state = after
    while turns and not turns[-1].is_secret:
        turns.pop()
        public.pop()
    return PairSide(deal, tuple(turns), tuple(placed)), public


def _dealt_anew(deal: Deal, alike: Seat, rng: Random) -> Deal | None:
    """Return a deal in which one seat's role and hand, and all backs, are the same; None if it
    cannot be dealt. In half of the deals the last cards lie in another order, and other items may
    be among them.
    """
    keeps_last = rng.random() < 0.5
    others = [Seat(seat) for seat in deal.hands if seat != alike]
    vampire = rng.choice(others) if deal.roles[alike] == "hunter" else alike
    hands: dict[str, tuple[str, ...]] = {alike: deal.hands[alike]}
    boxed = list(dealing.boxed(deal))
    pool = [card for seat in others for card in deal.hands[seat] if card not in BITES]
    pool += boxed if vampire != alike else []
    pool += [card for card in deal.last if card not in BLANKS and not keeps_last]
    stocks = {
        colour: rng.sample(same, len(same))
        for colour in COLOURS
        if (same := _of(pool, colour)) is not None
    }
    for seat in others:
        hand = list(BITES) if seat == vampire else []
        for colour, stock in stocks.items():
            wanted = len(_of(deal.hands[seat], colour)) - len(_of(hand, colour))
            hand += [stock.pop() for _ in range(wanted) if stock]
        hands[seat] = tuple(hand)
    items = [stock.pop() for stock in stocks.values() if stock]
    last = (
        rng.sample([*items, *BLANKS], len(items) + len(BLANKS))
        if deal.last and not keeps_last
        else deal.last
    )
    made = Deal(
        {seat: "vampire" if seat == vampire else "hunter" for seat in deal.roles},
        hands,
        tuple(last),
    )
    try:
        return dealing.check(made, list(map(Seat, deal.roles)))
    except ValueError:
        return None


def _of(cards: Sequence[str], colour: str) -> list[str]:
    return [card for card in cards if CARDS[card] == colour]


def _followed(
    deal: Deal,
    players: int,
    one: PairSide,
    public: Sequence[Sequence[PublicEvent]],
    alike: Seat,
    rng: Random,
) -> PairSide | None:
    """Return an game with this deal in which the public and `alike` see the same."""
    state, before = started(deal, players), started(one.deal, players)
    assert [backs(hand.cards) for hand in state.private.values()] == [
        backs(hand.cards) for hand in before.private.values()
    ]
    turns: list[CardTurn] = []
    placed: list[CardPlaced] = []
    for turn, heard in zip(one.turns, public, strict=True):
        seen = _decided(before, turn)
        before = _after(before, seen)
        fits = [
            (other, events)
            for other in _others(state, turn, rng)
            if (events := _decided(state, other))
            and _same([*heard], _told(events))
            and _heard(seen, alike) == _heard(events, alike)
        ]
        if not fits:
            return None
        other, events = rng.choice(fits)
        turns.append(other)
        placed += _placements(events)
        state = _after(state, events)
    return PairSide(deal, tuple(turns), tuple(placed))


def _others(state: State, turn: CardTurn, rng: Random) -> list[CardTurn]:
    """Return what the seat may do instead: pick another card by the same back, place it otherwise,
    or just the same.
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
        [passed] = [event for event in _decided(state, other) if isinstance(event, CardPassed)]
        drawn.setdefault(passed.card, other)
    return list(drawn.values())


def _same(one: Sequence[Event], two: Sequence[Event]) -> bool:
    return [encode_event(event) for event in one] == [encode_event(event) for event in two]


def _heard(events: Sequence[Event], seat: Seat) -> list[dict[str, object]]:
    return [encode_event(event) for event in events if seat in getattr(event, "seats", ())]
