"""Track pawns and tokens over frames. Covered pieces are not gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct, field

from companion.core.grid import cell_name
from companion.core.placement import Cell, Pawn
from companion.sensors.observation import Ambiguity, Observation, Tile
from companion.sensors.vision.field import FIELD_CELLS, FIELD_SIDE
from companion.sensors.vision.frame import FrameResult
from companion.sensors.vision.homography import Point

MAX_MISSED_FRAMES = 3
"""Frames without a pawn's or token's marker after which its cell is unknown."""
HIDING_DISTANCE, TOKEN_HIDING_DISTANCE = 0.3, 0.35
"""Tiles from a cell's middle up to which a pawn, and a token, surely hides a part of the code
or of the white around it.
"""
BORDER_MARGIN = 0.1
"""Distance in tiles from a border within which a pawn may be on either cell."""


class PawnTrack(Struct):
    """A pawn's last column and row, and how many frames have missed it since."""

    at: Point
    misses: int = 0


class TokenTrack(Struct):
    """The tokens on a cell, whether one lies beside the code, and the frames that missed them."""

    kinds: Counter[str] = field(default_factory=Counter)
    is_beside: bool = False
    misses: int = 0


class CameraTracker:
    """Tracks the pawns, tokens and tiles of one camera.

    Tokens are reported once one of them was seen: those without a marker are not missing.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._tracks: dict[Pawn, PawnTrack] = {}
        self._tokens: dict[Cell, TokenTrack] = {}
        self._has_tokens = False
        self._tiles: dict[Cell, Tile] = {}

    def update(self, frame: FrameResult, now: float) -> Observation:
        """Take a frame's result; return the observation."""
        self._follow(frame)
        straddled = self._follow_tokens(frame)
        lying = {
            cell: track.kinds
            for cell, track in self._tokens.items()
            if track.misses < MAX_MISSED_FRAMES
        }
        pawns: dict[Cell, frozenset[Pawn]] = {}
        between: set[Cell] = set()
        ambiguities = []
        for pawn, track in sorted(self._tracks.items()):
            near = cells_near(track.at)
            if track.misses >= MAX_MISSED_FRAMES:
                between |= set(near)
            elif len(near) == 1:
                pawns[near[0]] = pawns.get(near[0], frozenset()) | {pawn}
            elif near:
                between |= set(near)
                ambiguities.append(Ambiguity("pawn", pawn, near))
        covered = {cell for cell in FIELD_CELLS if cell not in pawns and cell not in frame.clear}
        return Observation(
            self._source,
            now,
            pawns=pawns,
            tiles=self._lying(frame.tiles, pawns),
            tokens=lying if self._has_tokens else None,
            unknown=frozenset(covered | between),
            partly=frozenset(cell for cell in pawns if cell not in frame.clear),
            tokens_unknown=frozenset(
                cell
                for cell in FIELD_CELLS
                if cell not in lying
                and (cell not in frame.clear or cell in self._tokens or cell in straddled)
            ),
            ambiguities=tuple(ambiguities),
        )

    def _follow(self, frame: FrameResult) -> None:
        for pawn, at in frame.pawns.items():
            self._tracks[pawn] = PawnTrack(at)
        for pawn, track in list(self._tracks.items()):
            if pawn in frame.pawns:
                continue
            track.misses += 1
            # Beside the code it may stand under a finger while its tile is seen.
            if not cells_near(track.at) or hidden_cell(track.at) in frame.clear:
                del self._tracks[pawn]

    def _follow_tokens(self, frame: FrameResult) -> set[Cell]:
        """Take a frame's tokens; return the cells that share one with a neighbour."""
        self._has_tokens = self._has_tokens or bool(frame.tokens)
        seen: dict[Cell, TokenTrack] = {}
        straddled: set[Cell] = set()
        for kind, at in frame.tokens:
            near = cells_near(at)
            if len(near) == 1:
                track = seen.setdefault(near[0], TokenTrack())
                track.kinds[kind] += 1
                track.is_beside |= hidden_cell(at, TOKEN_HIDING_DISTANCE) is None
            else:
                straddled |= set(near)
        for cell, track in self._tokens.items():
            track.misses += 1
            # Beside the code it may lie under a finger while its tile is seen.
            if cell not in frame.clear or track.is_beside:
                seen.setdefault(cell, track)
        self._tokens = seen
        return straddled

    def _lying(
        self, seen: Mapping[Cell, Tile], pawns: Mapping[Cell, frozenset[Pawn]]
    ) -> dict[Cell, Tile]:
        """Return the tiles, with those that pawns cover since they were seen."""
        numbers = {tile.number for tile in seen.values()}
        under = {
            cell: tile
            for cell, tile in self._tiles.items()
            if cell in pawns and cell not in seen and tile.number not in numbers
        }
        self._tiles = {**seen, **under}
        return dict(self._tiles)


def hidden_cell(at: Point, reach: float = HIDING_DISTANCE) -> Cell | None:
    """Return the cell whose code a piece hides, None if it stands beside the code."""
    column, row = round(at[0]), round(at[1])
    is_near = max(abs(at[0] - column), abs(at[1] - row)) < reach
    is_inside = 0 <= column < FIELD_SIDE and 0 <= row < FIELD_SIDE
    return cell_name(column, row) if is_near and is_inside else None


def cells_near(at: Point) -> tuple[Cell, ...]:
    """Return the cells a pawn may stand on, the likeliest first; none beside the field."""
    by_distance = [
        (max(abs(at[0] - column), abs(at[1] - row)), cell_name(column, row))
        for row in range(FIELD_SIDE)
        for column in range(FIELD_SIDE)
        if abs(at[0] - column) < 0.5 + BORDER_MARGIN and abs(at[1] - row) < 0.5 + BORDER_MARGIN
    ]
    return tuple(cell for off, cell in sorted(by_distance))
