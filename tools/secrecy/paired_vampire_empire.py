"""Two secret histories of Vampire Empire with one public history: different identities, tokens and
cards.

A random game is played; then cards that only their owner saw are exchanged, and some characters
without a public event are exchanged between humans and vampires, or other humans are trusted. The
public events are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.codec import decode_action, encode_action, encode_event
from companion.core.game import Event, IllegalAction, PublicEvent, Seat, State
from companion.core.view import view
from companion.games.vampire_empire import deal as dealing
from companion.games.vampire_empire.actions import DECLINE, PlaySupport
from companion.games.vampire_empire.cards import CHARACTERS, HUMAN, SEATS, sample_decks
from companion.games.vampire_empire.options import Deal, Options, Setup
from companion.games.vampire_empire.rules import VampireEmpire
from tools.secrecy.paired_cards import CardTurn

GAME = VampireEmpire()


class EmpirePairSide(Struct, frozen=True):
    """One side of a pair: the deal and the turns."""

    deal: Deal
    turns: tuple[CardTurn, ...]


class VampireEmpireTwins(Struct, frozen=True):
    """Two games with one public history. `alike` has the same view and actions in both."""

    players: int
    setup: Setup
    alike: Seat
    one: EmpirePairSide
    two: EmpirePairSide

    @property
    def unlike(self) -> bool:
        """Whether the secret actions or the identities differ."""
        return self.one != self.two


def twins(rng: Random, players: int, max_actions: int) -> VampireEmpireTwins:
    """Return a pair of at most `most` actions."""
    for _ in range(60):
        first, public_events = _play_random(dealing.draw(sample_decks(), rng), rng, max_actions)
        alike = rng.choice(SEATS)
        for _ in range(20):
            second = _replay(first, public_events, alike, rng)
            if second is not None and second != first:
                return VampireEmpireTwins(
                    players, Setup(Options(notebook=rng.random() < 0.5)), alike, first, second
                )
    raise AssertionError("no game has a twin")


def supports_at_questions(game_table: EmpirePairSide, alike: Seat) -> list[bool]:
    """Return for each support question to the seat that is not `alike` whether it could play a
    card.
    """
    state, playable = start_state(game_table.deal), []
    for turn in game_table.turns:
        seat = GAME.to_move(state.public)
        legal = [] if seat is None or seat == alike else GAME.legal_actions(view(state, seat))
        if DECLINE in legal:
            playable.append(any(isinstance(action, PlaySupport) for action in legal))
        state = _fold(state, _decide(state, turn))
    return playable


def start_state(deal: Deal) -> State:
    """Return the state at the start of a game with this deal."""
    return _fold(GAME.initial(), GAME.setup(SEATS, Setup(deal=deal), Random(0)))


def _fold(state: State, events: Sequence[Event]) -> State:
    for event in events:
        state = GAME.evolve(state, event)
    return state


def _decide(state: State, turn: CardTurn) -> list[Event]:
    return list(GAME.decide(state, turn.seat, turn.action, Random(turn.chance)).events)


def _public_events(events: Sequence[Event]) -> list[dict[str, Any]]:
    return [encode_event(event) for event in events if isinstance(event, PublicEvent)]


def _play_random(
    deal: Deal, rng: Random, max_actions: int
) -> tuple[EmpirePairSide, list[list[dict[str, Any]]]]:
    """Play at random until `max_actions` actions or shortly before the end."""
    state = start_state(deal)
    turns: list[CardTurn] = []
    public_events: list[list[dict[str, Any]]] = []
    while len(turns) < max_actions:
        offers = [
            (seat, action) for seat in SEATS for action in GAME.legal_actions(view(state, seat))
        ]
        kinds = sorted({type(action).__name__ for _, action in offers})
        kind = rng.choice(kinds)
        seat, action = rng.choice([offer for offer in offers if type(offer[1]).__name__ == kind])
        turn = CardTurn(seat, action, str(rng.getrandbits(32)))
        events = _decide(state, turn)
        after = _fold(state, events)
        if GAME.outcome(after.public):
            break
        turns.append(turn)
        public_events.append(_public_events(events))
        state = after
    return EmpirePairSide(deal, tuple(turns)), public_events


def _replay(
    first: EmpirePairSide,
    public_events: Sequence[Sequence[dict[str, Any]]],
    alike: Seat,
    rng: Random,
) -> EmpirePairSide | None:
    """Return a game with other unseen cards of the other seat and other secret identities, or
    None.
    """
    changed = _exchange_cards(first, public_events, alike, rng)
    deal = _deal_again(first.deal, public_events, alike, changed, rng)
    state, turns = start_state(deal), []
    for turn, turn_events in zip(first.turns, public_events, strict=True):
        action = (
            turn.action
            if turn.seat == alike
            else decode_action(GAME, _replace_card(encode_action(turn.action), changed))
        )
        turns.append(CardTurn(turn.seat, action, turn.chance))
        try:
            events = _decide(state, turns[-1])
        except IllegalAction:
            return None
        if _public_events(events) != turn_events:
            return None
        state = _fold(state, events)
    return EmpirePairSide(deal, tuple(turns))


def _exchange_cards(
    first: EmpirePairSide,
    public_events: Sequence[Sequence[dict[str, Any]]],
    alike: Seat,
    rng: Random,
) -> Mapping[str, str]:
    """Return the replacement of each card of the other seat's deck that was never shown, among
    cards with as many copies.
    """
    words = set(msgspec.json.encode(public_events).decode().split('"'))
    copies = {
        card.id: card.copies
        for card in sample_decks().card
        if card.deck != alike and card.id not in words
    }
    changed: dict[str, str] = {}
    for count in set(copies.values()):
        alike_many = [name for name, number in copies.items() if number == count]
        changed |= dict(zip(alike_many, rng.sample(alike_many, len(alike_many)), strict=True))
    return changed


def _deal_again(
    deal: Deal,
    public_events: Sequence[Sequence[dict[str, Any]]],
    alike: Seat,
    changed: Mapping[str, str],
    rng: Random,
) -> Deal:
    decks = {
        seat: cards if seat == alike else tuple(changed.get(card, card) for card in cards)
        for seat, cards in deal.decks.items()
    }
    vampires, trusted = list(deal.vampires), list(deal.trusted)
    if alike == HUMAN:
        named = {
            event["character"]
            for turn_events in public_events
            for event in turn_events
            if event["event"] in ("vampire_revealed", "holy_water_answered", "character_died")
        }
        candidates = [name for name in CHARACTERS if name not in named and name not in trusted]
        swapped = (
            [name for name in candidates if name in vampires],
            [name for name in candidates if name not in vampires],
        )
        if all(swapped):
            vampires[vampires.index(rng.choice(swapped[0]))] = rng.choice(swapped[1])
    else:
        trusted = rng.sample([name for name in CHARACTERS if name not in vampires], len(trusted))
    changed_deal = replace(deal, vampires=tuple(vampires), trusted=tuple(trusted), decks=decks)
    assert {seat: Counter(cards) for seat, cards in decks.items()} == {
        seat: Counter(cards) for seat, cards in deal.decks.items()
    }
    return dealing.check(changed_deal, sample_decks())


def _replace_card(value: dict[str, Any], changed: Mapping[str, str]) -> dict[str, Any]:
    return value | ({"card": changed.get(value["card"], value["card"])} if "card" in value else {})
