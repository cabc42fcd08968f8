"""What people still have to do or decide: pieces to remove, and explanations to choose from."""

from __future__ import annotations

from collections.abc import Callable

from companion.clock import Clock
from companion.core.game import Game, Message, View
from companion.core.placement import Cell, Pawn, Placement
from companion.sensors.diff import (
    Difference,
    differences,
    differing_cells,
    pawn_cells,
    seen_pawn_cells,
)
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


class PendingRemovals:
    """Follows the record from view to view; `pawns` are those that it removed and that were seen
    standing.

    Everything else that the record changed by itself (an undo, a walk tapped on a phone) needs no
    list: it is what differs now.
    """

    def __init__(self) -> None:
        self.pawns: dict[Cell, frozenset[Pawn]] = {}
        self._view: View | None = None

    def knows(self, view: View) -> bool:
        """Return whether this view is the one that was followed last."""
        return self._view == view

    def follow(self, game: Game, view: View, seen: Observation, hand: bool) -> bool:
        """Return whether the record changed (or is new) so that it no longer agrees with what was
        last seen.

        A pawn that was only in the `hand` before is none of that if the record left all pawns and
        tokens where they were: who takes up his pawn before his turn begins may set it down in it.
        """
        known, self._view = self._view, view
        if known == view:
            return False
        after = game.placement(view)
        before = None if known is None else game.placement(known)
        if before is not None:
            self._note(before, after, seen)
        return bool(differing_cells(after, seen)) and not (hand and before == after)

    def settle(self) -> None:
        """Table and record agree: nothing is owed."""
        self.pawns = {}

    def forget(self) -> None:
        """The game is over or another one: nothing is known of it."""
        self.pawns = {}
        self._view = None

    def _note(self, before: Placement, after: Placement, seen: Observation) -> None:
        alive = pawn_cells(after).keys()
        gone = [(pawn, cell) for pawn, cell in pawn_cells(before).items() if pawn not in alive]
        owed = {cell: pawns - alive for cell, pawns in self.pawns.items()}
        for pawn, cell in gone:
            if _stands(pawn, cell, after, seen):
                owed[cell] = owed.get(cell, frozenset()) | {pawn}
        self.pawns = {cell: pawns for cell, pawns in owed.items() if pawns}


def _stands(pawn: Pawn, cell: Cell, after: Placement, seen: Observation) -> bool:
    if seen.pawns is not None:
        return pawn in seen_pawn_cells(seen)
    return seen.occupied is not None and cell in seen.occupied - after.occupied


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
