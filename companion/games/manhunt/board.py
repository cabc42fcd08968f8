"""Compute a map's tables once: steps, distances, and sets of places as masks."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import NamedTuple

import msgspec

from companion.core.grid import reach
from companion.core.placement import Cell
from companion.games.manhunt.map_file import UNSEEN, MapFile, Side, neighbours, starts_of

FAR = 99
"""The distance of places that hunters never reach."""
COMPASS = ("E", "SE", "S", "SW", "W", "NW", "N", "NE")
"""Directions from east clockwise; on a drawing y points down."""


class Passage(NamedTuple):
    """One step along a way."""

    to: Cell
    kind: str


def cell_of(number: int) -> Cell:
    """Return the cell of a place's number."""
    return Cell(str(number))


class Board:
    """A compiled map. Two are equal if their files are equal.

    A mask has one bit for each place, in the order of the file.
    """

    def __init__(self, content: MapFile) -> None:
        self.content = content
        self.rules = content.rules
        self.cells = tuple(cell_of(place.number) for place in content.places)
        self.places = dict(zip(self.cells, content.places, strict=True))
        self.index = {cell: number for number, cell in enumerate(self.cells)}
        self.every = (1 << len(self.cells)) - 1
        self.steps: dict[Side, dict[Cell, tuple[Passage, ...]]] = {
            "fugitive": self._steps(fugitive=True),
            "hunter": self._steps(fugitive=False),
        }
        self._far: dict[Cell, dict[Cell, int]] = {}
        self._escape: dict[Cell, dict[Cell, int]] = {}
        self._tables: dict[str | None, list[list[int]]] = {}
        self._within: dict[tuple[Cell, int], int] = {}

    @cached_property
    def digest(self) -> str:
        """A short hash of the map's content; screens compare it to detect another map."""
        return sha256(msgspec.json.encode(self.content)).hexdigest()[:12]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.content == other.content

    def __hash__(self) -> int:
        return hash(self.content.title)

    def _steps(self, *, fugitive: bool) -> dict[Cell, tuple[Passage, ...]]:
        passages_from: dict[Cell, list[Passage]] = {cell: [] for cell in self.cells}
        for way in self.content.ways:
            if fugitive or not way.fugitive_only:
                origin, to = (cell_of(number) for number in way.ends)
                passages_from[origin].append(Passage(to, way.kind))
                if way.between:
                    passages_from[to].append(Passage(origin, way.kind))
        return {cell: tuple(passages) for cell, passages in passages_from.items()}

    def starts(self, side: Side) -> tuple[Cell, ...]:
        """Return where a side may begin."""
        return tuple(cell_of(number) for number in starts_of(self.content.places, side))

    @cached_property
    def hideouts(self) -> frozenset[Cell]:
        """The hideouts, if reaching one ends a night."""
        ends = "hideout" in self.rules.ends
        return frozenset(cell for cell, place in self.places.items() if ends and place.hideout)

    @cached_property
    def targets(self) -> frozenset[Cell]:
        """The targets, if visiting them ends a night."""
        ends = "targets" in self.rules.ends
        return frozenset(cell for cell, place in self.places.items() if ends and place.target)

    @property
    def targets_needed(self) -> int:
        """The number of different targets that the fugitive has to visit."""
        return self.rules.targets or len(self.targets)

    @cached_property
    def _near_of_hunters(self) -> dict[int, frozenset[int]]:
        return neighbours(self.content.places, self.content.ways, "hunter")

    def distances(self, cell: Cell) -> dict[Cell, int]:
        """Return a hunter's distance in ways from a place to each place that it can reach."""
        if cell not in self._far:
            distances = reach(self._near_of_hunters, (int(cell),))
            self._far[cell] = {cell_of(number): steps for number, steps in distances.items()}
        return self._far[cell]

    def escape_distances(self, goal: Cell) -> dict[Cell, int]:
        """Return the fugitive's distance in ways to a place, from each place that leads there."""
        if goal not in self._escape:
            back: dict[int, set[int]] = {int(cell): set() for cell in self.cells}
            for cell, passages in self.steps["fugitive"].items():
                for passage in passages:
                    back[int(passage.to)].add(int(cell))
            distances = reach(back, (int(goal),))
            self._escape[goal] = {cell_of(number): steps for number, steps in distances.items()}
        return self._escape[goal]

    def distance(self, cell: Cell, to: Cell) -> int:
        """Return a hunter's distance in ways, `FAR` if there is no way."""
        return self.distances(cell).get(to, FAR)

    def within(self, cell: Cell, most: int) -> int:
        """Return the mask of the places that a hunter reaches with at most `most` ways."""
        if (cell, most) not in self._within:
            near = [to for to, steps in self.distances(cell).items() if steps <= most]
            self._within[cell, most] = self.mask(near)
        return self._within[cell, most]

    def beside(self, cell: Cell) -> tuple[Cell, ...]:
        """Return the places to which one way leads a hunter, in the order of the file."""
        near = {passage.to for passage in self.steps["hunter"][cell]} - {cell}
        return tuple(sorted(near, key=self.index.__getitem__))

    def direction(self, cell: Cell, to: Cell) -> str:
        """Return the direction from a place to another on the drawing."""
        origin, end = self.places[cell], self.places[to]
        turn = math.atan2(end.y - origin.y, end.x - origin.x)
        return COMPASS[round(turn / (math.pi / 4)) % len(COMPASS)]

    def label(self, cell: Cell, passage: Passage) -> str:
        """Return the announcement of a step that is not unseen."""
        return (
            self.direction(cell, passage.to) if self.rules.announce == "direction" else passage.kind
        )

    def mask(self, cells: Iterable[Cell]) -> int:
        """Return the mask of cells."""
        mask = 0
        for cell in cells:
            mask |= 1 << self.index[cell]
        return mask

    def members(self, mask: int) -> tuple[Cell, ...]:
        """Return the cells of a mask, in the order of the file."""
        return tuple(cell for number, cell in enumerate(self.cells) if mask >> number & 1)

    def prepare(self) -> None:
        """Compute the tables of `spread` now, so that no turn has to wait for them."""
        labels = {"kind": self.content.kinds, "direction": COMPASS}.get(self.rules.announce, ())
        for label in (None, *labels):
            self.spread(0, label)

    def spread(self, mask: int, label: str | None) -> int:
        """Return the mask of the places that the fugitive reaches by one step from a mask.

        label: the announcement of the step; `UNSEEN` or None for any step
        """
        key = None if label == UNSEEN else label
        table = self._tables.get(key) or self._table(key)
        reached = 0
        for eight, chosen in zip(table, mask.to_bytes(len(table), "little"), strict=True):
            reached |= eight[chosen]
        return reached

    def _table(self, label: str | None) -> list[list[int]]:
        """Return, for each group of eight places, where a step leads from each subset."""
        near = [
            self.mask(
                passage.to
                for passage in self.steps["fugitive"][cell]
                if label is None or self.label(cell, passage) == label
            )
            for cell in self.cells
        ]
        table = []
        for first in range(0, len(near), 8):
            eight = [0] * 256
            for chosen in range(1, 256):
                lowest = (chosen & -chosen).bit_length() - 1
                further = near[first + lowest] if first + lowest < len(near) else 0
                eight[chosen] = eight[chosen & (chosen - 1)] | further
            table.append(eight)
        self._tables[label] = table
        return table


def board_of(content: MapFile) -> Board:
    """Return the compiled map of a file; the last few are cached."""
    return _compiled(msgspec.json.encode(content))


@lru_cache(maxsize=8)
def _compiled(data: bytes) -> Board:
    return Board(msgspec.json.decode(data, type=MapFile))
