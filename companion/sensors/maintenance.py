"""Board maintenance for the page /board: register tags, forget them, choose a device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.core.placement import Inventory
from companion.sensors.board_source import BoardSource, Diagnosis
from companion.sensors.link import Link
from companion.sensors.reader import BoardRefused
from companion.sensors.tags.registry import TaggedItem, TagRegistry


class BoardMaintenance:
    """Maintains the connected board; `parts` returns the current game's inventory."""

    def __init__(self, registry: TagRegistry, parts: Callable[[], Inventory] = Inventory) -> None:
        self.registry = registry
        self.chooser: BoardSource | None = None
        self._parts = parts
        self._board: BoardSource | None = None

    def attach(self, board: BoardSource) -> None:
        """Set the board whose tags are registered."""
        self._board = board

    # Commands

    def register(self, name: str) -> None:
        """Register the only new tag on the board as an item: "pawn:H1a", "tile:17",
        "token:bullet".

        Raises `BoardRefused`, `TagRegistryNotSaved`.
        """
        self._check_item(name)
        strangers = self._diagnosis().strangers()
        tags = {uid for _, uid in strangers}
        if not tags:
            raise BoardRefused("register_none")
        if len(tags) > 1:
            cells = " ".join(sorted({cell for cell, _ in strangers}))
            raise BoardRefused("register_two", n=len(tags), cells=cells)
        self.registry.register(tags.pop(), name)
        self._reload_registry()

    def forget(self, name: str) -> None:
        """Delete an item's tags; raise `BoardRefused`, `TagRegistryNotSaved`."""
        self._check_item(name)
        self.registry.forget(name)
        self._reload_registry()

    def use_board(self, port: str) -> None:
        """Switch to another plugged-in device; raise `BoardRefused`."""
        try:
            is_there = self.chooser is not None and self.chooser.choose(port)
        except OSError as failed:
            raise BoardRefused("tags_not_kept") from failed
        if not is_there:
            raise BoardRefused("maintenance_no_such_board", port=port)

    # Display

    def beside(self) -> list[str]:
        """Return the other plugged-in devices that may be boards."""
        return [] if self.chooser is None else list(self.chooser.diagnosis().beside)

    def to_json(self) -> dict[str, Any]:
        """Return the items of the box with their tags, and the new tags on the board."""
        diagnosis = Diagnosis(Link()) if self._board is None else self._board.diagnosis()
        known = list(diagnosis.tags.values())
        return {
            "things": [
                {"name": thing, "known": known.count(thing), "of": count}
                for thing, count in self._items_in_box().items()
            ],
            "strangers": [{"uid": uid, "cell": cell} for cell, uid in diagnosis.strangers()],
        }

    # Within

    def _diagnosis(self) -> Diagnosis:
        if self._board is None:
            raise BoardRefused("maintenance_no_board")
        return self._board.diagnosis()

    def _reload_registry(self) -> None:
        if self._board is not None:
            self._board.reload_registry()

    def _check_item(self, name: str) -> None:
        if name not in self._items_in_box():
            raise BoardRefused("maintenance_no_such_thing", name=name)

    def _items_in_box(self) -> dict[TaggedItem, int]:
        """Return every item in the box and its count."""
        parts = self._parts()
        return {
            **{f"pawn:{pawn}": 1 for pawn in parts.pawns},
            **{f"token:{kind}": count for kind, count in parts.tokens.items()},
            **{f"tile:{number}": 1 for number in range(1, parts.tiles + 1)},
        }
