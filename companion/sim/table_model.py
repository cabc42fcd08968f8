"""The simulated table: its pieces by cell, and their tags."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping

from companion.core.placement import Cell, Pawn, Placement
from companion.sensors.board_field import BoardField, parse_field
from companion.sensors.observation import Tile
from companion.sensors.tags.registry import TaggedItem, Uid

TOKENS: Mapping[str, int] = {"bullet": 40, "bat": 40}
"""Tagged tokens of each kind: enough for every cell."""
_TILES = 38
_TURNS = (0, 90, 180, 270)
SQUARE = parse_field("6x6") or BoardField("", ())


class InvalidMove(ValueError):
    """Error raised when a change of the table is impossible; its text is for the player."""


def uid_of(name: str, box: str = "") -> Uid:
    """Return the tag number of an item by name, the same in each box."""
    return Uid(f"E0040150{zlib.crc32((box + name).encode()):08X}")


class World:
    """The pieces on one table.

    `pawns`: each pawn's cell, None in a hand or in the box. `box`: names a box with new tags.
    """

    def __init__(
        self,
        pawns: Iterable[Pawn] = (),
        tiles: Mapping[Cell, Tile] | None = None,
        field: BoardField = SQUARE,
        box: str = "",
    ) -> None:
        self.field = field
        self.box = box
        self.pawns: dict[Pawn, Cell | None] = dict.fromkeys(pawns)
        self.tokens: dict[Cell, str] = {}
        self.tiles: dict[Cell, Tile] = dict(tiles or {})

    def put(self, pawn: Pawn, cell: Cell | None) -> None:
        """Put a pawn on a cell, or take it off (None); a new pawn comes from the box."""
        self.pawns[pawn] = None if cell is None else self.known(cell)

    def lift(self, pawn: Pawn) -> None:
        """Take a pawn off; raise `InvalidMove` for an unknown one."""
        if pawn not in self.pawns:
            raise InvalidMove(f"there is no pawn {pawn}")
        self.pawns[pawn] = None

    def put_token(self, cell: Cell, kind: str) -> None:
        """Put a token on a cell, in place of the one there."""
        if kind not in TOKENS:
            raise InvalidMove(f"a token is one of {', '.join(TOKENS)}")
        self.tokens.pop(self.known(cell), None)
        self.tokens[cell] = next(
            name for name in _token_names(kind) if name not in self.tokens.values()
        )

    def take_token(self, cell: Cell) -> None:
        """Take the token off a cell, if there is one."""
        self.tokens.pop(self.known(cell), None)

    def put_tile(self, cell: Cell, tile: Tile) -> None:
        """Lay a tile on a cell, in place of the one there."""
        if not 1 <= tile.number <= _TILES or tile.turn not in _TURNS:
            raise InvalidMove("a tile has a number from 1 to 38 and a turn of 0, 90, 180 or 270")
        self.tiles[self.known(cell)] = tile

    def known(self, cell: Cell) -> Cell:
        """Return the cell as the board writes it; raise `InvalidMove`."""
        for known in self.field.cells:
            if known.upper() == cell.upper():
                return known
        raise InvalidMove(
            f"{cell} is not a cell from {self.field.cells[0]} to {self.field.cells[-1]}"
        )

    def occupied(self) -> frozenset[Cell]:
        """Return the cells with at least one pawn."""
        return frozenset(cell for cell in self.pawns.values() if cell is not None)

    def token_kind(self, cell: Cell) -> str | None:
        """Return the kind of the token on a cell."""
        name = self.tokens.get(cell)
        return None if name is None else name.split("-")[0]

    def tags(self) -> Iterator[tuple[Cell, Uid]]:
        """Yield every tag on the table with its cell."""
        for pawn, cell in sorted(self.pawns.items()):
            if cell is not None:
                yield cell, uid_of(pawn, self.box)
        for cell, name in self.tokens.items():
            yield cell, uid_of(name, self.box)
        for cell, tile in self.tiles.items():
            yield cell, uid_of(f"tile-{tile.number}", self.box)

    def registry(self) -> dict[Uid, TaggedItem]:
        """Return the items by tag, for every known pawn, token and tile."""
        things: dict[Uid, TaggedItem] = {uid_of(pawn): f"pawn:{pawn}" for pawn in self.pawns}
        things |= {uid_of(name): f"token:{kind}" for kind in TOKENS for name in _token_names(kind)}
        return things | {
            uid_of(f"tile-{number}"): f"tile:{number}" for number in range(1, _TILES + 1)
        }


def default_pawns(humans: int = 2, each: int = 4) -> dict[Pawn, Cell]:
    """Return pawns on the corners: pawn j of human i on corner (i + j) mod 4."""
    corners = [Cell(name) for name in ("A1", "F1", "A6", "F6")]
    return {
        Pawn(f"H{i + 1}{'abcdefgh'[j]}"): corners[(i + j) % 4]
        for i in range(humans)
        for j in range(each)
    }


def _token_names(kind: str) -> list[str]:
    return [f"{kind}-{number}" for number in range(1, TOKENS[kind] + 1)]


def apply_placement(world: World, placement: Placement) -> None:
    """Move every pawn and token as in `placement`; the others go into the box."""
    places = {pawn: cell for cell, pawns in placement.pawns.items() for pawn in pawns}
    for pawn in world.pawns.keys() | places.keys():
        if world.pawns.get(pawn) != places.get(pawn):
            world.put(pawn, places.get(pawn))
    for cell in list(world.tokens):
        if placement.tokens.get(cell) != world.token_kind(cell):
            world.take_token(cell)
    for cell, kind in placement.tokens.items():
        if world.token_kind(cell) != kind:
            world.put_token(cell, kind)
