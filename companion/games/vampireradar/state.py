"""Define the state of a game: the public part and the vampire's."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from companion.core.game import Outcome, Seat
from companion.core.grid import DIRECTIONS, Grid, Wall
from companion.core.placement import Cell, Pawn
from companion.games.vampireradar.actions import Attack, Heal, Shoot, Walk
from companion.games.vampireradar.events import RadarAsked, ShotAsked, VampireFed, VampireStruck
from companion.games.vampireradar.options import Layout, Options, V


class Field:
    """A laid field with tables that are computed once. Equal if its layout is."""

    def __init__(self, layout: Layout, walls: frozenset[Wall]) -> None:
        self.layout = layout
        self.grid = Grid(6, 6, walls)
        self.tile: dict[Cell, str] = dict(zip(self.grid.cells, "".join(layout.tiles), strict=True))
        self.every = frozenset(self.grid.cells)
        self._walks: dict[tuple[Pawn | None, Cell], tuple[Walk, ...]] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Field) and self.layout == other.layout

    def __hash__(self) -> int:
        return hash(self.layout)

    def cells_of(self, tile: str) -> tuple[Cell, ...]:
        """Return the cells with that kind of tile, in board order."""
        return tuple(cell for cell, kind in self.tile.items() if kind == tile)

    def walks(self, pawn: Pawn | None, cell: Cell) -> tuple[Walk, ...]:
        """Return the walks from `cell`; pawn None is the vampire."""
        key = (pawn, cell)
        if key not in self._walks:
            self._walks[key] = tuple(Walk(pawn=pawn, to=to) for to in self.grid.neighbours[cell])
        return self._walks[key]

    @cached_property
    def attacks(self) -> dict[Cell, tuple[Attack, ...]]:
        """For each cell the attacks of a vampire there if pawns stood everywhere."""
        return {
            cell: tuple(Attack(to=to) for to in (cell, *near))
            for cell, near in self.grid.neighbours.items()
        }

    @cached_property
    def heals(self) -> dict[Cell, tuple[Heal, ...]]:
        """For each cell the meals of a vampire there if every bat tile held its token."""
        return {
            cell: tuple(Heal(to=to) for to in (cell, *near) if self.tile[to] == "b")
            for cell, near in self.grid.neighbours.items()
        }


ReachableSet = frozenset[tuple[Cell, int]]


class Public(Struct, frozen=True):
    """The public state. Mappings are never changed in place.

    pawns: the living pawns' cells
    bullets: in each human's hand
    queue: the seats after `to_move` in this round
    rights: the pawns that may still take a bullet or call a radar
    acted: the pawns that acted this turn
    had_activity: whether this round saw a shot, an attack, a meal or a pick-up
    quiet_rounds: how many in a row did not
    asked: on paper, the question to the vampire
    reachable: on paper, where it can be by all answers, each place with the points that it can have
    left
    paper_from: the first night on paper after nights on a phone, otherwise 0
    """

    field: Field
    options: Options
    humans: tuple[Seat, ...]
    start: Mapping[Pawn, Cell]
    pawns: Mapping[Pawn, Cell]
    bullets: Mapping[Seat, int]
    bullet_tokens: tuple[Cell, ...]
    bat_tokens: tuple[Cell, ...]
    hp: int
    max_hp: int
    out: tuple[Seat, ...] = ()
    to_move: Seat | None = V
    queue: tuple[Seat, ...] = ()
    placed: bool = False
    actions_left: int = 0
    rights: tuple[Pawn, ...] = ()
    acted: tuple[Pawn, ...] = ()
    round: int = 1
    quiet_rounds: int = 0
    had_activity: bool = False
    spent: int = 0
    lost: int = 0
    boxed_bats: int = 0
    outcome: Outcome | None = None
    asked: RadarAsked | ShotAsked | None = None
    reachable: ReachableSet = frozenset()
    paper_from: int = 0


class Vampire(Struct, frozen=True):
    """The vampire's own part: its tile, points left, this night's path, and the events that still
    have to become public.
    """

    cell: Cell | None = None
    actions_left: int = 0
    trail: tuple[Cell, ...] = ()
    struck: tuple[VampireStruck, ...] = ()
    fed: tuple[VampireFed, ...] = ()


def owner(pawn: Pawn) -> Seat:
    """Return the human who owns a pawn: "H1a" is H1's."""
    return Seat(pawn[:2])


def shots(pawn: Pawn) -> tuple[Shoot, ...]:
    """Return the pawn's shots in the four directions."""
    if pawn not in _SHOTS:
        _SHOTS[pawn] = tuple(Shoot(pawn, direction) for direction in DIRECTIONS)
    return _SHOTS[pawn]


_SHOTS: dict[Pawn, tuple[Shoot, ...]] = {}
