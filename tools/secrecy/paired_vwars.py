"""Two secret histories of V-Wars with one public history: different factions and different cards in
hands, decks, region piles and pool, placed and discarded.

A random game is played; then the cards that neither the table nor one seat ever saw are exchanged
among each other, and so are the factions of the other seats. The same actions with the exchanged
cards must have the same public events.
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
from companion.games.vwars.rules import VWars, sample_cards
from tools.secrecy.paired_cards import CardTurn

GAME = VWars()
SETUP = Setup(Options(start="first"))
ATTEMPTS = 200
"""Games that are tried until one has a twin."""


class VWarsPairSide(Struct, frozen=True):
    """One side of a pair: the deal and the turns."""

    deal: Deal
    turns: tuple[CardTurn, ...]


class VWarsTwins(Struct, frozen=True):
    """Two games with one public history. `alike` has the same view and actions in both."""

    players: int
    setup: Setup
    alike: Seat
    one: VWarsPairSide
    two: VWarsPairSide

    @property
    def unlike(self) -> bool:
        """Whether a different card was given face down, and the factions differ."""
        cards_differ = any(
            first.action != second.action
            for first, second in zip(self.one.turns, self.two.turns, strict=True)
        )
        return cards_differ and self.one.deal.factions != self.two.deal.factions


def twins(rng: Random, players: int, max_actions: int) -> VWarsTwins:
    """Return a pair of about `most` actions."""
    seats = GAME.seat_names(players)
    for _ in range(ATTEMPTS):
        deal = dealing.draw(seats, sample_cards(), SETUP.options, rng)
        alike = rng.choice(seats)
        turns, events = _play_random(deal, players, rng, max_actions)
        seen_json = canonical_json(
            [encode_event(event) for event in _set_up_events(deal, players, alike)]
        )
        seen_json += "".join(
            canonical_json(encode_event(event)) for event in events if may_see(event, alike)
        )
        exchange = _exchange(deal, seen_json, rng)
        second = _other(deal, turns, alike, exchange, rng)
        if second.deal.factions == deal.factions:
            continue
        second_events = _replay(second, players)
        if second_events is not None and _seat_events(events, alike) == _seat_events(
            second_events, alike
        ):
            return VWarsTwins(players, SETUP, alike, VWarsPairSide(deal, turns), second)
    raise AssertionError("no game has a twin")


def _start_state(deal: Deal, players: int) -> State:
    state = GAME.initial()
    for event in GAME.setup(GAME.seat_names(players), replace(SETUP, deal=deal), Random(0)):
        state = GAME.evolve(state, event)
    return state


def _set_up_events(deal: Deal, players: int, seat: Seat) -> list[Event]:
    """Return the events of the set-up that a seat receives."""
    events = GAME.setup(GAME.seat_names(players), replace(SETUP, deal=deal), Random(0))
    return [event for event in events if may_see(event, seat)]


def _seat_events(events: Sequence[Event], seat: Seat) -> list[object]:
    return [
        encode_event(event)
        for event in events
        if isinstance(event, PublicEvent) or may_see(event, seat)
    ]


def _play_random(
    deal: Deal, players: int, rng: Random, max_actions: int
) -> tuple[tuple[CardTurn, ...], list[Event]]:
    """Play at random until `max_actions` actions, or shortly before the end."""
    state = _start_state(deal, players)
    turns: list[CardTurn] = []
    history: list[Event] = []
    while len(turns) < max_actions:
        seat = GAME.to_move(state.public)
        assert seat is not None
        legal = GAME.legal_actions(view(state, seat))
        turn = CardTurn(seat, rng.choice(list(legal)), str(rng.getrandbits(32)))
        events = GAME.decide(state, seat, turn.action, Random(turn.chance)).events
        for event in events:
            state = GAME.evolve(state, event)
        if GAME.outcome(state.public):
            break
        turns.append(turn)
        history += events
    return tuple(turns), history


def _exchange(deal: Deal, seen_json: str, rng: Random) -> Mapping[str, str]:
    """Return the replacement of each card that was never shown."""
    piles = [*deal.hands.values(), *deal.regions.values(), deal.pool, deal.deck]
    copies = Counter(card for pile in piles for card in pile)
    unseen = sorted(
        card for card, count in copies.items() if count == 1 and f'"{card}"' not in seen_json
    )
    return dict(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))


def _other(
    deal: Deal, turns: Sequence[CardTurn], alike: Seat, exchange: Mapping[str, str], rng: Random
) -> VWarsPairSide:
    """Return the game with other cards and other factions."""

    def replace_cards(pile: Sequence[str]) -> tuple[str, ...]:
        return tuple(exchange.get(card, card) for card in pile)

    others = [seat for seat in deal.factions if seat != alike]
    factions = rng.sample([deal.factions[seat] for seat in others], len(others))
    changed = replace(
        deal,
        factions={**deal.factions, **dict(zip(others, factions, strict=True))},
        hands={seat: replace_cards(hand) for seat, hand in deal.hands.items()},
        regions={region: replace_cards(pile) for region, pile in deal.regions.items()},
        pool=replace_cards(deal.pool),
        deck=replace_cards(deal.deck),
    )
    new_turns = [
        replace(turn, action=Put(exchange.get(turn.action.card, turn.action.card)))
        if isinstance(turn.action, Put)
        else turn
        for turn in turns
    ]
    return VWarsPairSide(changed, tuple(new_turns))


def _replay(game_table: VWarsPairSide, players: int) -> list[Event] | None:
    """Return the events of a game, None if an action is illegal."""
    state = _start_state(game_table.deal, players)
    events: list[Event] = []
    for turn in game_table.turns:
        if turn.action not in GAME.legal_actions(view(state, turn.seat)):
            return None
        for event in GAME.decide(state, turn.seat, turn.action, Random(turn.chance)).events:
            state = GAME.evolve(state, event)
            events.append(event)
    return events
