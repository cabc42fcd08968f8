"""Define a table's settings, which may change while it runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from companion.core.shape import convert
from companion.table.errors import Refused


class TableSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a table.

    night_floor: the shortest time of a night in seconds
    auto_pick_up: the table takes a bullet for the player who landed on it
    marks: shared pencil marks
    sound: the display makes sounds; `volume` in percent
    player_groans: the vampire's player groans when hit
    clues: screens list all public clues
    hints: the display shows the odds of the hidden piece, and suggestions
    """

    night_floor: Literal[0, 12, 20] = 12
    auto_pick_up: bool = True
    marks: bool = True
    sound: bool = True
    volume: Annotated[int, Meta(ge=0, le=100)] = 80
    player_groans: bool = False
    clues: bool = False
    hints: bool = False

    def with_change(self, change: Mapping[str, Any]) -> TableSettings:
        """Return these settings with `change`; raise `Refused` ("bad_settings")."""
        values = msgspec.to_builtins(self) | dict(change)
        settings: TableSettings = convert(values, TableSettings, Refused, "bad_settings")
        return settings
