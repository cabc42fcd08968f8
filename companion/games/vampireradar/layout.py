"""Check and lay fields: the rulebook's placement rules, the house layout and random fields."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from random import Random

from companion.core.game import EventFields, InvalidSetup, Message
from companion.core.grid import Grid, Wall, parse_cell, parse_wall, reach, wall_name
from companion.core.placement import Cell, Inventory, Pawn
from companion.games.vampireradar.options import CORNERS, TILE_COUNTS, TILE_NAMES, Layout, Options
from companion.games.vampireradar.state import Field, Public

HOUSE_FIELD = Layout(
    tiles=("..brw.", "..oo.w", "rwo.ob", "bowowr", "w.oo..", ".wrb.."),
    walls=("A4-A5", "B3-B4", "B6-C6", "C4-C5", "D1-E1", "E3-E4", "F2-F3"),
)
"""Our own first-game field; the rulebook's is lost, so this is never called the official one."""

PARTS = Inventory(
    pawns=tuple(Pawn(f"H{human}{letter}") for human in (1, 2, 3) for letter in "abcd"),
    tokens={"bullet": 14, "bat": 8},
    tiles=38,
)
"""The tiles in the box of the third edition."""

Point = tuple[int, int]
_OPEN_GRID = Grid(6, 6)
_WALL_SHAPE = re.compile(r"[@-Z]\d-[@-Z]\d")
_EDGES: dict[Cell, tuple[Wall, ...]] = {
    cell: tuple(wall_name(cell, to) for to in near) for cell, near in _OPEN_GRID.neighbours.items()
}


@lru_cache(maxsize=64)
def lay(layout: Layout) -> Field:
    """Return the field of a layout, even if it breaks placement rules; raise `InvalidSetup` if it
    cannot be read.

    A wall that does not stand between two tiles has no effect; `broken_rules` names it.
    """
    if len(layout.tiles) != 6 or any(len(row) != 6 for row in layout.tiles):
        raise InvalidSetup("field_not_6x6")
    unknown = set("".join(layout.tiles)) - set(TILE_NAMES)
    if unknown:
        raise InvalidSetup("unknown_tile", tile=min(unknown))
    for wall in layout.walls:
        if not _WALL_SHAPE.fullmatch(wall):
            raise InvalidSetup("unreadable_wall", wall=wall)
    return Field(layout, frozenset(wall for wall in map(_wall, layout.walls) if wall is not None))


def is_cell(name: str) -> bool:
    """Return whether `name` is a cell of the field."""
    return name in _EDGES


@lru_cache(maxsize=64)
def broken_rules(layout: Layout, options: Options) -> tuple[Message, ...]:
    """Return each placement rule that the layout breaks, naming the tiles; nothing for a legal
    field.
    """
    field = lay(layout)
    return (
        *_wrong_counts(field),
        *_corners_not_blank(field),
        *_neighbours_alike(field, "b", options),
        *_neighbours_alike(field, "r", options),
        *_radars_by_corners(field, options),
        *_walls_outside(layout),
        *_too_long_walls(field.grid.walls, options.max_joined_walls),
        *_shut_in(field.grid),
        *_walls_without_tile(field),
    )


def pair_walls(walls: Iterable[str], wall_tiles: Collection[Cell]) -> dict[str, Cell | None]:
    """Return a different wall tile for each wall, for as many walls as possible; None for the
    others.

    Each wall tile carries one segment on one of its edges, so walls and wall tiles must pair off.
    """
    walls = sorted(set(walls))
    owners: dict[Cell, str] = {}
    for wall in walls:
        _find_owner(wall, wall_tiles, owners, set())
    tile_of = {wall: cell for cell, wall in owners.items()}
    return {wall: tile_of.get(wall) for wall in walls}


def random_layout(rng: Random, options: Options) -> Layout:
    """Return a random field that keeps every placement rule.

    It lays tile by tile and restarts if no tile fits.
    """
    while True:
        tiles = _random_tiles(rng, options)
        walls = None if tiles is None else _random_walls(rng, tiles, options)
        if tiles is not None and walls is not None:
            text = "".join(tiles[cell] for cell in _OPEN_GRID.cells)
            rows = tuple(text[start : start + 6] for start in range(0, 36, 6))
            return Layout(
                rows,
                tuple(
                    sorted(walls, key=lambda wall: [parse_cell(cell) for cell in parse_wall(wall)])
                ),
            )


def _wall(name: str) -> Wall | None:
    a, b = parse_wall(name)
    if a not in _EDGES or b not in _EDGES or b not in _OPEN_GRID.neighbours[a]:
        return None
    return wall_name(a, b)


def _wrong_counts(field: Field) -> Iterator[Message]:
    counts = Counter(field.tile.values())
    for tile, expected in TILE_COUNTS.items():
        if counts[tile] != expected:
            cells = " ".join(field.cells_of(tile)) or "–"
            yield Message(
                "field.count",
                {
                    "kind": TILE_NAMES[tile],
                    "found": counts[tile],
                    "wanted": expected,
                    "cells": cells,
                },
            )
    walls = field.layout.walls
    if len(walls) != TILE_COUNTS["w"]:
        names = " ".join(walls) or "–"
        yield Message(
            "field.wall_count", {"found": len(walls), "wanted": TILE_COUNTS["w"], "walls": names}
        )


def _corners_not_blank(field: Field) -> Iterator[Message]:
    for corner in CORNERS:
        if field.tile[corner] != ".":
            yield Message("field.corner", {"cell": corner, "kind": TILE_NAMES[field.tile[corner]]})


def _neighbours_alike(field: Field, tile: str, options: Options) -> Iterator[Message]:
    cells = field.cells_of(tile)
    for index, a in enumerate(cells):
        for b in cells[index + 1 :]:
            if b in _beside(a, options):
                yield Message(f"field.{TILE_NAMES[tile]}s_touch", {"a": a, "b": b})


def _radars_by_corners(field: Field, options: Options) -> Iterator[Message]:
    for radar in field.cells_of("r"):
        for corner in CORNERS:
            if corner in _beside(radar, options):
                yield Message("field.radar_by_corner", {"cell": radar, "corner": corner})


def _walls_outside(layout: Layout) -> Iterator[Message]:
    for name in layout.walls:
        if _wall(name) is None:
            inside = [cell for cell in parse_wall(name) if is_cell(cell)]
            yield Message(
                "field.wall_outside", {"cell": inside[0] if inside else name, "wall": name}
            )


def _too_long_walls(walls: Iterable[Wall], most: int) -> Iterator[Message]:
    for group in _wall_groups(walls):
        if len(group) > most:
            yield Message("field.walls_joined", {"walls": " ".join(sorted(group)), "most": most})


def _shut_in(grid: Grid) -> Iterator[Message]:
    reached = reach(grid.neighbours, grid.cells[:1])
    if len(reached) < len(grid.cells):
        inside = [cell for cell in grid.cells if cell in reached]
        outside = [cell for cell in grid.cells if cell not in reached]
        yield Message(
            "field.shut_in", {"cells": " ".join(inside if len(inside) < len(outside) else outside)}
        )


def _walls_without_tile(field: Field) -> Iterator[Message]:
    for wall, cell in pair_walls(field.grid.walls, field.cells_of("w")).items():
        if cell is None:
            yield Message("field.wall_without_tile", {"wall": wall})


def _find_owner(
    wall: str, wall_tiles: Collection[Cell], owners: dict[Cell, str], tried: set[Cell]
) -> bool:
    for cell in parse_wall(wall):
        if cell in wall_tiles and cell not in tried:
            tried.add(cell)
            if cell not in owners or _find_owner(owners[cell], wall_tiles, owners, tried):
                owners[cell] = wall
                return True
    return False


def _beside(cell: Cell, options: Options) -> tuple[Cell, ...]:
    return _OPEN_GRID.adjacent(cell, diagonals=options.adjacency == "with_diagonals")


def wall_ends(wall: Wall) -> tuple[Point, Point]:
    """Return the two lattice points that a wall segment joins; cell A1 spans (0, 0) to (1, 1)."""
    (_, ay), (bx, by) = (parse_cell(cell) for cell in parse_wall(wall))
    return ((bx, by), (bx, by + 1)) if ay == by else ((bx, by), (bx + 1, by))


def _wall_groups(walls: Iterable[Wall]) -> list[set[Wall]]:
    """Return the groups of walls that are connected end to end."""
    groups: list[tuple[set[Wall], set[Point]]] = []
    for wall in walls:
        names, points = {wall}, set(wall_ends(wall))
        apart = []
        for group in groups:
            if group[1] & points:
                names |= group[0]
                points |= group[1]
            else:
                apart.append(group)
        groups = [*apart, (names, points)]
    return [names for names, _ in groups]


def _random_tiles(rng: Random, options: Options) -> dict[Cell, str] | None:
    tiles: dict[Cell, str] = dict.fromkeys(CORNERS, ".")
    by_corner = {cell for corner in CORNERS for cell in _beside(corner, options)}
    for tile, banned in (("r", by_corner), ("b", set[Cell]())):
        free = [cell for cell in _OPEN_GRID.cells if cell not in tiles and cell not in banned]
        for _ in range(TILE_COUNTS[tile]):
            if not free:
                return None
            cell = rng.choice(free)
            tiles[cell] = tile
            beside = _beside(cell, options)
            free = [other for other in free if other != cell and other not in beside]
    rest = [cell for cell in _OPEN_GRID.cells if cell not in tiles]
    rng.shuffle(rest)
    kinds = "o" * TILE_COUNTS["o"] + "w" * TILE_COUNTS["w"]
    return {**tiles, **dict(zip(rest, kinds.ljust(len(rest), "."), strict=True))}


def _random_walls(rng: Random, tiles: dict[Cell, str], options: Options) -> Sequence[Wall] | None:
    walls: list[Wall] = []
    for cell in (cell for cell, tile in tiles.items() if tile == "w"):
        edges = [wall for wall in _EDGES[cell] if wall not in walls]
        rng.shuffle(edges)
        fitting = (wall for wall in edges if _fits(wall, walls, options))
        wall = next(fitting, None)
        if wall is None:
            return None
        walls.append(wall)
    return walls


def _fits(wall: Wall, walls: Sequence[Wall], options: Options) -> bool:
    group = next(group for group in _wall_groups([*walls, wall]) if wall in group)
    return len(group) <= options.max_joined_walls and not _closes(wall, walls)


def _closes(wall: Wall, walls: Sequence[Wall]) -> bool:
    """Return whether `wall` would divide the field: its ends are already connected."""
    points = {point for other in walls for point in wall_ends(other)}
    start, goal = wall_ends(wall)
    links: dict[Point, set[Point]] = {}
    for other in walls:
        one, two = wall_ends(other)
        links.setdefault(one, set()).add(two)
        links.setdefault(two, set()).add(one)
    border = {point for point in points | {start, goal} if point[0] in (0, 6) or point[1] in (0, 6)}
    seen, edge = {start}, [start]
    while edge:
        point = edge.pop()
        near = links.get(point, set()) | (border if point in border else set())
        edge.extend(near - seen)
        seen |= near
    return goal in seen


def radar_ring(radar_called: EventFields) -> Iterator[Cell]:
    """Yield the cells at the distance that a radar answered."""
    distances = _OPEN_GRID.distances[Cell(radar_called["cell"])]
    return (cell for cell, distance in distances.items() if distance == radar_called["distance"])


@cache
def empty_public() -> Public:
    """Return the public part before the set-up: the house field without a pawn."""
    return Public(
        field=lay(HOUSE_FIELD),
        options=Options(),
        humans=(),
        start={},
        pawns={},
        bullets={},
        bullet_tokens=(),
        bat_tokens=(),
        hp=4,
        max_hp=4,
    )
