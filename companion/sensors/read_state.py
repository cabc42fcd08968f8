"""What the reader found last, since when, and what may be accepted of it."""

from __future__ import annotations

from collections.abc import Callable

from companion.clock import Clock
from companion.core.game import Message, View
from companion.core.placement import Placement
from companion.sensors.diff import Difference, differences
from companion.sensors.explain import Explanation
from companion.sensors.observation import Observation
from companion.sensors.reconcile import (
    Ambiguous,
    InSync,
    Lifted,
    Matched,
    Removals,
    Result,
    Unexplained,
    pawns_to_remove,
)
from companion.sensors.status import PawnToRemove


class ReadState:
    """The last result of comparing, with its differences and the pawns to be taken off.

    `waited` says whether it has stood longer than `patience` seconds; `look_again` is called when
    that ends. `refusal` is why the table refused the walk that was matched, `asked` the readings of
    a tap.
    """

    def __init__(self, clock: Clock, patience: float, look_again: Callable[[], None]) -> None:
        self._clock = clock
        self._patience = patience
        self._look_again = look_again
        self._since = 0.0
        self._asked_in: View | None = None
        self.result: Result | None = None
        self.differences: tuple[Difference, ...] = ()
        self.owed: tuple[PawnToRemove, ...] = ()
        self.refusal: Message | None = None
        self.asked: tuple[Explanation, ...] = ()

    @property
    def waited(self) -> bool:
        """Whether patience with the result is over."""
        return self._clock.monotonic() - self._since >= self._patience

    @property
    def readings(self) -> tuple[Explanation, ...]:
        """What a person may accept now."""
        match self.result:
            case _ if self.asked:
                return self.asked
            case Matched(actions):
                return (actions,)
            case Lifted(readings=readings) | Ambiguous(readings=readings):
                return readings
        return ()

    def nothing(self) -> None:
        """There is nothing to compare."""
        self._stands(None)
        self.differences, self.owed = (), ()

    def take(self, result: Result, placement: Placement, seen: Observation, owed: Removals) -> None:
        """Remember what came of comparing `placement` with what is seen."""
        self._stands(result)
        self.differences = differences(placement, seen)
        off = pawns_to_remove(placement, seen, owed)
        self.owed = tuple(PawnToRemove(pawn, cell) for pawn, cell in sorted(off.items()))

    def ask(self, readings: tuple[Explanation, ...], view: View | None) -> None:
        """Remember the readings of a tap made in `view`, none if there is no question."""
        self.asked, self._asked_in = readings, view

    def follow(self, view: View | None) -> None:
        """Drop a tap's question when the record has moved on."""
        if self.asked and self._asked_in != view:
            self.ask((), None)

    def _stands(self, result: Result | None) -> None:
        if result != self.result:
            self._since = self._clock.monotonic()
            if isinstance(result, Unexplained | Lifted):
                self._clock.call_at(self._since + self._patience, self._look_again)
        if isinstance(result, InSync) or result is None:
            self.refusal = None
        self.result = result
