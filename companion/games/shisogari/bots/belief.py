"""Keep particles of hidden hands: for each possible Vampire, worlds that fit what a seat received.

A world is a complete deal after the events so far. Each pick updates every world with one of the
cards that explain it, and multiplies its weight by the probability of that. A suspect whose worlds
explain the events better is more likely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from companion.core.game import Event, Seat
from companion.games.shisogari import events
from companion.games.shisogari.cards import BITES, BLANKS, CARDS, Colour, in_play, is_real, partners

FAKES = 0.5
"""The probability that a Vampire lays a fake pair when it can."""
BLUFF = 0.3
"""The likelihood that a player names an item that it does not hold, relative to one it holds."""
SWAPPED = 0.3
"""The weight of a world that has the card in another hand than the giver's."""
UNEXPLAINED = 0.02
"""The weight of a world that does not explain an event: the particles omit many worlds."""
WORLDS = 120
"""Worlds for each suspect."""
GIVES: Mapping[str, float] = {"hunter": 0.1, "kin": 0.3, "vampire": 0.65}
"""The probability that each role gives instead of taking."""
ENDANGERS = 0.25
"""The likelihood that a Hunter takes from a hand of one or two cards, relative to a longer one."""
FAINT = 1e-6
"""The weight of a Hunter's giving a Bloodsucking card."""


class Particle:
    """Possible hands, roles and real pairs.

    weight: relative to the other worlds of its suspect
    """

    def __init__(self, vampire: Seat, hands: dict[Seat, list[str]]) -> None:
        self.vampire = vampire
        self.kin: set[Seat] = set()
        self.hands = hands
        self.real = 0
        self.weight = 1.0

    def copy(self) -> Particle:
        copy = Particle(self.vampire, {seat: cards[:] for seat, cards in self.hands.items()})
        copy.kin, copy.real = self.kin.copy(), self.real
        return copy

    def role(self, seat: Seat) -> str:
        return "vampire" if seat == self.vampire else "kin" if seat in self.kin else "hunter"

    @property
    def sum(self) -> int:
        """The real pairs and Hunters that an accusation counts."""
        return self.real + len(self.hands) - 1 - len(self.kin)

    def placings(self, picker: Seat, card: str) -> Iterator[tuple[str | None, float]]:
        """Yield each card with which a picked card may be laid (None: kept), and its
        probability.
        """
        cards = partners(self.role(picker), self.hands[picker], card)  # type: ignore[arg-type]
        if None not in cards or len(cards) == 1:
            yield from ((beside, 1 / len(cards)) for beside in cards)
            return
        yield None, 1 - FAKES
        yield from ((beside, FAKES / (len(cards) - 1)) for beside in cards if beside)

    def place(self, picker: Seat, giver: Seat, card: str, beside: str | None) -> None:
        """Move a card to another hand."""
        self.hands[giver].remove(card)
        if beside is None:
            self.hands[picker].append(card)
        else:
            self.hands[picker].remove(beside)
            self.real += is_real((card, beside))
        if card in BITES and picker != self.vampire:
            self.kin.add(picker)


class Step(NamedTuple):
    """One way in which a world can explain an event."""

    card: str
    beside: str | None
    chance: float


class Belief:
    """The suspects and their worlds, as `seat` sees them.

    Receives the public events and the seat's private ones, in order.
    habits: whether it counts who chose to give; for Hunters who seldom give
    """

    def __init__(self, seat: Seat, rng: Random, *, habits: bool = False) -> None:
        self.seat = seat
        self._habits = habits
        self.odds: dict[Seat, float] = {}
        self.worlds: dict[Seat, list[Particle]] = {}
        self._rng = rng
        self._own: events.Dealt | None = None
        self._picked: events.CardPicked | None = None
        self._passed: str | None = None
        self._placed: events.CardPlaced | None = None
        self._item: str | None = None
        self._backs: dict[str, str] = {}

    def observe(self, received: Iterable[Event]) -> None:
        for event in received:
            self._update(event)

    def _update(self, event: Event) -> None:
        match event:
            case events.Dealt():
                self._own = event
            case events.GameSetUp(backs=backs):
                self._backs = dict(backs)
            case events.ColourChosen(seat=seat, colour=colour):
                self._backs[seat] += colour[0]
            case events.LastCardTaken(card=card) if self._own is not None:
                self._own = replace(self._own, cards=(*self._own.cards, card))
            case events.TurnStarted() if not self.worlds:
                self._deal()
            case events.PartnerChosen() if self._habits and event.seat != self.seat:
                self._weigh(lambda world: self._usual(world, event))
            case events.ItemNamed(seat=seat, item=item):
                self._item = item
                self._weigh(lambda world: 1.0 if item in world.hands[seat] else BLUFF)
            case events.CardPassed(card=card):
                self._passed = card
            case events.CardPlaced():
                self._placed = event
            case events.CardPicked():
                self._picked = event
            case events.CardKept() | events.PairLaid():
                self._place(event)
                self._picked = self._passed = self._placed = self._item = None

    def _deal(self) -> None:
        own = self._own
        if own is None:
            return
        others = [Seat(seat) for seat in self._backs if seat != self.seat]
        suspects = [self.seat] if own.role == "vampire" else others
        self.odds = {suspect: 1 / len(suspects) for suspect in suspects}
        self.worlds = {
            suspect: [self._random_deal(suspect, own) for _ in range(WORLDS)]
            for suspect in suspects
        }

    def _random_deal(self, vampire: Seat, own: events.Dealt) -> Particle:
        """Return a random deal that contains the seat's own hand."""
        known = [*own.cards, *own.boxed]
        pool = in_play()
        pool.subtract(known)
        left = list(pool.elements())
        hands: dict[Seat, list[str]] = {self.seat: list(own.cards)}
        while True:
            self._rng.shuffle(left)
            stocks: dict[Colour, list[str]] = {
                colour: [card for card in left if CARDS[card] == colour and card not in BITES]
                for colour in ("white", "black")
            }
            for seat, backs in self._backs.items():
                if seat != self.seat:
                    hand = list(BITES) if seat == vampire else []
                    for colour, stock in stocks.items():
                        hand += [
                            stock.pop() for _ in range(backs.count(colour[0]) - (seat == vampire))
                        ]
                    hands[Seat(seat)] = hand
            unlike = len(self._backs) == 4 and any(
                all(blank in hand for blank in BLANKS) for hand in hands.values()
            )
            if not unlike and not any(
                card in BLANKS for stock in stocks.values() for card in stock
            ):
                return Particle(vampire, hands)

    def _usual(self, world: Particle, chosen: events.PartnerChosen) -> float:
        """Return the likelihood of a choice of partner in a world."""
        role = world.role(chosen.seat)
        if chosen.way == "give":
            return GIVES[role]
        length = len(world.hands[chosen.partner])
        return (1 - GIVES[role]) * (ENDANGERS if role == "hunter" and length < 3 else 1.0)

    def _weigh(self, likely: Callable[[Particle], float]) -> None:
        for suspect, worlds in self.worlds.items():
            before = after = 0.0
            for world in worlds:
                before += world.weight
                world.weight *= likely(world)
                after += world.weight
            self.odds[suspect] *= after / before
        self._normalise()

    def success(self, suspect: Seat, needed: int) -> float:
        """Return the probability that the Hunters win by accusing this seat now."""
        worlds = self.worlds[suspect]
        enough = sum(world.weight for world in worlds if world.sum >= needed)
        return self.odds[suspect] * enough / sum(world.weight for world in worlds)

    def sample(self, count: int) -> list[Particle]:
        """Return random worlds in proportion to their probability."""
        suspects = list(self.odds)
        drawn = self._rng.choices(suspects, list(self.odds.values()), k=count)
        return [
            world
            for suspect in suspects
            for world in self._rng.choices(
                self.worlds[suspect],
                [world.weight for world in self.worlds[suspect]],
                k=drawn.count(suspect),
            )
        ]

    def _place(self, event: events.CardKept | events.PairLaid) -> None:
        """Update every world with a step that explains the pick, or else with an unlikely step."""
        picked = self._picked
        if picked is None:
            return
        for suspect, worlds in self.worlds.items():
            ways = []
            for world in worlds:
                trust = self._put_passed(world, picked)
                steps = list(self._steps(world, picked, event)) or [
                    self._any_step(world, picked, event)
                ]
                ways += [(world, step, trust * world.weight * step.chance) for step in steps]
            weights = [weight for _, _, weight in ways]
            self.odds[suspect] *= sum(weights) / sum(world.weight for world in worlds)
            renewed = []
            for world, step, _ in self._rng.choices(ways, weights, k=len(worlds)):
                copy = world.copy()
                copy.place(picked.picker, picked.giver, step.card, step.beside)
                renewed.append(copy)
            self.worlds[suspect] = renewed
        self._normalise()

    def _normalise(self) -> None:
        whole = sum(self.odds.values())
        self.odds = {suspect: max(odds / whole, FAINT) for suspect, odds in self.odds.items()}

    def _put_passed(self, world: Particle, picked: events.CardPicked) -> float:
        """Put a card that the seat saw pass into the giver's hand; return the weight of this
        change.
        """
        card, giver = self._passed, world.hands[picked.giver]
        if card is None or card in giver:
            return 1.0
        alike = [one for one in giver if CARDS[one] == CARDS[card] and one not in BITES]
        holders = [
            seat
            for seat in world.hands
            if seat not in (self.seat, picked.giver) and card in world.hands[seat]
        ]
        if card in BITES or not alike or not holders:
            giver[giver.index(next(one for one in giver if CARDS[one] == CARDS[card]))] = card
            return FAINT if card in BITES else UNEXPLAINED
        holder, other = world.hands[self._rng.choice(holders)], self._rng.choice(alike)
        holder[holder.index(card)], giver[giver.index(other)] = other, card
        return SWAPPED

    def _steps(
        self, world: Particle, picked: events.CardPicked, event: events.CardKept | events.PairLaid
    ) -> Iterator[Step]:
        stock = [card for card in world.hands[picked.giver] if CARDS[card] == picked.colour]
        for card in dict.fromkeys(stock):
            if self._passed in (None, card):
                for beside, chance in world.placings(picked.picker, card):
                    is_own = self._placed is None or self._placed.beside == beside
                    if is_own and self._explains(card, beside, event):
                        yield Step(card, beside, chance * stock.count(card) / len(stock))

    def _explains(
        self, card: str, beside: str | None, event: events.CardKept | events.PairLaid
    ) -> bool:
        if beside is None or isinstance(event, events.CardKept):
            return beside is None and isinstance(event, events.CardKept)
        return event.item == (card if card == beside == self._item else None)

    def _any_step(
        self, world: Particle, picked: events.CardPicked, event: events.CardKept | events.PairLaid
    ) -> Step:
        """Return a step that keeps the number of backs right, even against the rules."""
        alike = {
            seat: [card for card in hand if CARDS[card] == picked.colour]
            for seat, hand in world.hands.items()
        }
        card = self._passed or self._rng.choice(alike[picked.giver])
        if isinstance(event, events.CardKept):
            return Step(card, None, UNEXPLAINED)
        own = self._placed.beside if self._placed else None
        return Step(card, own or self._rng.choice(alike[picked.picker]), UNEXPLAINED)
