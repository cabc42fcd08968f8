"""Systemd gets the heartbeat from a loop that has checked the table, and from nothing else."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import threading
from contextlib import closing
from pathlib import Path

import pytest

from companion.server.http.addresses import TableAddresses
from companion.watchdog import Notifier, Watchdog, watchdog_interval
from tests.helpers.ports import free_port
from tests.server.client import GameTable
from tests.test_cli import COMPANION, TIMEOUT


@pytest.mark.slow
def test_the_command_reports_that_it_is_ready_and_well(tmp_path: Path) -> None:
    """`companion serve` sends READY=1 once it listens, WATCHDOG=1 again and again, and STOPPING=1
    on a signal to end; while it is stopped it sends nothing.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ears:
        ears.bind(str(tmp_path / "notify"))
        ears.settimeout(TIMEOUT)
        environment = os.environ | {
            "NOTIFY_SOCKET": str(tmp_path / "notify"),
            "WATCHDOG_USEC": "600000",
        }
        words = [
            "serve",
            "--data",
            str(tmp_path / "data"),
            "--host",
            "127.0.0.1",
            "--port",
            str(free_port()),
        ]
        with subprocess.Popen([*COMPANION, *words, "--board", "none"], env=environment) as process:
            messages = [ears.recv(64) for _ in range(4)]
            process.send_signal(signal.SIGSTOP)
            ears.settimeout(1.2)
            with pytest.raises(TimeoutError):
                while True:
                    ears.recv(64)
            process.send_signal(signal.SIGCONT)
            ears.settimeout(TIMEOUT)
            assert b"WATCHDOG=1" == ears.recv(64)
            process.terminate()
            while (last := ears.recv(64)) == b"WATCHDOG=1":
                pass
            process.wait(TIMEOUT)

    assert [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1", b"WATCHDOG=1"] == messages
    assert b"STOPPING=1" == last


def test_a_table_that_hangs_is_not_well(tmp_path: Path) -> None:
    """While somebody holds the table's lock the table is not healthy, even if its pages answer."""
    game_table = GameTable(tmp_path / "data")
    held, done = threading.Event(), threading.Event()

    def hang() -> None:
        with game_table.table.journal.lock:
            held.set()
            done.wait(TIMEOUT)

    thread = threading.Thread(target=hang)
    thread.start()
    held.wait(TIMEOUT)

    assert not game_table.table.journal.is_healthy(0.05)
    done.set()
    thread.join()
    assert game_table.table.journal.is_healthy(0.05)
    game_table.close()


def test_a_store_that_forgets_is_not_well(tmp_path: Path) -> None:
    """A store that does not give back the last entry as it was acknowledged is not well."""
    game_table = GameTable(tmp_path / "data")
    game_table.table.lobby.propose({"players": 2})
    assert game_table.table.journal.is_healthy(1)
    with closing(sqlite3.connect(tmp_path / "data" / "table.sqlite")) as other, other:
        other.execute("UPDATE entries SET hash = 'x' WHERE row = (SELECT max(row) FROM entries)")

    assert not game_table.table.journal.is_healthy(1)
    game_table.close()


def test_a_server_that_does_not_answer_is_not_well(tmp_path: Path) -> None:
    """A table whose pages nobody gets is not well."""
    game_table = GameTable(tmp_path / "data")

    addresses = TableAddresses(port=free_port())

    assert not Watchdog(game_table.table, addresses, Notifier({}), 1.0).is_healthy()
    game_table.close()


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({}, 0.0),
        ({"WATCHDOG_USEC": "15000000"}, 15.0),
        ({"WATCHDOG_USEC": "15000000", "WATCHDOG_PID": "7"}, 15.0),
        ({"WATCHDOG_USEC": "15000000", "WATCHDOG_PID": "8"}, 0.0),
    ],
)
def test_what_systemd_grants(environment: dict[str, str], seconds: float) -> None:
    """The period is systemd's, and only for the process that it watches."""
    assert seconds == watchdog_interval(environment, lambda: 7)


def test_without_systemd_nothing_is_sent() -> None:
    """Without a socket nothing is sent and nothing goes wrong."""
    Notifier({}).notify("READY=1")
