"""What can be done on the board: jumps, safe cells to enter, moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.core.game import Seat
from companion.core.placement import Cell, Pawn
from companion.games.nosferatu.model import FIELD, NOSFERATU, Enter, Jump, Move, Public, side

Standing = Mapping[Cell, Pawn]


def jumps_from(standing: Standing, pawn: Pawn, cell: Cell) -> Iterator[tuple[Cell, Cell]]:
    """Yield (cell of the enemy taken, landing cell) of every single jump of the piece on `cell`."""
    for ray in FIELD.rays[cell]:
        over = _enemy_ahead(standing, pawn, ray)
        if over is None:
            continue
        for landing in ray[over + 1 :] if pawn == NOSFERATU else ray[over + 1 : over + 2]:
            if landing in standing:
                break
            yield ray[over], landing


def _enemy_ahead(standing: Standing, pawn: Pawn, ray: tuple[Cell, ...]) -> int | None:
    """Return where on a ray the first piece stands, if it is an enemy within reach: Nosferatu's is the whole line."""
    for index, cell in enumerate(ray if pawn == NOSFERATU else ray[:1]):
        if cell in standing:
            return index if side(standing[cell]) != side(pawn) else None
    return None


def jumps(public: Public, seat: Seat) -> list[Jump]:
    """Return every jump that the seat may begin or, with a piece in a chain, go on with."""
    pawns = [public.chain] if public.chain else [pawn for pawn in public.pieces if side(pawn) == seat]
    found: list[Jump] = []
    for pawn in pawns:
        for over, landing in jumps_from(public.standing, pawn, public.pieces[pawn]):
            converts = pawn == NOSFERATU and public.standing[over][0] == "m"
            found += [Jump(pawn, landing), *([Jump(pawn, landing, True)] if converts else [])]
    return found


def taken_by(public: Public, jump: Jump) -> Cell | None:
    """Return the cell of the piece that a jump takes, None if there is no such jump."""
    if jump.pawn not in public.pieces:
        return None
    for over, landing in jumps_from(public.standing, jump.pawn, public.pieces[jump.pawn]):
        if landing == jump.to:
            return over
    return None


def safe(public: Public, pawn: Pawn, cell: Cell) -> bool:
    """Return whether a piece entered there is not open to immediate attack."""
    standing = {**public.standing, cell: pawn}
    for enemy, origin in public.pieces.items():
        if side(enemy) == side(pawn):
            continue
        for over, landing in jumps_from(standing, enemy, origin):
            if over == cell:
                return False
            if public.options.entry_safe == "chain" and _chain_takes(standing, enemy, origin, over, landing, cell):
                return False
    return True


def _chain_takes(standing: Standing, pawn: Pawn, origin: Cell, over: Cell, landing: Cell, prey: Cell) -> bool:
    """Return whether a capture that begins with this jump can take the piece on `prey` later on."""
    left = {cell: piece for cell, piece in standing.items() if cell != origin}
    afters = [{cell: piece for cell, piece in left.items() if cell != over}]
    if pawn == NOSFERATU:
        afters.append({**left, over: Pawn("v0")})
    for after in afters:
        after[landing] = pawn
        for next_over, next_landing in list(jumps_from(after, pawn, landing)):
            if next_over == prey or _chain_takes(after, pawn, landing, next_over, next_landing, prey):
                return True
    return False


def entries(public: Public, seat: Seat, *, whichever: bool = False) -> list[Enter]:
    """Return every legal entering: of each kind in hand the piece that is next or, `whichever`, all of them."""
    found: list[Enter] = []
    for kind in dict.fromkeys(pawn[0] for pawn in public.hands[seat]):
        pawns = [pawn for pawn in public.hands[seat] if pawn[0] == kind]
        cells = [cell for cell in FIELD.cells if may_enter(public, pawns[0], cell)]
        found += [Enter(pawn, cell) for pawn in (pawns if whichever else pawns[:1]) for cell in cells]
    return found


def may_enter(public: Public, pawn: Pawn, cell: Cell) -> bool:
    """Return whether the cell is empty and safe, and not the centre for the very first piece."""
    if cell in public.standing or (not public.entered and cell == FIELD.centre):
        return False
    return safe(public, pawn, cell)


def moves(public: Public, seat: Seat) -> list[Move]:
    """Return every step of the seat's pieces, and Nosferatu's lines."""
    found: list[Move] = []
    for pawn, origin in public.pieces.items():
        if side(pawn) == seat:
            found += [Move(pawn, cell) for cell in ways(public.standing, pawn, origin)]
    return found


def ways(standing: Standing, pawn: Pawn, origin: Cell) -> Iterator[Cell]:
    """Yield the empty cells that a piece can move to, captures and hands aside."""
    for ray in FIELD.rays[origin]:
        for cell in ray if pawn == NOSFERATU else ray[:1]:
            if cell in standing:
                break
            yield cell
