"""Pending work of people: pieces to remove, and explanations to choose from."""

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
    """Pawns that the game removed and that were last seen standing, by cell.

    Other changes of the game (an undo, an action from a phone) need no list: they differ now.
    """

    def __init__(self) -> None:
        self.pawns: dict[Cell, frozenset[Pawn]] = {}
        self._view: View | None = None

    def has_seen(self, view: View) -> bool:
        """Return whether this view is that of the last update."""
        return self._view == view

    def update(self, game: Game, view: View, seen: Observation, hand: bool) -> bool:
        """Return whether the view is new and differs from what was last seen.

        A pawn that was only in the `hand` before does not count if no pieces have to move: its
        owner may lift it before the turn begins and put it down during the turn.
        """
        known, self._view = self._view, view
        if known == view:
            return False
        after = game.placement(view)
        before = None if known is None else game.placement(known)
        if before is not None:
            self._note(before, after, seen)
        return bool(differing_cells(after, seen)) and not (hand and before == after)

    def clear(self) -> None:
        """Drop the pawns: table and game agree."""
        self.pawns = {}

    def reset(self) -> None:
        """Drop everything: there is no game, or another one."""
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
    """The last reconcile result, its age, and the explanations a player may accept.

    `on_grace_end` is called once the result is older than `grace_period` seconds. `refusal`: why
    the table refused the matched actions. `asked`: explanations of a tap.
    """

    def __init__(self, clock: Clock, grace_period: float, on_grace_end: Callable[[], None]) -> None:
        self._clock = clock
        self._grace_period = grace_period
        self._on_grace_end = on_grace_end
        self._since = 0.0
        self._asked_in: View | None = None
        self.result: Result | None = None
        self.differences: tuple[Difference, ...] = ()
        self.owed: tuple[PawnToRemove, ...] = ()
        self.refusal: Message | None = None
        self.asked: tuple[Explanation, ...] = ()

    @property
    def grace_over(self) -> bool:
        """Whether the result is older than the time limit."""
        return self._clock.monotonic() - self._since >= self._grace_period

    @property
    def readings(self) -> tuple[Explanation, ...]:
        """The explanations that a player may accept now."""
        match self.result:
            case _ if self.asked:
                return self.asked
            case Matched(actions):
                return (actions,)
            case Lifted(readings=readings) | Ambiguous(readings=readings):
                return readings
        return ()

    def clear(self) -> None:
        """Drop the result: there is nothing to compare."""
        self._stands(None)
        self.differences, self.owed = (), ()

    def update(
        self, result: Result, placement: Placement, seen: Observation, owed: Removals
    ) -> None:
        """Store the result of comparing `placement` with an observation."""
        self._stands(result)
        self.differences = differences(placement, seen)
        off = pawns_to_remove(placement, seen, owed)
        self.owed = tuple(PawnToRemove(pawn, cell) for pawn, cell in sorted(off.items()))

    def ask(self, readings: tuple[Explanation, ...], view: View | None) -> None:
        """Store the explanations of a tap made in `view`; empty if there is no question."""
        self.asked, self._asked_in = readings, view

    def follow(self, view: View | None) -> None:
        """Drop a tap's question if the game has changed."""
        if self.asked and self._asked_in != view:
            self.ask((), None)

    def _stands(self, result: Result | None) -> None:
        if result != self.result:
            self._since = self._clock.monotonic()
            if isinstance(result, Unexplained | Lifted):
                self._clock.call_at(self._since + self._grace_period, self._on_grace_end)
        if isinstance(result, InSync) or result is None:
            self.refusal = None
        self.result = result
