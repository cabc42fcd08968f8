"""Report to systemd that the table is healthy (sd_notify, sd_watchdog_enabled)."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from threading import Event, Thread

from companion.server.http.addresses import TableAddresses, table_answers
from companion.table.table import Table

HEALTH_TIMEOUT = 5.0
"""Seconds within which a healthy table's lock is free and its health page answers."""


class Notifier:
    """The socket of systemd; without one nothing is sent."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        path = environment.get("NOTIFY_SOCKET", "")
        self._path = "\0" + path[1:] if path.startswith("@") else path

    def notify(self, state: str) -> None:
        """Send "READY=1", "WATCHDOG=1" or "STOPPING=1"; raise OSError."""
        if self._path:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                sender.sendto(state.encode(), self._path)


class Watchdog:
    """Send "WATCHDOG=1" three times in each period of systemd's while the table is healthy: its
    lock is free, its store returns the last row, and its server answers.

    systemd restarts a table that sends nothing. A table with a read-only disk counts as healthy, as
    a restart would not help.
    """

    def __init__(
        self, table: Table, addresses: TableAddresses, notifier: Notifier, seconds: float
    ) -> None:
        self._table = table
        self._addresses = addresses
        self._notifier = notifier
        self._seconds = seconds
        self._closing = Event()
        self._thread = Thread(target=self._run, name="watchdog", daemon=True)

    def start(self) -> None:
        """Start the thread if systemd has a watchdog."""
        if self._seconds:
            self._thread.start()

    def close(self) -> None:
        """Stop sending."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()

    def is_healthy(self) -> bool:
        """Return whether the table is healthy."""
        return self._table.journal.is_healthy(HEALTH_TIMEOUT) and table_answers(
            self._addresses, HEALTH_TIMEOUT
        )

    def _run(self) -> None:
        while not self._closing.wait(self._seconds / 3):
            if self.is_healthy():
                self._notifier.notify("WATCHDOG=1")


def watchdog_interval(
    environment: Mapping[str, str], process: Callable[[], int] = os.getpid
) -> float:
    """Return the seconds of silence after which systemd kills this process; 0 for never."""
    meant = environment.get("WATCHDOG_PID")
    if meant is not None and meant != str(process()):
        return 0.0
    return int(environment.get("WATCHDOG_USEC", "0")) / 1_000_000
