"""Define the printed tiles: what each number shows, the field of laid tiles, and tiles for a field.

A tile's turn is the clockwise angle from upright (its notch points up), seen from above.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from companion.core.game import InvalidSetup, TileField
from companion.core.grid import DIRECTIONS, STEPS, Direction, Grid, cell_name, parse_cell
from companion.core.placement import Cell, Tile
from companion.games.vampireradar.layout import lay, pair_walls
from companion.games.vampireradar.options import TILE_NAMES, Layout, Setup
from companion.games.vampireradar.state import Public

FILE = "tiles.toml"
TURNS = (0, 90, 180, 270)
_LETTERS: Mapping[str, str] = {name: letter for letter, name in TILE_NAMES.items()}
_OPEN_GRID = Grid(6, 6)


class CatalogueError(ValueError):
    """Error raised when the tile catalogue cannot be used; its text says which tile and why."""


class Printed(Struct, frozen=True, forbid_unknown_fields=True):
    """One printed tile.

    `wall` is the edge of its wall while it lies upright, None for tiles without a wall.
    """

    number: int
    code: str
    kind: Literal["blank", "bat", "radar", "bullet", "wall"]
    wall: Direction | None = None

    @property
    def letter(self) -> str:
        """The tile's letter in a field."""
        return _LETTERS[self.kind]


class _Sheet(Struct, frozen=True, forbid_unknown_fields=True):
    tile: list[Printed]


def read_catalogue(text: str) -> Mapping[int, Printed]:
    """Return the tiles of a catalogue (TOML) by their numbers, in its order; raise
    `CatalogueError`.
    """
    try:
        sheet = msgspec.toml.decode(text, type=_Sheet)
    except msgspec.DecodeError as wrong:
        raise CatalogueError(f"the tile catalogue cannot be read: {wrong}") from wrong
    tiles: dict[int, Printed] = {}
    codes: dict[str, int] = {}
    for tile in sheet.tile:
        if tile.number < 1:
            raise CatalogueError(f"tile {tile.number}: numbers begin with 1")
        if tile.number in tiles:
            raise CatalogueError(f"tile {tile.number} is in the catalogue twice")
        if not (
            tile.code.isascii()
            and tile.code.isalnum()
            and tile.code == tile.code.upper()
            and len(tile.code) < 11
        ):
            raise CatalogueError(
                f"tile {tile.number}: the code {tile.code!r} is not 1 to 10 capital letters and "
                f"digits"
            )
        if tile.code in codes:
            raise CatalogueError(
                f"tiles {codes[tile.code]} and {tile.number} have the same code {tile.code}"
            )
        if (tile.kind == "wall") != (tile.wall is not None):
            raise CatalogueError(
                f"tile {tile.number}: a wall tile names the edge of its wall, and no other tile "
                f"does"
            )
        tiles[tile.number] = tile
        codes[tile.code] = tile.number
    if not tiles:
        raise CatalogueError("the tile catalogue holds no tiles")
    return tiles


def _own() -> Mapping[int, Printed]:
    text = pkgutil.get_data(__package__, FILE)
    assert text is not None
    return read_catalogue(text.decode("utf-8"))


CATALOGUE = _own()
"""The printed tiles. The file is part of this package, as its modules are."""


def wall_edge(tile: Printed, turn: int) -> Direction | None:
    """Return the edge of a wall on a tile that is turned clockwise by `turn`."""
    if tile.wall is None:
        return None
    return DIRECTIONS[(DIRECTIONS.index(tile.wall) + turn // 90) % 4]


def turn_for(tile: Printed, edge: Direction) -> int:
    """Return the clockwise turn of a wall tile with its wall on `edge`."""
    assert tile.wall is not None
    return (DIRECTIONS.index(edge) - DIRECTIONS.index(tile.wall)) % 4 * 90


def layout_of_tiles(
    tiles: Mapping[Cell, Tile], catalogue: Mapping[int, Printed] = CATALOGUE
) -> Layout:
    """Return the field that laid tiles make, its walls sorted by name; raise `InvalidSetup`.

    All 36 cells must have a tile. A wall on the field's border gets a name such as "F3-G3", and
    `broken_rules` names it. Two walls on one edge are one wall.
    """
    _check(tiles, catalogue)
    letters = [catalogue[tiles[cell].number].letter for cell in _OPEN_GRID.cells]
    rows = tuple("".join(letters[start : start + 6]) for start in range(0, 36, 6))
    return Layout(rows, tuple(sorted(set(_walls(tiles, catalogue)))))


def tiles_of_layout(
    layout: Layout, laid: Mapping[Cell, Tile], catalogue: Mapping[int, Printed] = CATALOGUE
) -> dict[Cell, Tile]:
    """Return the tiles of the field with their turns, one for each cell in board order.

    A laid tile that fits its cell stays there; it keeps its turn (even an unknown one) unless the
    field needs another. The other cells take the lowest numbers left. Raises `InvalidSetup` if the
    printed tiles cannot make this field.
    """
    kinds = lay(layout).tile
    edges = _edges(layout, laid, catalogue)
    chosen: dict[Cell, Tile] = {}
    free = dict(catalogue)
    for cell, letter in kinds.items():
        known = laid.get(cell)
        if known is not None and known.number in free and free[known.number].letter == letter:
            chosen[cell] = _at_turn(free.pop(known.number), edges.get(cell), known.turn)
    for cell, letter in kinds.items():
        if cell in chosen:
            continue
        number = next((number for number, tile in free.items() if tile.letter == letter), None)
        if number is None:
            raise InvalidSetup(
                "too_few_tiles",
                kind=TILE_NAMES[letter],
                wanted=list(kinds.values()).count(letter),
                printed=sum(tile.letter == letter for tile in catalogue.values()),
            )
        chosen[cell] = _at_turn(free.pop(number), edges.get(cell), 0)
    return {cell: chosen[cell] for cell in kinds}


def _at_turn(tile: Printed, edge: Direction | None, turn: int | None) -> Tile:
    return Tile(tile.number, turn if edge is None else turn_for(tile, edge))


def _edges(
    layout: Layout, laid: Mapping[Cell, Tile], catalogue: Mapping[int, Printed]
) -> dict[Cell, Direction]:
    """Return the edge of the wall on each wall tile of the field, unchanged if possible."""
    tiles = lay(layout).cells_of("w")
    walls = {_name(wall) for wall in layout.walls}
    edges = {
        cell: edge
        for cell in tiles
        if (edge := _edge_laid(cell, laid, catalogue)) and _wall(cell, edge) in walls
    }
    standing = {_wall(cell, edge) for cell, edge in edges.items()}
    pairs = pair_walls(walls - standing, [cell for cell in tiles if cell not in edges])
    if None in pairs.values():
        edges, pairs = {}, pair_walls(walls, tiles)
    for wall, cell in pairs.items():
        if cell is None:
            raise InvalidSetup("field.wall_without_tile", wall=wall)
        edges[cell] = next(direction for direction in DIRECTIONS if wall == _wall(cell, direction))
    for cell in tiles:
        if cell not in edges:
            raise InvalidSetup("tile_without_wall", cell=cell)
    return edges


def _edge_laid(
    cell: Cell, laid: Mapping[Cell, Tile], catalogue: Mapping[int, Printed]
) -> Direction | None:
    tile = laid.get(cell)
    if tile is None or tile.turn is None or tile.number not in catalogue:
        return None
    return wall_edge(catalogue[tile.number], tile.turn)


def _check(tiles: Mapping[Cell, Tile], catalogue: Mapping[int, Printed]) -> None:
    owners: dict[int, Cell] = {}
    for cell, tile in tiles.items():
        if cell not in _OPEN_GRID.neighbours:
            raise InvalidSetup("no_such_cell", cell=str(cell))
        if tile.number not in catalogue:
            raise InvalidSetup("no_such_tile", number=tile.number, cell=cell)
        if tile.number in owners:
            raise InvalidSetup("tile_twice", number=tile.number, a=owners[tile.number], b=cell)
        if tile.turn is not None and tile.turn not in TURNS:
            raise InvalidSetup("no_such_turn", number=tile.number, cell=cell, turn=tile.turn)
        if tile.turn is None and catalogue[tile.number].wall is not None:
            raise InvalidSetup("tile_turn_unknown", number=tile.number, cell=cell)
        owners[tile.number] = cell
    missing = [cell for cell in _OPEN_GRID.cells if cell not in tiles]
    if missing:
        raise InvalidSetup("tiles_missing", cells=" ".join(missing))


def _walls(tiles: Mapping[Cell, Tile], catalogue: Mapping[int, Printed]) -> Iterator[str]:
    for cell in _OPEN_GRID.cells:
        edge = wall_edge(catalogue[tiles[cell].number], tiles[cell].turn or 0)
        if edge is not None:
            yield _wall(cell, edge)


def _wall(cell: Cell, edge: Direction) -> str:
    """Return the wall's name; beyond the border lie rows 0 and 7 and the columns @ and G."""
    (column, row), (right, down) = parse_cell(cell), STEPS[edge]
    return _name(f"{cell}-{cell_name(column + right, row + down)}")


def _name(wall: str) -> str:
    """Return a wall's name with the upper or left tile first, inside the field and on its
    border.
    """
    return "-".join(sorted(wall.split("-")))


class PrintedTiles(TileField):
    """The field of a game."""

    def to_setup(self, tiles: Mapping[Cell, Tile]) -> dict[str, Any]:
        value: dict[str, Any] = msgspec.to_builtins({"field": layout_of_tiles(tiles)})
        return value

    def of_game(self, public: Public) -> dict[str, Any]:
        value: dict[str, Any] = msgspec.to_builtins({"field": public.field.layout})
        return value

    def for_setup(self, setup: Setup, laid: Mapping[Cell, Tile]) -> dict[Cell, Tile]:
        return {} if setup.field is None else tiles_of_layout(setup.field, laid)

    def printed(self, view: Mapping[str, Any]) -> Mapping[str, Sequence[str]]:
        radars = [
            cell_name(x, y)
            for y, row in enumerate(view["tiles"])
            for x, tile in enumerate(row)
            if tile == "r"
        ]
        return {"walls": view["walls"], "radars": radars}
