"""Copies of the log at the ends of public turns."""

from __future__ import annotations

import logging
import sqlite3
from concurrent.futures import Executor, Future
from functools import partial

from companion.clock import Clock
from companion.table.storage.log import Log
from companion.table.table import Table

_logger = logging.getLogger("companion.table")


class AutoBackup:
    """Copies a table's log whenever the turn passes in public, beside the table: by the `executor`,
    one after another.

    A secret turn does not show here: it passes in public when it has been told. Where a game begins
    or ends the copy is written whole, so that what rots in one does not stay; in a game nobody
    waits for years of others to be copied.
    """

    def __init__(self, table: Table, log: Log, clock: Clock, executor: Executor) -> None:
        self._table = table
        self._log = log
        self._clock = clock
        self._executor = executor
        self._turn = self._public_turn()
        table.on_publish(self._look)

    def _public_turn(self) -> tuple[object, object]:
        picture = self._table.snapshot()
        return picture["phase"], picture["to_move"]

    def _look(self) -> None:
        before, self._turn = self._turn, self._public_turn()
        if before != self._turn:
            copy = self._executor.submit(self._log.copy, whole=before[0] != self._turn[0])
            self._clock.call_after(copy, partial(_copied, copy))


def _copied(copy: Future[None]) -> None:
    try:
        copy.result()
    except (sqlite3.Error, OSError) as failed:
        # The log itself is whole; the next turn tries again.
        _logger.warning("no copy of the log was made: %s", failed)
