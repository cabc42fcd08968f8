"""The lamps under a board's cells: the last move, a radar's ring, and where a lifted pawn may go.

They are a function of the public updates alone, so nothing is lit, or goes out, for a secret act.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from companion.core.game import LampRules
from companion.core.placement import Cell
from companion.table.broadcast import Update

RESETS = frozenset({"game_started", "rewound", "next_game_opened"})
"""Events after which there is no last move."""


class CellLamps:
    """The lit cells of one table's board; `rules` returns a game's, None if it lights nothing."""

    def __init__(self, rules: Callable[[str], LampRules | None]) -> None:
        self._rules = rules
        self._seen: int | None = None
        self._moved: tuple[Cell, ...] = ()
        self._ring: tuple[Cell, ...] = ()

    def update(self, update: Update) -> str:
        """Handle one public update; return the line of lamps, "white A1 B1 teal C4", "" for dark.

        white: the last move. teal: the cells that fit the answer to a radar, until the next public
        event. gold: where the lifted pawn may go. A cell has the last of these colours that it
        could have. All are dark while the board's field is not the game's.
        """
        snapshot = update.snapshot
        rules = self._rules(snapshot["game"])
        for event in self._new_events(update):
            self._take(event, rules or LampRules())
        view = snapshot["view"]
        if rules is None or view is None or snapshot["board"].get("state") == "other_field":
            return ""
        gold = frozenset(_reach(snapshot, view["pawns"]))
        teal = frozenset(self._ring) - gold
        white = frozenset(self._moved) - teal - gold
        return " ".join(
            " ".join((word, *sorted(cells)))
            for word, cells in (("white", white), ("teal", teal), ("gold", gold))
            if cells
        )

    def _new_events(self, update: Update) -> list[Mapping[str, Any]]:
        """Return the public events since the last update; at first those that the snapshot has."""
        lines = {line["position"]: line for line in (*update.snapshot["log"], *update.events)}
        seen, self._seen = self._seen, update.snapshot["position"]
        new = [lines[at]["event"] for at in sorted(lines) if seen is None or at > seen]
        if new:
            self._ring = ()
        return new

    def _take(self, event: Mapping[str, Any], rules: LampRules) -> None:
        name = event["event"]
        if name in RESETS:
            self._moved = self._ring = ()
        elif name in rules.moves:
            self._moved = tuple(Cell(event[field]) for field in rules.moves[name])
            self._ring = ()
        elif name in rules.rings:
            self._ring = tuple(rules.rings[name](event))


def _reach(snapshot: Mapping[str, Any], pawns: Mapping[str, str]) -> Iterator[Cell]:
    """Yield the cells to which pawns that are lifted from the board may go."""
    lifted = snapshot["board"].get("lifted", ())
    for action in snapshot["legal"]:
        if "to" in action and pawns.get(action.get("pawn")) in lifted:
            yield Cell(action["to"])


def show_lamps(
    lamps: CellLamps, updates: Iterable[Update | None], show: Callable[[str], None]
) -> None:
    """Show each new line of lamps."""
    last_line = ""
    for update in updates:
        if update is not None and (line := lamps.update(update)) != last_line:
            show(line)
            last_line = line
