"""Define the state of a game: the public part and the vampire's."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from companion.core.codec import to_builtins
from companion.core.game import Outcome, Seat, View
from companion.core.grid import DIRECTIONS, Grid, Wall
from companion.core.placement import Cell, Pawn
from companion.games.vampireradar.actions import END, End, Shoot, Walk
from companion.games.vampireradar.options import HUMANS, Layout, Options, V

if TYPE_CHECKING:
    from companion.games.vampireradar.events import (
        RadarAsked,
        ShotAsked,
        VampireFed,
        VampireStruck,
    )

PAWNS: Mapping[Seat, tuple[Pawn, ...]] = {
    human: tuple(Pawn(f"{human}{letter}") for letter in "abcdefgh") for human in HUMANS
}
"""The pawns that each human may have: "H1a" is H1's."""
OWNERS: Mapping[Pawn, Seat] = {pawn: human for human, pawns in PAWNS.items() for pawn in pawns}

_SHOTS: Mapping[Pawn, tuple[Shoot, ...]] = {
    pawn: tuple(Shoot(pawn, direction) for direction in DIRECTIONS) for pawn in OWNERS
}


class Ways:
    """The possible actions on a cell with these neighbours. Fields share them: computing them is
    slow.

    reach: the cell and its neighbours
    walks: each pawn's walks, the vampire's under None
    armed: each pawn's walks and shots
    night: the vampire's walks and the end of its night
    """

    def __init__(self, cell: Cell, near: tuple[Cell, ...]) -> None:
        self.near = near
        self.reach = frozenset((cell, *near))
        self.walks: dict[Pawn | None, tuple[Walk, ...]] = {
            pawn: tuple(Walk(pawn=pawn, to=to) for to in near) for pawn in (None, *OWNERS)
        }
        self.armed: dict[Pawn, tuple[Walk | Shoot, ...]] = {
            pawn: (*self.walks[pawn], *_SHOTS[pawn]) for pawn in OWNERS
        }
        self.night: tuple[Walk | End, ...] = (*self.walks[None], END)


_ways = cache(Ways)


class Field:
    """A laid field with tables that are computed once. Two are equal if their layouts are equal."""

    def __init__(self, layout: Layout, walls: frozenset[Wall]) -> None:
        self.layout = layout
        self.grid = Grid(6, 6, walls)
        self.tile: dict[Cell, str] = dict(zip(self.grid.cells, "".join(layout.tiles), strict=True))
        self.every = frozenset(self.grid.cells)
        self.ways = {cell: _ways(cell, near) for cell, near in self.grid.neighbours.items()}
        self.walks = {cell: ways.walks for cell, ways in self.ways.items()}
        self.armed = {cell: ways.armed for cell, ways in self.ways.items()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Field) and self.layout == other.layout

    def __hash__(self) -> int:
        return hash(self.layout)

    def cells_of(self, tile: str) -> tuple[Cell, ...]:
        """Return the cells with that kind of tile, in board order."""
        return tuple(cell for cell, kind in self.tile.items() if kind == tile)


ReachableSet = frozenset[tuple[Cell, int]]


class Public(Struct, frozen=True, gc=False, kw_only=True):
    """The public state. Mappings are never changed in place.

    pawns: the living pawns' cells
    bullets: in each human's hand
    queue: the seats after `to_move` in this round
    rights: the pawns that may still take a bullet or call a radar
    acted: the pawns that acted this turn
    active_round: the last round with a shot, an attack, a meal or a pick-up, 0 before the first
    asked: on paper, the question to the vampire
    reachable: on paper, its possible places by all answers, each with the points that can be left
    paper_from: the first night on paper after nights on a phone, otherwise 0
    """

    # replace() looks for each field from the front: those of a turn come first.
    pawns: Mapping[Pawn, Cell]
    actions_left: int = 0
    rights: tuple[Pawn, ...] = ()
    acted: tuple[Pawn, ...] = ()
    to_move: Seat | None = V
    queue: tuple[Seat, ...] = ()
    round: int = 1
    active_round: int = 0
    bullets: Mapping[Seat, int]
    bullet_tokens: tuple[Cell, ...]
    bat_tokens: tuple[Cell, ...]
    hp: int
    max_hp: int
    spent: int = 0
    lost: int = 0
    out: tuple[Seat, ...] = ()
    placed: bool = False
    outcome: Outcome | None = None
    asked: RadarAsked | ShotAsked | None = None
    reachable: ReachableSet = frozenset()
    paper_from: int = 0
    field: Field
    options: Options
    humans: tuple[Seat, ...]
    start: Mapping[Pawn, Cell]


class Vampire(Struct, frozen=True, gc=False):
    """The vampire's own part: its tile, points left, this night's path, and the events that still
    have to become public.
    """

    cell: Cell | None = None
    actions_left: int = 0
    trail: tuple[Cell, ...] = ()
    struck: tuple[VampireStruck, ...] = ()
    fed: tuple[VampireFed, ...] = ()


def round_queue(humans: tuple[Seat, ...], number: int, options: Options) -> tuple[Seat, ...]:
    """Return the turn order of round `number` (from 1), the vampire last.

    With `rotating` (second edition) each human takes one action from the marker on, the marker
    passes, and each takes one more; the marker stays for the next round's first half.
    """
    if options.turn_order == "fixed" or len(humans) == 1:
        return (*humans, V)
    first, second = (number - 1) % len(humans), number % len(humans)
    return (*humans[first:], *humans[:first], *humans[second:], *humans[:second], V)


PUBLIC_FIELDS = (
    "humans", "pawns", "bullets", "out", "hp", "max_hp", "placed", "to_move", "rights", "round",
    "spent", "lost", "options", "outcome",
)  # fmt: skip
"""The fields of the public state that a view has."""


def encode_view(view: View) -> dict[str, Any]:
    """Return the view as JSON-ready values; the vampire's own part is under "own"."""
    public: Public = view.public
    return to_builtins(
        {
            **{name: getattr(public, name) for name in PUBLIC_FIELDS},
            "tiles": public.field.layout.tiles,
            "walls": public.field.layout.walls,
            "gone": [pawn for pawn in public.start if pawn not in public.pawns],
            "tokens": {"bullets": public.bullet_tokens, "bats": public.bat_tokens},
            "actions_left": None if public.to_move in (None, V) else public.actions_left,
            "right": _right(public),
            "night": public.round if public.placed else 0,
            "own": _own(view),
            **({"asked": public.asked} if public.options.on_paper else {}),
            **({"paper_from": public.paper_from} if public.paper_from else {}),
        }
    )


def _right(public: Public) -> dict[str, str] | None:
    if not public.rights:
        return None
    pawn = public.rights[-1]
    return {
        "pawn": pawn,
        "offers": "radar" if public.field.tile[public.pawns[pawn]] == "r" else "bullet",
    }


def _own(view: View) -> dict[str, Any] | None:
    if view.own is None:
        return None
    return {
        "cell": view.own.cell,
        "actions_left": view.own.actions_left,
        "trail": list(view.own.trail),
    }
