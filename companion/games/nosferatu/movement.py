"""List legal jumps, entries and moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.core.game import Action, Seat
from companion.core.placement import Cell, Pawn
from companion.games.nosferatu.actions import PASS, Enter, Jump, Move
from companion.games.nosferatu.options import FIELD, NOSFERATU
from companion.games.nosferatu.state import Public, side

Standing = Mapping[Cell, Pawn]
BIT: Mapping[Cell, int] = {cell: 1 << number for number, cell in enumerate(FIELD.cells)}
"""Each cell as one bit of a mask."""
RAYS: Mapping[int, tuple[tuple[int, ...], ...]] = {
    BIT[cell]: tuple(tuple(BIT[each] for each in ray) for ray in rays)
    for cell, rays in FIELD.rays.items()
}
EVERY = (1 << len(FIELD.cells)) - 1


def jumps_from(standing: Standing, pawn: Pawn, cell: Cell) -> Iterator[tuple[Cell, Cell]]:
    """Yield (cell of the taken enemy, landing cell) for each single jump of the piece on `cell`."""
    for ray in FIELD.rays[cell]:
        over = _enemy_ahead(standing, pawn, ray)
        if over is None:
            continue
        for landing in ray[over + 1 :] if pawn == NOSFERATU else ray[over + 1 : over + 2]:
            if landing in standing:
                break
            yield ray[over], landing


def _enemy_ahead(standing: Standing, pawn: Pawn, ray: tuple[Cell, ...]) -> int | None:
    """Return the index of the first piece on a ray, if it is an enemy within reach. Nosferatu
    reaches the whole line.
    """
    for index, cell in enumerate(ray if pawn == NOSFERATU else ray[:1]):
        if cell in standing:
            return index if side(standing[cell]) != side(pawn) else None
    return None


def jumps(public: Public, seat: Seat) -> list[Jump]:
    """Return every jump with which the seat may begin a capture or continue its chain."""
    pawns = (
        [public.chain] if public.chain else [pawn for pawn in public.pieces if side(pawn) == seat]
    )
    legal_jumps: list[Jump] = []
    for pawn in pawns:
        for over, landing in jumps_from(public.standing, pawn, public.pieces[pawn]):
            converts = pawn == NOSFERATU and public.standing[over][0] == "m"
            legal_jumps += [Jump(pawn, landing), *([Jump(pawn, landing, True)] if converts else [])]
    return legal_jumps


def taken_by(public: Public, jump: Jump) -> Cell | None:
    """Return the cell of the piece that a jump takes, None if there is no such jump."""
    if jump.pawn not in public.pieces:
        return None
    for over, landing in jumps_from(public.standing, jump.pawn, public.pieces[jump.pawn]):
        if landing == jump.to:
            return over
    return None


def exposed_cells(public: Public, seat: Seat) -> frozenset[Cell]:
    """Return the empty cells on which a piece of `seat` is open to immediate attack."""
    mine = _mask(cell for pawn, cell in public.pieces.items() if side(pawn) == seat)
    enemies = _mask(cell for pawn, cell in public.pieces.items() if side(pawn) != seat)
    nosferatu = BIT[public.pieces[NOSFERATU]] if NOSFERATU in public.pieces else 0
    unknown = EVERY & ~(mine | enemies)
    for origin in (bit for bit in RAYS if bit & enemies):
        piece = _Capturer(enemies & ~origin, flying=origin == nosferatu, last=nosferatu)
        unknown &= ~piece.reach(origin, mine, unknown, whole=public.options.entry_safe == "chain")
    return frozenset(cell for cell in FIELD.cells if BIT[cell] & ~(mine | enemies | unknown))


def _mask(cells: Iterable[Cell]) -> int:
    return sum(BIT[cell] for cell in cells)


class _Capturer(NamedTuple):
    """A piece that captures.

    blockers: the others of its side
    last: Nosferatu, whose capture ends the game
    Sets of cells are masks. A converted villager only blocks: a chain with conversions takes a
    piece only if the same chain without them does, so those are not searched.
    """

    blockers: int
    flying: bool
    last: int

    def reach(self, origin: int, enemies: int, targets: int, *, whole: bool) -> int:
        """Return the empty cells of `wanted` on which its first jump takes a piece; with `whole`,
        any jump.

        Search chains jump by jump, once for all wanted cells. Each state (cell, enemies left) keeps
        the wanted cells that at least one path to it leaves unused. The number of jumps is at most
        the number of enemies.
        """
        reachable = 0
        reached = {(origin, enemies): targets}
        while reached:
            following: dict[tuple[int, int], int] = {}
            for (cell, left), unused in reached.items():
                for ray in RAYS[cell]:
                    taken, jumps = self._along(ray, left)
                    reachable |= taken & unused
                    for after, used in jumps:
                        following[after] = following.get(after, 0) | unused & ~used
            reached = (
                {
                    after: unused & ~reachable
                    for after, unused in following.items()
                    if unused & ~reachable
                }
                if whole
                else {}
            )
        return reachable

    def _along(
        self, ray: tuple[int, ...], left: int
    ) -> tuple[int, list[tuple[tuple[int, int], int]]]:
        """Return the empty cells on this ray where a piece would be taken, and each jump over an
        enemy on it: ((landing cell, enemies left), empty cells used).
        """
        occupied = left | self.blockers
        taken = used = 0
        for at, cell in enumerate(ray[:-1] if self.flying else ray[:-1][:1]):
            if not cell & occupied:
                taken |= cell if not ray[at + 1] & occupied else 0
                used |= cell
                continue
            jumps = []
            for landing in ray[at + 1 :] if self.flying else ray[at + 1 : at + 2]:
                if landing & occupied or not cell & left & ~self.last:
                    break
                used |= landing
                jumps.append(((landing, left ^ cell), used))
            return taken, jumps
        return taken, []


def entries(public: Public, seat: Seat, *, whichever: bool = False) -> list[Enter]:
    """Return every legal entry: the next piece of each kind in hand, or with `whichever` every
    piece.
    """
    if not public.hands[seat]:
        return []
    closed = {
        *public.standing,
        *exposed_cells(public, seat),
        *(() if public.entered else (FIELD.centre,)),
    }
    cells = [cell for cell in FIELD.cells if cell not in closed]
    legal_entries: list[Enter] = []
    for kind in dict.fromkeys(pawn[0] for pawn in public.hands[seat]):
        pawns = [pawn for pawn in public.hands[seat] if pawn[0] == kind]
        legal_entries += [
            Enter(pawn, cell) for pawn in (pawns if whichever else pawns[:1]) for cell in cells
        ]
    return legal_entries


def moves(public: Public, seat: Seat) -> list[Move]:
    """Return every move of the seat's pieces without a capture."""
    legal_moves: list[Move] = []
    for pawn, origin in public.pieces.items():
        if side(pawn) == seat:
            legal_moves += [Move(pawn, cell) for cell in ways(public.standing, pawn, origin)]
    return legal_moves


def ways(standing: Standing, pawn: Pawn, origin: Cell) -> Iterator[Cell]:
    """Yield the empty cells that a piece can move to, ignoring captures and hands."""
    for ray in FIELD.rays[origin]:
        for cell in ray if pawn == NOSFERATU else ray[:1]:
            if cell in standing:
                break
            yield cell


def legal(public: Public) -> Sequence[Action]:
    """Return the legal actions of the seat to move: captures, else safe entries, else moves, else a
    pass.
    """
    seat = public.to_move
    if seat is None:
        return ()
    first = jumps(public, seat) or entries(public, seat)
    return first or ([] if must_wait(public, seat) else moves(public, seat)) or [PASS]


def must_wait(public: Public, seat: Seat) -> bool:
    """Return whether a seat cannot move because it has pieces in hand and none can be entered."""
    return bool(public.hands[seat]) and public.options.no_safe_cell == "pass"
