"""What the people at the table still owe it after the record changed without their hands."""

from __future__ import annotations

from companion.core.game import Game, View
from companion.core.placement import Cell, Pawn, Placement
from companion.sensors.diff import differing_cells, pawn_cells, seen_pawn_cells
from companion.sensors.observation import Observation


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
