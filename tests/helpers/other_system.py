"""Play a game in a process that lacks what another system lacks: `python -m … windows FOLDER`.

The process runs on Linux: the standard library and the libraries are loaded first, as they are.
Then the modules, functions and files that the other system lacks are taken away, and the program is
loaded and used. With `-X warn_default_encoding` it ends where the program opens a text file in the
system's own encoding.
"""

from __future__ import annotations

import asyncio
import concurrent.futures.process
import ctypes
import importlib
import multiprocessing
import os
import pkgutil
import select
import sys
import tempfile
import time
import types
import warnings
import webbrowser
from collections.abc import Callable
from ctypes import wintypes
from pathlib import Path
from typing import Any

import click
import cryptography.hazmat.primitives.asymmetric.ec
import cryptography.x509
import flask
import msgspec
import nacl.public
import paho.mqtt.client
import PIL.Image
import reportlab.pdfgen.canvas
import serial.tools.list_ports
import waitress  # type: ignore[import-untyped]
import werkzeug.serving

LOADED = (
    asyncio, click, concurrent.futures.process, cryptography.x509, flask, msgspec, multiprocessing,
    nacl.public, paho.mqtt.client, PIL.Image, reportlab.pdfgen.canvas, serial.tools.list_ports,
    waitress, webbrowser, werkzeug.serving, wintypes, cryptography.hazmat.primitives.asymmetric.ec,
)  # fmt: skip
"""What asks for the system while it is loaded."""
POSIX_MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty")
POSIX_NAMES = (
    "chown", "fchmod", "fchown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getgroups",
    "getloadavg", "getpgid", "getuid", "initgroups", "killpg", "lchown", "mkfifo", "nice",
    "openpty", "posix_fadvise", "posix_fallocate", "pread", "pwrite", "sched_getaffinity",
    "setgid", "setgroups", "setpriority", "setsid", "setuid", "sync", "ttyname",
    "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK",
)  # fmt: skip
"""Of `os`: what Windows lacks and the standard library does not use after it is loaded."""
LINUX_NAMES = (
    "memfd_create", "posix_fadvise", "posix_fallocate", "sched_getaffinity", "sched_setaffinity",
    "splice", "eventfd", "O_TMPFILE", "getrandom",
)  # fmt: skip
"""Of `os`: what macOS lacks."""
LINUX_FILES = ("/proc", "/sys", "/dev/serial", "/run")
PATIENCE = 90.0
"""Seconds that anything may take; nothing is asserted about time."""


class WindowsCalls:
    """Windows's library of calls: each succeeds."""

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: object) -> int:
            return 1

        setattr(self, name, call)
        return call


def become_windows() -> None:
    """Take away what Windows lacks, and stand in for what the program asks of it."""
    import fcntl

    msvcrt: Any = types.ModuleType("msvcrt")
    msvcrt.LK_NBLCK = 2
    msvcrt.locking = lambda handle, how, size: fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    sys.modules["msvcrt"] = msvcrt
    for name in POSIX_MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    take_away(POSIX_NAMES)
    for name in ("epoll", "poll"):
        delattr(select, name)
    ctypes.WinDLL = lambda name, **named: WindowsCalls()  # type: ignore[attr-defined]
    os.environ["LOCALAPPDATA"] = os.environ["SYSTEMROOT"] = "/nowhere"
    become("win32")


def become_macos() -> None:
    """Take away what macOS lacks. Linux refuses its command for a disk's own memory, as some of its
    network disks do.
    """
    import fcntl

    fcntl.F_FULLFSYNC = 51  # type: ignore[attr-defined]
    tempfile._O_TMPFILE_WORKS = False  # type: ignore[attr-defined]
    take_away(LINUX_NAMES)
    delattr(select, "epoll")
    become("darwin")


def become(platform: str) -> None:
    """Name the system, and refuse what only Linux has: its files, calls and addresses."""
    sys.platform = platform

    def audit(event: str, arguments: tuple[Any, ...]) -> None:
        first = arguments[0] if arguments else None
        if event in ("open", "os.listdir", "os.scandir", "glob.glob"):
            if isinstance(first, str) and first.startswith(LINUX_FILES):
                raise FileNotFoundError(f"{first}: only Linux has it")
        elif event == "ctypes.dlsym" and arguments[1] in ("prctl", "mallopt"):
            raise AttributeError(f"{arguments[1]}: only Linux has it")
        elif event in ("socket.bind", "socket.connect", "socket.sendto"):
            address = arguments[1]
            if isinstance(address, str | bytes) and address[:1] in ("\0", b"\0"):
                raise OSError("only Linux has addresses without a file")

    sys.addaudithook(audit)


def take_away(names: tuple[str, ...]) -> None:
    """Remove names from `os`; those that this Python lacks are gone already."""
    for name in names:
        if hasattr(os, name):
            delattr(os, name)


def load_everything() -> int:
    """Import every module of the program; return their number."""
    import companion

    names = [each.name for each in pkgutil.walk_packages(companion.__path__, "companion.")]
    for name in names:
        importlib.import_module(name)
    return len(names)


def run_commands(folder: Path) -> None:
    """Run commands that touch the system."""
    from companion.cli import main

    for words in (
        ["--help"],
        ["doctor", "--data", str(folder)],
        ["backup", "--data", str(folder), str(folder.parent / "backup")],
        ["restore", "--data", str(folder.parent / "other"), str(folder.parent / "backup")],
        ["restore", "--data", str(folder.parent / "other"), str(folder.parent / "backup")],
    ):
        try:
            main(words)
        except SystemExit as end:
            if end.code:
                raise
    for words in (["install"], ["uninstall"]):
        try:
            main(words)
        except SystemExit as end:
            assert end.code


def play(folder: Path) -> None:
    """Let bots play the first night and the turn after it; the simulated board is connected."""
    from companion.app import Application
    from companion.config import Settings
    from companion.core.game import Seat

    table = Application(Settings(data=str(folder), host="127.0.0.1", board="sim"))
    try:
        table.sources.simulate(0)
        table.start()
        table.table.lobby.propose({"players": 2})
        for seat in ("V", "H1"):
            table.table.seats.give(Seat(seat), "greedy")
        table.table.start()
        until(lambda: table.table.snapshot()["board"]["link"] == "up", "the board")
        until(lambda: table.table.snapshot()["to_move"] == "V", "nightfall")
        until(lambda: table.table.snapshot()["to_move"] == "H1", "dawn")
    finally:
        table.close()


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.02)


if __name__ == "__main__":
    warnings.filterwarnings("error", category=EncodingWarning, module=r"companion\.")
    {"windows": become_windows, "macos": become_macos}[sys.argv[1]]()
    print(load_everything(), "modules")
    play(Path(sys.argv[2]))
    run_commands(Path(sys.argv[2]))
    print("played")
