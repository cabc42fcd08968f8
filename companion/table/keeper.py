"""Copies of the log at the ends of public turns."""

from __future__ import annotations

import logging
import sqlite3

from companion.clock import Clock
from companion.table.log import Log
from companion.table.table import Table

logger = logging.getLogger("companion.table")


class Keeper:
    """Copies a table's log whenever the turn passes in public; beside the table, on the clock's thread.

    A secret turn does not show here: it passes in public when it has been told.
    """

    def __init__(self, table: Table, log: Log, clock: Clock) -> None:
        self._table = table
        self._log = log
        self._clock = clock
        self._turn = self._public_turn()
        table.watch(self._look)

    def _public_turn(self) -> tuple[object, object]:
        picture = self._table.picture()
        return picture["phase"], picture["to_move"]

    def _look(self) -> None:
        turn = self._public_turn()
        if turn != self._turn:
            self._turn = turn
            self._clock.call_at(self._clock.monotonic(), self._copy)

    def _copy(self) -> None:
        try:
            self._log.copy()
        except (sqlite3.Error, OSError) as failed:
            # The log itself is whole; the next turn tries again.
            logger.warning("no copy of the log was made: %s", failed)
