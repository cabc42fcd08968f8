"""Set pieces by hand if all seats agree."""

from __future__ import annotations

from collections import Counter

from companion.core.game import IllegalAction
from companion.core.placement import PositionEdit
from companion.games.nosferatu.events import PieceSet
from companion.games.nosferatu.options import FIELD
from companion.games.nosferatu.state import Public


def set_position(public: Public, arrangement: PositionEdit) -> list[PieceSet]:
    """Return the events that set pieces on other cells.

    Raises `IllegalAction` for an unknown piece or cell, two pieces on one cell, a token, no change,
    or during a capture.
    """
    if public.to_move is None:
        raise IllegalAction("game_is_over")
    if public.chain:
        raise IllegalAction("must_go_on", pawn=public.chain)
    for cell in arrangement.tokens:
        raise IllegalAction("token_not_here", cell=cell)
    for pawn, cell in arrangement.pawns.items():
        if pawn not in public.pieces:
            raise IllegalAction("no_such_piece", pawn=pawn)
        if cell not in FIELD.rays:
            raise IllegalAction("no_such_cell", cell=cell)
    target = {**public.pieces, **arrangement.pawns}
    for cell, count in Counter(target.values()).items():
        if count > 1:
            raise IllegalAction("cell_taken", cell=cell)
    moved = [pawn for pawn, cell in public.pieces.items() if target[pawn] != cell]
    if not moved:
        raise IllegalAction("nothing_set")
    return [PieceSet(pawn, public.pieces[pawn], target[pawn]) for pawn in moved]
