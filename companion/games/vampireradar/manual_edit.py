"""Set pawns and tokens by hand when everybody agrees."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import IllegalAction, PublicEvent, fold_public
from companion.core.placement import Cell, Pawn, PositionEdit
from companion.games.vampireradar.events import PawnSet, TokenSet
from companion.games.vampireradar.options import TILE_NAMES
from companion.games.vampireradar.state import Public
from companion.games.vampireradar.turn_order import ending_now


def set_position(public: Public, arrangement: PositionEdit) -> list[PublicEvent]:
    """Return the events that change the positions to `arrangement`, and the end of the game if they
    cause it.

    Raises `IllegalAction` for a pawn out of the game, an unknown cell or token, a token on another
    kind of tile, and if nothing changes. A pawn set by hand has not landed: it gets no bullet and
    no radar.
    """
    if public.to_move is None:
        raise IllegalAction("game_is_over")
    events = [*_pawns(public, arrangement.pawns), *_tokens(public, arrangement.tokens)]
    if not events:
        raise IllegalAction("nothing_set")
    return [*events, *ending_now(fold_public(events, public))]


def _pawns(public: Public, pawns: Mapping[Pawn, Cell]) -> list[PublicEvent]:
    for pawn, cell in pawns.items():
        if pawn not in public.pawns:
            raise IllegalAction("no_such_pawn", pawn=pawn)
        if cell not in public.field.tile:
            raise IllegalAction("no_such_cell", cell=cell)
    moved = [pawn for pawn, cell in public.pawns.items() if pawns.get(pawn, cell) != cell]
    return [PawnSet(pawn, public.pawns[pawn], pawns[pawn]) for pawn in moved]


def _tokens(public: Public, tokens: Mapping[Cell, str | None]) -> list[PublicEvent]:
    events: list[PublicEvent] = []
    for cell in sorted(tokens):
        token = tokens[cell]
        kind = TILE_NAMES.get(public.field.tile.get(cell, ""))
        if kind is None:
            raise IllegalAction("no_such_cell", cell=cell)
        if token not in (None, kind) or kind not in ("bullet", "bat"):
            raise IllegalAction("token_not_here", cell=cell)
        lies = cell in (public.bullet_tokens if kind == "bullet" else public.bat_tokens)
        if lies != (token is not None):
            events.append(TokenSet(cell, "bullet" if kind == "bullet" else "bat", not lies))
    return events
