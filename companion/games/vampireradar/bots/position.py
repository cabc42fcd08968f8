"""Represent the public state for a search: small numbers that can be changed and copied."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.core.game import Action
from companion.core.grid import DIRECTIONS
from companion.core.placement import Pawn
from companion.games.vampireradar.actions import END, Shoot, Walk
from companion.games.vampireradar.bots.bitboard import CELLS, INDEX, Bitboard, bitboard_of, mask
from companion.games.vampireradar.options import MAX_BULLETS, V
from companion.games.vampireradar.state import OWNERS, Public
from companion.games.vampireradar.turn_order import turn_points

GONE = -1


class Step(NamedTuple):
    """A human's action in a search: pawn number `pawn` walks to the tile `to`, or shoots in
    `direction`; neither is the end of the turn. Landing takes a bullet and calls a radar.
    """

    pawn: int = GONE
    to: int = GONE
    direction: int = GONE


STOP = Step()


class Position:
    """The public state that a search changes and copies.

    pawns[i]: a tile or `GONE`
    owners[i]: the number of its human
    turns: the humans who still act in this round, the next one first, each with points
    cache: a cache that all copies share
    """

    __slots__ = (
        "bats",
        "bullets",
        "cache",
        "ground",
        "heals",
        "hp",
        "max_hp",
        "names",
        "owners",
        "pawns",
        "tokens",
        "turn_points",
        "turns",
    )  # fmt: skip

    def __init__(self, public: Public) -> None:
        self.ground: Bitboard = bitboard_of(public.field)
        self.cache: dict[tuple[int, ...], tuple[float, list[int]]] = {}
        self.names: tuple[Pawn, ...] = tuple(public.start)
        numbers = {seat: number for number, seat in enumerate(public.humans)}
        self.owners = tuple(numbers[OWNERS[pawn]] for pawn in self.names)
        self.pawns = [
            INDEX[public.pawns[pawn]] if pawn in public.pawns else GONE for pawn in self.names
        ]
        self.bullets = [public.bullets[seat] for seat in public.humans]
        self.tokens = mask(public.bullet_tokens)
        self.bats = mask(public.bat_tokens)
        self.hp, self.max_hp = public.hp, public.max_hp
        self.heals = len(public.humans) > 1
        self.turn_points = turn_points(public)
        mover = public.to_move
        self.turns: tuple[tuple[int, int], ...] = ()
        if mover is not None and mover != V:
            later = [seat for seat in public.queue if seat != V and seat not in public.out]
            self.turns = (
                (numbers[mover], public.actions_left),
                *((numbers[seat], self.turn_points) for seat in later),
            )

    def copy(self) -> Position:
        """Return a copy that can be changed."""
        other: Position = Position.__new__(Position)
        other.ground, other.cache = self.ground, self.cache
        other.names, other.owners = self.names, self.owners
        other.pawns, other.bullets = self.pawns[:], self.bullets[:]
        other.tokens, other.bats, other.hp, other.max_hp = (
            self.tokens,
            self.bats,
            self.hp,
            self.max_hp,
        )
        other.heals, other.turn_points, other.turns = self.heals, self.turn_points, self.turns
        return other

    @property
    def living(self) -> Iterator[tuple[int, int]]:
        """The number and tile of each living pawn."""
        return ((number, tile) for number, tile in enumerate(self.pawns) if tile >= 0)

    def standing(self) -> int:
        """Return the tiles where pawns stand."""
        tiles = 0
        for tile in self.pawns:
            if tile >= 0:
                tiles |= 1 << tile
        return tiles

    def new_round(self) -> None:
        """Give every human with pawns another turn."""
        alive = {self.owners[number] for number, _ in self.living}
        self.turns = tuple((human, self.turn_points) for human in sorted(alive))

    def spend(self) -> None:
        """Take a point from the human to move."""
        (human, points), *later = self.turns
        self.turns = ((human, points - 1), *later)

    def next_human(self) -> None:
        """End the turn of the human to move."""
        self.turns = self.turns[1:]

    def walk(self, pawn: int, to: int) -> bool:
        """Move a pawn by a step and take a bullet there; return whether it landed on a radar."""
        self.pawns[pawn] = to
        human = self.owners[pawn]
        if self.tokens >> to & 1 and self.bullets[human] < MAX_BULLETS:
            self.tokens ^= 1 << to
            self.bullets[human] += 1
        return bool(self.ground.radars >> to & 1)

    def kill(self, tile: int) -> int:
        """Remove the pawns of a tile, and the bullets of humans without a pawn; return the number
        of pawns.
        """
        killed = [number for number, at in enumerate(self.pawns) if at == tile]
        for number in killed:
            self.pawns[number] = GONE
        alive = {self.owners[number] for number, _ in self.living}
        for human in range(len(self.bullets)):
            if human not in alive:
                self.bullets[human] = 0
        return len(killed)

    def eat(self, tile: int) -> None:
        """Remove a bat; it heals where meals heal."""
        self.bats &= ~(1 << tile)
        if self.heals and self.hp < self.max_hp:
            self.hp += 1

    def steps(self) -> list[Step]:
        """Return the steps of the human to move, with the end of the turn last."""
        human, points = self.turns[0]
        steps: list[Step] = []
        if points > 0:
            seen = set()
            armed = self.bullets[human] > 0
            for pawn, tile in enumerate(self.pawns):
                if tile >= 0 and self.owners[pawn] == human and tile not in seen:
                    # Two own pawns on one tile have equivalent steps.
                    seen.add(tile)
                    steps += [Step(pawn, to=to) for to in self.ground.steps[tile]]
                    if armed:
                        steps += [Step(pawn, direction=direction) for direction in range(4)]
        steps.append(STOP)
        return steps

    def action(self, step: Step) -> Action:
        """Return the action of the rules for a step."""
        if step.to >= 0:
            return Walk(pawn=self.names[step.pawn], to=CELLS[step.to])
        if step.direction >= 0:
            return Shoot(self.names[step.pawn], DIRECTIONS[step.direction])
        return END
