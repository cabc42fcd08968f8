"""`companion wall` is a program of its own."""

from __future__ import annotations

import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.helpers.ports import free_port
from tests.mqtt.broker import TIMEOUT

COMMAND = [sys.executable, "-m", "companion", "wall"]


def test_the_wall_is_served_without_a_broker_and_ends_by_a_signal(tmp_path: Path) -> None:
    """The page is served without a broker; the program prints its address, and ends cleanly on
    SIGTERM.
    """
    port = free_port()
    options = [
        "--broker",
        "mqtt://ana:secret@127.0.0.1:1",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    ]
    home = {"HOME": str(tmp_path), "PATH": "/usr/bin"}
    with subprocess.Popen(
        [*COMMAND, *options], stdout=subprocess.PIPE, text=True, env=home
    ) as wall:
        assert wall.stdout is not None
        output = wall.stdout.readline()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/wall", timeout=TIMEOUT) as page:
            text = page.read()
        wall.send_signal(signal.SIGTERM)
        wall.communicate(timeout=TIMEOUT)

    assert (
        f"The wall is ready on http://127.0.0.1:{port}/wall; it listens to 127.0.0.1, port 1.\n"
        == output
    )
    assert b"/static/screens/dashboard/main.js" in text
    assert 0 == wall.returncode


def test_a_wall_without_a_brokers_address(tmp_path: Path) -> None:
    """Without a broker the command prints how to name one."""
    home = {"HOME": str(tmp_path), "PATH": "/usr/bin"}
    result = subprocess.run(COMMAND, capture_output=True, text=True, env=home, timeout=TIMEOUT)

    assert (2, "") == (result.returncode, result.stdout)
    assert "The wall needs a broker: --broker mqtt://HOST" in result.stderr
