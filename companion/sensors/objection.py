"""Which rule speaks against what lies on the table."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Action, Game, IllegalAction, Message, View
from companion.core.placement import Cell, Pawn, Placement
from companion.sensors.diff import pawn_cells, seen_pawn_cells
from companion.sensors.observation import Observation


def why_illegal(game: Game, view: View, observation: Observation) -> Message:
    """Return the rule that forbids the first of the moves seen, tried one after the other."""
    placement = game.placement(view)
    for pawn, cell in moved_pawns(placement, observation):
        for action in _steps(game, pawn, cell):
            try:
                view = game.preview_public(view, action)
            except IllegalAction as wrong:
                return wrong.said
    return _of_tokens(placement, observation) or Message("board_unexplained")


def moved_pawns(placement: Placement, observation: Observation) -> list[tuple[Pawn, Cell]]:
    """Return the pawns that are seen elsewhere; by presence only if one pawn can have made the one
    change.
    """
    if observation.pawns is not None:
        at = pawn_cells(placement)
        return [
            (pawn, cell)
            for pawn, cell in sorted(seen_pawn_cells(observation).items())
            if at.get(pawn) != cell
        ]
    if observation.occupied is None:
        return []
    off = placement.occupied - observation.occupied - observation.unknown
    on = observation.occupied - placement.occupied - observation.unknown
    if len(off) != 1 or len(on) != 1:
        return []
    pawns = [pawn for cell in off for pawn in placement.pawns[cell]]
    return [(pawns[0], cell) for cell in on if len(pawns) == 1]


def _steps(game: Game, pawn: Pawn, cell: Cell) -> Iterator[Action]:
    """Yield the game's actions that put a pawn on a cell: the kinds with the fields `pawn` and
    `to`.
    """
    for kind in game.actions:
        if set(kind.__struct_fields__) == {"pawn", "to"}:
            yield kind(pawn=pawn, to=cell)


def _of_tokens(placement: Placement, observation: Observation) -> Message | None:
    if observation.tokens is None:
        return None
    for cell, token in sorted(placement.tokens.items()):
        if cell not in observation.unknown and not observation.tokens.get(cell):
            return Message("board_put_token_back", {"token": token, "cell": cell})
    return None
