"""Keep the simulated table in sync with the game."""

from __future__ import annotations

from companion.core.placement import Placement
from companion.sim.table_model import World


def apply_placement(world: World, placement: Placement) -> None:
    """Move every pawn and token as in `placement`; the others go into the box."""
    places = {pawn: cell for cell, pawns in placement.pawns.items() for pawn in pawns}
    for pawn in world.pawns.keys() | places.keys():
        if world.pawns.get(pawn) != places.get(pawn):
            world.put(pawn, places.get(pawn))
    for cell in list(world.tokens):
        if placement.tokens.get(cell) != world.token_kind(cell):
            world.take_token(cell)
    for cell, kind in placement.tokens.items():
        if world.token_kind(cell) != kind:
            world.put_token(cell, kind)
