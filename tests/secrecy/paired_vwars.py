"""Two secret histories of V-Wars with one public history: other factions, other cards in hands,
decks, region piles and pool, other cards placed and discarded.

A random game is played; then every card that neither the table nor one seat ever saw is
exchanged for another one of those, and the factions of the other seats change places. The same
actions, with those cards in place of the first ones, must have the same public events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from companion.core.codec import canonical_json, encode_event
from companion.core.game import Event, PublicEvent, Seat, State
from companion.core.view import may_see, view
from companion.games.vwars import deal as dealing
from companion.games.vwars.actions import Put
from companion.games.vwars.options import Deal, Options, Setup
from companion.games.vwars.rules import SAMPLE_CARDS, VWars
from tests.secrecy.paired_cards import CardTurn

GAME = VWars()
SETUP = Setup(Options(start="first"))
ATTEMPTS = 200
"""Evenings that are tried till one has a twin."""


class VWarsPairSide(Struct, frozen=True):
    """One side of a pair: the deal and the turns."""

    deal: Deal
    turns: tuple[CardTurn, ...]


class VWarsTwins(Struct, frozen=True):
    """Two games with one public history. `alike` sees and does the same in both."""

    players: int
    setup: Setup
    alike: Seat
    one: VWarsPairSide
    two: VWarsPairSide

    @property
    def unlike(self) -> bool:
        """Whether another card was given face down somewhere, and somebody is of another
        faction.
        """
        given = any(
            a.action != b.action for a, b in zip(self.one.turns, self.two.turns, strict=True)
        )
        return given and self.one.deal.factions != self.two.deal.factions


def twins(rng: Random, players: int, most: int) -> VWarsTwins:
    """Return a pair of about `most` actions."""
    seats = GAME.seat_names(players)
    for _ in range(ATTEMPTS):
        dealt = dealing.draw(seats, SAMPLE_CARDS, SETUP.options, rng)
        alike = rng.choice(seats)
        turns, heard = _played(dealt, players, rng, most)
        known = canonical_json([encode_event(event) for event in _dealt_to(dealt, players, alike)])
        known += "".join(
            canonical_json(encode_event(event)) for event in heard if may_see(event, alike)
        )
        exchange = _exchange(dealt, known, rng)
        two = _other(dealt, turns, alike, exchange, rng)
        if two.deal.factions == dealt.factions:
            continue
        again = _follow(two, players)
        if again is not None and _told(heard, alike) == _told(again, alike):
            return VWarsTwins(players, SETUP, alike, VWarsPairSide(dealt, turns), two)
    raise AssertionError("no game has a twin")


def _started(dealt: Deal, players: int) -> State:
    state = GAME.initial()
    for event in GAME.setup(GAME.seat_names(players), replace(SETUP, deal=dealt), Random(0)):
        state = GAME.evolve(state, event)
    return state


def _dealt_to(dealt: Deal, players: int, seat: Seat) -> list[Event]:
    """Return the events of the set-up that a seat gets."""
    events = GAME.setup(GAME.seat_names(players), replace(SETUP, deal=dealt), Random(0))
    return [event for event in events if may_see(event, seat)]


def _told(events: Sequence[Event], seat: Seat) -> list[object]:
    return [
        encode_event(event)
        for event in events
        if isinstance(event, PublicEvent) or may_see(event, seat)
    ]


def _played(
    dealt: Deal, players: int, rng: Random, most: int
) -> tuple[tuple[CardTurn, ...], list[Event]]:
    """Play at random until `most` actions, or shortly before the end."""
    state = _started(dealt, players)
    turns: list[CardTurn] = []
    heard: list[Event] = []
    while len(turns) < most:
        seat = GAME.to_move(state.public)
        assert seat is not None
        legal = GAME.legal_actions(view(state, seat))
        turn = CardTurn(seat, rng.choice(list(legal)), str(rng.getrandbits(32)))
        events = GAME.decide(state, seat, turn.action, Random(turn.chance))
        for event in events:
            state = GAME.evolve(state, event)
        if GAME.outcome(state.public):
            break
        turns.append(turn)
        heard += events
    return tuple(turns), heard


def _exchange(dealt: Deal, known: str, rng: Random) -> Mapping[str, str]:
    """Return the replacement of each card that nobody saw."""
    piles = [*dealt.hands.values(), *dealt.regions.values(), dealt.pool, dealt.deck]
    copies = Counter(card for pile in piles for card in pile)
    unseen = sorted(
        card for card, count in copies.items() if count == 1 and f'"{card}"' not in known
    )
    return dict(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))


def _other(
    dealt: Deal, turns: Sequence[CardTurn], alike: Seat, exchange: Mapping[str, str], rng: Random
) -> VWarsPairSide:
    """Return the game with other cards and other factions."""

    def other(pile: Sequence[str]) -> tuple[str, ...]:
        return tuple(exchange.get(card, card) for card in pile)

    others = [seat for seat in dealt.factions if seat != alike]
    mixed = rng.sample([dealt.factions[seat] for seat in others], len(others))
    changed = replace(
        dealt,
        factions={**dealt.factions, **dict(zip(others, mixed, strict=True))},
        hands={seat: other(hand) for seat, hand in dealt.hands.items()},
        regions={region: other(pile) for region, pile in dealt.regions.items()},
        pool=other(dealt.pool),
        deck=other(dealt.deck),
    )
    done = [
        replace(turn, action=Put(exchange.get(turn.action.card, turn.action.card)))
        if isinstance(turn.action, Put)
        else turn
        for turn in turns
    ]
    return VWarsPairSide(changed, tuple(done))


def _follow(game_table: VWarsPairSide, players: int) -> list[Event] | None:
    """Return what happens in an game, None where somebody may not do what he does."""
    state = _started(game_table.deal, players)
    heard: list[Event] = []
    for turn in game_table.turns:
        if turn.action not in GAME.legal_actions(view(state, turn.seat)):
            return None
        for event in GAME.decide(state, turn.seat, turn.action, Random(turn.chance)):
            state = GAME.evolve(state, event)
            heard.append(event)
    return heard
