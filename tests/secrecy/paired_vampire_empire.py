"""Two secret histories of Vampire Empire with one public history: other identities, other tokens,
other cards.

A random game is played; then cards that nobody but their owner saw change places, and of the
characters without any public event some are exchanged between humans and vampires, or other humans
are known. The same public things happen.
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
from companion.games.vampire_empire.cards import CHARACTERS, HUMAN, SEATS
from companion.games.vampire_empire.decks import SAMPLE_DECKS
from companion.games.vampire_empire.options import Deal, Options, Setup
from companion.games.vampire_empire.rules import VampireEmpire
from tests.secrecy.paired_cards import CardTurn

GAME = VampireEmpire()


class EmpirePairSide(Struct, frozen=True):
    """One side of a pair: the deal and the turns."""

    deal: Deal
    turns: tuple[CardTurn, ...]


class VampireEmpireTwins(Struct, frozen=True):
    """Two games with one public history. `alike` sees and does the same in both."""

    players: int
    setup: Setup
    alike: Seat
    one: EmpirePairSide
    two: EmpirePairSide

    @property
    def unlike(self) -> bool:
        """Whether something else was done in secret, or somebody is something else."""
        return self.one != self.two


def twins(rng: Random, players: int, most: int) -> VampireEmpireTwins:
    """Return a pair of at most `most` actions."""
    for _ in range(60):
        one, told = _played(dealing.draw(SAMPLE_DECKS, rng), rng, most)
        alike = rng.choice(SEATS)
        for _ in range(20):
            two = _followed(one, told, alike, rng)
            if two is not None and two != one:
                return VampireEmpireTwins(
                    players, Setup(Options(notebook=rng.random() < 0.5)), alike, one, two
                )
    raise AssertionError("no game has a twin")


def supports_at_questions(game_table: EmpirePairSide, alike: Seat) -> list[bool]:
    """Return for each question for a support card to the seat that is not `alike` whether it could
    play one.
    """
    state, could = started(game_table.deal), []
    for turn in game_table.turns:
        seat = GAME.to_move(state.public)
        legal = [] if seat is None or seat == alike else GAME.legal_actions(view(state, seat))
        if DECLINE in legal:
            could.append(any(isinstance(action, PlaySupport) for action in legal))
        state = _after(state, _decided(state, turn))
    return could


def started(deal: Deal) -> State:
    """Return the state in which an game with this deal begins."""
    return _after(GAME.initial(), GAME.setup(SEATS, Setup(deal=deal), Random(0)))


def _after(state: State, events: Sequence[Event]) -> State:
    for event in events:
        state = GAME.evolve(state, event)
    return state


def _decided(state: State, turn: CardTurn) -> list[Event]:
    return list(GAME.decide(state, turn.seat, turn.action, Random(turn.chance)))


def _told(events: Sequence[Event]) -> list[dict[str, Any]]:
    return [encode_event(event) for event in events if isinstance(event, PublicEvent)]


def _played(
    deal: Deal, rng: Random, most: int
) -> tuple[EmpirePairSide, list[list[dict[str, Any]]]]:
    """Play at random until `most` actions or shortly before the end."""
    state = started(deal)
    turns: list[CardTurn] = []
    told: list[list[dict[str, Any]]] = []
    while len(turns) < most:
        offers = [
            (seat, action) for seat in SEATS for action in GAME.legal_actions(view(state, seat))
        ]
        kinds = sorted({type(action).__name__ for _, action in offers})
        kind = rng.choice(kinds)
        seat, action = rng.choice([offer for offer in offers if type(offer[1]).__name__ == kind])
        turn = CardTurn(seat, action, str(rng.getrandbits(32)))
        events = _decided(state, turn)
        after = _after(state, events)
        if GAME.outcome(after.public):
            break
        turns.append(turn)
        told.append(_told(events))
        state = after
    return EmpirePairSide(deal, tuple(turns)), told


def _followed(
    one: EmpirePairSide, told: Sequence[Sequence[dict[str, Any]]], alike: Seat, rng: Random
) -> EmpirePairSide | None:
    """Return an game with other unseen cards of the other seat and other untold identities, if
    there is one.
    """
    changed = _exchanged(one, told, alike, rng)
    deal = _dealt_anew(one.deal, told, alike, changed, rng)
    state, turns = started(deal), []
    for turn, heard in zip(one.turns, told, strict=True):
        action = (
            turn.action
            if turn.seat == alike
            else decode_action(GAME, _renamed(encode_action(turn.action), changed))
        )
        turns.append(CardTurn(turn.seat, action, turn.chance))
        try:
            events = _decided(state, turns[-1])
        except IllegalAction:
            return None
        if _told(events) != heard:
            return None
        state = _after(state, events)
    return EmpirePairSide(deal, tuple(turns))


def _exchanged(
    one: EmpirePairSide, told: Sequence[Sequence[dict[str, Any]]], alike: Seat, rng: Random
) -> Mapping[str, str]:
    """Return which card of the other seat's deck stands for which: those that were never shown,
    among as many.
    """
    words = set(msgspec.json.encode(told).decode().split('"'))
    copies = {
        card.id: card.copies
        for card in SAMPLE_DECKS.card
        if card.deck != alike and card.id not in words
    }
    changed: dict[str, str] = {}
    for count in set(copies.values()):
        alike_many = [name for name, many in copies.items() if many == count]
        changed |= dict(zip(alike_many, rng.sample(alike_many, len(alike_many)), strict=True))
    return changed


def _dealt_anew(
    deal: Deal,
    told: Sequence[Sequence[dict[str, Any]]],
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
            for heard in told
            for event in heard
            if event["event"] in ("vampire_revealed", "holy_water_answered", "character_died")
        }
        free = [name for name in CHARACTERS if name not in named and name not in trusted]
        swapped = (
            [name for name in free if name in vampires],
            [name for name in free if name not in vampires],
        )
        if all(swapped):
            vampires[vampires.index(rng.choice(swapped[0]))] = rng.choice(swapped[1])
    else:
        trusted = rng.sample([name for name in CHARACTERS if name not in vampires], len(trusted))
    made = replace(deal, vampires=tuple(vampires), trusted=tuple(trusted), decks=decks)
    assert {seat: Counter(cards) for seat, cards in decks.items()} == {
        seat: Counter(cards) for seat, cards in deal.decks.items()
    }
    return dealing.check(made, SAMPLE_DECKS)


def _renamed(value: dict[str, Any], changed: Mapping[str, str]) -> dict[str, Any]:
    return value | ({"card": changed.get(value["card"], value["card"])} if "card" in value else {})
