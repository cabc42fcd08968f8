"""The field of printed tiles, as others ask for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.capabilities import TileField
from companion.core.grid import cell_name


class PrintedTiles(TileField):
    """The field of six by six tiles."""

    def printed(self, view: Mapping[str, Any]) -> Mapping[str, Sequence[str]]:
        radars = [
            cell_name(x, y)
            for y, row in enumerate(view["tiles"])
            for x, tile in enumerate(row)
            if tile == "r"
        ]
        return {"walls": view["walls"], "radars": radars}
