"""A real Mosquitto on this machine, and a recorder of its messages."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.config import Broker, ClubSettings
from companion.mqtt.client import MqttClient, MqttMessage
from tests.helpers.ports import free_port

TIMEOUT = 60.0
"""Real seconds after which something that should have come is missed."""
PROGRAM = shutil.which("mosquitto") or "/usr/sbin/mosquitto"


def until(condition: Callable[[], bool], description: str, pause: float = 0.02) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < end, f"still waiting for {description}"
        time.sleep(pause)


class Mosquitto:
    """Debian's broker with its own configuration; `start` and `stop` may be repeated and lose
    retained messages.
    """

    def __init__(self, folder: Path, more: str = "", tls: str = "") -> None:
        assert Path(PROGRAM).exists(), "These tests need Debian's mosquitto: `make check-tools`."
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._more, self._tls = folder, more, tls
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    def start(self) -> None:
        """Listen on a free port, the same one every time."""
        wanted = self.port
        for _ in range(10):
            # Another process may have taken the free port in between: then another one is tried.
            self.port = wanted or free_port()
            if self._listens():
                return
        raise AssertionError(f"mosquitto does not listen: {(self._folder / 'log').read_text()}")

    def stop(self) -> None:
        """End the broker abruptly, as a loss of power does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def address(self, login: str = "") -> str:
        """Return the broker's line for table.toml."""
        return f"{'mqtts' if self._tls else 'mqtt'}://{login}localhost:{self.port}"

    def _listens(self) -> bool:
        user = "user root\n" if os.getuid() == 0 else ""
        access = self._more or "allow_anonymous true\n"
        settings = (
            f"{user}persistence false\nmax_queued_messages 0\n{access}listener "
            f"{self.port} 127.0.0.1\n{self._tls}"
        )
        (self._folder / "conf").write_text(settings)
        with (self._folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [PROGRAM, "-c", str(self._folder / "conf")], stdout=log, stderr=log
            )
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end and self._process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), TIMEOUT).close()
                return True
            except OSError:
                time.sleep(0.02)
        self.stop()
        return False


def broker_of(address: str, ca: str = "") -> Broker:
    """Return the address that a line of table.toml gives."""
    address_parsed = ClubSettings(broker=address, ca=ca).address()
    assert address_parsed is not None
    return address_parsed


class Recorder:
    """Subscribes to all topics and keeps the messages."""

    def __init__(self, broker: Broker) -> None:
        self.messages: list[MqttMessage] = []
        self._stopping = threading.Event()
        self._line = MqttClient(
            broker, "recorder", time.monotonic, topics=["#"], on_message=self.messages.append
        )
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        until(lambda: self._line.connected, "the recorder's connection")

    def close(self) -> None:
        self._stopping.set()
        self._thread.join()
        self._line.close()

    def last(self, topic: str) -> bytes | None:
        """Return the last payload on a topic with this ending, None if there is none."""
        return next(
            (
                message.payload
                for message in reversed(list(self.messages))
                if message.topic.endswith(topic)
            ),
            None,
        )

    def _listen(self) -> None:
        while not self._stopping.is_set():
            self._line.step(0.05)


@contextmanager
def recording(broker: Broker) -> Iterator[Recorder]:
    """Yield a recorder of all messages from now on."""
    recorder = Recorder(broker)
    try:
        yield recorder
    finally:
        recorder.close()
