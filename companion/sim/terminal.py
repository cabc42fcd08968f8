"""The virtual board on a pseudo-terminal, or a socket on Windows, with a thread for the wire."""

from __future__ import annotations

import os
import select
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TypeVar

from companion.locks import LockRank, make_condition
from companion.platforms import ON_WINDOWS, Waker
from companion.sim.virtual_board import VirtualBoard

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


_T = TypeVar("_T")
_LONGEST_WAIT = 1.0


class PseudoTerminal:
    """A board on the serial port `path`, a link that stays when replugged; without one, and on
    Windows, on a socket. `address` is what a host opens.

    Change the board through `do` only. A context manager, or `start` and `close`.
    """

    def __init__(
        self, board: VirtualBoard, monotonic: Callable[[], float], path: Path | None
    ) -> None:
        self._wire = SocketWire() if ON_WINDOWS or path is None else PseudoTerminalWire(path)
        self._board = board
        self._monotonic = monotonic
        self._changed = make_condition(LockRank.VIRTUAL_BOARD)
        self._should_be_plugged = True
        self._plugged = False
        self._closing = False
        self._bytes_left: int | None = None
        self._waker = Waker()
        self._thread = Thread(target=self._run, name="virtual-board", daemon=True)

    def __enter__(self) -> PseudoTerminal:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"PseudoTerminal({self.address!r}, plugged={self._plugged})"

    @property
    def address(self) -> str:
        """The device, or the pyserial URL, that a host opens."""
        return self._wire.address

    @property
    def plugged(self) -> bool:
        """Whether the port exists now."""
        return self._plugged

    def start(self) -> None:
        """Plug in; return when the port can be opened."""
        self._thread.start()
        self._await_plug(True)

    def close(self) -> None:
        """Unplug for good."""
        with self._changed:
            self._closing = True
        self._waker.wake()
        self._thread.join()
        self._waker.close()

    def do(self, action: Callable[[VirtualBoard, float], _T]) -> _T:
        """Run `action` on the board; its output is sent at once."""
        with self._changed:
            result = action(self._board, self._monotonic())
        self._waker.wake()
        return result

    def unplug(self, after: int | None = None) -> None:
        """Unplug at once, or after this number of further bytes."""
        with self._changed:
            if after is None:
                self._should_be_plugged = False
            else:
                self._bytes_left = after
        self._waker.wake()
        self._await_plug(False)

    def replug(self) -> None:
        """Plug in again, which restarts the board; no effect while plugged in."""
        with self._changed:
            self._should_be_plugged = True
        self._waker.wake()
        self._await_plug(True)

    def _await_plug(self, plugged: bool) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._plugged == plugged)

    def _run(self) -> None:
        while not self._closing:
            with self._changed:
                self._plug()
            wires = (self._waker, self._wire) if self._plugged else (self._waker,)
            readable, _, _ = select.select(wires, [], [], self._wait())
            if self._waker in readable:
                self._waker.clear()
            with self._changed:
                self._transfer(self._wire in readable)
        with self._changed:
            self._should_be_plugged = False
            self._plug()

    def _wait(self) -> float:
        return max(0.0, min(_LONGEST_WAIT, self._board.due() - self._monotonic()))

    def _transfer(self, readable: bool) -> None:
        """Carry bytes both ways; unplug after the limit, if there is one."""
        if not self._plugged:
            return
        received = self._wire.receive() if readable else b""
        sent = self._board.step(self._monotonic(), received)
        if self._bytes_left is not None:
            sent, self._bytes_left = sent[: self._bytes_left], self._bytes_left - len(sent)
            if self._bytes_left <= 0:
                self._bytes_left, self._should_be_plugged = None, False
        self._wire.send(sent)

    def _plug(self) -> None:
        if self._should_be_plugged == self._plugged:
            return
        if self._should_be_plugged:
            self._board.reset(self._monotonic())
            self._wire.open()
        else:
            self._wire.close()
        self._plugged = self._should_be_plugged
        self._changed.notify_all()
