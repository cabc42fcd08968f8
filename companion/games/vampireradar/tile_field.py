"""Provide the field of printed tiles to the table and its displays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.core.game import TileField
from companion.core.grid import cell_name
from companion.core.placement import Cell, Tile
from companion.games.vampireradar.options import Setup
from companion.games.vampireradar.state import Public
from companion.games.vampireradar.tiles import layout_of_tiles, tiles_of_layout


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
