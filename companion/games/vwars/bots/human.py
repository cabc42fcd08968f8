"""Plan a human's whole turn with all its moves; suspect a seat that fills the riot pool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.core.game import Action, Event, Seat
from companion.games.vwars.actions import End, Place
from companion.games.vwars.bots.belief import Belief
from companion.games.vwars.bots.heuristic import POOL_FULL, Heuristic
from companion.games.vwars.bots.plans import Plans
from companion.games.vwars.events import CardAsked, CardGiven, GameSetUp, RiotsSlid
from companion.games.vwars.options import POOL
from companion.games.vwars.state import Hand, Public

FILLED = 1.5
"""The change of a seat's log odds of holding the Vampire card when it has another player put a card
into a pool that needs none: that player then lacks the card.
"""


class Human(Heuristic):
    """One decision of a human, an Infected before it is awakened included."""

    def _plans(self, legal: Sequence[Action]) -> Iterator[tuple[float, Action]]:
        plans = Plans(self)
        base = plans.worth(plans.start)
        yield base, End()
        yield from plans.found()
        for worth, action in self._beside(legal, base):
            if not (isinstance(action, Place) and action.to == "region"):
                yield worth, action


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
