"""What joins the virtual board to a host: a pseudo-terminal, or a socket where there is none."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from pathlib import Path

MAX_RECEIVED = 4096
WIRE_HOST = "127.0.0.1"


class PseudoTerminalWire:
    """A pseudo-terminal behind the link `address`."""

    def __init__(self, path: Path) -> None:
        self.address = str(path)
        self._path = path
        self._master = self._slave = -1

    def fileno(self) -> int:
        """Return the descriptor that is readable when the host has sent bytes."""
        return self._master

    def open(self) -> None:
        """Make the port; raise OSError."""
        import pty
        import tty

        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        link_to(self._path, os.ttyname(self._slave))

    def close(self) -> None:
        """Remove the port."""
        self._path.unlink(missing_ok=True)
        os.close(self._slave)
        os.close(self._master)
        self._master = self._slave = -1

    def receive(self) -> bytes:
        """Return the bytes of the host."""
        return os.read(self._master, MAX_RECEIVED)

    def send(self, data: bytes) -> None:
        """Send like a UART: unread bytes are lost."""
        with suppress(BlockingIOError):
            os.write(self._master, data)


class SocketWire:
    """A port for one host at a time, of this machine alone: `address` is its pyserial URL.

    It has the same number when it is opened again.
    """

    def __init__(self) -> None:
        self._listening = socket.create_server((WIRE_HOST, 0))
        self._port = int(self._listening.getsockname()[1])
        self.address = f"socket://{WIRE_HOST}:{self._port}"
        self._listening.close()
        self._host: socket.socket | None = None

    def fileno(self) -> int:
        """Return the socket that is readable when the host has sent bytes, or connects."""
        return (self._host or self._listening).fileno()

    def open(self) -> None:
        """Make the port; raise OSError."""
        self._listening = socket.create_server((WIRE_HOST, self._port), backlog=1)

    def close(self) -> None:
        """Remove the port and end the host's connection."""
        self._listening.close()
        self._drop()

    def receive(self) -> bytes:
        """Return the bytes of the host, b"" if it has just connected or gone."""
        try:
            if self._host is None:
                self._host, _ = self._listening.accept()
                self._host.setblocking(False)
                return b""
            data = self._host.recv(MAX_RECEIVED)
        except OSError:
            data = b""
        if not data:
            self._drop()
        return data

    def send(self, data: bytes) -> None:
        """Send like a UART: bytes without a reader are lost."""
        if self._host is not None:
            with suppress(OSError):
                self._host.send(data)

    def _drop(self) -> None:
        if self._host is not None:
            self._host.close()
            self._host = None


def link_to(path: Path, device: str) -> None:
    """Replace the link `path` atomically by one to a device."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    new.symlink_to(device)
    new.replace(path)
