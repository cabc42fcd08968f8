"""Infer the hidden part of the state: the vampires, and the cards that the opponent may hold.

The only inputs are the events that the seat received and its own view.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import NamedTuple

from companion.core.game import Event, Seat
from companion.games.vampire_empire import events
from companion.games.vampire_empire.cards import CHARACTERS, HUMAN, VAMPIRE, other
from companion.games.vampire_empire.options import VAMPIRES
from companion.games.vampire_empire.state import Own, Public

KILL = 2.0
"""The worth of a dead vampire if a dead human is worth 1: there are half as many."""
BLUFF = 0.03
"""The likelihood that the vampire player attacks a vampire, relative to a human."""
FEINT = 0.1
"""The likelihood that it defends a human against the human player, relative to a vampire."""
MARKED = 0.3
"""The likelihood that it puts a defence marker by a human, relative to a vampire."""

Vampires = frozenset[str]


class World(NamedTuple):
    """One possible state of everything that a seat cannot see.

    city: from its top
    hand, deck, cellar: the opponent's cards; own_deck: the seat's deck in a possible order
    """

    vampires: Vampires
    city: Sequence[str]
    hand: Sequence[str]
    deck: Sequence[str]
    cellar: Sequence[str]
    own_deck: Sequence[str]
    own_cellar: Sequence[str]


class Belief:
    """The beliefs of a seat after the events that it received, in order."""

    def __init__(self, public: Public, seat: Seat, own: Own, history: Iterable[Event]) -> None:
        self._public, self._seat, self._own = public, seat, own
        self._castle: tuple[str, ...] = ()
        self._fight: events.FightBegun | None = None
        self._support: Seat | None = None
        self._hidden: list[str] = []
        self._unseen = _cards(public, other(seat))
        self._own_deck, self._own_cellar = _cards(public, seat), Counter[str]()
        known = own.characters
        if seat == VAMPIRE:
            self.weights: dict[Vampires, float] = {frozenset(known): 1.0}
        else:
            unknown = [name for name in CHARACTERS if name not in known]
            self.weights = {frozenset(some): 1.0 for some in combinations(unknown, VAMPIRES)}
        for event in history:
            self._see(event)
            self._count(event)
        self._rivals = list((+self._unseen).elements())
        self._own_left = list((+self._own_deck).elements())
        for name in public.revealed:
            self._know(name, is_vampire=True)
        for dead in public.dead:
            self._know(dead.character, is_vampire=dead.vampire)
        self.odds: Mapping[str, float] = self._marginals()

    def _marginals(self) -> dict[str, float]:
        """Return for each living character the probability that it is a vampire."""
        whole = sum(self.weights.values())
        return {
            name: sum(weight for some, weight in self.weights.items() if name in some) / whole
            for name in self._public.living
        }

    def _see(self, event: Event) -> None:
        """Update the beliefs about characters with an event."""
        match event:
            case events.GameSetUp(castle=castle):
                self._castle = castle
            case events.CharacterEntered(character=character):
                self._castle = (*self._castle, character)
                self._hidden = [name for name in self._hidden if name != character]
            case events.CharacterHidden(character=character):
                self._castle = tuple(name for name in self._castle if name != character)
                self._hidden.append(character)
            case events.HolyWaterAnswered(character=character, vampire=False):
                self._know(character, is_vampire=False)
            case events.CharacterDied(character=character):
                self._castle = tuple(name for name in self._castle if name != character)
            case events.FightBegun():
                self._fight = event
                if event.seat == VAMPIRE:
                    self._weigh_target(event.target)
            case events.FightEnded():
                self._fight = None
            case events.CardLaid(side="defence") if self._fight is not None:
                if self._fight.seat == HUMAN:
                    self._weigh(self._fight.target, FEINT)
            case events.SupportPlayed(seat=seat):
                self._support = seat
            case events.MarkerPut(character=character, side="defence") if self._support == VAMPIRE:
                self._weigh(character, MARKED)

    def _know(self, character: str, *, is_vampire: bool) -> None:
        self.weights = {
            some: weight
            for some, weight in self.weights.items()
            if (character in some) == is_vampire
        }

    def _weigh(self, character: str, as_human: float) -> None:
        for some in self.weights:
            if character not in some:
                self.weights[some] *= as_human

    def _weigh_target(self, target: str) -> None:
        """Update the odds with a target of the vampire player, which is a human in the castle."""
        for some in self.weights:
            humans = sum(name not in some for name in self._castle)
            self.weights[some] *= BLUFF if target in some else 1 / humans

    def _count(self, event: Event) -> None:
        """Remove cards that can no longer be in a hand or deck."""
        match event:
            case (
                events.CardPaid(seat=seat, card=str(card))
                | events.CardLaid(seat=seat, card=str(card))
                | events.SupportPlayed(seat=seat, card=card)
            ) if seat != self._seat:
                self._unseen[card] -= 1
            case events.CardsGot(seat=seat, cards=cards) if seat == self._seat:
                self._own_deck.subtract(cards)
            case events.CardTaken(seat=seat, card=card, pile="deck") if seat == self._seat:
                self._own_deck[card] -= 1
            case events.CardTaken(seat=seat, card=card, pile="cellar") if seat == self._seat:
                self._own_cellar[card] -= 1
            case events.CardGone(seat=seat, card=card, pile="cellar") if seat == self._seat:
                self._own_cellar[card] += 1
            case events.DeckRemade(seat=seat) if seat == self._seat:
                self._own_deck, self._own_cellar = self._own_cellar, Counter()

    def hands(self, count: int, rng: Random) -> list[list[str]]:
        """Return possible hands of the opponent."""
        pool = self._rivals
        size = self._public.piles[other(self._seat)].hand
        return [rng.sample(pool, min(size, len(pool))) for _ in range(count)]

    def sample(self, count: int, rng: Random) -> list[World]:
        """Return random worlds in proportion to their probability."""
        drawn = rng.choices(list(self.weights), list(self.weights.values()), k=count)
        return [self._world(vampires, rng) for vampires in drawn]

    def _world(self, vampires: Vampires, rng: Random) -> World:
        piles = self._public.piles[other(self._seat)]
        pool = _shuffled(self._rivals, rng)
        in_deck = piles.hand + piles.deck
        return World(
            vampires,
            self._city(rng),
            pool[: piles.hand],
            pool[piles.hand : in_deck],
            pool[in_deck : in_deck + piles.cellar],
            _shuffled(self._own_left, rng),
            list((+self._own_cellar).elements()),
        )

    def _city(self, rng: Random) -> list[str]:
        """Return a possible city: first the characters that the seat saw, last those sent under
        it.
        """
        inside = [name for name in self._public.living if name not in self._public.castle]
        ends = {*self._own.coming, *self._hidden}
        middle = [name for name in inside if name not in ends]
        rng.shuffle(middle)
        last = [name for name in self._hidden if name not in self._own.coming]
        return [*self._own.coming, *middle, *last]


def _cards(public: Public, seat: Seat) -> Counter[str]:
    """Return the cards of a whole deck."""
    return Counter({card.id: card.copies for card in public.cards.values() if card.deck == seat})


def _shuffled(cards: Sequence[str], rng: Random) -> list[str]:
    """Return the cards in a random order."""
    return sorted(cards, key=lambda _: rng.random())
