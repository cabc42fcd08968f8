"""Suspect a seat that fills the riot pool."""

from __future__ import annotations

from companion.core.game import Event, Seat
from companion.games.vwars.bots.belief import Belief
from companion.games.vwars.bots.heuristic import POOL_FULL
from companion.games.vwars.events import CardAsked, CardGiven, GameSetUp, RiotsSlid
from companion.games.vwars.options import POOL
from companion.games.vwars.state import Hand, Public

FILLED = 1.5
"""The change of a seat's log odds of holding the Vampire card when it has another player put a card
into a pool that needs none: that player then lacks the card.
"""


class PoolBelief(Belief):
    """The inferences of one human seat, from who fills the riot pool too."""

    def __init__(self, public: Public, seat: Seat, own: Hand | None) -> None:
        super().__init__(public, seat, own)
        self._pool = 0

    def _observe(self, event: Event) -> None:
        match event:
            case GameSetUp(piles=piles):
                self._pool = piles.get(POOL, 0)
            case CardGiven(to="pool"):
                self._pool += 1
            case RiotsSlid(source="pool", soon=str()):
                self._pool -= 1
            case CardAsked(seat=seat, to="pool") if (
                self._pool >= POOL_FULL and seat in self._log_odds
            ):
                self._log_odds[seat] += FILLED
        super()._observe(event)
