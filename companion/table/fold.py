"""Apply entries to a copy of the table's state first, so that a bad entry changes nothing."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.codec import tag_names
from companion.core.placement import Cell, Tile
from companion.core.text import describe_error
from companion.table.entries import Item, TableEvent, decode_items
from companion.table.events import INDEPENDENT_OF_GAME, GameStarted, NextGameOpened
from companion.table.setup import SetupCheck, check_setup
from companion.table.snapshot import public_snapshot
from companion.table.state import TableState

_logger = logging.getLogger("companion.table")
STARTED, NEXT_GAME_OPENED = tag_names((GameStarted,)), tag_names((NextGameOpened,))


class FoldResult(NamedTuple):
    """The state after an entry, the check of its proposal, and the public snapshot.

    `snapshot` is None if the entry published nothing.
    """

    state: TableState
    setup_check: SetupCheck
    snapshot: dict[str, Any] | None


def fold(
    table: TableState,
    body: str,
    checked: SetupCheck | None = None,
    board: Mapping[str, Any] | None = None,
    tiles: Mapping[Cell, Tile] | None = None,
) -> FoldResult:
    """Return the state after one more entry, with its snapshot; `table` stays as it is.

    checked: the check of the present proposal
    board, tiles: the values shown beside the game
    Raises any exception of the rules. An entry may be stored if it applies, its proposal can be
    checked and its snapshot can be built.
    """
    after = table.copy()
    for item in decode_items(body):
        after.apply(item)
    if checked is None or after.proposal is not table.proposal:
        checked = check_setup(after.proposed_game, after.proposal)
    if not after.public_log.unpublished:
        return FoldResult(after, checked, None)
    lying = after.tiles if tiles is None else tiles
    return FoldResult(after, checked, public_snapshot(after, checked, dict(board or {}), lying))


def fold_log(table: TableState, bodies: Sequence[str]) -> tuple[TableState, list[int]]:
    """Return the state after the entries of a log, and the places (from 0) of those left out.

    An entry is left out if this release cannot apply it. The rest of its game is left out too,
    because it depends on that entry; events about seats are kept.
    """
    whole = table.copy()
    try:
        for body in bodies:
            for item in decode_items(body):
                whole.apply(item)
        checked = check_setup(whole.proposed_game, whole.proposal)
        public_snapshot(whole, checked, {}, whole.tiles)
    except Exception as wrong:
        # Any exception of the rules: no written entry may keep a table from starting.
        log_fold_error(wrong)
        return _fold_what_can_be(table, bodies)
    return whole, []


def log_fold_error(wrong: Exception) -> None:
    """Log where a fold failed."""
    _logger.error("an entry cannot be folded: %s", describe_error(wrong))


def _fold_what_can_be(table: TableState, bodies: Sequence[str]) -> tuple[TableState, list[int]]:
    left_out: list[int] = []
    is_broken = False
    for place, body in enumerate(bodies):
        names: set[str] = set()
        try:
            names = _names(decode_items(body))
            is_broken = is_broken and not names & NEXT_GAME_OPENED
            if is_broken and not names <= INDEPENDENT_OF_GAME:
                left_out.append(place)
                continue
            table = fold(table, body).state
        except Exception as wrong:
            log_fold_error(wrong)
            left_out.append(place)
            is_broken = is_broken or table.run.game is not None or bool(names & STARTED)
    return table, left_out


def _names(items: Sequence[Item]) -> set[str]:
    """Return the names of the table events among items, "" for other items."""
    return {str(item.event.get("event")) if isinstance(item, TableEvent) else "" for item in items}
