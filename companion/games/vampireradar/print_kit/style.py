"""Colours and shapes of tiles and pawns on paper."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from companion.printing.page import INK


class TileColours(Struct, frozen=True):
    """The colours of a kind of tile: its sign and lines, and the light ground behind them."""

    ink: str
    ground: str


TILE_COLOURS: Mapping[str, TileColours] = {
    "bat": TileColours("#5B2A86", "#EEE4F7"),
    "radar": TileColours("#0B6B70", "#DDF2F1"),
    "bullet": TileColours("#A35D00", "#FFF0D2"),
    "wall": TileColours("#43424C", "#E9E9EE"),
    "blank": TileColours("#A79B88", "#F8F4EB"),
}


class PawnStyle(Struct, frozen=True):
    """How a human's pawns look: the colour, the ink upon it, the shape."""

    colour: str
    ink: str
    shape: str


PAWN_STYLES: Mapping[str, PawnStyle] = {
    "H1": PawnStyle("#4D9BFF", INK, "triangle"),
    "H2": PawnStyle("#FFC020", INK, "square"),
    "H3": PawnStyle("#FFFFFF", INK, "circle"),
}
"""Blue triangles, amber squares, white circles: colour, shape and letter each tell a pawn's owner.
"""
