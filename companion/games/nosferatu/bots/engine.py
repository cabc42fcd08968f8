"""Represent positions of Nosferatu as bit masks and generate whole turns.

Written apart from the rules, with which it must agree: tests count positions with both. A cell is
its number in `FIELD.cells`; a whole turn has all jumps of a capture.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.core.placement import Cell
from companion.games.nosferatu.options import FIELD, VAMPIRES, VILLAGERS
from companion.games.nosferatu.state import Public

CELLS = FIELD.cells
INDEX: dict[Cell, int] = {cell: number for number, cell in enumerate(CELLS)}
CENTRE = INDEX[FIELD.centre]
ALL = (1 << len(CELLS)) - 1
RAYS: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(tuple(INDEX[each] for each in ray) for ray in FIELD.rays[cell] if ray) for cell in CELLS
)
NEAR: tuple[int, ...] = tuple(sum(1 << ray[0] for ray in rays) for rays in RAYS)
HOPS: tuple[tuple[tuple[int, int], ...], ...] = tuple(
    tuple((1 << ray[0], 1 << ray[1]) for ray in rays if len(ray) > 1) for rays in RAYS
)
"""For each cell the masks of (the neighbour that a man there takes, the cell behind it)."""
ACROSS: tuple[tuple[tuple[int, int], ...], ...] = tuple(
    tuple(
        (1 << INDEX[one[0]], 1 << INDEX[two[0]])
        for one, two in (
            (FIELD.rays[cell][way], FIELD.rays[cell][(way + 3) % 6]) for way in range(6)
        )
        if one and two
    )
    for cell in CELLS
)
"""For each cell the masks of (a neighbour, the neighbour on the other side)."""
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
    origin: the cell it starts from, -1 out of the hand
    to: where it goes: one landing, or all of a capture, each with whether the taken piece was
    converted
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
    captures = capturing(now)
    if captures:
        return captures
    return (
        list(_entering(now))
        or list(_moving(now))
        or [Turn("pass", "", NOWHERE, (), _after_turn(now, passes=now.passes + 1))]
    )


def capturing(now: Position) -> list[Turn]:
    """Return every whole capture of the side to move."""
    found: list[Turn] = []
    if now.vampires_move:
        for cell in bits(now.vampires):
            found += _man_captures(now, "x", cell, cell, ())
        if now.nosferatu != NOWHERE:
            found += _flying_captures(now, now.nosferatu, now.nosferatu, ())
    else:
        for cell in bits(now.villagers):
            found += _man_captures(now, "w", cell, cell, ())
    return found


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the cells in a mask."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _after_turn(now: Position, **changes: object) -> Position:
    """Return the position after a turn that entered or moved: the other side is to move."""
    return now._replace(**{"vampires_move": not now.vampires_move, "passes": 0, **changes})  # type: ignore[arg-type]


def _man_captures(now: Position, piece: str, origin: int, cell: int, so_far: Jumps) -> list[Turn]:
    """Return the whole captures of a man on `cell` that begin with `so_far`."""
    here, found, is_free = 1 << cell, [], ~now.occupied
    prey = (
        now.villagers
        if piece == "x"
        else now.vampires | (0 if now.nosferatu == NOWHERE else 1 << now.nosferatu)
    )
    for over, landing in HOPS[cell]:
        if not (over & prey and landing & is_free):
            continue
        if piece == "x":
            after = now._replace(
                vampires=now.vampires ^ here | landing, villagers=now.villagers ^ over
            )
        else:
            is_nosferatu = now.nosferatu != NOWHERE and over == 1 << now.nosferatu
            after = now._replace(
                villagers=now.villagers ^ here | landing,
                vampires=now.vampires & ~over,
                nosferatu=NOWHERE if is_nosferatu else now.nosferatu,
            )
        to = landing.bit_length() - 1
        path = (*so_far, (to, False))
        more = [] if after.winner else _man_captures(after, piece, origin, to, path)
        found += more or [Turn("jump", piece, origin, path, _after_turn(after))]
    return found


def _flying_captures(now: Position, origin: int, cell: int, so_far: Jumps) -> list[Turn]:
    """Return the whole captures of Nosferatu from `cell` that begin with `so_far`."""
    found: list[Turn] = []
    occupied = now.occupied
    for ray in RAYS[cell]:
        at = next((index for index, each in enumerate(ray) if occupied >> each & 1), None)
        if at is None or not now.villagers >> ray[at] & 1:
            continue
        over = 1 << ray[at]
        for to in ray[at + 1 :]:
            if occupied >> to & 1:
                break
            for converts in (False, True):
                vampires = now.vampires | over if converts else now.vampires
                after = now._replace(
                    vampires=vampires, villagers=now.villagers ^ over, nosferatu=to
                )
                path = (*so_far, (to, converts))
                more = [] if after.winner else _flying_captures(after, origin, to, path)
                found += more or [Turn("jump", "s", origin, path, _after_turn(after))]
    return found


def _entering(now: Position) -> Iterator[Turn]:
    hands = (
        {"s": now.hand_nosferatu, "x": now.hand_vampires}
        if now.vampires_move
        else {"w": now.hand_villagers}
    )
    if not any(hands.values()):
        return
    safe = [cell for cell in bits(ALL & ~now.occupied) if is_safe(now, cell)]
    for piece, left in hands.items():
        for cell in safe if left else ():
            mask = 1 << cell
            changes = {
                "s": {"nosferatu": cell, "hand_nosferatu": 0},
                "x": {"vampires": now.vampires | mask, "hand_vampires": left - 1},
                "w": {"villagers": now.villagers | mask, "hand_villagers": left - 1},
            }[piece]
            yield Turn(
                "enter", piece, NOWHERE, ((cell, False),), _after_turn(now, entered=True, **changes)
            )


def is_safe(now: Position, cell: int) -> bool:
    """Return whether the side to move may enter a piece on this empty cell: no first jump of the
    enemy takes it there.
    """
    if not now.entered and cell == CENTRE:
        return False
    occupied = now.occupied
    enemies = now.villagers if now.vampires_move else now.vampires
    for one, behind in ACROSS[cell]:
        if one & enemies and not behind & occupied:
            return False
    return (
        now.vampires_move
        or now.nosferatu == NOWHERE
        or not _can_be_taken_flying(now.nosferatu, cell, occupied)
    )


def _can_be_taken_flying(nosferatu: int, cell: int, occupied: int) -> bool:
    """Return whether Nosferatu could take a piece on `cell`: the line to it and the cell behind it
    are empty.
    """
    for ray in RAYS[nosferatu]:
        for index, each in enumerate(ray):
            if each == cell:
                return index + 1 < len(ray) and not occupied >> ray[index + 1] & 1
            if occupied >> each & 1:
                break
    return False


def _moving(now: Position) -> Iterator[Turn]:
    empty = ALL & ~now.occupied
    men, piece = (now.vampires, "x") if now.vampires_move else (now.villagers, "w")
    for cell in bits(men):
        for to in bits(NEAR[cell] & empty):
            moved = men ^ 1 << cell | 1 << to
            after = (
                _after_turn(now, vampires=moved)
                if piece == "x"
                else _after_turn(now, villagers=moved)
            )
            yield Turn("move", piece, cell, ((to, False),), after)
    if now.vampires_move and now.nosferatu != NOWHERE:
        for ray in RAYS[now.nosferatu]:
            for to in ray:
                if not empty >> to & 1:
                    break
                yield Turn(
                    "move", "s", now.nosferatu, ((to, False),), _after_turn(now, nosferatu=to)
                )


def count(now: Position, depth: int) -> int:
    """Return the number of lines of `depth` whole turns (perft); lines that end earlier do not
    count.
    """
    if depth == 0:
        return 1
    found = turns(now)
    return len(found) if depth == 1 else sum(count(turn.after, depth - 1) for turn in found)
