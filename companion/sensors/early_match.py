"""Decide from the rules whether an observed move can continue."""

from __future__ import annotations

from companion.core.game import Action, Game, View
from companion.core.placement import Cell, Pawn, Placement
from companion.sensors.diff import differing_cells, pawn_cells
from companion.sensors.observation import Observation
from companion.sensors.reconcile import NO_REMOVALS, Matched, Removals, reconcile


def is_whole_move(
    game: Game, view: View, observation: Observation, owed: Removals = NO_REMOVALS
) -> bool:
    """Return whether a presence snapshot shows one legal action and no part of a longer one.

    One contact opens and one closes, so neither a stack nor one contact's noise is enough. No other
    action sets the pawn down on the same cell or takes it over that cell, and the pawn cannot
    continue from there. Only the public view is used, so the time of a match reveals no secret.
    """
    moved = _moved_pawn(game.placement(view), observation)
    if moved is None:
        return False
    pawn, cell = moved
    result = reconcile(game, view, observation, owed)
    if not isinstance(result, Matched) or len(result.actions) != 1:
        return False
    (match,) = result.actions
    after = game.preview(view, match)
    others = (action for action in game.physical_actions(view) if action != match)
    return not any(_may_begin_at(game, view, action, pawn, cell) for action in others) and all(
        _place_after(game, after, action, pawn) == cell for action in game.physical_actions(after)
    )


def _moved_pawn(placement: Placement, observation: Observation) -> tuple[Pawn, Cell] | None:
    """Return the pawn whose cell became empty and the one cell that it can have reached."""
    if observation.pawns is not None or observation.occupied is None or observation.tokens:
        return None
    differing = differing_cells(placement, observation)
    left, reached = differing & placement.occupied, differing - placement.occupied
    pawns = frozenset[Pawn]().union(*(placement.pawns[cell] for cell in left))
    if len(pawns) != 1 or len(reached) != 1:
        return None
    return next(iter(pawns)), next(iter(reached))


def _may_begin_at(game: Game, view: View, action: Action, pawn: Pawn, cell: Cell) -> bool:
    """Return whether an action sets the pawn down on the cell or takes it over the cell."""
    end = _place_after(game, view, action, pawn)
    return end == cell or (
        end != pawn_cells(game.placement(view)).get(pawn)
        and cell in game.cells_passed(view, action)
    )


def _place_after(game: Game, view: View, action: Action, pawn: Pawn) -> Cell | None:
    """Return a pawn's cell after an action, None if the action removes it."""
    return pawn_cells(game.placement(game.preview(view, action))).get(pawn)
