"""Represent positions of Nosferatu as bit masks and generate whole turns.

It shares no code with the rules; tests count positions with both. A cell is a bit number, eight
times its letter and its number, so that a step in each of the six directions is one shift for all
cells. A whole turn has all jumps of a capture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from companion.core.hexgrid import HEX_STEPS
from companion.core.placement import Cell
from companion.games.nosferatu.options import FIELD, VAMPIRES, VILLAGERS
from companion.games.nosferatu.state import Public

INDEX: Mapping[Cell, int] = {
    cell: 8 * (ord(cell[0]) - ord("a") + 1) + int(cell[1:]) for cell in FIELD.cells
}
CELLS: Mapping[int, Cell] = {index: cell for cell, index in INDEX.items()}
CENTRE = INDEX[FIELD.centre]
ALL = sum(1 << index for index in CELLS)
SHIFTS: tuple[int, ...] = tuple(
    8 * letter + number for letter, number in HEX_STEPS if 8 * letter + number > 0
)
"""The step in three directions; the other three are the opposite ones."""
NEAR: Mapping[int, int] = {
    index: sum(1 << INDEX[each] for each in FIELD.neighbours[cell]) for index, cell in CELLS.items()
}
HOPS: Mapping[int, tuple[tuple[int, int], ...]] = {
    index: tuple(
        (1 << INDEX[ray[0]], 1 << INDEX[ray[1]]) for ray in FIELD.rays[cell] if len(ray) > 1
    )
    for index, cell in CELLS.items()
}
"""For each cell the masks of (the neighbour that a man there takes, the cell behind it)."""
UPWARD: Mapping[int, tuple[int, ...]] = {
    index: tuple(
        mask
        for step, ray in zip(HEX_STEPS, FIELD.rays[cell], strict=True)
        if step > (0, 0) and (mask := sum(1 << INDEX[each] for each in ray))
    )
    for index, cell in CELLS.items()
}
"""For each cell the rays on which bit numbers rise, as masks."""
DOWNWARD: Mapping[int, tuple[int, ...]] = {
    index: tuple(
        mask
        for step, ray in zip(HEX_STEPS, FIELD.rays[cell], strict=True)
        if step < (0, 0) and (mask := sum(1 << INDEX[each] for each in ray))
    )
    for index, cell in CELLS.items()
}
NOWHERE = -1

Jumps = tuple[tuple[int, bool], ...]


class Position(NamedTuple):
    """A position at the beginning of a turn.

    Masks of vampires and villagers, Nosferatu's cell (or -1), the pieces in hand, whether vampires
    are to move, whether any piece was entered, and the passes in a row.
    """

    vampires: int
    nosferatu: int
    villagers: int
    hand_nosferatu: int
    hand_vampires: int
    hand_villagers: int
    vampires_move: bool
    entered: bool
    passes: int = 0

    @property
    def winner(self) -> int:
        """1 if vampires have won, -1 if villagers have, 0 if nobody has."""
        if self.nosferatu == NOWHERE and not self.hand_nosferatu:
            return -1
        return 1 if not self.villagers and not self.hand_villagers else 0

    @property
    def occupied(self) -> int:
        there = self.vampires | self.villagers
        return there if self.nosferatu == NOWHERE else there | 1 << self.nosferatu


class Turn(NamedTuple):
    """A whole turn.

    kind: "jump", "enter", "move" or "pass"
    piece: "s", "x" or "w"
    origin: the first cell, -1 for a piece from the hand
    to: the landing cells, several in a capture, each with whether the taken piece was converted
    """

    kind: str
    piece: str
    origin: int
    to: Jumps
    after: Position


def position_of(public: Public) -> Position:
    """Return the position at the beginning of a turn; raise ValueError within a capture."""
    if public.chain:
        raise ValueError("a capture is under way")
    masks = {"v": 0, "m": 0}
    nosferatu = NOWHERE
    for pawn, cell in public.pieces.items():
        if pawn == "n":
            nosferatu = INDEX[cell]
        else:
            masks[pawn[0]] |= 1 << INDEX[cell]
    in_hand = public.hands[VAMPIRES]
    return Position(
        masks["v"],
        nosferatu,
        masks["m"],
        in_hand.count("n"),
        sum(pawn != "n" for pawn in in_hand),
        len(public.hands[VILLAGERS]),
        public.to_move == VAMPIRES,
        public.entered,
        public.passes,
    )


def turns(now: Position) -> list[Turn]:
    """Return every whole turn: captures, else safe entries, else moves, else a pass; none after the
    end.
    """
    if now.winner or now.passes == 2:
        return []
    return capturing(now) if can_capture(now) else quiet(now)


def quiet(now: Position) -> list[Turn]:
    """Return every whole turn of a side that can capture nothing."""
    passed = now._replace(vampires_move=not now.vampires_move, passes=now.passes + 1)
    return [*_entering(now)] or [*_moving(now)] or [Turn("pass", "", NOWHERE, (), passed)]


def can_capture(now: Position) -> bool:
    """Return whether the side to move can capture."""
    vampires, nosferatu, villagers = now.vampires, now.nosferatu, now.villagers
    flying = 0 if nosferatu == NOWHERE else 1 << nosferatu
    free = ALL & ~(vampires | villagers | flying)
    men, targets = (vampires, villagers) if now.vampires_move else (villagers, vampires | flying)
    for step in SHIFTS:
        if targets & ((men << step) & (free >> step) | (men >> step) & (free << step)):
            return True
    if not (now.vampires_move and flying):
        return False
    return any(
        over & villagers and beyond for over, _, beyond in lines(nosferatu, ALL & ~free, free)
    )


def capturing(now: Position) -> list[Turn]:
    """Return every whole capture of the side to move."""
    captures: list[Turn] = []
    if now.vampires_move:
        for cell in bits(now.vampires):
            _man_captures(now, "x", cell, cell, (), captures)
        if now.nosferatu != NOWHERE:
            _flying_captures(now, now.nosferatu, now.nosferatu, (), captures)
    else:
        for cell in bits(now.villagers):
            _man_captures(now, "w", cell, cell, (), captures)
    return captures


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the cells in a mask."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def lines(origin: int, occupied: int, free: int) -> Iterator[tuple[int, int, int]]:
    """Yield for each ray from a cell the masks of the first piece there (0 if there is none), the
    empty cells before it, and the empty cells behind it before the next piece.
    """
    for ray in UPWARD[origin]:
        there = ray & occupied
        first = there & -there
        if not first:
            yield 0, ray, 0
            continue
        behind = ray & -(first << 1)
        following = behind & occupied
        yield first, ray & (first - 1), behind & ((following & -following) - 1) & free
    for ray in DOWNWARD[origin]:
        there = ray & occupied
        if not there:
            yield 0, ray, 0
            continue
        first = 1 << there.bit_length() - 1
        behind = ray & (first - 1)
        following = behind & occupied
        yield first, ray & -(first << 1), behind & -(1 << following.bit_length())


def _after_move(now: Position, vampires: int, nosferatu: int, villagers: int) -> Position:
    """Return the position after pieces moved: the other side is to move."""
    return Position(
        vampires,
        nosferatu,
        villagers,
        now.hand_nosferatu,
        now.hand_vampires,
        now.hand_villagers,
        not now.vampires_move,
        now.entered,
    )


def _man_captures(
    now: Position, piece: str, origin: int, cell: int, so_far: Jumps, captures: list[Turn]
) -> bool:
    """Append the whole captures of a man on `cell` that begin with `so_far`; return whether there
    are any.
    """
    here, occupied, captures_any = 1 << cell, now.occupied, False
    vampires, nosferatu, villagers = now.vampires, now.nosferatu, now.villagers
    targets = villagers if piece == "x" else occupied & ~villagers
    for over, landing in HOPS[cell]:
        if not over & targets or landing & occupied:
            continue
        captures_any = True
        to = landing.bit_length() - 1
        path = (*so_far, (to, False))
        if piece == "x":
            after = now._replace(vampires=vampires ^ here | landing, villagers=villagers ^ over)
        else:
            after = now._replace(
                vampires=vampires & ~over,
                nosferatu=nosferatu if over & vampires else NOWHERE,
                villagers=villagers ^ here | landing,
            )
        if after.winner or not _man_captures(after, piece, origin, to, path, captures):
            end = _after_move(after, after.vampires, after.nosferatu, after.villagers)
            captures.append(Turn("jump", piece, origin, path, end))
    return captures_any


def _flying_captures(
    now: Position, origin: int, cell: int, so_far: Jumps, captures: list[Turn]
) -> bool:
    """Append the whole captures of Nosferatu from `cell` that begin with `so_far`; return whether
    there are any.
    """
    occupied, captures_any = now.occupied, False
    for over, _, beyond in lines(cell, occupied, ALL & ~occupied):
        if not over & now.villagers:
            continue
        for to in bits(beyond):
            captures_any = True
            for converts in (False, True):
                vampires = now.vampires | over if converts else now.vampires
                after = now._replace(
                    vampires=vampires, villagers=now.villagers ^ over, nosferatu=to
                )
                path = (*so_far, (to, converts))
                if after.winner or not _flying_captures(after, origin, to, path, captures):
                    end = _after_move(after, vampires, to, after.villagers)
                    captures.append(Turn("jump", "s", origin, path, end))
    return captures_any


def _entering(now: Position) -> Iterator[Turn]:
    vampires, nosferatu, villagers = now.vampires, now.nosferatu, now.villagers
    lord, men, others = now.hand_nosferatu, now.hand_vampires, now.hand_villagers
    move, safe = now.vampires_move, safe_cells(now)
    after = (not move, True)
    if not move:
        for cell in bits(safe) if others else ():
            more = Position(
                vampires, nosferatu, villagers | 1 << cell, lord, men, others - 1, *after
            )
            yield Turn("enter", "w", NOWHERE, ((cell, False),), more)
        return
    for cell in bits(safe) if lord else ():
        more = Position(vampires, cell, villagers, 0, men, others, *after)
        yield Turn("enter", "s", NOWHERE, ((cell, False),), more)
    for cell in bits(safe) if men else ():
        more = Position(vampires | 1 << cell, nosferatu, villagers, lord, men - 1, others, *after)
        yield Turn("enter", "x", NOWHERE, ((cell, False),), more)


def safe_cells(now: Position) -> int:
    """Return the empty cells on which the side to move may enter a piece: those where no first jump
    of the enemy takes it.
    """
    occupied = now.occupied
    free = ALL & ~occupied
    enemies = now.villagers if now.vampires_move else now.vampires
    taken = 0 if now.entered else 1 << CENTRE
    for step in SHIFTS:
        taken |= (enemies << step) & (free >> step) | (enemies >> step) & (free << step)
    if not now.vampires_move and now.nosferatu != NOWHERE:
        for ray in UPWARD[now.nosferatu]:
            there = ray & occupied
            reach = ray & ((there & -there) - 1) if there else ray
            # The last cell before a piece or the border has no empty cell behind it.
            taken |= reach & ~(1 << reach.bit_length() >> 1)
        for ray in DOWNWARD[now.nosferatu]:
            reach = ray & -(1 << (ray & occupied).bit_length())
            taken |= reach & ~(reach & -reach)
    return free & ~taken


def _moving(now: Position) -> Iterator[Turn]:
    vampires, nosferatu, villagers = now.vampires, now.nosferatu, now.villagers
    occupied = now.occupied
    empty = ALL & ~occupied
    men, piece = (vampires, "x") if now.vampires_move else (villagers, "w")
    for cell in bits(men):
        left = men ^ 1 << cell
        for to in bits(NEAR[cell] & empty):
            after = (
                _after_move(now, left | 1 << to, nosferatu, villagers)
                if piece == "x"
                else _after_move(now, vampires, nosferatu, left | 1 << to)
            )
            yield Turn("move", piece, cell, ((to, False),), after)
    if now.vampires_move and nosferatu != NOWHERE:
        for _, before, _ in lines(nosferatu, occupied, empty):
            for to in bits(before):
                after = _after_move(now, vampires, to, villagers)
                yield Turn("move", "s", nosferatu, ((to, False),), after)
