"""Remember what a seat saw: the cards in regions, and the seats that act like a hidden Vampire."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from companion.core.game import Event, Seat
from companion.games.vwars import events
from companion.games.vwars.bots.evaluate import EIGHTHS
from companion.games.vwars.content import city_of, side_of
from companion.games.vwars.options import FACTIONS, POOL
from companion.games.vwars.state import Hand, Public

KILLED, DEPLOYED, IDLE = -0.8, -0.25, 0.5
"""The change of a seat's log odds of holding the Vampire card, for an assassination, a troop in
the city of the riot, and an unused action.
"""


class Memory:
    """The knowledge of one seat in addition to its view.

    cards: the cards that it knows in the pile of each region, and in the pool
    sure: the probability of being the Vampire at which a human names a seat
    """

    sure: ClassVar[float] = 0.0

    def __init__(self, public: Public, seat: Seat, own: Hand | None) -> None:
        self.cards: dict[str, list[str]] = {POOL: [], **{region: [] for region in public.regions}}
        self._public, self._seat, self._own = public, seat, own
        self._log_odds: dict[Seat, float] = {one: 0.0 for one in public.players if one != seat}
        self._never: set[Seat] = set()
        """The seats that are certainly not the Vampire."""
        self.no_fellows: set[Seat] = set()
        """The seats that did not join the vampires when asked."""
        self._riot = ""
        self._turned: list[str] = []
        self._left: tuple[Seat, int] | None = None

    def observe(self, public: Public, received: Iterable[Event]) -> None:
        """Observe the events that the seat received since the last call, up to the position
        `public`.
        """
        self._public = public
        for event in received:
            self._observe(event)

    def shares(self) -> Mapping[str, int]:
        """Return the expected share of human cards in each region, in eighths."""
        shares = {}
        for region, known in self.cards.items():
            size = max(self._public.piles.get(region, 0), len(known), 1)
            humans = sum(side_of(card) == "human" for card in known)
            shares[region] = round(EIGHTHS * (humans + (size - len(known)) / 2) / size)
        return shares

    def suspicion(self) -> Mapping[Seat, float]:
        """Return for each other seat the probability that it holds the hidden Vampire card."""
        weights = {
            seat: 0.0 if seat in self._never else math.exp(log)
            for seat, log in self._log_odds.items()
        }
        whole = sum(weights.values())
        return {seat: weight / whole if whole else 0.0 for seat, weight in weights.items()}

    def fellows(self) -> Sequence[Seat]:
        """Return the seats that may be an Infected that is not awakened."""
        public = self._public
        factions = FACTIONS[len(public.players)]
        if len(public.vampires()) >= len(factions) - factions.count("human"):
            return ()
        return [
            seat
            for seat, player in public.players.items()
            if seat != self._seat and not player.vampire and seat not in self.no_fellows
        ]

    def _observe(self, event: Event) -> None:
        match event:
            case events.TurnStarted(seat=seat):
                if self._left is not None:
                    before, left = self._left
                    self._suspect(before, IDLE * left)
                self._left = (seat, 4)
            case events.Assassinated(seat=seat):
                self._suspect(seat, KILLED)
                self._act()
            case events.CardAsked(seat=seat, city=city):
                if city is not None and city == self._riot:
                    self._suspect(seat, DEPLOYED)
                self._act()
            case events.Investigated(seat=seat, target=target, right=right):
                self._never.add(seat)
                if not right:
                    self._never.add(target)
                self._act()
            case events.Awakened(target=target, joins=joins):
                if not joins:
                    self.no_fellows.add(target)
                self._act()
            case events.CardPut(card=card, to=str(to)):
                self.cards.setdefault(to, []).append(card)
            case _:
                self._observe_riot(event)

    def _observe_riot(self, event: Event) -> None:
        match event:
            case events.RiotsSlid(now=now, soon=soon, source=source):
                self._riot = city_of(now) if now else ""
                pool = self.cards[POOL]
                if source == "pool" and soon in pool:
                    pool.remove(soon)
            case events.RiotBegan():
                self._turned = []
            case events.RiotCardTurned(card=card):
                self._turned.append(card)
            case events.RiotCardDiscarded(card=card):
                self._turned.remove(card)
            case events.RiotCleared(region=region, cards=cards):
                both = Counter(self._turned) | Counter(self.cards.get(region, ()))
                self.cards[region] = sorted(both.elements())[:cards]

    def _act(self) -> None:
        if self._left is not None:
            self._left = (self._left[0], max(self._left[1] - 1, 0))

    def _suspect(self, seat: Seat, change: float) -> None:
        if seat in self._log_odds:
            self._log_odds[seat] += change
