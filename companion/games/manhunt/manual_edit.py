"""Set pawns by hand when everybody agrees."""

from __future__ import annotations

from companion.core.game import IllegalAction
from companion.core.placement import PositionEdit
from companion.games.manhunt.events import PawnSet
from companion.games.manhunt.state import Public


def set_position(public: Public, edit: PositionEdit) -> list[PawnSet]:
    """Return the events that set pawns on other places; this is no move and catches nobody.

    Raises `IllegalAction` for an unknown pawn or place, for a token, if nothing changes, and if the
    fugitive could not hide any more.
    """
    if public.to_move is None:
        raise IllegalAction("game_is_over")
    for cell in edit.tokens:
        raise IllegalAction("token_not_here", cell=cell)
    for pawn, cell in edit.pawns.items():
        if pawn not in public.pawns:
            raise IllegalAction("no_such_pawn", pawn=pawn)
        if cell not in public.board.index:
            raise IllegalAction("no_such_cell", cell=cell)
    moved = [pawn for pawn, cell in edit.pawns.items() if public.pawns[pawn] != cell]
    if not moved:
        raise IllegalAction("nothing_set")
    taken = {*{**public.pawns, **edit.pawns}.values()}
    if not public.placed and {*public.board.starts("fugitive")} <= taken:
        raise IllegalAction("start_leaves_none")
    return [PawnSet(pawn, public.pawns[pawn], edit.pawns[pawn]) for pawn in moved]
