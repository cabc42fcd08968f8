"""Infer the hidden Vampire from the turned cards, the seats that may have put them, and who fills
the pool.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

from companion.core.game import Event, Seat
from companion.games.vwars import events
from companion.games.vwars.bots.evaluate import EIGHTHS
from companion.games.vwars.bots.heuristic import POOL_FULL
from companion.games.vwars.bots.memory import Memory
from companion.games.vwars.content import Side, side_of, value_of
from companion.games.vwars.deal import EACH
from companion.games.vwars.options import POOL
from companion.games.vwars.state import Hand, Public

DEALT, VAMPIRES = "dealt", "vampires"
"""Sources of face-down cards beside the seats of apparent humans."""
OF_HUMANS, OF_VAMPIRE = 0.93, 0.15
"""The probability that a human puts down a human card, and that the Vampire does."""
LEAST = 0.02
"""The minimum probability of a card, for one that no source explains."""

FILLED = 1.5
"""The change of a seat's log odds of holding the Vampire card when it has another player put a card
into a pool that needs none: that player then lacks the card.
"""

Pile = dict[str, float]
"""The expected number of unseen cards from each source."""


class Belief(Memory):
    """The inferences of one human seat.

    It keeps for each suspect the sources of the cards that it has not seen.
    """

    sure: ClassVar[float] = 0.8

    def __init__(self, public: Public, seat: Seat, own: Hand | None) -> None:
        super().__init__(public, seat, own)
        self._unseen: dict[Seat, dict[str, Pile]] = {
            one: {pile: {DEALT: float(EACH)} for pile in (POOL, *public.regions)}
            for one in self._log_odds
        }
        self._vampires: set[Seat] = set()
        self._now: str | None = None
        self._region, self._up, self._is_own = "", list[str](), False
        self._pool = 0

    def shares(self) -> Mapping[str, int]:
        suspicion = self.suspicion()
        shares = {}
        for pile, known in self.cards.items():
            humans = float(sum(side_of(card) == "human" for card in known))
            size = float(len(known))
            for suspect, unseen in self._unseen.items():
                for source, count in unseen[pile].items():
                    expected = count * suspicion.get(suspect, 0.0)
                    humans += expected * _chance("human", source, suspect)
                    size += expected
            shares[pile] = round(EIGHTHS * humans / size) if size else EIGHTHS // 2
        return shares

    def _observe(self, event: Event) -> None:
        match event:
            case events.GameSetUp(riots=riots, piles=piles):
                self._now, self._pool = next(iter(riots), None), piles.get(POOL, 0)
            case events.CardGiven(seat=seat, to=str(to)):
                self._pool += to == POOL
                source = VAMPIRES if seat in self._vampires else seat
                if seat != self._seat:
                    for unseen in self._unseen.values():
                        unseen[to][source] = unseen[to].get(source, 0.0) + 1
            case events.CardAsked(seat=seat, to=to):
                if to == POOL and self._pool >= POOL_FULL and seat in self._log_odds:
                    self._log_odds[seat] += FILLED
                super()._observe(event)
            case events.TurnedPublic(seat=seat):
                self._vampires.add(seat)
                if len(self._vampires) == 1:
                    self._never = self._log_odds.keys() - {seat}
            case _:
                super()._observe(event)

    def _observe_riot(self, event: Event) -> None:
        match event:
            case events.RiotsSlid(now=now, soon=soon, source=source):
                self._now = now
                if source == "pool" and soon is not None:
                    self._pool -= 1
                    self._show(POOL, soon)
            case events.RiotBegan(city=city):
                self._turned, self._up, self._is_own = [], [], False
                self._region = self._public.cities[city].region
                if self._now is not None and not self._public.has_real_cards:
                    self.cards[self._region].append(self._now)
            case events.RiotCardTurned(card=card, removed=removed):
                self._show(self._region, card)
                self._turned.append(card)
                self._up += [] if removed else [card]
            case events.RiotCardDiscarded(card=card):
                self._turned.remove(card)
                self._is_own = True
            case events.RiotCleared(region=region, discarded=discarded):
                if discarded and not self._is_own and self._up:
                    self._turned.remove(max(self._up, key=_against_humans))
                self.cards[region] += self._turned

    def _suspect(self, seat: Seat, change: float) -> None:
        """Ignore the actions of a seat: a Vampire can easily act like a human."""

    def _show(self, pile: str, card: str) -> None:
        """Update with a card turned from a pile: a card known there, or an unseen one."""
        if card in self.cards[pile]:
            self.cards[pile].remove(card)
            return
        side = side_of(card)
        for suspect, unseen in self._unseen.items():
            sources = unseen[pile]
            count = sum(sources.values())
            if count <= 0:
                continue
            parts = {
                source: each * _chance(side, source, suspect) / count
                for source, each in sources.items()
            }
            whole = sum(parts.values())
            self._log_odds[suspect] += math.log(max(whole, LEAST))
            unseen[pile] = {
                source: max(each - parts[source] / whole, 0.0) for source, each in sources.items()
            }


def _chance(side: Side, source: str, suspect: Seat) -> float:
    """Return the probability that a card of a source is of a side, if the suspect is the
    Vampire.
    """
    if source == DEALT:
        return 0.5
    human = OF_VAMPIRE if source in (suspect, VAMPIRES) else OF_HUMANS
    return human if side == "human" else 1 - human


def _against_humans(card: str) -> int:
    """Return the value of a card to the vampires."""
    return -value_of(card) if side_of(card) == "human" else value_of(card)
