"""Decide a human's turn: walks, bullets, the radar and shots."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import Action, Event, IllegalAction, PublicEvent, Seat
from companion.core.grid import Direction
from companion.core.placement import Cell, Pawn
from companion.games.vampireradar import actions, events
from companion.games.vampireradar.options import MAX_BULLETS
from companion.games.vampireradar.state import OWNERS, PAWNS, Public
from companion.games.vampireradar.turn_order import bullets_left, ending, next_turn


def human_actions(public: Public) -> Sequence[Action]:
    if public.actions_left < 1 and not public.rights:
        return actions.ONLY_END
    legal: list[Action] = []
    seat = public.to_move
    for pawn in public.rights:
        if may_take(public, pawn):
            legal.append(actions.TakeBullet(pawn))
        if public.field.tile[public.pawns[pawn]] == "r":
            legal.append(actions.CallRadar(pawn))
    if seat is not None and public.actions_left > 0:
        free = len(public.acted) < public.options.pawns_per_turn
        moves = public.field.armed if public.bullets[seat] > 0 else public.field.walks
        cells = public.pawns
        for pawn in PAWNS[seat]:
            if pawn in cells and (free or pawn in public.acted):
                legal += moves[cells[pawn]][pawn]
    legal.append(actions.END)
    return legal


def may_take(public: Public, pawn: Pawn) -> bool:
    return public.pawns[pawn] in public.bullet_tokens and public.bullets[OWNERS[pawn]] < MAX_BULLETS


def decide_open(public: Public, seat: Seat, action: Action) -> list[Event]:
    """Decide a human's action that needs no secret."""
    if type(action) is actions.Walk:
        return _walk(public, action)
    if type(action) is actions.End:
        return [events.TurnEnded(seat), next_turn(public, public.queue)]
    if type(action) is actions.TakeBullet:
        return _take_bullet(public, action.pawn)
    raise IllegalAction("not_a_humans_action")


def _own_cell(public: Public, pawn: Pawn) -> Cell:
    """Return the tile of a living pawn of the human to move; raise `IllegalAction`."""
    cell = public.pawns.get(pawn)
    if cell is None or OWNERS[pawn] != public.to_move:
        is_own = OWNERS.get(pawn) == public.to_move
        raise IllegalAction("no_such_pawn" if is_own else "not_your_pawn", pawn=pawn)
    return cell


def _acting_cell(public: Public, pawn: Pawn) -> Cell:
    """Return the tile of a pawn that may spend a point now; raise `IllegalAction`."""
    cell = _own_cell(public, pawn)
    if public.actions_left < 1:
        raise IllegalAction("no_actions_left")
    if pawn not in public.acted and len(public.acted) >= public.options.pawns_per_turn:
        raise IllegalAction("too_many_pawns_acting", most=public.options.pawns_per_turn)
    return cell


def _walk(public: Public, action: actions.Walk) -> list[Event]:
    pawn, to = action.pawn, action.to
    if pawn is None:
        raise IllegalAction("which_pawn")
    cell = _acting_cell(public, pawn)
    if to not in public.field.ways[cell].near:
        raise no_step(public, cell, to)
    return [events.PawnWalked(pawn, cell, to)]


def no_step(public: Public, cell: Cell, to: Cell) -> IllegalAction:
    """Return why no step leads from one tile to another."""
    grid = public.field.grid
    if to not in grid.distances:
        return IllegalAction("no_such_cell", cell=to)
    if grid.distances[cell][to] == 1:
        return IllegalAction("wall_between", a=cell, b=to)
    return IllegalAction("not_neighbours", a=cell, b=to)


def _cell_with_right(public: Public, pawn: Pawn) -> Cell:
    cell = _own_cell(public, pawn)
    if pawn not in public.rights:
        raise IllegalAction("not_just_landed", pawn=pawn)
    return cell


def _take_bullet(public: Public, pawn: Pawn) -> list[Event]:
    cell = _cell_with_right(public, pawn)
    if cell not in public.bullet_tokens:
        raise IllegalAction("no_bullet_here", cell=cell)
    held = public.bullets[OWNERS[pawn]]
    if held >= MAX_BULLETS:
        raise IllegalAction("hand_full", most=MAX_BULLETS)
    return [events.BulletTaken(pawn, cell, held + 1)]


def call_radar(public: Public, pawn: Pawn, vampire: Cell) -> events.RadarCalled:
    cell = radar_cell(public, pawn)
    return events.RadarCalled(pawn, cell, public.field.grid.distances[cell][vampire])


def radar_cell(public: Public, pawn: Pawn) -> Cell:
    """Return the radar tile from which the pawn may call; raise `IllegalAction`."""
    cell = _cell_with_right(public, pawn)
    if public.field.tile[cell] != "r":
        raise IllegalAction("no_radar_here", cell=cell)
    return cell


def shoot(public: Public, pawn: Pawn, direction: Direction, vampire: Cell) -> list[Event]:
    cell = shot_cell(public, pawn)
    hit = vampire in shot_line(public, pawn, cell, direction)
    return [*fire(public, pawn, cell, direction, hit)]


def shot_cell(public: Public, pawn: Pawn) -> Cell:
    """Return the tile from which the pawn may shoot; raise `IllegalAction`."""
    cell = _acting_cell(public, pawn)
    if public.bullets[OWNERS[pawn]] < 1:
        raise IllegalAction("no_bullets")
    return cell


def fire(
    public: Public, pawn: Pawn, cell: Cell, direction: Direction, hit: bool
) -> list[PublicEvent]:
    """Return the events of a legal shot: the shot, and the end of the game if it causes it."""
    left = public.bullets[OWNERS[pawn]] - 1
    hp = public.hp - hit
    over = ending(public.options, hp, public.pawns, bullets_left(public) - 1)
    return [events.ShotFired(pawn, cell, direction, hit, left, hp), *over]


def shot_line(public: Public, pawn: Pawn, cell: Cell, direction: Direction) -> tuple[Cell, ...]:
    """Return the cells that a shot covers: from its own cell to a wall, the border or (an option)
    another pawn.
    """
    line = public.field.grid.line(cell, direction)
    if public.options.pawns_block_shots:
        others = {at for other, at in public.pawns.items() if other != pawn}
        for index, at in enumerate(line[1:], 1):
            if at in others:
                return line[: index + 1]
    return line
