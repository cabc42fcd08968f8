"""The simulated table: its pieces by cell, and their tags."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from companion.core.placement import Cell, Pawn, Placement
from companion.sensors.observation import Tile
from companion.sensors.rfid.geometries import SQUARE
from companion.sensors.rfid.geometry import Geometry
from companion.sensors.rfid.registry import PawnTag, TaggedItem, TileTag, TokenTag
from companion.sensors.serial.messages import PAWN_TAGS, TILE_TAGS, TOKEN_TAGS, Uid

TOKENS: Mapping[str, int] = {"bullet": 40, "bat": 40}
"""Tagged tokens of each kind: enough for every cell."""
_TILES = 38
_PAWN_SPOTS = ((0, 0), (9, -9), (-9, 9), (10, 9), (-9, -10))
"""Where pawns stand on a shared cell, in mm from its centre: the ridges keep them within 19 mm."""
_TILE_SPOTS = {0: (-15, -15), 90: (15, -15), 180: (15, 15), 270: (-15, 15)}
_TOKEN_SPOT = (15, 15)
_PAWN_DIGITS = {
    **{
        f"H{human}{letter}": f"{8 * (human - 1) + i:X}"
        for human in (1, 2)
        for i, letter in enumerate("abcdefgh")
    },
    **{f"H3{letter}": f"{4 + i:X}" for i, letter in enumerate("abcd")},
}
"""The last digit of a pawn's tag: two humans have up to eight pawns each, three have four."""


class InvalidMove(ValueError):
    """Error raised when a change of the table is impossible; its text is for the player."""


class TagAt(Struct, frozen=True):
    """A tag on the table: its class, and its place in mm from the centre, y pointing down."""

    uid: Uid
    afi: int
    x: float
    y: float


def uid_of(name: str, box: str = "") -> Uid:
    """Return the tag number of an item by name, the same in each box.

    No two pawns of a game have the same last digit, as recommended to makers.
    """
    number = f"E0040150{zlib.crc32((box + name).encode()):08X}"
    return Uid(number[:-1] + _PAWN_DIGITS.get(name, number[-1]))


class World:
    """The pieces on one table.

    `pawns`: each pawn's cell, None in a hand or in the box. `box`: names a box with new, unwritten
    tags. `nudges`: offsets in mm right and down, by a pawn's name or a tile's cell.
    """

    def __init__(
        self,
        pawns: Iterable[Pawn] = (),
        tiles: Mapping[Cell, Tile] | None = None,
        geometry: Geometry = SQUARE,
        box: str = "",
    ) -> None:
        self.geometry = geometry
        self.box = box
        self.pawns: dict[Pawn, Cell | None] = dict.fromkeys(pawns)
        self.tokens: dict[Cell, str] = {}
        self.tiles: dict[Cell, Tile] = dict(tiles or {})
        self.nudges: dict[str, tuple[float, float]] = {}
        self.classes: dict[Uid, int] = {}

    @classmethod
    def from_placement(
        cls, placement: Placement, tiles: Mapping[Cell, Tile] | None = None
    ) -> World:
        """Return a table with this placement."""
        world = cls((), tiles)
        for cell, pawns in placement.pawns.items():
            world.pawns |= dict.fromkeys(pawns, cell)
        for cell, kind in placement.tokens.items():
            world.put_token(cell, kind)
        return world

    def put(self, pawn: Pawn, cell: Cell | None) -> None:
        """Put a pawn on a cell, or take it off (None); a new pawn comes from the box."""
        self.pawns[pawn] = None if cell is None else self.known(cell)
        self.nudges.pop(pawn, None)

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
        if not 1 <= tile.number <= _TILES or tile.turn not in _TILE_SPOTS:
            raise InvalidMove("a tile has a number from 1 to 38 and a turn of 0, 90, 180 or 270")
        self.tiles[self.known(cell)] = tile
        self.nudges.pop(cell, None)

    def known(self, cell: Cell) -> Cell:
        """Return the cell as the board writes it; raise `InvalidMove`."""
        for known in self.geometry.cells:
            if known.upper() == cell.upper():
                return known
        raise InvalidMove(
            f"{cell} is not a cell from {self.geometry.cells[0]} to {self.geometry.cells[-1]}"
        )

    def nudge(self, name: str, x: float, y: float) -> None:
        """Push a pawn or a cell's tile off its place by millimetres; raise `InvalidMove`."""
        if name not in self.pawns and name not in self.tiles:
            raise InvalidMove(f"there is no pawn {name} and no tile on {name}")
        self.nudges[name] = (x, y)

    def occupied(self) -> frozenset[int]:
        """Return the indices, in the board's order, of the cells with at least one pawn."""
        return frozenset(
            self.geometry.cells.index(cell) for cell in self.pawns.values() if cell is not None
        )

    def token_kind(self, cell: Cell) -> str | None:
        """Return the kind of the token on a cell."""
        name = self.tokens.get(cell)
        return None if name is None else name.split("-")[0]

    def tags(self) -> Iterator[TagAt]:
        """Yield every tag on the table with its place."""
        crowd: dict[Cell, int] = {}
        for pawn, cell in sorted(self.pawns.items()):
            if cell is not None:
                spot = _PAWN_SPOTS[crowd.get(cell, 0) % len(_PAWN_SPOTS)]
                crowd[cell] = crowd.get(cell, 0) + 1
                yield self._tag(pawn, PAWN_TAGS, cell, spot, pawn)
        for cell, name in self.tokens.items():
            yield self._tag(name, TOKEN_TAGS, cell, _TOKEN_SPOT)
        for cell, tile in self.tiles.items():
            yield self._tag(
                f"tile-{tile.number}", TILE_TAGS, cell, _TILE_SPOTS[tile.turn or 0], cell
            )

    def write_class(self, uid: Uid, afi: int) -> bool:
        """Write a tag's class; return False if it is not on the table."""
        if all(tag.uid != uid for tag in self.tags()):
            return False
        self.classes[uid] = afi
        return True

    def _tag(
        self, name: str, afi: int, cell: Cell, spot: tuple[float, float], nudged: str = ""
    ) -> TagAt:
        uid = uid_of(name, self.box)
        (x, y), (right, down) = self.geometry.centres[cell], self.nudges.get(nudged, (0.0, 0.0))
        written = self.classes.get(uid, 0) if self.box else afi
        return TagAt(uid, written, x + spot[0] + right, y + spot[1] + down)

    def registry(self) -> dict[Uid, TaggedItem]:
        """Return the items by tag, for every known pawn, token and tile."""
        things: dict[Uid, TaggedItem] = {uid_of(pawn): PawnTag(pawn) for pawn in self.pawns}
        things |= {uid_of(name): TokenTag(kind) for kind in TOKENS for name in _token_names(kind)}
        return things | {
            uid_of(f"tile-{number}"): TileTag(number) for number in range(1, _TILES + 1)
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
